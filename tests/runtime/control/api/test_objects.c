/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects that libkube itself reads and writes: what they do not know of is kept, and what they
 * know is spelled as the shipped APIs spell it.
 */
#include "control/api/objects.h"
#include "support/suite.h"

#include <coordination/v1/api.h>
#include <core/v1/api.h>
#include <events/v1/api.h>
#include <kube/codec.h>
#include <string.h>

static kube_ctx *ctx;
static kube_error err;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

static kube_object *decode(const kube_type *type, const char *json)
{
    kube_object *object = NULL;
    kube_code rc = kube_decode(ctx, type, json, strlen(json), &object, &err);
    ck_assert_msg(!rc, "%s", err.message);
    return object;
}

static const char *encode(const kube_object *object)
{
    const char *json;
    size_t len;
    kube_code rc = kube_encode(ctx, object->type, object, KUBE_ENCODE_PLAIN, &json, &len, &err);
    ck_assert_msg(!rc, "%s", err.message);
    return kube_ctx_strndup(ctx, json, len);
}

static void expect_part(const char *json, const char *part)
{
    ck_assert_msg(strstr(json, part) != NULL, "no %s in %s", part, json);
}

/* ---- members that libkube does not know of -------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(an_updated_lease_keeps_unknown_members)
{
    static const char json[] =
        "{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\","
        "\"metadata\":{\"name\":\"ctl\",\"namespace\":\"default\",\"resourceVersion\":\"7\"},"
        "\"spec\":{\"holderIdentity\":\"a\",\"preferredHolder\":\"b\",\"strategy\":"
        "\"OldestEmulation"
        "Version\",\"later\":{\"deep\":[1,2]}},\"status\":{\"at\":\"root\"}}";
    const kube__wire_lease *old = (const kube__wire_lease *)decode(&kube__wire_lease_type, json);
    kube__wire_lease lease = *old;
    const char *sent;
    lease.spec.holder_identity = "me";
    sent = encode(&lease.base);
    expect_part(sent, "\"holderIdentity\":\"me\"");
    expect_part(sent, "\"preferredHolder\":\"b\"");
    expect_part(sent, "\"strategy\":\"OldestEmulationVersion\"");
    expect_part(sent, "\"later\":{\"deep\":[1,2]}");
    expect_part(sent, "\"status\":{\"at\":\"root\"}");
}

/* What an elector asks of a Lease that it saw again: has anything changed? */
TEST(unknown_members_tell_leases_apart)
{
    const kube__wire_lease *a = (const kube__wire_lease *)decode(
        &kube__wire_lease_type, "{\"spec\":{\"holderIdentity\":\"a\",\"strategy\":\"x\"}}");
    const kube__wire_lease *b = (const kube__wire_lease *)decode(
        &kube__wire_lease_type, "{\"spec\":{\"holderIdentity\":\"a\",\"strategy\":\"y\"}}");
    ck_assert(kube_schema_equal(&kube__wire_lease_spec_schema, &a->spec, &a->spec));
    ck_assert(!kube_schema_equal(&kube__wire_lease_spec_schema, &a->spec, &b->spec));
}

