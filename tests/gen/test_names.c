/* SPDX-License-Identifier: Apache-2.0 */
#include "front/names.h"
#include "gen_kit.h"

typedef struct pair {
    const char *from;
    const char *to;
} pair;

static void check_pairs(char *(*turn)(arena *, const char *), const pair *pairs, size_t len)
{
    arena *in = arena_new();
    for (size_t i = 0; i < len; i++)
        ck_assert_str_eq(turn(in, pairs[i].from), pairs[i].to);
    arena_free(in);
}

#define CHECK_PAIRS(turn, pairs) check_pairs((turn), (pairs), sizeof(pairs) / sizeof *(pairs))

TEST(plural_follows_the_generators_rule) /* G-17 */
{
    static const pair pairs[] = {
        {"network", "networks"},
        {"bus", "buses"},
        {"box", "boxes"},
        {"quiz", "quizes"},
        {"policy", "policies"},
        {"gateway", "gateways"},
        {"match", "matches"},
        {"mesh", "meshes"},
        {"knife", "knives"},
        {"shelf", "shelves"},
        {"ingress", "ingresses"},
        {"endpoints", "endpointses"},
        {"app_service", "app_services"},
        {"networkpolicy", "networkpolicies"},
        {"x", "x"},
        {"path", "paths"},
    };
    CHECK_PAIRS(names_plural, pairs);
}

TEST(kind_is_camel_case)
{
    static const pair pairs[] = {
        {"network", "Network"},
        {"app_service", "AppService"},
        {"http_route", "HttpRoute"},
        {"v4_pool", "V4Pool"},
        {"a_b_c", "ABC"},
    };
    CHECK_PAIRS(names_kind, pairs);
}

TEST(json_name_is_lower_camel_case_without_the_last_underscore)
{
    static const pair pairs[] = {
        {"cidr", "cidr"},
        {"api_version", "apiVersion"},
        {"namespace_", "namespace"},
        {"continue_", "continue"},
        {"fields_v1", "fieldsV1"},
        {"last_2_words", "last2Words"},
        {"x_y", "xY"},
    };
    CHECK_PAIRS(names_json, pairs);
}

TEST(snake_case_keeps_runs_of_capitals_together)
{
    static const pair pairs[] = {
        {"podCIDR", "pod_cidr"},
        {"hostPort", "host_port"},
        {"HTTPRoute", "http_route"},
        {"podIPs", "pod_ips"},
        {"clusterIP", "cluster_ip"},
        {"already_snake", "already_snake"},
        {"podIPsOfNode", "pod_ips_of_node"},
        {"IPv4", "ipv4"},
        {"HTTPv2Route", "httpv2_route"},
        {"IPvAddress", "i_pv_address"},
        {"X", "x"},
        {"Mixed_Case", "mixed_case"},
        {"apiVersion", "api_version"},
    };
    CHECK_PAIRS(names_snake, pairs);
}

TEST(prefix_is_an_identifier)
{
    arena *in = arena_new();
    ck_assert_str_eq(names_prefix(in, "samplecrd", "v1"), "samplecrd_v1");
    ck_assert_str_eq(names_prefix(in, "example3.io", "v1beta1"), "example3_io_v1beta1");
    ck_assert_str_eq(names_prefix(in, "Mixed-Case", "v1"), "mixed_case_v1");
    arena_free(in);
}

TEST(version_is_v_number_with_alpha_or_beta) /* G-41 */
{
    static const char *const good[] = {"v1", "v2", "v10", "v1alpha1", "v2beta12"};
    static const char *const bad[] = {
        "",        "1",        "v",    "v0", "v01",           "v1alpha",
        "v1beta0", "v1gamma1", "v1.2", "V1", "v1alpha1beta1", "internal"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(names_is_version(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!names_is_version(bad[i]), "%s", bad[i]);
}

TEST(group_is_a_dns_name)
{
    static const char *const good[] = {"apps", "samplecrd.k8s.io", "a-b.c1"};
    static const char *const bad[] = {"", ".", "a.", ".a", "a..b", "A", "a_b", "-a", "a-", "a b"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(names_is_group(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!names_is_group(bad[i]), "%s", bad[i]);
}

TEST(snake_case_has_no_double_underscore)
{
    ck_assert(names_is_snake("pod_cidr"));
    ck_assert(names_is_snake("namespace_"));
    ck_assert(names_is_snake("i32"));
    ck_assert(!names_is_snake("pod__cidr"));
    ck_assert(!names_is_snake("_pod"));
    ck_assert(!names_is_snake("podCidr"));
    ck_assert(!names_is_snake("1st"));
    ck_assert(!names_is_snake(""));
}

TEST(a_prefix_may_have_double_underscores)
{
    ck_assert(names_is_prefix("samplecrd_v1"));
    ck_assert(names_is_prefix("kube__api"));
    ck_assert(!names_is_prefix("kube___api"));
    ck_assert(!names_is_prefix("kube_"));
    ck_assert(!names_is_prefix("_kube"));
    ck_assert(!names_is_prefix("Kube"));
    ck_assert(!names_is_prefix(""));
}

TEST(words_of_c_and_cxx_and_macros_are_reserved)
{
    static const char *const words[] = {
        "namespace", "template", "not",   "and",     "linux",    "unix",   "stdin",
        "operator",  "default",  "class", "private", "requires", "typeof", "EOF",
        "xor_eq",    "while",    "errno", "alignas", "co_yield", "i386",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(names_is_reserved(words[i]), "%s", words[i]);
    ck_assert(!names_is_reserved("name"));
    ck_assert(!names_is_reserved("namespace_"));
    ck_assert(!names_is_reserved("kind"));
}
