/* SPDX-License-Identifier: Apache-2.0 */
/* Typedefs with rules, over the runtime: lists and maps of them are those of what they stand for.
 */
#include "support/suite.h"

#include <string.h>
#include <typedefs/v1/api.h>

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

static const char *const text =
    "{\"apiVersion\":\"typedefs.example.org/v1\",\"kind\":\"Probe\",\"metadata\":{\"name\":\"a\"},"
    "\"spec\":{\"common\":\"c\",\"interval\":\"3s\",\"port\":80,\"other\":0,\"phase\":\"Up\","
    "\"steps\":[\"1s\",\"2s\"],\"byName\":{\"x\":\"4s\"},\"table\":[[\"5s\"],[]],"
    "\"rows\":{\"r\":[\"6s\"]},\"ports\":[1,2],\"namedPorts\":{\"http\":80},\"names\":[\"n\"],"
    "\"few\":[7],\"labels\":{\"l\":\"m\"},\"range\":{\"first\":11},\"more\":{\"first\":12},"
    "\"ranges\":[{\"first\":13,\"last\":14}],\"open\":{\"first\":15}}}";

static typedefs_v1_probe *decoded(void)
{
    typedefs_v1_probe *probe = NULL;
    kube_error err = {0};
    ck_assert_msg(typedefs_v1_probe_decode(ctx, text, strlen(text), &probe, &err) == KUBE_OK, "%s",
                  err.message);
    return probe;
}

TEST(decode_fills_every_typedef)
{
    const typedefs_v1_probe *probe = decoded();
    const typedefs_v1_probe_spec *spec = &probe->spec;
    typedefs_v1_duration first = spec->steps.items[0];
    ck_assert_str_eq(spec->interval, "3s");
    ck_assert_int_eq(spec->port, 80);
    ck_assert(spec->other.set && spec->other.value == 0);
    ck_assert_uint_eq(spec->steps.len, 2);
    ck_assert_str_eq(first, "1s");
    ck_assert_str_eq(spec->by_name.items[0].key, "x");
    ck_assert_str_eq(spec->by_name.items[0].value, "4s");
    ck_assert_str_eq(spec->table.items[0].items[0], "5s");
    ck_assert_uint_eq(spec->table.items[1].len, 0);
    ck_assert_str_eq(spec->rows.items[0].value.items[0], "6s");
    ck_assert_int_eq(spec->ports.items[1], 2);
    ck_assert_int_eq(spec->named_ports.items[0].value, 80);
    ck_assert_str_eq(spec->names.items[0], "n");
    ck_assert_int_eq(spec->few.items[0], 7);
    ck_assert_str_eq(spec->labels.items[0].value, "m");
    ck_assert_int_eq(spec->more->first, 12);
    ck_assert_int_eq(spec->ranges.items[0].last, 14);
    ck_assert_int_eq(spec->open.first, 15);
}

TEST(what_is_encoded_decodes_to_an_equal_object)
{
    const typedefs_v1_probe *probe = decoded();
    typedefs_v1_probe *again = NULL;
    const char *json = NULL;
    size_t len = 0;
    ck_assert_int_eq(typedefs_v1_probe_encode(ctx, probe, &json, &len, NULL), KUBE_OK);
    ck_assert_str_eq(json, text);
    ck_assert_int_eq(typedefs_v1_probe_decode(ctx, json, len, &again, NULL), KUBE_OK);
    ck_assert(typedefs_v1_probe_equal(probe, again));
    again->spec.rows.items[0].value.items[0] = "7s";
    ck_assert(!typedefs_v1_probe_equal(probe, again));
}

TEST(a_deep_copy_is_equal_and_apart)
{
    const typedefs_v1_probe *probe = decoded();
    typedefs_v1_probe *copy = typedefs_v1_probe_deep_copy(ctx, probe);
    const char *patch = NULL;
    size_t len = 0;
    ck_assert_ptr_nonnull(copy);
    ck_assert(typedefs_v1_probe_equal(probe, copy));
    copy->spec.steps.items[1] = "9s";
    ck_assert_str_eq(probe->spec.steps.items[1], "2s");
    ck_assert_int_eq(typedefs_v1_probe_diff(ctx, probe, copy, &patch, &len, NULL), KUBE_OK);
    ck_assert_str_eq(patch, "{\"spec\":{\"steps\":[\"1s\",\"9s\"]}}");
}

TEST(an_object_is_made_of_what_its_typedefs_stand_for)
{
    typedefs_v1_duration steps[] = {"1s"};
    typedefs_v1_duration_map_entry named[] = {{"x", "2s"}};
    const typedefs_v1_probe probe = {
        .metadata = {.name = "made"},
        .spec = {.common = {.common = "c"},
                 .steps = {steps, 1},
                 .by_name = {named, 1},
                 .range = {.first = 11}},
    };
    const char *json = NULL;
    size_t len = 0;
    ck_assert_int_eq(typedefs_v1_probe_encode(ctx, &probe, &json, &len, NULL), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(json, "\"steps\":[\"1s\"],\"byName\":{\"x\":\"2s\"}"));
}
