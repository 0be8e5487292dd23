/* SPDX-License-Identifier: Apache-2.0 */
/* OW-2's edits of finalizers, and kube_finalize() on the embedded server. */
#include "support/suite.h"

#include <core/v1/api.h>
#include <kube/finalizer.h>
#include <kube/testing/apiserver.h>
#include <string.h>

#define OURS "example.com/announced"

static kube_apiserver *server;
static kube_client *client;
static kube_ctx *ctx;
static kube_error err;

static int cleanups;
static kube_code cleanup_answer;

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

static void set_up(void)
{
    ctx = kube_ctx_new();
    cleanups = 0;
    cleanup_answer = KUBE_OK;
    EXPECT_OK(kube_apiserver_start(NULL, &server, &err));
    EXPECT_OK(kube_apiserver_client(server, &client, &err));
}

static void tear_down(void)
{
    kube_client_free(client);
    kube_apiserver_stop(server);
    kube_ctx_free(ctx);
}

/* ---- edits ---------------------------------------------------------------------------------- */

static const char *joined(const kube_string_list *list)
{
    const char *text = "";
    for (size_t i = 0; i < list->len; i++)
        text = kube_printf(ctx, "%s%s%s", text, i ? "," : "", list->items[i]);
    return text;
}

static const struct {
    const char *before[3];
    bool add;
    bool changed;
    const char *after;
} edits[] = {
    {{NULL}, true, true, OURS},
    {{"a/b"}, true, true, "a/b," OURS},
    {{OURS, "a/b"}, true, false, OURS ",a/b"},
    {{NULL}, false, false, ""},
    {{"a/b"}, false, false, "a/b"},
    {{OURS}, false, true, ""},
    {{"a/b", OURS, "c/d"}, false, true, "a/b,c/d"},
    {{OURS, "a/b", OURS}, false, true, "a/b"},
};

static kube_code clean_up(void *arg, kube_ctx *scope, const kube_object *object,
                          kube_error *cleanup_err)
{
    ck_assert_ptr_eq(arg, &cleanups);
    ck_assert_ptr_nonnull(scope);
    ck_assert_str_eq(kube_object_metadata(object)->name, "blue");
    cleanups++;
    return cleanup_answer ? kube_error_set(cleanup_err, cleanup_answer, "registry is away")
                          : KUBE_OK;
}

FIXTURE(set_up, tear_down);

TEST(edits_say_whether_anything_changed) /* OW-2 */
{
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        const char *before[3];
        kube_object_meta metadata = {.name = "blue"};
        bool changed = !edits[i].changed;
        memcpy(before, edits[i].before, sizeof before);
        metadata.finalizers.items = before;
        while (metadata.finalizers.len < 3 && before[metadata.finalizers.len])
            metadata.finalizers.len++;
        EXPECT_OK(edits[i].add ? kube_finalizer_add(ctx, &metadata, OURS, &changed, &err)
                               : kube_finalizer_remove(ctx, &metadata, OURS, &changed, &err));
        ck_assert_msg(changed == edits[i].changed, "edit %zu", i);
        ck_assert_str_eq(joined(&metadata.finalizers), edits[i].after);
        ck_assert(kube_finalizer_present(&metadata, OURS) == edits[i].add);
        /* The list may be a cached object's. */
        ck_assert_int_eq(memcmp(before, edits[i].before, sizeof before), 0);
    }
}

