/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in pages, watches with bookmarks, streaming lists, and a version that is too old. */
#include "cluster_world.h"

#include <samplecrd/v1/api.h>
#include <stdio.h>
#include <string.h>

typedef samplecrd_v1_network network;
typedef samplecrd_v1_network_event network_event;

static kube_error err;

static void create_networks(int count)
{
    char name[16];
    for (int i = 0; i < count; i++) {
        const network wanted = {.metadata = {.name = name},
                                .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
        snprintf(name, sizeof name, "n%02d", i);
        expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &wanted, NULL, NULL, &err), &err);
    }
}

FIXTURE(case_set_up, case_tear_down);

TEST(a_whole_list_has_a_version_and_all_items)
{
    samplecrd_v1_network_list *list;
    create_networks(7);
    expect_ok(samplecrd_v1_networks_list(client, ctx, ns, NULL, &list, &err), &err);
    ck_assert_uint_eq(list->len, 7);
    ck_assert_ptr_nonnull(list->metadata.resource_version);
    for (size_t i = 0; i < list->len; i++)
        ck_assert_str_eq(list->items[i]->metadata.namespace_, ns);
}

TEST(an_empty_list_is_a_list)
{
    samplecrd_v1_network_list *list;
    expect_ok(samplecrd_v1_networks_list(client, ctx, ns, NULL, &list, &err), &err);
    ck_assert_uint_eq(list->len, 0);
    ck_assert_ptr_nonnull(list->metadata.resource_version);
}

TEST(pages_follow_their_continue_token)
{
    kube_list_options options = {.limit = 10};
    samplecrd_v1_network_list *page;
    size_t seen = 0;
    int pages = 0;
    create_networks(25);
    do {
        expect_ok(samplecrd_v1_networks_list(client, ctx, ns, &options, &page, &err), &err);
        seen += page->len;
        pages++;
        options.continue_token = page->metadata.continue_;
    } while (options.continue_token && *options.continue_token);
    ck_assert_uint_eq(seen, 25);
    ck_assert_int_eq(pages, 3);
}

static bool count_network(void *arg, const network *object)
{
    size_t *count = arg;
    ck_assert_str_eq(object->spec.cidr, "10.1.0.0/16");
    ++*count;
    return true;
}

static bool stop_at_three(void *arg, const network *object)
{
    size_t *count = arg;
    (void)object;
    return ++*count < 3;
}

TEST(list_each_visits_every_page)
{
    const kube_list_options options = {.limit = 10};
    kube_list_meta meta;
    size_t count = 0;
    create_networks(25);
    expect_ok(samplecrd_v1_networks_list_each(client, ctx, ns, &options, count_network, &count,
                                              &meta, &err),
              &err);
    ck_assert_uint_eq(count, 25);
    ck_assert_ptr_nonnull(meta.resource_version);
    count = 0;
    expect_ok(samplecrd_v1_networks_list_each(client, ctx, ns, &options, stop_at_three, &count,
                                              NULL, &err),
              &err);
    ck_assert_uint_eq(count, 3);
}

static void next(samplecrd_v1_network_watch *watch, const network_event **event)
{
    expect_ok(samplecrd_v1_network_watch_next(watch, ctx, event, &err), &err);
}

TEST(a_watch_sees_changes_then_bookmarks_then_its_end)
{
    kube_watch_options options = {.allow_bookmarks = true, .timeout_seconds = 15};
    samplecrd_v1_network_list *list;
    samplecrd_v1_network_watch *watch;
    const network_event *event;
    const char *version;
    int bookmarks = 0;
    expect_ok(samplecrd_v1_networks_list(client, ctx, ns, NULL, &list, &err), &err);
    options.resource_version = list->metadata.resource_version;
    expect_ok(samplecrd_v1_networks_watch(client, ctx, ns, &options, &watch, &err), &err);
    create_networks(1);
    next(watch, &event);
    ck_assert_int_eq(event->type, KUBE_WATCH_ADDED);
    ck_assert_str_eq(event->object->metadata.name, "n00");
    real_server_must_kubectl(server, NULL, "-n %s label network n00 team=a", ns);
    next(watch, &event);
    ck_assert_int_eq(event->type, KUBE_WATCH_MODIFIED);
    ck_assert_str_eq(kube_string_map_get(&event->object->metadata.labels, "team"), "a");
    real_server_must_kubectl(server, NULL, "-n %s delete network n00", ns);
    next(watch, &event);
    ck_assert_int_eq(event->type, KUBE_WATCH_DELETED);
    version = event->resource_version;
    ck_assert_str_eq(version, event->object->metadata.resource_version);
    for (;;) {
        kube_code rc = samplecrd_v1_network_watch_next(watch, ctx, &event, &err);
        if (rc == KUBE_ERR_CLOSED)
            break;
        expect_ok(rc, &err);
        ck_assert_int_eq(event->type, KUBE_WATCH_BOOKMARK);
        ck_assert_ptr_null(event->object);
        ck_assert_ptr_nonnull(event->resource_version);
        ck_assert(!event->initial_events_end);
        bookmarks++;
    }
    ck_assert_int_ge(bookmarks, 1);
    samplecrd_v1_network_watch_free(watch);
}

