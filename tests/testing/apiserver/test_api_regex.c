/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns mean what they mean to Go's regexp, whose words these are, and none costs much. */
#include "apiserver/value/regex.h"
#include "apiserver/value/steps.h"
#include "support/suite.h"

#include <kube/shapes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kube_ctx *ctx;

static void start(void)
{
    ctx = kube_ctx_new();
}

static void stop(void)
{
    kube_ctx_free(ctx);
}

FIXTURE(start, stop);

/* go1.26's words behind "error parsing regexp: ". */
static const struct {
    const char *pattern;
    const char *fault;
} bad[] = {
    {"[a", "missing closing ]: `[a`"},
    {"x[[:foo:]]", "invalid character class range: `[:foo:]`"},
    {"[z-a]", "invalid character class range: `z-a`"},
    {"(a", "missing closing ): `(a`"},
    {"b(?i-s:", "missing closing ): `b(?i-s:`"},
    {"a)b", "unexpected ): `a)b`"},
    {"a)(?<n>b", "unexpected ): `a)(?<n>b`"},
    {"*", "missing argument to repetition operator: `*`"},
    {"(?P<n>*?)", "missing argument to repetition operator: `*?`"},
    {"a**", "invalid nested repetition operator: `**`"},
    {"a*?+", "invalid nested repetition operator: `*?+`"},
    {"a{2000}", "invalid repeat count: `{2000}`"},
    {"a{1001}?", "invalid repeat count: `{1001}`"},
    {"a*{3,2}", "invalid repeat count: `{3,2}`"},
    {"a{99999999999}", "invalid repeat count: `{99999999999}`"},
    {"a*{1,99999999999}", "invalid repeat count: `{1,99999999999}`"},
    {"a{99999999999,}b**", "invalid repeat count: `{99999999999,}`"},
    {"{99999999999}", "invalid repeat count: `{99999999999}`"},
    {"(a{1000}){1000}", "invalid repeat count: `{1000}`"},
    {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
    {"(?<", "invalid or unsupported Perl syntax: `(?<`"},
    {"(?P=n)", "invalid or unsupported Perl syntax: `(?P`"},
    {"(?<!a)b", "invalid named capture: `(?<!a)b`"},
    {"(?<n>a)(?<1.>b)", "invalid named capture: `(?<1.>`"},
    {"(?P<n-1>)(?<\\C>)", "invalid named capture: `(?P<n-1>`"},
    {"(a)\\1", "invalid escape sequence: `\\1`"},
    {"(?<\xc3\xa9>)", "invalid named capture: `(?<\xc3\xa9>`"},
    {"\\C", "invalid escape sequence: `\\C`"},
    {"\\x{", "invalid escape sequence: `\\x{`"},
    {"\\p{Foo}", "invalid character class range: `\\p{Foo}`"},
    {"(" KUBE_TEXT_NUL, "missing closing ): `(" KUBE_TEXT_NUL "`"},
    {"(" KUBE_TEXT_NUL "**)", "invalid nested repetition operator: `**`"},
    {"a\\", "trailing backslash at end of expression: ``"},
};

TEST_EACH(says_of_a_bad_pattern_what_go_says, bad)
{
    const char *fault = kube__api_regex_fault(ctx, bad[_i].pattern);
    ck_assert_ptr_nonnull(fault);
    ck_assert_msg(strncmp(fault, "error parsing regexp: ", 22) == 0, "%s", fault);
    ck_assert_str_eq(fault + 22, bad[_i].fault);
    ck_assert(!kube__api_regex_matches(ctx, bad[_i].pattern, "a", 1));
}

static const struct {
    const char *pattern;
    const char *text;
    bool matches;
} cases[] = {
    {"^\\s$", "\t", true},
    {"^\\s$", "\v", false}, /* unlike Perl's */
    {"^\\s$", "\xc2\xa0", false},
    {"^\\d$", "\xd9\xa1", false},
    {"^.$", "\xe2\x98\xba", true},
    {"^.$", "\n", false},
    {"(?s)^.$", "\n", true},
    {"^a$", "a\n", false},
    {"(?m)^a$", "a\nb", true},
    {"\\Aa\\z", "a", true},
    {"\\bx\\b", "-x-", true},
    {"(?i)^K$", "\xe2\x84\xaa", true},
    {"^\\p{Greek}$", "\xce\xa9", true},
    {"^\\pN$", "x", false},
    {"^(?<y>a)(?P<y>b)$", "ab", true},
    {"^\\Q(?<n>\\E$", "(?<n>", true},
    {"^[(?<n>]+$", "<>", true},
    {"b", "abc", true},
    {"", "", true},
    {"^(a|ab)(c|bcd)$", "abcd", true},
    {"^a{099999999999}$", "a{099999999999}", true},
    {"^a{99999999999$", "a{99999999999", true},
    {"^[{99999999999}]+\\Q{99999999999}\\E$", "9{99999999999}", true},
    {"^[[:](?<n>a)(?<m>b)$", ":ab", true},
    {"^a.b$", "a" KUBE_TEXT_NUL "b", true},
    {"^a..b$", "a" KUBE_TEXT_NUL "b", false},
    {"^a\\x00b$", "a" KUBE_TEXT_NUL "b", true},
    {"^[" KUBE_TEXT_NUL "]" KUBE_TEXT_NUL "$", KUBE_TEXT_NUL KUBE_TEXT_NUL, true},
};

TEST_EACH(matches_what_go_matches, cases)
{
    ck_assert_ptr_null(kube__api_regex_fault(ctx, cases[_i].pattern));
    ck_assert_msg(kube__api_regex_matches(ctx, cases[_i].pattern, cases[_i].text,
                                          strlen(cases[_i].text)) == cases[_i].matches,
                  "%s against %s", cases[_i].pattern, cases[_i].text);
}

static uint64_t steps_of(const char *pattern, size_t len, bool matches)
{
    char *text = malloc(len + 1);
    memset(text, 'a', len);
    text[len] = 'b';
    kube__api_steps_begin(0);
    ck_assert(kube__api_regex_matches(ctx, pattern, text, len + 1) == matches);
    free(text);
    return kube__api_steps_taken();
}

/* Each of these is exponential, or overflows a stack, where a matcher goes back. */
TEST_TIMES(takes_time_in_proportion_to_the_text, 7)
{
    static const struct {
        const char *pattern;
        bool matches;
    } hard[] = {
        {"^(a|b)*$", true},           {"^(a*)*$", false},   {"(a+a+)+c", false},
        {"(.*)(.*)(.*)c", false},     {"^(a|aa)+$", false}, {"(a?){500}a{500}b", true},
        {"(x|a)*(a|y){900}c", false},
    };
    uint64_t once = steps_of(hard[_i].pattern, 6000, hard[_i].matches); /* and compiles it */
    ck_assert_uint_le(steps_of(hard[_i].pattern, 12000, hard[_i].matches), 2 * once);
    ck_assert_uint_le(steps_of(hard[_i].pattern, 24000, hard[_i].matches), 4 * once);
}

TEST(large_patterns_are_refused)
{
    static const char *const large[] = {"(\\pL{100}){10}\\pL{900}", "((.{9}\\pL){90}){1}\\PL{990}"};
    char *longest = malloc(70000);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        const char *fault = kube__api_regex_fault(ctx, large[i]);
        ck_assert_ptr_nonnull(fault);
        ck_assert_ptr_nonnull(strstr(fault, "expression too large"));
    }
    memset(longest, 'a', 69999);
    longest[69999] = '\0';
    ck_assert_str_eq(kube__api_regex_fault(ctx, longest),
                     "error parsing regexp: expression too large");
    free(longest);
    ck_assert(!kube_ctx_failed(ctx));
}

