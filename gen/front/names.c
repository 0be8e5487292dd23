/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include "support/ascii.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a name may look like ------------------------------------------------------------- */

static const char *skip_number(const char *at)
{
    if (*at < '1' || *at > '9')
        return NULL;
    while (ascii_is_digit(*at))
        at++;
    return at;
}

bool names_is_version(const char *text)
{
    const char *at = *text == 'v' ? skip_number(text + 1) : NULL;
    if (at && str_has_prefix(at, "alpha"))
        at = skip_number(at + strlen("alpha"));
    else if (at && str_has_prefix(at, "beta"))
        at = skip_number(at + strlen("beta"));
    return at && *at == '\0';
}

static bool is_label(const char *text, size_t len)
{
    if (len == 0 || len > 63 || text[0] == '-' || text[len - 1] == '-')
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!ascii_is_lower(text[i]) && !ascii_is_digit(text[i]) && text[i] != '-')
            return false;
    }
    return true;
}

bool names_is_label(const char *text)
{
    return is_label(text, strlen(text));
}

bool names_is_group(const char *text)
{
    if (strlen(text) > 253)
        return false;
    for (;;) {
        size_t len = strcspn(text, ".");
        if (!is_label(text, len))
            return false;
        if (text[len] == '\0')
            return true;
        text += len + 1;
    }
}

/* With up to @most underscores between two words. */
static bool is_snake(const char *text, int most)
{
    int underscores = 0;
    if (!ascii_is_lower(*text))
        return false;
    for (; *text; text++) {
        if (!ascii_is_lower(*text) && !ascii_is_digit(*text) && *text != '_')
            return false;
        underscores = *text == '_' ? underscores + 1 : 0;
        if (underscores > most)
            return false;
    }
    return true;
}

bool names_is_snake(const char *text)
{
    return is_snake(text, 1);
}

bool names_is_prefix(const char *text)
{
    return is_snake(text, 2) && text[strlen(text) - 1] != '_';
}

bool names_is_dir(const char *text)
{
    if (!ascii_is_alnum(*text))
        return false;
    for (; *text; text++) {
        if (!ascii_is_alnum(*text) && !strchr("-_.", *text))
            return false;
    }
    return true;
}

bool names_is_kind(const char *text)
{
    if (!ascii_is_upper(*text))
        return false;
    for (; *text; text++) {
        if (!ascii_is_alnum(*text))
            return false;
    }
    return true;
}

/* ---- one name from another ----------------------------------------------------------------- */

char *names_prefix(arena *in, const char *group_dir, const char *version)
{
    char *prefix = arena_printf(in, "%s_%s", group_dir, version);
    for (char *at = prefix; *at; at++) {
        *at = ascii_lower(*at);
        if (!ascii_is_lower(*at) && !ascii_is_digit(*at))
            *at = '_';
    }
    return prefix;
}

/* Drops underscores and makes the letter after one upper case. */
static char *camel(arena *in, const char *snake, bool upper)
{
    char *text = arena_alloc(in, strlen(snake) + 1);
    char *to = text;
    for (; *snake; snake++) {
        if (*snake == '_') {
            upper = true;
        } else {
            *to++ = upper ? ascii_upper(*snake) : *snake;
            upper = false;
        }
    }
    return text;
}

char *names_kind(arena *in, const char *snake)
{
    return camel(in, snake, true);
}

char *names_json(arena *in, const char *snake)
{
    return camel(in, snake, false);
}

char *names_snake(arena *in, const char *camel_case)
{
    char *text = arena_alloc(in, 2 * strlen(camel_case) + 1);
    char *to = text;
    for (const char *at = camel_case; *at; at++) {
        bool first = at == camel_case || at[-1] == '_' || *at == '_';
        /* A word begins at an upper-case letter after a lower-case one, or before one: "HTTPRoute".
         * The s of a plural does not count, nor the v of a version: "podIPs", "IPv4". */
        bool ends_in_lower =
            (at[1] == 's' && !ascii_is_lower(at[2])) || (at[1] == 'v' && ascii_is_digit(at[2]));
        bool begins = ascii_is_upper(*at) && !first &&
                      (!ascii_is_upper(at[-1]) || (ascii_is_lower(at[1]) && !ends_in_lower));
        if (begins)
            *to++ = '_';
        *to++ = ascii_lower(*at);
    }
    return text;
}

char *names_tidy(arena *in, const char *text)
{
    char *tidy = names_snake(in, text);
    char *to = tidy;
    for (const char *at = tidy; *at; at++) {
        if (*at != '_' || (to > tidy && to[-1] != '_'))
            *to++ = *at;
    }
    while (to > tidy && to[-1] == '_')
        to--;
    *to = '\0';
    return tidy;
}

char *names_upper(arena *in, const char *text)
{
    char *upper = arena_strdup(in, text);
    for (char *at = upper; *at; at++)
        *at = ascii_upper(*at);
    return upper;
}

char *names_lower(arena *in, const char *text)
{
    char *lower = arena_strdup(in, text);
    for (char *at = lower; *at; at++)
        *at = ascii_lower(*at);
    return lower;
}

static bool is_vowel(char c)
{
    return strchr("aeiou", ascii_lower(c)) != NULL;
}

char *names_plural(arena *in, const char *singular)
{
    size_t len = strlen(singular);
    char last;
    char before;
    if (len < 2)
        return arena_strdup(in, singular);
    last = ascii_lower(singular[len - 1]);
    before = ascii_lower(singular[len - 2]);
    if (last == 's' || last == 'x' || last == 'z' ||
        (last == 'h' && (before == 'c' || before == 's')))
        return arena_printf(in, "%ses", singular);
    if (last == 'y' && !is_vowel(before))
        return arena_printf(in, "%.*sies", (int)(len - 1), singular);
    if (last == 'e' && before == 'f')
        return arena_printf(in, "%.*sves", (int)(len - 2), singular);
    if (last == 'f')
        return arena_printf(in, "%.*sves", (int)(len - 1), singular);
    return arena_printf(in, "%ss", singular);
}

/* ---- words that cannot be members ---------------------------------------------------------- */

/* Of C and C++, alternative tokens, and macros of compilers and of the C library. */
static const char reserved[] =
    "EOF FALSE I NULL TRUE alignas alignof and and_eq asm assert atomic_cancel auto bitand "
    "bitor bool break case catch char char16_t char32_t char8_t class co_await co_return "
    "co_yield compl complex concept const const_cast consteval constexpr constinit continue "
    "decltype default delete do double dynamic_cast else enum errno explicit export extern "
    "false float for friend goto i386 if imaginary inline int linux long mutable namespace "
    "new noexcept noreturn not not_eq nullptr offsetof operator or or_eq private protected "
    "public register reinterpret_cast requires restrict return setjmp short signed sizeof "
    "static static_assert static_cast stderr stdin stdout struct switch template this "
    "thread_local throw true try typedef typeid typename typeof typeof_unqual union unix "
    "unsigned using va_arg virtual void volatile wchar_t while xor xor_eq ";

bool names_is_reserved(const char *text)
{
    size_t len;
    for (const char *word = reserved; *word; word += len + 1) {
        len = strcspn(word, " ");
        if (strncmp(word, text, len) == 0 && text[len] == '\0')
            return true;
    }
    return false;
}
