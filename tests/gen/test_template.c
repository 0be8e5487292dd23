/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the Mustache specification, one test each; and what kubegen does otherwise. */
#include "gen_kit.h"
#include "render/template.h"

#include <string.h>

/* Templates by name: {name, text, name, text, …, NULL}. */
static const char *find(void *arg, const char *name)
{
    const char *const *templates = arg;

    for (; *templates; templates += 2)
        if (strcmp(templates[0], name) == 0)
            return templates[1];
    return NULL;
}

static bool render(const char *const *templates, const char *json, bool strict, str *out,
                   str *error)
{
    const template_set set = {find, (void *)templates, strict};
    json_value *view = json_parse(json, NULL);
    bool ok;
    ck_assert_ptr_nonnull(view);
    ok = template_render(&set, "main", view, out, error);
    json_free(view);
    return ok;
}

static void expect_partials(const char *const *templates, const char *json, const char *want)
{
    str out = {0};
    str error = {0};
    ck_assert_msg(render(templates, json, false, &out, &error), "%s", str_text(&error));
    ck_assert_str_eq(str_text(&out), want);
    str_free(&out);
    str_free(&error);
}

static void expect(const char *text, const char *json, const char *want)
{
    const char *const templates[] = {"main", text, NULL};
    expect_partials(templates, json, want);
}

static void expect_error(const char *const *templates, const char *json, const char *want)
{
    str out = {0};
    str error = {0};
    ck_assert(!render(templates, json, true, &out, &error));
    ck_assert_str_eq(str_text(&error), want);
    str_free(&out);
    str_free(&error);
}

static void expect_parse_error(const char *text, const char *want)
{
    const char *const templates[] = {"main", text, NULL};
    expect_error(templates, "{}", want);
}

TEST(text_without_tags_stays_as_it_is)
{
    expect("", "{}", "");
    expect("a { b } }} c\n\n d", "{}", "a { b } }} c\n\n d");
}

TEST(variables_are_replaced_and_never_escaped)
{
    expect("<{{x}}> <{{{x}}}> <{{&x}}>", "{\"x\":\"a & \\\"b\\\" <c>\"}",
           "<a & \"b\" <c>> <a & \"b\" <c>> <a & \"b\" <c>>");
    expect("{{ x }}|{{\tx\n}}|{{{ x }}}|{{& x }}", "{\"x\":\"1\"}", "1|1|1|1");
    expect("  {{x}}\n", "{\"x\":\"a\"}", "  a\n");
}

TEST(numbers_and_booleans_have_a_text_and_null_has_none)
{
    expect("{{n}} {{m}} {{t}} {{f}} [{{z}}]",
           "{\"n\":85,\"m\":-1.5,\"t\":true,\"f\":false,\"z\":null}", "85 -1.5 true false []");
}

TEST(a_missing_name_is_empty)
{
    expect("[{{x}}][{{{x}}}][{{x.y}}]", "{}", "[][][]");
}

TEST(dotted_names_go_down_and_do_not_search_for_their_later_parts)
{
    expect("{{a.b.c}}", "{\"a\":{\"b\":{\"c\":\"x\"}}}", "x");
    expect("[{{a.b.c}}]", "{\"a\":{\"b\":{}},\"c\":\"no\"}", "[]");
    expect("{{#a}}[{{b.c}}]{{/a}}", "{\"a\":{\"b\":{}},\"b\":{\"c\":\"no\"}}", "[]");
    expect("{{#a.b}}{{c}}{{/a.b}}", "{\"a\":{\"b\":{\"c\":\"x\"}}}", "x");
    expect("{{^a.b}}none{{/a.b}}", "{\"a\":{}}", "none");
}

TEST(sections_are_shown_for_what_is_true)
{
    const char *text = "[{{#x}}in{{/x}}]";
    expect(text, "{\"x\":true}", "[in]");
    expect(text, "{\"x\":false}", "[]");
    expect(text, "{\"x\":null}", "[]");
    expect(text, "{\"x\":[]}", "[]");
    expect(text, "{}", "[]");
    expect(text, "{\"x\":{}}", "[in]");
    expect(text, "{\"x\":\"text\"}", "[in]");
}

TEST(inverted_sections_are_shown_for_what_is_not)
{
    const char *text = "[{{^x}}in{{/x}}]";
    expect(text, "{\"x\":true}", "[]");
    expect(text, "{\"x\":false}", "[in]");
    expect(text, "{\"x\":null}", "[in]");
    expect(text, "{\"x\":[]}", "[in]");
    expect(text, "{\"x\":[1]}", "[]");
    expect(text, "{}", "[in]");
}

