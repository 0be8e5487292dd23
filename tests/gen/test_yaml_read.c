/* SPDX-License-Identifier: Apache-2.0 */
/* YAML as kubectl reads it, with the place of each value. */
#include "gen_kit.h"
#include "support/yaml.h"
#include "support/yaml_read.h"

static void expect(const char *yaml, const char *want)
{
    diag *messages = diag_new();
    json_list documents = {0};
    str out = {0};
    ck_assert(yaml_read("x.yaml", yaml, strlen(yaml), NULL, &documents, messages));
    for (size_t i = 0; i < documents.len; i++)
        yaml_write(documents.items[i], &out);
    ck_assert_str_eq(str_text(&out), want);
    str_free(&out);
    json_list_free(&documents);
    diag_free(messages);
}

static void expect_error(const char *yaml, const char *want)
{
    diag *messages = diag_new();
    json_list documents = {0};
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    ck_assert(!yaml_read("x.yaml", yaml, strlen(yaml), NULL, &documents, messages));
    diag_print(messages, out, false);
    fclose(out);
    ck_assert_msg(strstr(text, want) != NULL, "'%s' is not in: %s", want, text);
    free(text);
    json_list_free(&documents);
    diag_free(messages);
}

TEST(documents_are_read_and_empty_ones_left_out)
{
    expect("a: 1\n---\n---\n# nothing\n---\nb: [x, {c: z}]\n", "a: 1\nb:\n  - x\n  - c: z\n");
    expect("", "");
    expect("{\"a\": [1, \"x\\ny\"]}", "a:\n  - 1\n  - |-\n    x\n    y\n");
}

TEST(plain_words_are_what_kubectl_takes_them_for)
{
    expect("[yes, no, On, off, true, False, y, n]",
           "- true\n- false\n- true\n- false\n- true\n- false\n- 'y'\n- 'n'\n");
    expect("[~, null, 'null']", "- null\n- null\n- 'null'\n");
    expect("[1, -1.5e3, 0x1f, 010, +1, .5, 1.2.3, 2001-01-01, 1_000]",
           "- 1\n- -1.5e3\n- 31\n- 8\n- 1\n- 0.5\n- '1.2.3'\n- '2001-01-01'\n- 1000\n");
    expect("[0b1_1, 0o10, -0x1f, 08, +1., 0xFFFFFFFFFFFFFFFF, -0]",
           "- 3\n- 8\n- -31\n- 8\n- 1\n- 18446744073709551615\n- -0\n");
    expect("[_1, 0x, 1e, +1e999, ., +, -, 0xFFFFFFFFFFFFFFFFFFFF]",
           "- _1\n- '0x'\n- '1e'\n- '+1e999'\n- '.'\n- '+'\n- '-'\n- '0xFFFFFFFFFFFFFFFFFFFF'\n");
    expect("['1', \"true\", !!str 1, 9007199254740993]",
           "- '1'\n- 'true'\n- '1'\n- 9007199254740993\n");
}

TEST(aliases_are_copied)
{
    expect("a: &x {b: 1}\nc: *x\n", "a:\n  b: 1\nc:\n  b: 1\n");
    expect_error("a: *x\n", "x.yaml:1:4: error: no anchor before has this name");
}

TEST(what_is_wrong_has_a_place)
{
    expect_error("a: 1\nb:\n  - {c: 1, c: 2}\n", "x.yaml:3:12: error: this name is in its map");
    expect_error("a: [1\nb: 2\n", "x.yaml:2:");
    expect_error("a:\n  \303\274: [\303\266, *x]\n", "x.yaml:2:12: error: no anchor before");
    expect_error("\357\273\277\303\274: \303\266\r\303\266: 1\r\n\303\266\303\274: *x",
                 "x.yaml:3:7: error: no anchor");
    expect_error("a: !!binary aGk=\n", "x.yaml:1:4: error: values with tags are not read");
    expect_error("a:\n  <<: {b: 1}\n", "x.yaml:2:3: error: '<<' is not read");
    expect_error("[1]: 2\n", "x.yaml:1:1: error: the name of a member is a string");
    expect_error("a: \"\\0\"\n", "x.yaml:1:4: error: a string cannot hold U+0000");
    expect_error("a: \xff\n", "x.yaml: error: this is not YAML");
}

TEST(depth_and_aliases_have_bounds)
{
    str deep = {0};
    str wide = {0};
    for (int i = 0; i < 300; i++)
        str_add_char(&deep, '[');
    expect_error(str_text(&deep), "nested deeper than 200");
    str_clear(&deep);
    str_add(&deep, "- &a0 [[[[[x]]]]]\n");
    for (int i = 1; i < 50; i++)
        str_printf(&deep, "- &a%d [[[[[*a%d]]]]]\n", i, i - 1);
    expect_error(str_text(&deep), "x.yaml:40:13: error: this is nested deeper than 200");
    str_add(&wide, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 9; i++)
        str_printf(&wide, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i,
                   i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    expect_error(str_text(&wide), "the aliases make more than a million values");
    str_free(&deep);
    str_free(&wide);
}

TEST(places_are_those_of_names_and_elements)
{
    static const char text[] = "a:\n  b: 5\nlist:\n  - x\n  - c: 1\n";
    diag *messages = diag_new();
    place_list places = {0};
    json_list documents = {0};
    const json_value *root;
    const json_value *element;
    diag_loc loc;
    ck_assert(yaml_read("x.yaml", text, strlen(text), &places, &documents, messages));
    root = documents.items[0];
    loc = place_of(&places, json_get(json_get(root, "a"), "b"));
    ck_assert_str_eq(loc.file, "x.yaml");
    ck_assert_uint_eq(loc.line, 2);
    ck_assert_uint_eq(loc.column, 3);
    element = json_next(json_first(json_get(root, "list")));
    loc = place_of(&places, element);
    ck_assert_uint_eq(loc.line, 5);
    ck_assert_uint_eq(loc.column, 5);
    ck_assert_ptr_null(place_of(&places, json_get(root, "nothing")).file);
    free(places.items);
    json_list_free(&documents);
    diag_free(messages);
}
