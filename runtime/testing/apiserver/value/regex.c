/* SPDX-License-Identifier: Apache-2.0 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "regex.h"

#include "base/ctx.h"
#include "text.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

enum {
    MATCH_LIMIT = 1000000,
    HEAP_LIMIT_KIB = 16 * 1024,
    PATTERN_SIZE = 64 * 1024,
};

static const char *refused(kube_ctx *ctx, const char *why, const char *at, size_t len)
{
    return kube__api_text(ctx, "error parsing regexp: %s: `%.*s`", why, (int)len, at);
}

/* Past a class that starts at @at, or NULL when it has no end. */
static const char *skip_class(const char *at)
{
    at++;
    if (*at == '^')
        at++;
    if (*at == ']')
        at++;
    for (; *at && *at != ']'; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (at[0] == '[' && at[1] == ':' && strstr(at, ":]"))
            at = strstr(at, ":]") + 1;
    }
    return *at ? at + 1 : NULL;
}

/* "(?…": flags, a group without capture, or a name. */
static bool is_go_group(const char *at)
{
    if (at[2] == 'P')
        return at[3] == '<';
    if (at[2] == '<')
        return at[3] != '=' && at[3] != '!';
    size_t flags = strspn(at + 2, "imsU-");
    return at[2 + flags] == ':' || (at[2 + flags] == ')' && flags > 0);
}

static bool is_repeat(const char *at)
{
    return *at == '*' || *at == '+' || *at == '?';
}

/* "{2000}": Go repeats no more than 1000 times. */
static bool is_too_often(const char *at)
{
    char *end;
    unsigned long least = strtoul(at + 1, &end, 10);
    if (end == at + 1 || (*end != '}' && *end != ','))
        return false;
    unsigned long most = *end == ',' && end[1] != '}' ? strtoul(end + 1, &end, 10) : least;
    return least > 1000 || most > 1000;
}

/* What PCRE2 takes and Go does not; NULL = nothing. */
static const char *foreign(kube_ctx *ctx, const char *pattern)
{
    for (const char *at = pattern; *at;) {
        if (at[0] == '\\') {
            if (!at[1])
                return kube_ctx_strdup(ctx, "error parsing regexp: trailing backslash at end of "
                                            "expression: ``");
            if (strchr("123456789kgGhHRXKNZouLlE", at[1]))
                return refused(ctx, "invalid escape sequence", at, 2);
            at += 2;
        } else if (at[0] == '[') {
            const char *end = skip_class(at);
            if (!end)
                return refused(ctx, "missing closing ]", at, strlen(at));
            at = end;
        } else if (at[0] == '(' && at[1] == '?' && !is_go_group(at)) {
            if (at[2] == '<' || at[2] == 'P')
                return refused(ctx, "invalid named capture", at, strlen(at));
            return refused(ctx, "invalid or unsupported Perl syntax", at, at[2] ? 3 : 2);
        } else if (at[0] == '{' && is_too_often(at)) {
            return refused(ctx, "invalid repeat count", at, strcspn(at, "}") + 1);
        } else if (is_repeat(at) && is_repeat(at + 1)) {
            /* "a*?" is lazy; "a*+" and "a**" are nothing. */
            if (at[1] != '?' || is_repeat(at + 2))
                return refused(ctx, "invalid nested repetition operator", at, at[1] == '?' ? 3 : 2);
            at += 2;
        } else {
            at++;
        }
    }
    return NULL;
}

static pcre2_code *compile(const char *pattern, int *error, size_t *offset)
{
    /* "$" is the end of the text alone, as in Go. */
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, strlen(pattern),
                                     PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C,
                                     error, offset, NULL);
    return code;
}

static const char *fault_of(kube_ctx *ctx, const char *pattern, int error, size_t offset)
{
    const char *at = pattern + offset;
    switch (error) {
    case PCRE2_ERROR_HEAP_FAILED:
        kube__ctx_fail(ctx, 0);
        return "";
    case PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS:
        return refused(ctx, "missing closing )", pattern, strlen(pattern));
    case PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS:
        return refused(ctx, "unexpected )", pattern, strlen(pattern));
    case PCRE2_ERROR_QUANTIFIER_INVALID:
        return refused(ctx, "missing argument to repetition operator", at > pattern ? at - 1 : at,
                       1);
    case PCRE2_ERROR_QUANTIFIER_TOO_BIG:
        return refused(ctx, "invalid repeat count", pattern, strlen(pattern));
    case PCRE2_ERROR_CLASS_RANGE_ORDER:
        return refused(ctx, "invalid character class range", at > pattern + 1 ? at - 2 : pattern,
                       3);
    default:
        return refused(ctx, "invalid or unsupported Perl syntax", pattern, strlen(pattern));
    }
}

const char *kube__api_regex_fault(kube_ctx *ctx, const char *pattern)
{
    if (strlen(pattern) > PATTERN_SIZE)
        return "error parsing regexp: expression too large";
    const char *fault = foreign(ctx, pattern);
    if (fault)
        return fault;
    int error;
    size_t offset;
    pcre2_code *code = compile(pattern, &error, &offset);
    if (!code)
        return fault_of(ctx, pattern, error, offset);
    pcre2_code_free(code);
    return NULL;
}

bool kube__api_regex_matches(kube_ctx *ctx, const char *pattern, const char *text, size_t len)
{
    int error = 0;
    size_t offset;
    int matches = PCRE2_ERROR_NOMATCH;
    pcre2_code *code = strlen(pattern) > PATTERN_SIZE ? NULL : compile(pattern, &error, &offset);
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    if (!limits || !data || (!code && error == PCRE2_ERROR_HEAP_FAILED)) {
        kube__ctx_fail(ctx, 0);
    } else if (code) {
        pcre2_set_match_limit(limits, MATCH_LIMIT);
        pcre2_set_heap_limit(limits, HEAP_LIMIT_KIB);
        matches = pcre2_match(code, (PCRE2_SPTR)text, len, 0, 0, data, limits);
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(limits);
    pcre2_code_free(code);
    return matches >= 0;
}