TEST(a_request_has_its_share_of_steps)
{
    static const char text[1000] = "";
    kube__api_steps_begin(100000);
    ck_assert(kube__api_regex_matches(ctx, "^[\\x00]*$", text, sizeof text));
    ck_assert(!kube_ctx_failed(ctx));
    for (int i = 0; i < 1000; i++)
        kube__api_regex_matches(ctx, "^[\\x00]*$", text, sizeof text);
    ck_assert(kube_ctx_failed(ctx));
    kube__api_steps_begin(0);
}

/* What a matcher that goes back gave up on. */
TEST(a_long_text_is_matched)
{
    steps_of("^(a|b)*$", 3 << 20, true);
}

#define HEX "[0-9A-Fa-f]{1,4}"
#define GROUPS(n) "((" HEX ":){" #n "}"
#define BYTE "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
#define V4 BYTE "(\\." BYTE "){3}"
#define REST(n) "(((:" HEX "){1," #n "})|((:" HEX "){0," #n "}:" V4 ")|:))"

/* As long as those of network policies: of some 1300 instructions, and of few states. */
TEST(a_long_pattern_is_held_against_many_texts)
{
    static const char pattern[] =
        "^\\s*((" GROUPS(7) "(" HEX "|:))|" GROUPS(6) "(:" HEX "|" V4 "|:))|" GROUPS(5)
            REST(2) "|" GROUPS(4) REST(3) "|" GROUPS(3) REST(4) "|" GROUPS(2) REST(5) "|" GROUPS(1)
                REST(6) "|(:" REST(7) "))(%.+)?/(\\d|[1-9]\\d|1[01]\\d|12[0-8])\\s*$|^" V4
                                      "/(\\d|[12]\\d|3[0-2])$";
    char text[32];
    kube__api_steps_begin(200000000);
    for (int i = 0; i < 20000; i++) {
        int len = snprintf(text, sizeof text, "192.168.%d.%d/%d", i / 250, i % 250, i % 33);
        ck_assert_msg(kube__api_regex_matches(ctx, pattern, text, (size_t)len), "%d: %s", i, text);
    }
    ck_assert(!kube_ctx_failed(ctx));
    kube__api_steps_begin(0);
}

