/* SPDX-License-Identifier: Apache-2.0 */
#include "docs_sample.h"

#include "front/pattern.h"
#include "support/ascii.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 40, TEXT_MAX = 2048, STEPS_MAX = 20000, ASCII = 128, PLACES_MAX = 24 };

typedef struct sampler {
    const char *at;
    str text;
    size_t seed;   /* 0 = the first branches and characters, and as few repeats as possible */
    size_t random; /* made of the seed */
    size_t filled; /* the part that is repeated more often than it must: the how manieth that can */
    size_t fill;   /* and how often more */
    size_t steps;
    bool failed;
} sampler;

typedef struct char_set {
    bool has[ASCII];
} char_set;

/* A number below @most, always 0 if there is no seed. */
static size_t choose(sampler *s, size_t most)
{
    s->random = (s->random * 1103515245 + 12345) % 2147483648;
    return s->seed ? (s->random >> 8) % most : 0;
}

static void add_range(char_set *set, int from, int to)
{
    for (int c = from; c <= to && c < ASCII; c++)
        set->has[c] = true;
}

/* Adds what \d and the like stand for; returns false for a character that means itself. */
static bool add_escape(char_set *set, char c)
{
    char_set other = {{false}};
    switch (ascii_lower(c)) {
    case 'd':
        add_range(&other, '0', '9');
        break;
    case 'w':
        add_range(&other, '0', '9');
        add_range(&other, 'a', 'z');
        add_range(&other, 'A', 'Z');
        other.has['_'] = true;
        break;
    case 's':
        other.has[' '] = true;
        break;
    default:
        return false;
    }
    for (int i = ' '; i < ASCII - 1; i++)
        set->has[i] |= other.has[i] != ascii_is_upper(c);
    return true;
}

static void add_posix(sampler *s, char_set *set)
{
    static const struct {
        const char *name;
        const char *ranges; /* in pairs */
    } classes[] = {
        {"[:alnum:]", "azAZ09"}, {"[:alpha:]", "azAZ"}, {"[:digit:]", "09"},
        {"[:lower:]", "az"},     {"[:upper:]", "AZ"},   {"[:xdigit:]", "09afAF"},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!str_has_prefix(s->at, classes[i].name))
            continue;
        for (const char *r = classes[i].ranges; *r; r += 2)
            add_range(set, r[0], r[1]);
        s->at += strlen(classes[i].name);
        return;
    }
    s->failed = true;
}

/* Behind the letter @c of an escape: \x41, \pL and the like. Classes are taken for letters. */
static int read_escape(sampler *s, char_set *set, int c)
{
    static const char controls[] = "t\tn\nr\rf\fv\va\a";
    const char *control = strchr(controls, c);
    char *end;
    if (c == 'x') {
        char digits[3] = {0};
        bool braced = *s->at == '{';
        if (!braced)
            strncat(digits, s->at, 2);
        c = (int)strtol(braced ? s->at + 1 : digits, &end, 16);
        s->at = braced ? strchr(s->at, '}') ? strchr(s->at, '}') + 1 : "" : s->at + strlen(digits);
        s->failed |= c <= 0 || c >= ASCII;
        return c;
    }
    if (c == 'p' || c == 'P') {
        s->at += *s->at == '{' ? strcspn(s->at, "}") : 0;
        s->at += *s->at != '\0';
        add_range(set, c == 'p' ? 'a' : '0', c == 'p' ? 'z' : '9');
        add_range(set, 'A', c == 'p' ? 'Z' : 'A' - 1);
        return 0;
    }
    if (control && ascii_is_alpha((char)c))
        return control[1];
    s->failed |= ascii_is_alnum((char)c);
    return c;
}

/* One character of a class, or what stands for several. Returns it, or 0. */
static int read_member(sampler *s, char_set *set)
{
    int c = (unsigned char)*s->at;
    if (c == '[' && s->at[1] == ':') {
        add_posix(s, set);
        return 0;
    }
    if (c == '\\' && s->at[1]) {
        s->at++;
        c = (unsigned char)*s->at++;
        if (add_escape(set, (char)c))
            return 0;
        return read_escape(s, set, c);
    }
    s->failed |= c >= ASCII || !c;
    s->at += !s->failed;
    return c;
}

/* Behind the '['. */
static char_set read_class(sampler *s)
{
    char_set set = {{false}};
    bool negated = *s->at == '^';
    bool first = true;
    s->at += negated;
    while (!s->failed && (first || *s->at != ']')) {
        int from = read_member(s, &set);
        int to = from;
        first = false;
        if (from && s->at[0] == '-' && s->at[1] != ']') {
            s->at++;
            to = read_member(s, &set);
        }
        if (from && !s->failed)
            add_range(&set, from, to);
    }
    s->at += !s->failed;
    for (int c = ' '; negated && c < ASCII - 1; c++)
        set.has[c] = !set.has[c];
    return set;
}

/* Letters first: they read best, and YAML needs no quotes for them. */
static void add_one(sampler *s, const char_set *set)
{
    static const char liked[] = "abcdefghijklmnopqrstuvwxyz1234567890";
    char can[ASCII] = {0};
    size_t len = 0;
    for (const char *c = liked; *c; c++)
        if (set->has[(unsigned char)*c])
            can[len++] = *c;
    for (int c = ' '; c < ASCII - 1; c++)
        if (set->has[c] && (!len || (s->seed > 16 && !strchr(liked, c))))
            can[len++] = (char)c;
    s->failed |= !len;
    if (len)
        str_add_char(&s->text, can[choose(s, len)]);
}

static size_t read_number(sampler *s)
{
    size_t number = 0;
    while (ascii_is_digit(*s->at) && number < TEXT_MAX)
        number = number * 10 + (size_t)(*s->at++ - '0');
    return number;
}

