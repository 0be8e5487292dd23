/* SPDX-License-Identifier: Apache-2.0 */
/* Generated functions on data, over the runtime: the shapes of golden/shapes. */
#include "support/suite.h"

#include <shapes/v1/api.h>
#include <stdlib.h>
#include <string.h>

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

static const char *const text =
    "{\"apiVersion\":\"shapes.example.org/v1\",\"kind\":\"All\",\"metadata\":{\"name\":\"a\"},"
    "\"spec\":{\"text\":\"t\",\"flag\":true,\"small\":-1,\"large\":9007199254740993,"
    "\"ratio\":0.5,\"maybeSmall\":0,\"ports\":[{\"name\":\"p\",\"number\":1}],"
    "\"portGroups\":[[],[{\"name\":\"q\",\"number\":2}]],"
    "\"portsByZone\":{\"a\":[{\"name\":\"r\",\"number\":3}]},\"numbers\":[1,2],"
    "\"limits\":{\"cpu\":\"500m\"},\"paused\":true,\"unknown\":[null]},"
    "\"status\":{\"observedGeneration\":7,\"paused\":false,\"unseen\":{\"a\":1}}}";

static shapes_v1_all *decoded(void)
{
    shapes_v1_all *all = NULL;
    kube_error err = {0};
    ck_assert_msg(shapes_v1_all_decode(ctx, text, strlen(text), &all, &err) == KUBE_OK, "%s",
                  err.message);
    return all;
}

FIXTURE(enter, leave);

TEST(decode_fills_every_shape)
{
    const shapes_v1_all *all = decoded();
    ck_assert_str_eq(all->metadata.name, "a");
    ck_assert_int_eq(all->spec.large, INT64_C(9007199254740993));
    ck_assert(all->spec.maybe_small.set && all->spec.maybe_small.value == 0);
    ck_assert(!all->spec.maybe_large.set);
    ck_assert_uint_eq(all->spec.port_groups.len, 2);
    ck_assert_ptr_nonnull(all->spec.port_groups.items[0].items);
    ck_assert_str_eq(all->spec.port_groups.items[1].items[0].name, "q");
    ck_assert_str_eq(all->spec.ports_by_zone.items[0].key, "a");
    ck_assert_int_eq(all->spec.ports_by_zone.items[0].value.items[0].number, 3);
    ck_assert_str_eq(all->spec.limits.items[0].value.text, "500m");
    ck_assert(all->spec.common.paused);
    ck_assert_int_eq(all->status.seen.observed_generation, 7);
    ck_assert(all->base.type == &shapes_v1_all_type);
}

TEST(what_is_encoded_decodes_to_an_equal_object)
{
    const shapes_v1_all *all = decoded();
    shapes_v1_all *again = NULL;
    const char *json = NULL;
    size_t len = 0;
    ck_assert_int_eq(shapes_v1_all_encode(ctx, all, &json, &len, NULL), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(json, "\"unknown\":[null]"));
    ck_assert_ptr_nonnull(strstr(json, "\"unseen\":{\"a\":1}"));
    ck_assert_ptr_null(all->spec.common.extra.members);
    ck_assert_int_eq(shapes_v1_all_decode(ctx, json, len, &again, NULL), KUBE_OK);
    ck_assert(shapes_v1_all_equal(all, again));
    again->spec.port_groups.items[1].items[0].number++;
    ck_assert(!shapes_v1_all_equal(all, again));
}

TEST(a_deep_copy_is_equal_and_apart)
{
    const shapes_v1_all *all = decoded();
    shapes_v1_all *copy = shapes_v1_all_deep_copy(ctx, all);
    const char *patch = NULL;
    size_t len = 0;
    ck_assert_ptr_nonnull(copy);
    ck_assert(shapes_v1_all_equal(all, copy));
    copy->spec.ports.items[0].number = 8;
    ck_assert_int_eq(all->spec.ports.items[0].number, 1);
    ck_assert_int_eq(shapes_v1_all_diff(ctx, all, copy, &patch, &len, NULL), KUBE_OK);
    ck_assert_str_eq(patch, "{\"spec\":{\"ports\":[{\"name\":\"p\",\"number\":8}]}}");
    ck_assert_ptr_null(shapes_v1_all_deep_copy(ctx, NULL));
}

TEST(parts_are_copied_and_compared_by_themselves)
{
    const shapes_v1_port port = {.name = "p", .number = 1};
    shapes_v1_port *copy = shapes_v1_port_deep_copy(ctx, &port);
    ck_assert_ptr_nonnull(copy);
    ck_assert_ptr_ne(copy->name, port.name);
    ck_assert(shapes_v1_port_equal(&port, copy));
    copy->target = kube_from_int(80);
    ck_assert(!shapes_v1_port_equal(&port, copy));
    ck_assert(shapes_v1_port_equal(NULL, NULL));
    ck_assert(!shapes_v1_port_equal(&port, NULL));
}

TEST(a_reference_outlives_the_ctx)
{
    kube_ctx *inner = kube_ctx_child(ctx);
    shapes_v1_all *all = NULL;
    const shapes_v1_all *kept;
    ck_assert_ptr_nonnull(inner);
    ck_assert_int_eq(shapes_v1_all_decode(inner, text, strlen(text), &all, NULL), KUBE_OK);
    kept = shapes_v1_all_ref(all);
    kube_ctx_free(inner);
    ck_assert_str_eq(kept->spec.text, "t");
    shapes_v1_all_unref(kept);
    shapes_v1_all_unref(NULL);
}

TEST(an_object_on_the_stack_is_encoded_without_ceremony)
{
    shapes_v1_port ports[] = {{.name = "http", .number = 80, .target = {"web", 0, true}}};
    const shapes_v1_all all = {
        .metadata = {.name = "stack"},
        .spec = {.text = "literal", .ports = KUBE_LIST_OF(ports)},
    };
    const char *json = NULL;
    ck_assert_int_eq(shapes_v1_all_encode(ctx, &all, &json, NULL, NULL), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(json, "\"ports\":[{\"name\":\"http\",\"number\":80,"
                                       "\"target\":\"web\"}]"));
}

TEST(the_descriptor_says_what_the_header_says)
{
    const kube_type *type = &shapes_v1_all_type;
    ck_assert_str_eq(type->api_version, SHAPES_V1_API_VERSION);
    ck_assert_str_eq(type->kind, SHAPES_V1_ALL_KIND);
    ck_assert_str_eq(type->resource, "alls");
    ck_assert(type->namespaced && type->has_status);
    ck_assert_uint_eq(type->status_offset, offsetof(shapes_v1_all, status));
}
