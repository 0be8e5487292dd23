/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that several APIs and versions share, each with its tables in one place. */
#include "support/suite.h"

#include <mill/v1/api.h>
#include <shop/v1/api.h>
#include <shop/v2/api.h>
#include <string.h>

#define SPEC                                                                                       \
    "\"spec\":{\"range\":{\"first\":1,\"last\":9,\"mode\":\"Fast\"},"                              \
    "\"byName\":{\"a\":{\"first\":2,\"last\":3}},"                                                 \
    "\"area\":{\"ranges\":[{\"first\":4,\"last\":5}],\"best\":{\"first\":4,\"last\":5}},"          \
    "\"mode\":\"Slow\""
#define PRICES                                                                                     \
    ",\"prices\":{\"x\":{\"currency\":\"EUR\",\"cents\":7,\"valid\":[{\"first\":0,\"last\":1}]}}"
#define THING(version, more)                                                                       \
    "{\"apiVersion\":\"" version "\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"t\"}," SPEC more  \
    "}}"

static kube_ctx *ctx;

static void enter(void)
{
    ctx = kube_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void leave(void)
{
    kube_ctx_free(ctx);
}

FIXTURE(enter, leave);

TEST(two_versions_of_a_group_share_structs)
{
    static const char text[] = THING("shop.example.org/v1", PRICES);
    static const char newer_text[] = THING("shop.example.org/v2", PRICES);
    shop_v1_thing *old = NULL;
    shop_v2_thing *newer = NULL;
    const char *json = NULL;
    size_t len = 0;
    kube_error err = {0};
    ck_assert_int_eq(shop_v1_thing_decode(ctx, text, strlen(text), &old, &err), KUBE_OK);
    ck_assert_int_eq(shop_v2_thing_decode(ctx, newer_text, strlen(newer_text), &newer, &err),
                     KUBE_OK);
    ck_assert_int_eq(old->spec.prices.items[0].value.valid.items[0].last, 1);
    ck_assert_int_eq(old->spec.area->best->last, 5);
    newer->spec.range = old->spec.range; /* one type in both */
    newer->spec.area = old->spec.area;
    ck_assert_int_eq(shop_v2_thing_encode(ctx, newer, &json, &len, &err), KUBE_OK);
    ck_assert_str_eq(json, newer_text);
}

TEST(two_groups_share_structs)
{
    static const char text[] = THING("mill.example.org/v1", "");
    mill_v1_thing *thing = NULL;
    mill_v1_thing *copy;
    kube_error err = {0};
    ck_assert_int_eq(mill_v1_thing_decode(ctx, text, strlen(text), &thing, &err), KUBE_OK);
    copy = mill_v1_thing_deep_copy(ctx, thing);
    ck_assert(mill_v1_thing_equal(thing, copy));
    ck_assert_str_eq(copy->spec.by_name.items[0].key, "a");
    ck_assert_int_eq(copy->spec.by_name.items[0].value.last, 3);
}
