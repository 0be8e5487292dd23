/* SPDX-License-Identifier: Apache-2.0 */
/* Which comments belong to a declaration: the rule of Go's generators (G-1 to G-4). */
#include "front/comments.h"
#include "gen_kit.h"

#include <stdio.h>
#include <string.h>

/* What markers and documentation the struct `things_v1_thing` or its member `x` got. */
static void check_doc(const char *header, const char *type_doc, const char *field_doc)
{
    loaded in = load_text("things/v1/types.h", header);
    const model_struct *thing = find_struct(&in, "things_v1_thing");
    ck_assert_str_eq(thing->doc, type_doc);
    ck_assert_str_eq(find_field(thing, "x")->doc, field_doc);
    unload(&in);
}

#define THING(members) "typedef struct things_v1_thing {\n" members "} things_v1_thing;\n"

TEST(doc_is_the_group_directly_above)
{
    check_doc(HEADER_TOP
              "\n// A note.\n\n/** A thing. */\n" THING("    // Some x.\n    int32_t x;\n"),
              "A thing.", "Some x.");
}

TEST(doc_lines_are_cleaned)
{
    check_doc(HEADER_TOP "\n/**\n * @brief A thing,\n *   of two lines.\n *\n * More of @p x.\n"
                         " * ---\n * Not for readers.\n */\n" THING(
                             "    /// Some\n    /// x.\n    int32_t x;\n"),
              "A thing,\n  of two lines.\n\nMore of x.", "Some\nx.");
}

TEST(commands_of_doxygen_begin_a_word)
{
    check_doc(HEADER_TOP "\n// Mail admin@a company.example (@p x), C:\\c files; a\\p b.\n" THING(
                  "    int32_t x;\n"),
              "Mail admin@a company.example (x), C:\\c files; a\\p b.", "");
}

TEST(indentation_of_doc_lines_is_kept)
{
    check_doc(HEADER_TOP "\n//   A list:\n// - a\n//   - b\n//\tc\n" THING(
                  "    /** As in:\n     *     a:\n     *       b: 1\n       and more. */\n"
                  "    int32_t x;\n"),
              "A list:\n- a\n  - b\n\tc", "As in:\n    a:\n      b: 1\nand more.");
}

TEST(notes_for_authors_are_not_part_of_the_doc)
{
    check_doc(HEADER_TOP
              "\n// A thing.\n// TODO: a name.\n// ```\n// ---\n// TODO: b\n// ```\n"
              "//   --- Some.\n// --- Not for readers.\n// More.\n" THING("    int32_t x;\n"),
              "A thing.\n```\n---\nTODO: b\n```\n  --- Some.", "");
}

TEST(markers_are_not_part_of_the_doc)
{
    check_doc(HEADER_TOP "\n// A thing.\n// +k8s:deepcopy-gen=true\n// It is large.\n" THING(
                  "    // +optional\n    int32_t x;\n"),
              "A thing.\nIt is large.", "");
}

TEST(lines_that_only_look_like_markers_are_text)
{
    check_doc(HEADER_TOP "\n// Adds\n// + 1 to it, or\n// +1.\n" THING("    int32_t x;\n"),
              "Adds\n+ 1 to it, or\n+1.", "");
}

TEST(trailing_comment_belongs_to_nothing) /* G-4 */
{
    check_doc(HEADER_TOP "\n" THING("    int32_t a; // about a\n    int32_t x; /* about x */\n"),
              "", "");
}

TEST(block_and_line_comments_form_one_group)
{
    check_doc(HEADER_TOP "\n/** A thing. */\n// +k8s:deepcopy-gen=true\n/* More. */\n" THING(
                  "    int32_t x;\n"),
              "A thing.\nMore.", "");
}

TEST(second_closest_group_has_markers) /* G-3: one blank line above the doc comment */
{
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "\n// +genclient\n// +kind=Other\n\n// A thing.\n" THING(
                              "    kube_object base;\n    kube_object_meta metadata;\n"));
    ck_assert_ptr_nonnull(find_struct(&in, "things_v1_thing")->resource);
    ck_assert_str_eq(in.model->packages[0]->resources[0]->kind, "Other");
    ck_assert_str_eq(find_struct(&in, "things_v1_thing")->doc, "A thing.");
    unload(&in);
}

