/* SPDX-License-Identifier: Apache-2.0 */
/* YAML that no reader takes for something else. */
#include "gen_kit.h"
#include "support/yaml.h"

static void expect(const char *json, const char *want)
{
    json_value *value = json_parse(json, NULL);
    str out = {0};
    ck_assert_ptr_nonnull(value);
    yaml_write(value, &out);
    ck_assert_str_eq(str_text(&out), want);
    str_free(&out);
    json_free(value);
}

TEST(members_keep_their_order)
{
    expect("{\"b\":1,\"a\":{\"d\":true,\"c\":\"x\"}}", "b: 1\na:\n  d: true\n  c: x\n");
}

TEST(lists_are_indented_and_their_objects_begin_beside_the_dash)
{
    expect("{\"l\":[{\"a\":1,\"b\":2},\"x\",[1,2]]}",
           "l:\n  - a: 1\n    b: 2\n  - x\n  - - 1\n    - 2\n");
}

TEST(empty_collections_are_spelled_out)
{
    expect("{\"o\":{},\"l\":[]}", "o: {}\nl: []\n");
}

TEST(words_that_mean_something_are_quoted)
{
    expect("[\"yes\",\"No\",\"on\",\"null\",\"~\",\"true\",\"y\",\"\",\".inf\"]",
           "- 'yes'\n- 'No'\n- 'on'\n- 'null'\n- '~'\n- 'true'\n- 'y'\n- ''\n- '.inf'\n");
    expect("{\"yes\":\"yesterday\"}", "'yes': yesterday\n");
}

TEST(text_that_looks_like_a_number_is_quoted)
{
    expect("[\"1\",\"1.5\",\".5\",\"-1\",\"0x1f\",\"1e3\",\"2001-01-01\",\"v1\",\".spec.a\"]",
           "- '1'\n- '1.5'\n- '.5'\n- '-1'\n- '0x1f'\n- '1e3'\n- '2001-01-01'\n- v1\n- .spec.a\n");
}

TEST(indicators_are_quoted_where_they_count)
{
    expect("[\"a: b\",\"a:b\",\"a:\",\"a #b\",\"a#b\",\"- a\",\"@a\",\"it's\",\"'a'\",\"a \"]",
           "- 'a: b'\n- a:b\n- 'a:'\n- 'a #b'\n- 'a#b'\n- '- a'\n- '@a'\n- it's\n- '''a'''\n"
           "- 'a '\n");
    expect("[\"a, b\",\"{a}\",\"[a]\",\"*a\",\"&a\",\"!a\",\"%a\",\"|\",\">\",\"\\\"a\\\"\"]",
           "- a, b\n- '{a}'\n- '[a]'\n- '*a'\n- '&a'\n- '!a'\n- '%a'\n- '|'\n- '>'\n- '\"a\"'\n");
}

TEST(several_lines_are_a_block)
{
    expect("{\"d\":\"one: 1\\n\\n  two\"}", "d: |-\n  one: 1\n\n    two\n");
    expect("[{\"d\":\"a\\nb\"}]", "- d: |-\n    a\n    b\n");
}

TEST(what_a_block_would_lose_is_escaped)
{
    expect("[\" a\\nb\",\"a \\nb\",\"a\\n\",\"tab\\there\",\"\\u0007\",\"\\u0085\",\"\\u2028\"]",
           "- \" a\\nb\"\n- \"a \\nb\"\n- \"a\\n\"\n- \"tab\\x09here\"\n- \"\\x07\"\n"
           "- \"\\x85\"\n- \"\\u2028\"\n");
    expect("[\"a\\n\\\"q\\\" \\\\\\n\"]", "- \"a\\n\\\"q\\\" \\\\\\n\"\n");
    expect("[\"na\\u00efve\"]", "- na\303\257ve\n");
}