/* How often the part before is to come. */
static size_t read_repeats(sampler *s)
{
    size_t least = 1;
    size_t most = 1;
    if (*s->at == '*' || *s->at == '+' || *s->at == '?') {
        least = *s->at == '+';
        most = *s->at == '?' ? 1 : TEXT_MAX;
        s->at++;
    } else if (*s->at == '{' && ascii_is_digit(s->at[1])) {
        s->at++;
        least = most = read_number(s);
        if (*s->at == ',') {
            s->at++;
            most = *s->at == '}' ? TEXT_MAX : read_number(s);
        }
        s->failed |= *s->at != '}';
        s->at += !s->failed;
    } else {
        return 1;
    }
    s->at += *s->at == '?'; /* a lazy one */
    if (most > least && s->filled-- == 0 && s->fill)
        return most - least < s->fill ? most : least + s->fill;
    return least + (s->seed ? choose(s, most - least < 3 ? most - least + 1 : 4) : 0);
}

static void add_choice(sampler *s, int depth);

/* Behind the '('. */
static void add_group(sampler *s, int depth)
{
    if (str_has_prefix(s->at, "?P<")) {
        s->at += strcspn(s->at, ">");
        s->at += *s->at == '>';
    } else if (str_has_prefix(s->at, "?:")) {
        s->at += 2;
    } else if (*s->at == '?') {
        s->at += strcspn(s->at, ">:)");
        if (*s->at != ')')
            s->at += *s->at != '\0';
    }
    add_choice(s, depth + 1);
    s->failed |= *s->at != ')';
    s->at += !s->failed;
}

static void add_atom(sampler *s, int depth)
{
    char_set set = {{false}};
    char c = *s->at++;
    s->failed |= ++s->steps > STEPS_MAX;
    if (s->failed)
        return;
    switch (c) {
    case '^':
    case '$':
        return;
    case '(':
        add_group(s, depth);
        return;
    case '[':
        set = read_class(s);
        break;
    case '.':
        add_range(&set, ' ', '~');
        break;
    case '\\':
        if (*s->at && strchr("AbBz", *s->at)) {
            s->at++;
            return;
        }
        s->at--;
        c = (char)read_member(s, &set);
        if (c)
            str_add_char(&s->text, c);
        if (c || s->failed)
            return;
        break;
    default:
        str_add_char(&s->text, c);
        return;
    }
    if (!s->failed)
        add_one(s, &set);
}

/* An atom with its repeats: it is read to find them, and once for each of them. */
static void add_part(sampler *s, int depth)
{
    const char *start = s->at;
    const char *end;
    size_t repeats;
    str kept = s->text;
    s->text = (str){0};
    add_atom(s, depth);
    repeats = s->failed ? 0 : read_repeats(s);
    end = s->at;
    for (size_t i = 0; i < repeats && !s->failed && kept.len < TEXT_MAX; i++) {
        str_clear(&s->text);
        s->at = start;
        add_atom(s, depth);
        str_add(&kept, str_text(&s->text));
    }
    s->at = end;
    str_free(&s->text);
    s->text = kept;
}

/* Keeps the text of one branch, behind what came before the choice. */
static void add_choice(sampler *s, int depth)
{
    size_t branches = 1;
    str kept = {0};
    s->failed |= depth > DEPTH_MAX;
    while (!s->failed && *s->at && *s->at != ')') {
        if (*s->at == '|') {
            s->at++;
            if (branches == 1 || choose(s, branches) == branches - 1) {
                str_clear(&kept);
                str_add(&kept, str_text(&s->text));
            }
            branches++;
            str_clear(&s->text);
            continue;
        }
        add_part(s, depth);
        s->failed |= s->text.len > TEXT_MAX;
    }
    if (branches > 1 && choose(s, branches) != branches - 1) {
        str_clear(&s->text);
        str_add(&s->text, str_text(&kept));
    }
    str_free(&kept);
}

typedef struct wanted {
    arena *in;
    const char *pattern;
    size_t least;
    size_t most;
} wanted;

static const char *checked(const wanted *w, const char *text)
{
    size_t len = strlen(text);
    return len >= w->least && len <= w->most && !pattern_excludes(w->pattern, text) ? text : NULL;
}

/* Returns the text that a seed makes, or NULL. */
static const char *made(const wanted *w, size_t seed, size_t filled, size_t fill)
{
    sampler s = {.at = w->pattern, .seed = seed, .random = seed, .filled = filled, .fill = fill};
    const char *text = NULL;
    add_choice(&s, 0);
    if (!s.failed && !*s.at)
        text = arena_strdup(w->in, str_text(&s.text));
    str_free(&s.text);
    return text;
}

/* A text that is too short gets more of one part, or of what the pattern does not look at. */
static const char *lengthened(const wanted *w, size_t seed, const char *text)
{
    size_t missing = w->least - strlen(text);
    const char *found = NULL;
    char *padding;
    for (size_t i = 0; i < PLACES_MAX && !found; i++) {
        const char *longer = made(w, seed, i, missing);
        found = longer ? checked(w, longer) : NULL;
    }
    if (found)
        return found;
    padding = arena_alloc(w->in, missing + 1);
    memset(padding, 'x', missing);
    padding[missing] = '\0';
    found = checked(w, arena_printf(w->in, "%s%s", text, padding));
    return found ? found : checked(w, arena_printf(w->in, "%s%s", padding, text));
}

const char *docs_sample(arena *in, const char *pattern, size_t least, size_t most, size_t which)
{
    const wanted w = {in, pattern, least, most};
    const char *text = made(&w, which, 0, 0);
    if (!text)
        return NULL;
    return strlen(text) < least ? lengthened(&w, which, text) : checked(&w, text);
}