TEST(an_object_is_the_context_of_its_section)
{
    expect("{{#o}}{{a}}{{b}}{{/o}}{{a}}", "{\"o\":{\"a\":\"in \"},\"a\":\"out\",\"b\":\"up \"}",
           "in up out");
    expect("{{#a}}{{one}}{{#b}}{{one}}{{two}}{{/b}}{{one}}{{/a}}",
           "{\"a\":{\"one\":1},\"b\":{\"two\":2}}", "1121");
}

TEST(a_list_repeats_its_section)
{
    expect("{{#l}}<{{n}}>{{/l}}", "{\"l\":[{\"n\":1},{\"n\":2},{\"n\":3}]}", "<1><2><3>");
    expect("{{#l}}<{{.}}>{{/l}}", "{\"l\":[\"a\",2,true]}", "<a><2><true>");
    expect("{{#l}}({{#.}}{{.}}{{/.}}){{/l}}", "{\"l\":[[1,2],[3]]}", "(12)(3)");
    expect("{{#l}}{{n}}{{x}} {{/l}}", "{\"l\":[{\"n\":1},{\"n\":2}],\"x\":\"!\"}", "1! 2! ");
}

TEST(sections_of_one_name_nest_and_repeat)
{
    expect("{{#b}}A{{#b}}B{{/b}}C{{/b}}{{#b}}D{{/b}}", "{\"b\":true}", "ABCD");
    expect("|{{#b}}A {{^b}}no{{/b}} C{{/b}}|", "{\"b\":true}", "|A  C|");
}

TEST(tags_alone_on_a_line_take_the_line_with_them)
{
    expect("| a\n{{#b}}\n|\n{{/b}}\n| z", "{\"b\":true}", "| a\n|\n| z");
    expect("| a\n  {{#b}}  \n|\n\t{{/b}}\n| z", "{\"b\":true}", "| a\n|\n| z");
    expect("|\r\n{{#b}}\r\n{{/b}}\r\n|", "{\"b\":true}", "|\r\n|");
    expect("  {{#b}}\n#{{/b}}\n/", "{\"b\":true}", "#\n/");
    expect("#{{#b}}\n/\n  {{/b}}", "{\"b\":true}", "#\n/\n");
    expect("{{^b}}\nno\n{{/b}}\nend", "{}", "no\nend");
}

TEST(other_tags_leave_their_line_alone)
{
    expect(" {{#b}}Y{{/b}}\n {{#b}}G{{/b}}\n", "{\"b\":true}", " Y\n G\n");
    expect(" | {{#b}}\t|\t{{/b}} | \n", "{\"b\":true}", " | \t|\t | \n");
    expect("  {{x}}\n|", "{\"x\":\"\"}", "  \n|");
}

TEST(comments_vanish)
{
    expect("12{{! any {{ thing }}34", "{}", "1234");
    expect("a{{!\n two\n lines\n}}b", "{}", "ab");
    expect("a\n  {{! alone }}\nb\n", "{}", "a\nb\n");
    expect("a\n{{!\nalone too\n}}\nb", "{}", "a\nb");
    expect("  12 {{! not alone }}\n", "{}", "  12 \n");
}

TEST(delimiters_can_be_set)
{
    expect("{{=<% %>=}}(<%x%>) {{x}}", "{\"x\":\"Hey\"}", "(Hey) {{x}}");
    expect("({{=[ ]=}}[x])", "{\"x\":\"Hey\"}", "(Hey)");
    expect("{{={{ }}=}}{{x}}", "{\"x\":\"1\"}", "1");
    expect("{{= | | =}}|x||={{ }}=|{{x}}", "{\"x\":\"1\"}", "11");
    expect("a\n{{=@ @=}}\nb@x@", "{\"x\":\"1\"}", "a\nb1");
    expect("{{#b}}{{x}}{{= | | =}}|x||/b||x|", "{\"b\":true,\"x\":\"1\"}", "111");
    expect("{{=<% %>=}}<%{x}%><%&x%>", "{\"x\":\"<\"}", "<<");
}

