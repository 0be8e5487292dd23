/* SPDX-License-Identifier: Apache-2.0 */
/* What layout_c() does to the forms that templates use; golden.sh holds it against clang-format. */
#include "gen_kit.h"
#include "render/layout.h"

static void expect(const char *text, const char *want)
{
    str out = {0};
    layout_c(text, &out);
    ck_assert_str_eq(str_text(&out), want);
    str_free(&out);
}

TEST(what_fits_is_joined)
{
    expect("kube_code f(\n    kube_ctx *ctx,\n    int a);\n",
           "kube_code f(kube_ctx *ctx, int a);\n");
    expect("    return g(\n        \"a(\",\n        ')',\n        b);\n",
           "    return g(\"a(\", ')', b);\n");
}

TEST(parameters_that_do_not_fit_are_aligned)
{
    expect("kube_code a_function_with_a_rather_long_name(kube_client *client, kube_ctx *ctx, "
           "const char *ns, const char *name);\n",
           "kube_code a_function_with_a_rather_long_name(kube_client *client, kube_ctx *ctx, "
           "const char *ns,\n                                             const char *name);\n");
}

TEST(an_assignment_is_broken_before_its_call_is)
{
    expect("    rc = kube_informer_factory_informer(factory, &abcde_abcde_abcde_ab_network_type, "
           "&informer, err);\n",
           "    rc =\n        kube_informer_factory_informer(factory, "
           "&abcde_abcde_abcde_ab_network_type, &informer, err);\n");
}

TEST(blank_lines_fold_and_vanish_at_both_ends)
{
    expect("\n\na;\n\n\n\nb;\n\n", "a;\n\nb;\n");
}

TEST(long_comments_go_on_in_the_next_line)
{
    expect("/** 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
           "0123456789 abcdefghijk */\n",
           "/**\n * 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
           "0123456789\n * abcdefghijk\n */\n");
}

TEST(long_definitions_of_macros_are_continued)
{
    expect("#define A0123456789_0123456789_0123456789_0123456789_0123456789_0123456789_0123456789 "
           "\"samplecrd.k8s.io\"\n",
           "#define A0123456789_0123456789_0123456789_0123456789_0123456789_0123456789_0123456789  "
           "            \\\n    \"samplecrd.k8s.io\"\n");
}