TEST(calls_that_lack_something_are_refused)
{
    const core_v1_config_map blue = {.base = {.type = &core_v1_config_map_type}};
    const core_v1_config_map untyped = {.metadata = {.name = "blue"}};
    kube_object_meta metadata = {.name = "blue"};
    const core_v1_config_map *now = &blue;
    ck_assert_int_eq(kube_finalizer_add(ctx, &metadata, "", NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_finalizer_add(ctx, &metadata, NULL, NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_finalize(client, ctx, &blue.base, "", clean_up, NULL, &now, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_ptr_null(now);
    ck_assert_int_eq(kube_finalize(client, ctx, &untyped.base, OURS, clean_up, NULL, &now, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_finalize(client, ctx, &blue.base, OURS, NULL, NULL, &now, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_finalize(client, ctx, &blue.base, OURS, clean_up, NULL, NULL, &err),
                     KUBE_ERR_ARGUMENT);
}

/* ---- kube_finalize -------------------------------------------------------------------------- */

/* Creates the object with these finalizers and returns it as the server has it. */
static const core_v1_config_map *create(const char *finalizer, const char *other)
{
    const char *items[2];
    core_v1_config_map blue = {.metadata = {.name = "blue", .namespace_ = "default"}};
    core_v1_config_map *out;
    blue.metadata.finalizers.items = items;
    if (finalizer)
        items[blue.metadata.finalizers.len++] = finalizer;
    if (other)
        items[blue.metadata.finalizers.len++] = other;
    EXPECT_OK(core_v1_config_maps_create(client, ctx, "default", &blue, NULL, &out, &err));
    return out;
}

static const core_v1_config_map *get(void)
{
    core_v1_config_map *out;
    kube_code rc =
        core_v1_config_maps_get(client, ctx, kube_key_of("default", "blue"), NULL, &out, &err);
    ck_assert_msg(rc == KUBE_OK || rc == KUBE_ERR_NOT_FOUND, "%s", err.message);
    return out;
}

static const core_v1_config_map *delete_it(void)
{
    EXPECT_OK(core_v1_config_maps_delete(client, ctx, kube_key_of("default", "blue"), NULL, &err));
    return get();
}

static size_t write_count(void)
{
    const kube_api_call_filter patches = {.verb = "patch"};
    kube_api_call_list calls;
    EXPECT_OK(kube_apiserver_calls(server, ctx, &patches, &calls, &err));
    return calls.len;
}

static kube_code finalize(const core_v1_config_map *object, bool *go_on)
{
    const core_v1_config_map *now;
    kube_code rc = kube_finalize(client, ctx, &object->base, OURS, clean_up, &cleanups, &now, &err);
    *go_on = now;
    return rc;
}

TEST(an_object_that_lives_gets_the_finalizer_once)
{
    const core_v1_config_map *blue = create("a/b", NULL);
    bool go_on = false;
    EXPECT_OK(finalize(blue, &go_on));
    ck_assert(go_on);
    ck_assert_str_eq(joined(&get()->metadata.finalizers), "a/b," OURS);
    EXPECT_OK(finalize(get(), &go_on));
    ck_assert(go_on);
    ck_assert_uint_eq(write_count(), 1);
    ck_assert_int_eq(cleanups, 0);
}

TEST(the_patch_says_finalizers_and_version_only)
{
    const core_v1_config_map *blue = create(NULL, NULL);
    const kube_api_call_filter patches = {.verb = "patch"};
    kube_api_call_list calls;
    bool go_on;
    EXPECT_OK(finalize(blue, &go_on));
    EXPECT_OK(kube_apiserver_calls(server, ctx, &patches, &calls, &err));
    ck_assert_str_eq(calls.items[0].content_type, "application/merge-patch+json");
    ck_assert_str_eq(calls.items[0].body, kube_printf(ctx,
                                                      "{\"metadata\":{\"resourceVersion\":\"%s\","
                                                      "\"finalizers\":[\"" OURS "\"]}}",
                                                      blue->metadata.resource_version));
}

TEST(the_object_to_go_on_with_can_be_updated)
{
    const core_v1_config_map *blue = create("a/b", NULL);
    kube_string_map_entry data[] = {{"cidr", "10.1.0.0/16"}};
    const core_v1_config_map *now;
    core_v1_config_map edited;
    const core_v1_config_map *seen;
    EXPECT_OK(kube_finalize(client, ctx, &blue->base, OURS, clean_up, &cleanups, &now, &err));
    ck_assert_ptr_ne(now, blue);
    edited = *now;
    ck_assert_str_eq(joined(&edited.metadata.finalizers), "a/b," OURS);
    edited.data = (kube_string_map)KUBE_LIST_OF(data);
    EXPECT_OK(core_v1_config_maps_update(client, ctx, "default", &edited, NULL, NULL, &err));
    /* The one that went in is as it was: a cache may hold it. */
    ck_assert_uint_eq(blue->metadata.finalizers.len, 1);
    ck_assert_int_eq(core_v1_config_maps_update(client, ctx, "default", blue, NULL, NULL, &err),
                     KUBE_ERR_CONFLICT);
    /* With the finalizer there is no other. */
    seen = get();
    EXPECT_OK(kube_finalize(client, ctx, &seen->base, OURS, clean_up, &cleanups, &now, &err));
    ck_assert_ptr_eq(now, seen);
    ck_assert_uint_eq(write_count(), 1);
}

TEST(there_is_none_to_go_on_with_after_its_end_or_an_error)
{
    const core_v1_config_map *blue = create(NULL, NULL);
    const core_v1_config_map *now = blue;
    ck_assert_ptr_null(delete_it());
    EXPECT_OK(kube_finalize(client, ctx, &blue->base, OURS, clean_up, &cleanups, &now, &err));
    ck_assert_ptr_null(now);
    now = blue;
    create(NULL, NULL); /* another of that name: a conflict */
    ck_assert_int_eq(kube_finalize(client, ctx, &blue->base, OURS, clean_up, &cleanups, &now, &err),
                     KUBE_ERR_CONFLICT);
    ck_assert_ptr_null(now);
    EXPECT_OK(core_v1_config_maps_delete(client, ctx, kube_key_of("default", "blue"), NULL, &err));
    create(OURS, NULL);
    blue = delete_it();
    now = blue;
    EXPECT_OK(kube_finalize(client, ctx, &blue->base, OURS, clean_up, &cleanups, &now, &err));
    ck_assert_ptr_null(now);
    ck_assert_int_eq(cleanups, 1);
}

TEST(a_deleted_object_is_cleaned_up_and_goes)
{
    const core_v1_config_map *dying;
    bool go_on = true;
    create(OURS, NULL);
    dying = delete_it();
    ck_assert(kube_is_being_deleted(&dying->metadata));
    EXPECT_OK(finalize(dying, &go_on));
    ck_assert(!go_on);
    ck_assert_int_eq(cleanups, 1);
    ck_assert_ptr_null(get());
    /* The cache may not know yet: cleaned up again, and the object being gone is fine. */
    EXPECT_OK(finalize(dying, &go_on));
    ck_assert(!go_on);
    ck_assert_int_eq(cleanups, 2);
}

TEST(others_keep_the_object)
{
    const core_v1_config_map *dying;
    bool go_on = true;
    create(OURS, "a/b");
    dying = delete_it();
    EXPECT_OK(finalize(dying, &go_on));
    ck_assert_str_eq(joined(&get()->metadata.finalizers), "a/b");
    /* Cleaned up already: nothing is left to do. */
    EXPECT_OK(finalize(get(), &go_on));
    ck_assert(!go_on);
    ck_assert_int_eq(cleanups, 1);
    ck_assert_uint_eq(write_count(), 1);
}

TEST(a_cleanup_that_fails_keeps_the_finalizer)
{
    const kube_code answers[] = {KUBE_ERR_UNAVAILABLE, KUBE_ERR_NOT_FOUND, KUBE_ERR_CONFLICT};
    const core_v1_config_map *dying;
    bool go_on = true;
    create(OURS, NULL);
    dying = delete_it();
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        cleanup_answer = answers[i];
        ck_assert_int_eq(finalize(dying, &go_on), answers[i]);
        ck_assert_str_eq(err.message, "registry is away");
        ck_assert(!go_on);
    }
    ck_assert_uint_eq(write_count(), 0);
    ck_assert_str_eq(joined(&get()->metadata.finalizers), OURS);
}

TEST(a_change_in_between_is_a_conflict)
{
    const char patch[] = "{\"metadata\":{\"finalizers\":[\"c/d\"]}}";
    const core_v1_config_map *blue = create(NULL, NULL);
    bool go_on = true;
    EXPECT_OK(core_v1_config_maps_patch(client, ctx, kube_key_of("default", "blue"),
                                        KUBE_PATCH_MERGE, patch, sizeof patch - 1, NULL, NULL,
                                        &err));
    ck_assert_int_eq(finalize(blue, &go_on), KUBE_ERR_CONFLICT);
    ck_assert(!go_on);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot add finalizer " OURS ": "));
    ck_assert_str_eq(joined(&get()->metadata.finalizers), "c/d");
}

TEST(an_object_that_is_gone_needs_nothing)
{
    const core_v1_config_map *blue = create(NULL, NULL);
    bool go_on = true;
    ck_assert_ptr_null(delete_it());
    EXPECT_OK(finalize(blue, &go_on));
    ck_assert(!go_on);
    ck_assert_int_eq(cleanups, 0);
}

TEST(an_object_that_was_deleted_meanwhile_gets_no_finalizer)
{
    const core_v1_config_map *blue = create("a/b", NULL);
    bool go_on = true;
    ck_assert_ptr_nonnull(delete_it());
    ck_assert_int_eq(finalize(blue, &go_on), KUBE_ERR_CONFLICT);
    ck_assert_str_eq(joined(&get()->metadata.finalizers), "a/b");
}

TEST(a_successor_of_that_name_is_left_alone)
{
    const core_v1_config_map *dying;
    bool go_on = true;
    create(OURS, NULL);
    dying = delete_it();
    EXPECT_OK(finalize(dying, &go_on));
    create(OURS, NULL); /* made anew before the cache heard of the end of the first */
    ck_assert_int_eq(finalize(dying, &go_on), KUBE_ERR_CONFLICT);
    ck_assert_str_eq(joined(&get()->metadata.finalizers), OURS);
}

/* ---- memory --------------------------------------------------------------------------------- */

TEST(a_failed_ctx_changes_and_sends_nothing)
{
    kube_object_meta metadata = {.name = "blue"};
    uint64_t before = kube_client_request_count(client);
    const core_v1_config_map *now;
    ck_assert_ptr_null(kube_ctx_alloc_array(ctx, SIZE_MAX, 2));
    ck_assert_int_eq(kube_finalizer_add(ctx, &metadata, OURS, NULL, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_finalizer_remove(ctx, &metadata, OURS, NULL, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_finalize(client, ctx, NULL, OURS, clean_up, NULL, &now, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_ptr_null(now);
    ck_assert_int_eq(cleanups, 0);
    ck_assert_uint_eq(kube_client_request_count(client), before);
}
