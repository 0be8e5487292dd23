/* SPDX-License-Identifier: Apache-2.0 */
/* Names that would be generated twice. */
#include "front/symbols.h"
#include "gen_kit.h"

#include <stdlib.h>
#include <string.h>

static void expect(const char *structs, const char *want)
{
    char text[4096];
    char *printed = NULL;
    size_t len = 0;
    loaded made;
    FILE *out;
    snprintf(text, sizeof text, "%s%s", HEADER_TOP, structs);
    made = load_text("things/v1/types.h", text);
    ck_assert_msg(made.model != NULL, "%s", made.messages);
    symbols_check(made.model->packages[0], made.diag);
    out = open_memstream(&printed, &len);
    ck_assert_ptr_nonnull(out);
    diag_print(made.diag, out, false);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(printed, want);
    free(printed);
    unload(&made);
}

#define KIND(markers, name)                                                                        \
    "// +genclient\n" markers "typedef struct " name " {\n"                                        \
    "    kube_object base;\n    kube_object_meta metadata;\n} " name ";\n"

TEST(a_plural_of_its_own_is_fine)
{
    expect(KIND("", "things_v1_network"), "");
}

TEST(a_kind_that_is_its_own_plural_needs_another_name_for_its_calls)
{
    expect(KIND("// +resourceName=endpoints\n// +cPlural=endpoints\n", "things_v1_endpoints"),
           "things/v1/types.h:7:16: error: things_v1_endpoints_list would be both the list type of "
           "Endpoints and the list call of Endpoints\n"
           "typedef struct things_v1_endpoints {\n"
           "               ^\n"
           "note: give the calls another name, such as // +cPlural=endpoints_objects\n");
    expect(
        KIND("// +resourceName=endpoints\n// +cPlural=endpoints_objects\n", "things_v1_endpoints"),
        "");
}

TEST(no_calls_no_clash)
{
    expect(KIND("// +genclient:noVerbs\n// +cPlural=endpoints\n", "things_v1_endpoints"), "");
}

TEST(a_struct_may_not_have_the_name_of_a_generated_type)
{
    expect(KIND("", "things_v1_node") "typedef struct things_v1_node_lister {\n"
                                      "    const char *a;\n} things_v1_node_lister;\n",
           "things/v1/types.h:5:16: error: things_v1_node_lister would be both the struct of "
           "things_v1_node_lister and the lister type of Node\n"
           "typedef struct things_v1_node {\n"
           "               ^\n"
           "note: rename one of the structs, such as things_v1_node_lister_value; // +kind= "
           "can keep the name of a Kind\n");
}

TEST(what_the_header_declares_may_not_have_a_generated_name)
{
    static const struct {
        const char *declared;
        const char *error;
    } cases[] = {
        {"static inline void things_v1_toy_ref(void) {}\n",
         "9:20: error: things_v1_toy_ref would be both the function _ref of Toy and a function of "
         "the header\n"},
        {"#define things_v1_toys_list 3\n",
         "9:9: error: things_v1_toys_list would be both the list call of Toy and a macro of the "
         "header\n"},
        {"#define THINGS_V1_TOY_KIND \"Other\"\n",
         "9:9: error: THINGS_V1_TOY_KIND would be both a generated macro and a macro of the "
         "header\n"},
        {"#define THINGS_V1_API_H\n", "9:9: error: THINGS_V1_API_H would be both the guard of a "
                                      "generated header and a macro of the header\n"},
        {"typedef int things_v1_toy_lister;\n",
         "9:13: error: things_v1_toy_lister would be both the lister type of Toy and a typedef of "
         "the header\n"},
        {"typedef kube_condition things_v1_toy_list;\n",
         "9:24: error: things_v1_toy_list would be both the list type of Toy and a typedef of "
         "the header\n"},
        {"enum { A, things_v1_toy_type };\n",
         "9:11: error: things_v1_toy_type would be both the descriptor of Toy and a constant of "
         "the header\n"},
        {"static const int things_v1_toy_schema = 1;\n",
         "9:18: error: things_v1_toy_schema would be both the schema of Toy and a variable of the "
         "header\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        char want[1024];
        const char *column = strchr(cases[i].error, ':') + 1;
        snprintf(text, sizeof text, "%s%s", KIND("", "things_v1_toy"), cases[i].declared);
        snprintf(want, sizeof want,
                 "things/v1/types.h:%s%s%*s\nnote: kubegen generates this name: choose another "
                 "one\n",
                 cases[i].error, cases[i].declared, atoi(column), "^");
        expect(text, want);
    }
    expect(KIND("", "things_v1_toy") "extern const struct kube_type things_v1_toy_type;\n"
                                     "void things_v1_toy_paint(const things_v1_toy *toy);\n",
           "");
}
