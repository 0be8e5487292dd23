/* SPDX-License-Identifier: Apache-2.0 */
/* What Go's decoder says of a text that is not JSON: messages of the server quote it. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "json.h"

#include <stdio.h>
#include <string.h>

typedef struct scanner {
    const char *p;
    const char *end;
    const char *context; /* "looking for beginning of value"; NULL = the end came too early */
    unsigned depth;
} scanner;

enum { MAX_DEPTH = 10000 };

static bool value(scanner *s);

static void blanks(scanner *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

/* Always false. */
static bool fail(scanner *s, const char *context)
{
    s->context = s->p < s->end ? context : NULL;
    return false;
}

static bool literal(scanner *s, const char *word, const char *const *contexts)
{
    for (size_t i = 0; word[i]; i++, s->p++) {
        if (s->p == s->end || *s->p != word[i])
            return fail(s, contexts[i]);
    }
    return true;
}

static bool word(scanner *s)
{
    static const char *const of_true[] = {"", "in literal true (expecting 'r')",
                                          "in literal true (expecting 'u')",
                                          "in literal true (expecting 'e')"};
    static const char *const of_false[] = {
        "", "in literal false (expecting 'a')", "in literal false (expecting 'l')",
        "in literal false (expecting 's')", "in literal false (expecting 'e')"};
    static const char *const of_null[] = {"", "in literal null (expecting 'u')",
                                          "in literal null (expecting 'l')",
                                          "in literal null (expecting 'l')"};
    if (*s->p == 't')
        return literal(s, "true", of_true);
    return *s->p == 'f' ? literal(s, "false", of_false) : literal(s, "null", of_null);
}

static bool string(scanner *s)
{
    for (s->p++; s->p < s->end && *s->p != '"'; s->p++) {
        if ((unsigned char)*s->p < ' ')
            return fail(s, "in string literal");
        if (*s->p != '\\')
            continue;
        if (++s->p == s->end)
            return fail(s, "");
        if (*s->p == 'u') {
            for (int i = 0; i < 4; i++) {
                if (++s->p == s->end || kube__hex_digit(*s->p) < 0)
                    return fail(s, "in \\u hexadecimal character escape");
            }
        } else if (!strchr("bfnrt\\/\"", *s->p)) {
            return fail(s, "in string escape code");
        }
    }
    if (s->p == s->end)
        return fail(s, "");
    s->p++;
    return true;
}

static bool digits(scanner *s, const char *context)
{
    if (s->p == s->end || !kube__is_digit(*s->p))
        return fail(s, context);
    while (s->p < s->end && kube__is_digit(*s->p))
        s->p++;
    return true;
}

static bool number(scanner *s)
{
    if (*s->p == '-')
        s->p++;
    if (s->p < s->end && *s->p == '0')
        s->p++;
    else if (!digits(s, "in numeric literal"))
        return false;
    if (s->p < s->end && *s->p == '.') {
        s->p++;
        if (!digits(s, "after decimal point in numeric literal"))
            return false;
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        s->p++;
        if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
            s->p++;
        return digits(s, "in exponent of numeric literal");
    }
    return true;
}

static bool member(scanner *s, bool may_end)
{
    blanks(s);
    if (s->p == s->end || (*s->p != '"' && !(may_end && *s->p == '}')))
        return fail(s, "looking for beginning of object key string");
    if (*s->p == '}')
        return true;
    if (!string(s))
        return false;
    blanks(s);
    if (s->p == s->end || *s->p != ':')
        return fail(s, "after object key");
    s->p++;
    return value(s);
}

static bool object(scanner *s)
{
    s->p++;
    for (bool first = true;; first = false) {
        if (!member(s, first))
            return false;
        blanks(s);
        if (s->p == s->end || (*s->p != ',' && *s->p != '}'))
            return fail(s, "after object key:value pair");
        if (*s->p++ == '}')
            return true;
    }
}

static bool array(scanner *s)
{
    s->p++;
    blanks(s);
    if (s->p < s->end && *s->p == ']') {
        s->p++;
        return true;
    }
    for (;;) {
        if (!value(s))
            return false;
        blanks(s);
        if (s->p == s->end || (*s->p != ',' && *s->p != ']'))
            return fail(s, "after array element");
        if (*s->p++ == ']')
            return true;
    }
}

static bool value(scanner *s)
{
    bool good;
    blanks(s);
    if (s->p == s->end)
        return fail(s, "");
    if (++s->depth > MAX_DEPTH)
        return fail(s, "exceeded max depth");
    if (*s->p == '{')
        good = object(s);
    else if (*s->p == '[')
        good = array(s);
    else if (*s->p == '"')
        good = string(s);
    else if (*s->p == '-' || kube__is_digit(*s->p))
        good = number(s);
    else if (*s->p == 't' || *s->p == 'f' || *s->p == 'n')
        good = word(s);
    else
        good = fail(s, "looking for beginning of value");
    s->depth--;
    return good;
}

/* A byte as Go quotes a character. */
static const char *show(char *out, size_t size, unsigned char c)
{
    char two[4];
    if (c == '\'')
        return "'\\''";
    if (c == '"')
        return "'\"'";
    if (c == '\n')
        return "'\\n'";
    if (c == '\t')
        return "'\\t'";
    if (c == '\r')
        return "'\\r'";
    if (c < ' ' || c == 0x7f)
        snprintf(out, size, "'\\x%02x'", c);
    else if (c < 0x7f)
        snprintf(out, size, "'%c'", c);
    else if (c < 0xa0)
        snprintf(out, size, "'\\u%04x'", c);
    else
        snprintf(out, size, "'%.*s'", (int)kube__utf8_put(c, two), two);
    return out;
}

const char *kube__json_error(kube_ctx *ctx, const char *text, size_t len, const char *fault)
{
    char quoted[16];
    scanner s = {.p = text, .end = text + len};
    bool good = value(&s);
    blanks(&s);
    if (good && s.p < s.end)
        fail(&s, "after top-level value");
    else if (good)
        return fault;
    if (!s.context)
        return "unexpected end of JSON input";
    return kube__api_text(ctx, "invalid character %s %s",
                          show(quoted, sizeof(quoted), (unsigned char)*s.p), s.context);
}
