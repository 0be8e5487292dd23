/* SPDX-License-Identifier: Apache-2.0 */
/* Which cidr and gateway make a Network, and what is said of the others. */
#include "spec.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

static const char *problem(const char *cidr, const char *gateway)
{
    const samplecrd_v1_network_spec spec = {.cidr = cidr, .gateway = gateway};
    return spec_problem(ctx, &spec);
}

typedef struct pair {
    const char *cidr;
    const char *gateway;
} pair;

static const pair good[] = {
    {"10.1.0.0/16", "10.1.0.1"},
    {"10.1.0.0/16", "10.1.255.255"},
    {"10.1.0.0/16", "10.1.0.0"},
    {"0.0.0.0/0", "255.255.255.255"},
    {"128.0.0.0/1", "129.0.0.0"},
    {"10.1.2.3/32", "10.1.2.3"},
    {"10.1.2.2/31", "10.1.2.3"},
    {"10.1.2.248/29", "10.1.2.255"},
    {"fd00:1::/64", "fd00:1::1"},
    {"fd00:1::/64", "fd00:1::ffff:ffff:ffff:ffff"},
    {"FD00:1::/64", "fd00:1::1"},
    {"fd00:0001::/64", "fd00:1::1"},
    {"::/0", "::1"},
    {"fd00::1/128", "fd00::1"},
    {"fd00::8/125", "fd00::f"},
    {"::ffff:10.0.0.0/104", "::ffff:10.9.9.9"},
};

FIXTURE(set_up, tear_down);

TEST_EACH(a_gateway_inside_its_block_is_no_problem, good)
{
    ck_assert_pstr_eq(problem(good[_i].cidr, good[_i].gateway), NULL);
}

static const char *const bad_cidrs[] = {
    NULL,
    "",
    "/",
    "/16",
    "10.1.0.0",
    "10.1.0.0/",
    "10.1.0.0/33",
    "10.1.0.0/-1",
    "10.1.0.0/+16",
    "10.1.0.0/ 16",
    "10.1.0.0/016",
    "10.1.0.0/00",
    "10.1.0.0/16 ",
    "10.1.0.0/16\n",
    "10.1.0.0/16/16",
    "10.1.0.0/4294967312", /* 16 in 32 bits */
    "10.1.0.0/255.255.0.0",
    " 10.1.0.0/16",
    "10.1.0/16",
    "10.1/16",
    "10.1.0.0.0/16",
    "10.1.0.256/16",
    "010.1.0.0/16",
    "10.1.00.0/16",
    "0x0a.1.0.0/16",
    "10.1.0.0x/16",
    "fd00::/129",
    "fd00::/064",
    "fd00:/64",
    "fd00::1::/64",
    "fd00:::/64",
    "fe80::%eth0/64",
    "12345::/64",
    "[fd00::]/64",
    "blue/16",
    "0000000000000000000000000000000000000000000000000000000000000000000010.1.0.0/16",
};

TEST_EACH(a_malformed_cidr_is_named_whole, bad_cidrs)
{
    const char *cidr = bad_cidrs[_i];
    const char *text = problem(cidr, "10.1.0.1");
    ck_assert_pstr_eq(text,
                      kube_printf(ctx, "spec.cidr \"%s\" is no address block such as 10.1.0.0/16",
                                  cidr ? cidr : ""));
}

static const pair with_host_bits[] = {
    {"10.1.0.1/16", "16"}, {"10.1.2.3/31", "31"}, {"128.0.0.0/0", "0"},   {"0.0.0.1/0", "0"},
    {"10.1.4.0/21", "21"}, {"fd00::1/64", "64"},  {"fd00::1/127", "127"}, {"8000::/0", "0"},
};

TEST_EACH(bits_after_the_prefix_are_a_problem, with_host_bits)
{
    const pair *row = &with_host_bits[_i];
    ck_assert_pstr_eq(problem(row->cidr, "10.1.0.1"),
                      kube_printf(ctx, "spec.cidr \"%s\" has bits set after the first %s",
                                  row->cidr, row->gateway));
}

static const char *const bad_gateways[] = {
    NULL,        "",          "10.1.0",     "10.1.0.1/16", "10.1.0.01",
    "10.1.0.1 ", " 10.1.0.1", "10.1.0.256", "blue",        "::g",
};

TEST_EACH(a_malformed_gateway_is_named, bad_gateways)
{
    const char *gateway = bad_gateways[_i];
    ck_assert_pstr_eq(
        problem("10.1.0.0/16", gateway),
        kube_printf(ctx, "spec.gateway \"%s\" is no address", gateway ? gateway : ""));
}

TEST(the_families_must_be_one)
{
    ck_assert_pstr_eq(problem("10.1.0.0/16", "fd00::1"),
                      "spec.gateway fd00::1 and spec.cidr 10.1.0.0/16 are of two families");
    ck_assert_pstr_eq(problem("fd00::/64", "10.1.0.1"),
                      "spec.gateway 10.1.0.1 and spec.cidr fd00::/64 are of two families");
    ck_assert_pstr_eq(problem("10.0.0.0/8", "::ffff:10.0.0.1"),
                      "spec.gateway ::ffff:10.0.0.1 and spec.cidr 10.0.0.0/8 are of two families");
}

static const pair outside[] = {
    {"10.1.0.0/16", "10.2.0.1"},     {"10.1.0.0/16", "10.0.255.255"},
    {"10.1.2.3/32", "10.1.2.2"},     {"10.1.2.2/31", "10.1.2.4"},
    {"128.0.0.0/1", "127.0.0.1"},    {"10.1.2.248/29", "10.1.2.247"},
    {"fd00:1::/64", "fd00:1:0:1::"}, {"fd00::1/128", "fd00::"},
    {"fd00::8/125", "fd00::10"},
};

TEST_EACH(a_gateway_beside_its_block_is_outside, outside)
{
    const pair *row = &outside[_i];
    ck_assert_pstr_eq(
        problem(row->cidr, row->gateway),
        kube_printf(ctx, "spec.gateway %s lies outside spec.cidr %s", row->gateway, row->cidr));
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