TEST(updated_events_keep_unknown_members)
{
    static const char core[] =
        "{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"e\"},\"count\":1,"
        "\"involvedObject\":{\"name\":\"pod\",\"fieldPath\":\"spec.containers{main}\"},"
        "\"source\":{\"component\":\"c\",\"zone\":\"z\"},\"eventTime\":null,\"later\":true}";
    static const char events[] =
        "{\"kind\":\"Event\",\"apiVersion\":\"events.k8s.io/v1\",\"metadata\":{\"name\":\"e\"},"
        "\"regarding\":{\"name\":\"pod\",\"fieldPath\":\"spec\"},\"deprecatedCount\":3,"
        "\"series\":{\"count\":2,\"lastObservedTime\":null,\"state\":\"Ongoing\"}}";
    kube__wire_core_event *old_core =
        (kube__wire_core_event *)decode(&kube__wire_core_event_type, core);
    kube__wire_event *old_event = (kube__wire_event *)decode(&kube__wire_event_type, events);
    kube__wire_core_event repeat = *old_core;
    kube__wire_event_series series = *old_event->series;
    kube__wire_event again = *old_event;
    const char *text;
    size_t len;
    repeat.count = kube_some_int32(2);
    text = encode(&repeat.base);
    expect_part(text, "\"count\":2");
    expect_part(text, "\"fieldPath\":\"spec.containers{main}\"");
    expect_part(text, "\"zone\":\"z\"");
    expect_part(text, "\"later\":true");
    ck_assert_int_eq(kube_diff(ctx, &kube__wire_core_event_type, &old_core->base, &repeat.base,
                               &text, &len, &err),
                     KUBE_OK);
    ck_assert_str_eq(kube_ctx_strndup(ctx, text, len), "{\"count\":2}");

    series.count++;
    again.series = &series;
    text = encode(&again.base);
    expect_part(text, "\"count\":3");
    expect_part(text, "\"state\":\"Ongoing\"");
    expect_part(text, "\"fieldPath\":\"spec\"");
    expect_part(text, "\"deprecatedCount\":3");
}

/* ---- the same as the shipped APIs ----------------------------------------------------------- */

static void expect_same_type(const kube_type *ours, const kube_type *shipped)
{
    ck_assert_str_eq(ours->group, shipped->group);
    ck_assert_str_eq(ours->version, shipped->version);
    ck_assert_str_eq(ours->api_version, shipped->api_version);
    ck_assert_str_eq(ours->kind, shipped->kind);
    ck_assert_str_eq(ours->list_kind, shipped->list_kind);
    ck_assert_str_eq(ours->resource, shipped->resource);
    ck_assert_str_eq(ours->singular, shipped->singular);
    ck_assert_int_eq(ours->namespaced, shipped->namespaced);
    ck_assert_int_eq(ours->has_status, shipped->has_status);
}

static const kube_field *field_of(const kube_schema *schema, const kube_field *wanted)
{
    for (size_t i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        if (memcmp(field->key, wanted->key, sizeof field->key) == 0)
            return field;
    }
    return NULL;
}

/* Each of our members is one of the shipped API's, sent and read the same way. */
static void expect_part_of(const kube_schema *ours, const kube_schema *shipped)
{
    if (ours == shipped)
        return;
    for (size_t i = 0; i < ours->field_count; i++) {
        const kube_field *mine = &ours->fields[i];
        const kube_field *theirs = field_of(shipped, mine);
        ck_assert_msg(theirs != NULL, "%s has no %s", shipped->name, mine->key);
        ck_assert_msg(mine->kind == theirs->kind, "%s of %s", mine->key, ours->name);
        ck_assert_int_eq(mine->flags & KUBE_FIELD_OPTIONAL, theirs->flags & KUBE_FIELD_OPTIONAL);
        if (mine->kind == KUBE_KIND_STRUCT || mine->kind == KUBE_KIND_STRUCT_PTR)
            expect_part_of(ours->subs[mine->sub], shipped->subs[theirs->sub]);
    }
    ck_assert_msg(ours->extra_offset != KUBE_NO_EXTRA, "%s loses what it does not know",
                  ours->name);
}

TEST(they_are_parts_of_the_shipped_apis)
{
    const struct {
        const kube_type *ours;
        const kube_type *shipped;
    } pairs[] = {
        {&kube__wire_core_event_type, &core_v1_event_type},
        {&kube__wire_event_type, &events_v1_event_type},
        {&kube__wire_lease_type, &coordination_v1_lease_type},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        expect_same_type(pairs[i].ours, pairs[i].shipped);
        expect_part_of(pairs[i].ours->schema, pairs[i].shipped->schema);
    }
}