/* Nearly each byte makes a state of the automaton that was not there before. */
TEST(a_pattern_of_many_states_is_stopped)
{
    char text[200];
    uint32_t random = 1;
    kube__api_steps_begin(50000000);
    for (int i = 0; i < 10000 && !kube_ctx_failed(ctx); i++) {
        for (size_t at = 0; at < sizeof text; at++) {
            random = random * 1664525 + 1013904223;
            text[at] = random >> 31 ? 'a' : 'b';
        }
        kube__api_regex_matches(ctx, "(a|b)*a[ab]{900}c|(a|b)*b[ab]{800}d|(a|b)*b[ab]{700}d", text,
                                sizeof text);
    }
    ck_assert(kube_ctx_failed(ctx));
    kube__api_steps_begin(0);
}

/* @before, @count times @part, as often @after. */
static char *repeated(const char *before, const char *part, size_t count, const char *after)
{
    size_t size = strlen(before) + count * (strlen(part) + strlen(after)) + 1;
    char *text = malloc(size);
    char *at = stpcpy(text, before);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, part);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, after);
    return text;
}

TEST(groups_nest_as_deep_as_in_go)
{
    char *deepest = repeated("", "(", 999, ")");
    char *too_deep = repeated("", "(", 1000, ")");
    char *others = repeated("", "(?:", 1000, ")");
    char *many = repeated("", "()", 2000, "");
    const char *fault = kube__api_regex_fault(ctx, too_deep);
    ck_assert_ptr_nonnull(fault);
    ck_assert_ptr_nonnull(strstr(fault, "regexp: expression nests too deeply: `((("));
    ck_assert(!kube__api_regex_matches(ctx, too_deep, "", 0));
    ck_assert_ptr_null(kube__api_regex_fault(ctx, deepest));
    ck_assert_ptr_null(kube__api_regex_fault(ctx, others));
    ck_assert_ptr_null(kube__api_regex_fault(ctx, many));
    free(deepest);
    free(too_deep);
    free(others);
    free(many);
}

/* They are paid before they are compiled, which takes most of a second for each. */
TEST_TIMES(large_classes_are_paid_beforehand, 4)
{
    static const char *const parts[] = {"[^\\pL]", "\\PL", "(?i:k)", "[^a]"};
    char *pattern = repeated("", parts[_i], 10000, "");
    kube__api_steps_begin(200000000);
    ck_assert_ptr_null(kube__api_regex_fault(ctx, pattern));
    ck_assert(kube_ctx_failed(ctx));
    uint64_t taken = kube__api_steps_taken();
    ck_assert_uint_gt(taken, 200000000);
    ck_assert(!kube__api_regex_matches(ctx, pattern, "a", 1));
    ck_assert_uint_eq(kube__api_steps_taken(), taken);
    kube__api_steps_begin(0);
    free(pattern);
}

/* These take RE2 a quarter of a second. */
TEST_TIMES(what_is_slow_to_read_is_paid_for, 2)
{
    static const char *const parts[][2] = {{"[", "[:"}, {"", "\\W"}};
    char *pattern = repeated(parts[_i][0], parts[_i][1], 30000, "");
    kube__api_steps_begin(20000000);
    kube__api_regex_fault(ctx, pattern);
    ck_assert(kube_ctx_failed(ctx));
    kube__api_steps_begin(0);
    free(pattern);
}
