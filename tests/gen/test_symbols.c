/* SPDX-License-Identifier: Apache-2.0 */
/* Names that would be generated twice. */
#include "front/symbols.h"
#include "gen_kit.h"

#include <stdlib.h>

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
           "note: rename one of the structs; // +kind= can keep the name of a Kind\n");
}
