/* SPDX-License-Identifier: Apache-2.0 */
/* Warning headers (REQ-8; client-go's TestDefaultWarningHandler and net's TestParseWarningHeader).
 */
#include "net/client/warning.h"
#include "net_kit.h"

#include <string.h>

static char seen[512];

static void take(void *arg, const char *text)
{
    (void)arg;
    strcat(strcat(seen, text), "|");
}

static void check(const char *value, const char *want)
{
    seen[0] = '\0';
    kube__warning_parse(value, take, NULL);
    ck_assert_str_eq(seen, want);
}

/* Peers: TestRequestWarningHandler, TestDefaultWarningHandler */
TEST(texts_of_code_299_are_found)
{
    check("299 - \"one\"", "one|");
    check("299 - \"unknown field \\\"spec.colour\\\"\"", "unknown field \"spec.colour\"|");
    check("299 - \"one\", 299 host:80 \"two, too\"", "one|two, too|");
    check("299 - \"dated\" \"Tue, 15 Nov 1994 08:12:31 GMT\",299 - \"next\"", "dated|next|");
    check("  299 -   \"blanks\"  ", "blanks|");
    check("299 - \"back\\\\slash\"", "back\\slash|");
}

TEST(other_codes_and_empty_texts_are_passed_over)
{
    check("199 - \"other\", 299 - \"mine\"", "mine|");
    check("299 - \"\"", "");
    check("", "");
}

TEST(malformed_rests_are_passed_over)
{
    check("299 - \"one\", nonsense", "one|");
    check("299 - \"no end", "");
    check("299 - \"no end\\", "");
    check("299 -", "");
    check("299", "");
    check("2990 - \"a\"", "");
    check("299 - text", "");
}

TEST(control_characters_do_not_reach_the_log)
{
    check("299 - \"a\x01"
          "b\"",
          "a b|");
}

static unsigned told;

static void count(void *arg, const char *text)
{
    (void)arg;
    told += *text == 'w';
}

TEST(an_answer_tells_a_bounded_number_of_warnings)
{
    const kube_client client = {.on_warning = count};
    kube__buffer values;
    told = 0;
    kube__buffer_init(&values, SIZE_MAX);
    for (int i = 0; i < 64; i++)
        kube__warning_keep(&values, "299 - \"w\"");
    kube__warning_tell(&client, &values);
    ck_assert_uint_eq(told, 64);
    for (int i = 0; i < 100000; i++)
        kube__warning_keep(&values, "299 - \"w\"");
    ck_assert_uint_le(values.len, 16384);
    told = 0;
    kube__warning_tell(&client, &values);
    ck_assert_uint_eq(told, 64);
}