TEST(second_closest_group_stands_one_blank_line_above_a_struct_without_doc) /* G-3 */
{
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "\n// A thing.\n// +genclient\n\n" THING(
                              "    kube_object base;\n    kube_object_meta metadata;\n"));
    ck_assert_ptr_nonnull(find_struct(&in, "things_v1_thing")->resource);
    ck_assert_str_eq(find_struct(&in, "things_v1_thing")->doc, "A thing.");
    unload(&in);
}

TEST(group_behind_a_declaration_is_not_the_next_ones)
{
    loaded in =
        load_text("things/v1/types.h", HEADER_TOP
                  "\n// +k8s:deepcopy-gen=true\nKUBE_DECLARE_LIST(kube_micro_time);\n" THING(
                      "    int32_t x;\n"));
    ck_assert_ptr_null(in.model);
    ck_assert_ptr_nonnull(strstr(in.messages, "types.h:5:4: error: nothing reads"));
    unload(&in);
}

TEST(field_takes_no_second_group) /* G-4 */
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "\n" THING("    // +optional\n\n    // Some x.\n    int32_t x;\n"));
    ck_assert_ptr_null(in.model);
    ck_assert_ptr_nonnull(strstr(in.messages, "types.h:6:8: error: nothing reads '+optional'"));
    unload(&in);
}

TEST(header_markers_may_be_in_any_group_above_the_first_directive) /* G-2 */
{
    loaded in = load_text("things/v1/types.h",
                          "/* License. */\n\n// +groupName=a.example.com\n\n\n// Text.\n// "
                          "+prefix=mine\n#pragma once\n#include <kube/meta.h>\n"
                          "typedef struct mine_thing {\n    int32_t x;\n} mine_thing;\n");
    ck_assert_ptr_nonnull(find_struct(&in, "mine_thing"));
    ck_assert_str_eq(in.model->packages[0]->group, "a.example.com");
    ck_assert_str_eq(in.model->packages[0]->prefix, "mine");
    unload(&in);
}

TEST(header_without_a_directive_shares_its_top_with_the_first_struct)
{
    loaded in =
        load_text("things/v1/types.h", "// +groupName=a.example.com\n// +k8s:deepcopy-gen=true\n"
                                       "// A thing.\n" THING("    double x;\n"));
    ck_assert_ptr_nonnull(find_struct(&in, "things_v1_thing"));
    ck_assert_str_eq(in.model->packages[0]->group, "a.example.com");
    unload(&in);
}

TEST(markers_hold_what_ends_a_block_comment)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "\n" THING("    // +kubebuilder:validation:Pattern=`^[*]/5 .*/$`\n"
                                     "    const char *x;\n"));
    ck_assert_str_eq(find_field(find_struct(&in, "things_v1_thing"), "x")->validation.pattern,
                     "^[*]/5 .*/$");
    unload(&in);
}

TEST(comment_signs_in_strings_are_no_comments)
{
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "#define THINGS_V1_URL_A \"http://a\" \n"
                                     "#define THINGS_V1_URL_B \"// +optional\"\n" THING(
                                         "    // +enum=THINGS_V1_URL\n    const char *x;\n"));
    const model_validation *read =
        &find_field(find_struct(&in, "things_v1_thing"), "x")->validation;
    ck_assert_uint_eq(read->enum_len, 2);
    ck_assert_str_eq(read->enums[0].text, "// +optional");
    ck_assert_str_eq(read->enums[1].text, "http://a");
    unload(&in);
}

TEST(backslash_at_the_end_of_a_marker_is_an_error)
{
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "\n" THING("    int32_t y;\n    // +json=z\\\n    int32_t x;\n"
                                                "    int32_t last;\n"));
    ck_assert_ptr_null(in.model);
    ck_assert_ptr_nonnull(strstr(in.messages, "the backslash at the end"));
    unload(&in);
}
