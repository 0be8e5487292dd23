/* SPDX-License-Identifier: Apache-2.0 */
#include "docs_sample.h"

#include "front/pattern.h"
#include "support/ascii.h"
#include "support/str.h"

#include <string.h>

enum { DEPTH_MAX = 40, REPEATS_MAX = 64, TEXT_MAX = 4096, STEPS_MAX = 20000, ASCII = 128 };

typedef struct sampler {
    const char *at;
    str text;
    size_t extra; /* how often more than needed a part is repeated, if it may be */
    size_t steps;
    bool failed;
} sampler;

typedef struct char_set {
    bool has[ASCII];
} char_set;

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
        s->failed |= ascii_is_alnum((char)c); /* \x41, \pL and the like */
        return c;
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
    for (const char *c = liked; *c; c++) {
        if (set->has[(unsigned char)*c]) {
            str_add_char(&s->text, *c);
            return;
        }
    }
    for (int c = ' '; c < ASCII - 1; c++) {
        if (set->has[c]) {
            str_add_char(&s->text, (char)c);
            return;
        }
    }
    s->failed = true;
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
    return most - least < s->extra ? most : least + s->extra;
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
        s->failed = true;
        return;
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

/* An atom with its repeats: it is read once for each of them. */
static void add_part(sampler *s, int depth)
{
    const char *start = s->at;
    size_t len = s->text.len;
    const char *end;
    size_t repeats;
    str kept = {0};
    add_atom(s, depth);
    if (s->failed)
        return;
    repeats = read_repeats(s);
    end = s->at;
    str_add_len(&kept, s->text.data ? s->text.data : "", len);
    for (size_t i = 0; i < repeats && !s->failed && kept.len < TEXT_MAX; i++) {
        str_clear(&s->text);
        s->at = start;
        add_atom(s, depth);
        str_add_len(&kept, str_text(&s->text), s->text.len);
    }
    s->at = end;
    str_free(&s->text);
    s->text = kept;
}

/* The first branch; the others are only read, to find their end. */
static void add_choice(sampler *s, int depth)
{
    size_t kept = 0;
    bool first = true;
    s->failed |= depth > DEPTH_MAX;
    while (!s->failed && *s->at && *s->at != ')') {
        if (*s->at == '|') {
            s->at++;
            kept = first ? s->text.len : kept;
            first = false;
            continue;
        }
        add_part(s, depth);
        s->failed |= s->text.len > TEXT_MAX;
    }
    if (!first && s->text.data) {
        s->text.len = kept;
        s->text.data[kept] = '\0';
    }
}

const char *docs_sample(arena *in, const char *pattern, size_t least, size_t most)
{
    const char *found = NULL;
    for (size_t extra = 0; !found && extra < REPEATS_MAX; extra++) {
        sampler s = {.at = pattern, .extra = extra};
        add_choice(&s, 0);
        if (!s.failed && !*s.at && s.text.len >= least && s.text.len <= most &&
            !pattern_excludes(pattern, str_text(&s.text)))
            found = arena_strdup(in, str_text(&s.text));
        str_free(&s.text);
        if (s.failed)
            break;
    }
    return found;
}