TEST(a_streaming_list_ends_with_its_mark_and_goes_on)
{
    const kube_watch_options options = {.allow_bookmarks = true,
                                        .send_initial_events = true,
                                        .resource_version_match = "NotOlderThan"};
    samplecrd_v1_network_watch *watch;
    const network_event *event;
    int added = 0;
    create_networks(12);
    if (!server_streams_lists()) { /* the answer on which the reflector lists in pages (REF-14) */
        expect(samplecrd_v1_networks_watch(client, ctx, ns, &options, &watch, &err),
               KUBE_ERR_INVALID, &err);
        return;
    }
    expect_ok(samplecrd_v1_networks_watch(client, ctx, ns, &options, &watch, &err), &err);
    for (next(watch, &event); event->type == KUBE_WATCH_ADDED; next(watch, &event))
        added++;
    ck_assert_int_eq(added, 12);
    ck_assert_int_eq(event->type, KUBE_WATCH_BOOKMARK);
    ck_assert(event->initial_events_end);
    real_server_must_kubectl(server, NULL, "-n %s delete network n03", ns);
    next(watch, &event);
    ck_assert_int_eq(event->type, KUBE_WATCH_DELETED);
    samplecrd_v1_network_watch_free(watch);
}

TEST(a_version_that_is_too_old_is_an_expired_error_event)
{
    const kube_watch_options options = {.resource_version = "1"};
    samplecrd_v1_network_watch *watch;
    const network_event *event;
    create_networks(1);
    expect_ok(samplecrd_v1_networks_watch(client, ctx, ns, &options, &watch, &err), &err);
    next(watch, &event);
    ck_assert_int_eq(event->type, KUBE_WATCH_ERROR);
    ck_assert_int_eq(event->error->code, KUBE_ERR_EXPIRED);
    ck_assert(kube_error_is_expired(event->error));
    samplecrd_v1_network_watch_free(watch);
}

TEST(a_list_at_a_version_to_come_says_too_large)
{
    const kube_list_options options = {.resource_version = "999999999",
                                       .resource_version_match = "NotOlderThan",
                                       .timeout_seconds = 2};
    kube_ctx *patience = kube_ctx_child(ctx);
    samplecrd_v1_network_list *list;
    kube_code rc;
    kube_ctx_set_timeout_ms(patience, 20000);
    rc = samplecrd_v1_networks_list(client, patience, ns, &options, &list, &err);
    ck_assert_int_ne(rc, KUBE_OK);
    if (!kube_ctx_status(patience, NULL)) /* else it was retried as the server asked (REQ-3) */
        ck_assert(kube_error_is_too_large_version(&err));
    kube_ctx_free(patience);
}

TEST(calls_do_not_wait_behind_an_open_watch)
{
    const kube_watch_options options = {0};
    samplecrd_v1_network_watch *watch;
    kube_ctx *patience = kube_ctx_child(ctx);
    network *found;
    kube_ctx_set_timeout_ms(patience, 20000);
    expect_ok(samplecrd_v1_networks_watch(client, patience, ns, &options, &watch, &err), &err);
    for (int i = 0; i < 5; i++)
        expect(samplecrd_v1_networks_get(client, patience, kube_key_of(ns, "nobody"), NULL, &found,
                                         &err),
               KUBE_ERR_NOT_FOUND, &err);
    samplecrd_v1_network_watch_free(watch);
    kube_ctx_free(patience);
}

TEST(cancelling_ends_a_silent_watch)
{
    const kube_watch_options options = {0};
    kube_ctx *child = kube_ctx_child(ctx);
    samplecrd_v1_network_watch *watch;
    const network_event *event;
    expect_ok(samplecrd_v1_networks_watch(client, ctx, ns, &options, &watch, &err), &err);
    kube_ctx_set_timeout_ms(child, 20);
    expect(samplecrd_v1_network_watch_next(watch, child, &event, &err), KUBE_ERR_TIMEOUT, &err);
    kube_ctx_cancel(child);
    create_networks(1);
    next(watch, &event); /* the watch itself goes on */
    ck_assert_int_eq(event->type, KUBE_WATCH_ADDED);
    samplecrd_v1_network_watch_free(watch);
    kube_ctx_free(child);
}

int main(void)
{
    return world_run(NULL);
}