TEST(delimiters_hold_in_one_template_only)
{
    const char *const to_partial[] = {"main", "{{=| |=}}|x||>p|{{x}}", "p", "{{x}}|x|", NULL};
    const char *const from_partial[] = {"main", "{{>p}}{{x}}", "p", "{{=| |=}}|x|", NULL};
    expect_partials(to_partial, "{\"x\":\"1\"}", "11|x|{{x}}");
    expect_partials(from_partial, "{\"x\":\"1\"}", "11");
}

TEST(partials_see_the_context_of_their_place)
{
    const char *const templates[] = {"main", "{{#l}}{{>row}}{{/l}}", "row", "[{{n}}{{x}}]", NULL};
    expect_partials(templates, "{\"l\":[{\"n\":1},{\"n\":2}],\"x\":\"!\"}", "[1!][2!]");
}

TEST(a_missing_partial_is_empty)
{
    expect("[{{> none }}]", "{}", "[]");
}

TEST(a_partial_may_contain_itself)
{
    const char *const templates[] = {"main", "{{>node}}", "node", "{{c}}<{{#n}}{{>node}}{{/n}}>",
                                     NULL};
    expect_partials(templates, "{\"c\":\"X\",\"n\":[{\"c\":\"Y\",\"n\":[]}]}", "X<Y<>>");
}

TEST(a_partial_alone_on_a_line_is_indented_like_its_tag)
{
    const char *const templates[] = {"main", "\\\n  {{>p}}\n/\n", "p", "|\n{{x}}\n|\n", NULL};
    const char *const blank[] = {"main", "  {{>p}}\n", "p", "a\n\nb\n", NULL};
    const char *const deep[] = {"main", " {{>p}}\n", "p", " {{>q}}\n", "q", "a\nb\n", NULL};
    /* The lines of a value are not indented: they are not the partial's. */
    expect_partials(templates, "{\"x\":\"<\\n->\"}", "\\\n  |\n  <\n->\n  |\n/\n");
    expect_partials(blank, "{}", "  a\n\n  b\n");
    expect_partials(deep, "{}", "  a\n  b\n");
}

TEST(a_partial_within_a_line_is_not_indented)
{
    const char *const templates[] = {"main", "  {{x}}  {{> p}}\n", "p", ">\n>", NULL};
    expect_partials(templates, "{\"x\":\"|\"}", "  |  >\n>\n");
}

TEST(a_partial_alone_ends_its_line_by_itself)
{
    const char *const crlf[] = {"main", "|\r\n{{>p}}\r\n|", "p", ">", NULL};
    const char *const last[] = {"main", ">\n  {{>p}}", "p", ">\n>", NULL};
    expect_partials(crlf, "{}", "|\r\n>|");
    expect_partials(last, "{}", ">\n  >\n  >");
}

TEST(mistakes_are_told_with_template_and_line)
{
    expect_parse_error("a\nb {{x", "main:2: tag is not closed");
    expect_parse_error("{{{x}}", "main:1: tag is not closed");
    expect_parse_error("\n{{#a}}\n{{#b}}\n{{/b}}\n", "main:2: section is not closed: 'a'");
    expect_parse_error("{{#a}}\n{{/b}}", "main:2: section 'a' of line 1 is closed by 'b'");
    expect_parse_error("\n\n{{/a}}", "main:3: no section is open here to be closed by 'a'");
    expect_parse_error("{{a b}}", "main:1: bad name in a tag: 'a b'");
    expect_parse_error("{{#}}{{/}}", "main:1: bad name in a tag: ''");
    expect_parse_error("{{=x=}}", "main:1: bad delimiters 'x'");
}

TEST(a_strict_set_wants_a_value_for_every_name)
{
    const char *const variable[] = {"main", "ok\n{{typo}}", NULL};
    const char *const list[] = {"main", "{{l}}", NULL};
    const char *const partial[] = {"main", "\n{{>none}}", NULL};
    const char *const in_partial[] = {"main", "{{>p}}", "p", "\n\n{{typo}}", NULL};
    const char *const none[] = {NULL};
    expect_error(variable, "{}", "main:2: there is no value for 'typo'");
    expect_error(list, "{\"l\":[1]}", "main:1: a list or an object is not a text: 'l'");
    expect_error(partial, "{}", "main:2: no template is named 'none'");
    expect_error(in_partial, "{}", "p:3: there is no value for 'typo'");
    expect_error(none, "{}", "main: there is no template of this name");
}

TEST(endless_partials_end_with_an_error)
{
    const char *const templates[] = {"main", "{{>main}}", NULL};
    expect_error(templates, "{}", "main:1: templates nest too deeply at 'main'");
}
