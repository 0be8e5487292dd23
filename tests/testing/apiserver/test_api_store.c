/* SPDX-License-Identifier: Apache-2.0 */
/* The API server's store: order, versions, the past, and what lost memory leaves behind. */
#include "apiserver/store/object.h"
#include "apiserver/store/order.h"
#include "apiserver/store/store.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

static kube__api_store *store;
static kube__api_collection *things;
static kube_ctx *ctx;

static void set_up(void)
{
    store = kube__api_store_new(8);
    things = kube__api_store_collection(store, "example.com", "things", true);
    ctx = kube_ctx_new();
    ck_assert(store && things && ctx);
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    kube__api_store_free(store);
}

static kube__json *document(const char *namespace_, const char *name, int size)
{
    const char *text = kube_printf(
        ctx,
        "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"%s\","
        "\"namespace\":\"%s\",\"uid\":\"u-%s\",\"labels\":{\"app\":\"%s\"},\"ownerReferences\":"
        "[{\"uid\":\"owner\"}]},\"spec\":{\"size\":%d}}",
        name, namespace_, name, name, size);
    kube__json *value = kube__json_parse(ctx, text, strlen(text), NULL, NULL, NULL);
    ck_assert_ptr_nonnull(value);
    return value;
}

static const char *const selectable[] = {"spec.size", NULL};

static kube__api_object *put(const char *namespace_, const char *name, int size)
{
    kube__api_object *object =
        kube__api_store_put(store, ctx, things, document(namespace_, name, size), selectable);
    ck_assert_ptr_nonnull(object);
    return object;
}

/* "a/x b/y": the keys of a list at a version, with their sizes when asked. */
static const char *listed(const char *namespace_, uint64_t version, bool sizes)
{
    kube__api_range range = {.namespace_ = namespace_};
    kube__api_object **objects;
    size_t count;
    const char *text = "";
    ck_assert(kube__api_store_list(store, ctx, things, &range, version, &objects, &count));
    for (size_t i = 0; i < count; i++) {
        text = kube_printf(ctx, "%s%s%s/%s", text, i ? " " : "", objects[i]->namespace_,
                           objects[i]->name);
        if (sizes)
            text = kube_printf(ctx, "%s=%s", text, objects[i]->fields.items[2].value);
    }
    return text;
}

FIXTURE(set_up, tear_down);

TEST(versions_count_all_changes_from_one)
{
    ck_assert_uint_eq(kube__api_store_version(store), 1);
    ck_assert_uint_eq(put("a", "x", 1)->version, 2);
    ck_assert_uint_eq(put("a", "y", 1)->version, 3);
    ck_assert_uint_eq(put("a", "x", 2)->version, 4);
    ck_assert_uint_eq(kube__api_store_version(store), 4);
    ck_assert_uint_eq(kube__api_store_count(things), 2);
}

TEST(objects_keep_text_and_what_selectors_ask_for)
{
    kube__api_object *object = put("a", "x", 7);
    ck_assert_str_eq(object->text,
                     "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\",\"metadata\":{"
                     "\"labels\":{\"app\":\"x\"},\"name\":\"x\",\"namespace\":\"a\","
                     "\"ownerReferences\":[{\"uid\":\"owner\"}],\"resourceVersion\":\"2\","
                     "\"uid\":\"u-x\"},\"spec\":{\"size\":7}}");
    ck_assert_uint_eq(object->len, strlen(object->text));
    ck_assert_str_eq(object->uid, "u-x");
    ck_assert_str_eq(object->labels.items[0].value, "x");
    ck_assert_str_eq(object->fields.items[0].value, "x");
    ck_assert_str_eq(object->fields.items[1].value, "a");
    ck_assert_str_eq(object->fields.items[2].value, "7");
    ck_assert_str_eq(object->owners[0], "owner");
    ck_assert_ptr_null(object->owners[1]);
    ck_assert(!object->deleting);
}

TEST(order_is_that_of_the_bytes_of_keys)
{
    put("a", "x", 1);
    put("a-b", "x", 1);
    put("a", "b", 1);
    put("b", "a", 1);
    /* '-' stands before '/' */
    ck_assert_str_eq(listed("", 0, false), "a-b/x a/b a/x b/a");
    ck_assert_str_eq(listed("a", 0, false), "a/b a/x");
    ck_assert_str_eq(listed("c", 0, false), "");
}

TEST(many_objects_stay_in_order_through_changes)
{
    enum { MANY = 3000 };
    static bool there[MANY];
    char name[16];
    memset(there, 0, sizeof(there));
    for (unsigned i = 0; i < 3 * MANY; i++) {
        unsigned n = i * 7919u % MANY;
        snprintf(name, sizeof(name), "n%06u", n);
        kube__api_object *object = kube__api_store_get(things, "a", name);
        ck_assert_int_eq(object != NULL, there[n]);
        if (object && i % 3 == 0)
            ck_assert(kube__api_store_delete(store, ctx, object, NULL));
        else
            put("a", name, (int)i);
        there[n] = !(object && i % 3 == 0);
        if (i % 64 == 0)
            kube_ctx_reset(ctx);
    }
    kube__api_range range = {.namespace_ = "a", .after_namespace = "a", .after_name = "n000999"};
    kube__api_object **objects;
    size_t count;
    ck_assert(kube__api_store_list(store, ctx, things, &range, 0, &objects, &count));
    size_t at = 0;
    for (unsigned n = 1000; n < MANY; n++) {
        if (!there[n])
            continue;
        snprintf(name, sizeof(name), "n%06u", n);
        ck_assert_str_eq(objects[at++]->name, name);
    }
    ck_assert_uint_eq(at, count);
}

TEST(deletion_has_a_version_and_the_last_state)
{
    kube__api_object *object = put("a", "x", 5);
    ck_assert(kube__api_store_delete(store, ctx, object, NULL));
    ck_assert_ptr_null(kube__api_store_get(things, "a", "x"));
    ck_assert_uint_eq(kube__api_store_version(store), 3);
    ck_assert_str_eq(listed("", 2, true), "a/x=5");
    ck_assert_str_eq(listed("", 0, true), "");
}

TEST(lists_show_any_version_that_is_kept)
{
    put("a", "x", 1);                                                                /* 2 */
    put("a", "y", 1);                                                                /* 3 */
    put("a", "x", 2);                                                                /* 4 */
    kube__api_store_delete(store, ctx, kube__api_store_get(things, "a", "y"), NULL); /* 5 */
    put("a", "y", 3);                                                                /* 6 */
    put("b", "z", 1);                                                                /* 7 */
    ck_assert_str_eq(listed("", 1, true), "");
    ck_assert_str_eq(listed("", 2, true), "a/x=1");
    ck_assert_str_eq(listed("", 3, true), "a/x=1 a/y=1");
    ck_assert_str_eq(listed("", 4, true), "a/x=2 a/y=1");
    ck_assert_str_eq(listed("", 5, true), "a/x=2");
    ck_assert_str_eq(listed("", 6, true), "a/x=2 a/y=3");
    ck_assert_str_eq(listed("b", 6, true), "");
    ck_assert_str_eq(listed("", 7, true), "a/x=2 a/y=3 b/z=1");
}

static bool note_change(void *arg, const kube__api_change *change)
{
    static const char letters[] = "AMD";
    const char **text = arg;
    *text =
        kube_printf(ctx, "%s%c%" PRIu64 " ", *text, letters[change->type], change->object->version);
    return true;
}

static const char *changes_after(uint64_t version)
{
    const char *text = "";
    kube__api_store_changes(store, things, version, note_change, &text);
    return text;
}

TEST(history_is_bounded_and_says_how_far_it_goes)
{
    kube__api_collection *others = kube__api_store_collection(store, "", "others", false);
    ck_assert_uint_eq(kube__api_store_oldest(store, others), 0);
    ck_assert_uint_eq(kube__api_store_oldest(store, things), 1); /* since it exists */
    put("a", "x", 1);
    put("a", "x", 2);
    kube__api_store_delete(store, ctx, kube__api_store_get(things, "a", "x"), NULL);
    ck_assert_str_eq(changes_after(1), "A2 M3 D4 ");
    ck_assert_str_eq(changes_after(3), "D4 ");
    ck_assert_str_eq(changes_after(4), "");
    for (int i = 0; i < 8; i++)
        put("a", "y", i);
    ck_assert_uint_eq(kube__api_store_oldest(store, things), 4);
    ck_assert_str_eq(changes_after(4), "A5 M6 M7 M8 M9 M10 M11 M12 ");
    kube__api_store_compact(store);
    ck_assert_uint_eq(kube__api_store_oldest(store, things), 12);
    ck_assert_uint_eq(kube__api_store_oldest(store, others), 12);
    ck_assert_str_eq(changes_after(12), "");
}

static void count_change(void *arg, const kube__api_change *change)
{
    unsigned *counts = arg;
    counts[change->type]++;
    ck_assert_int_eq(change->old != NULL, change->type != KUBE__API_ADDED);
    ck_assert_uint_eq(kube__api_store_version(store), change->object->version);
}

static void count_drop(void *arg, kube__api_collection *collection)
{
    ck_assert_ptr_eq(collection, things);
    ++*(unsigned *)arg;
}

TEST(observers_hear_of_every_change_and_drop)
{
    unsigned counts[3] = {0};
    unsigned drops = 0;
    ck_assert(kube__api_store_observe(store, count_change, counts));
    ck_assert(kube__api_store_observe_drops(store, count_drop, &drops));
    put("a", "x", 1);
    put("a", "x", 2);
    kube__api_store_delete(store, ctx, kube__api_store_get(things, "a", "x"), NULL);
    ck_assert_uint_eq(counts[KUBE__API_ADDED], 1);
    ck_assert_uint_eq(counts[KUBE__API_MODIFIED], 1);
    ck_assert_uint_eq(counts[KUBE__API_DELETED], 1);
    kube__api_store_drop(store, things);
    ck_assert_uint_eq(drops, 1);
    ck_assert_ptr_null(kube__api_store_collection_at(store, 0));
}

TEST(a_dropped_collection_comes_back_empty_and_without_a_past)
{
    put("a", "x", 1);
    kube__api_store_drop(store, things);
    kube__api_collection *again = kube__api_store_collection(store, "example.com", "things", true);
    ck_assert_ptr_eq(again, things);
    ck_assert_uint_eq(kube__api_store_count(things), 0);
    ck_assert_uint_eq(kube__api_store_oldest(store, things), 2);
}

TEST(restored_objects_keep_their_versions)
{
    static const char text[] = "{\"metadata\":{\"name\":\"x\",\"namespace\":\"a\","
                               "\"resourceVersion\":\"41\"}}";
    ck_assert(kube__api_store_restore(store, things, text, strlen(text), NULL));
    ck_assert_uint_eq(kube__api_store_get(things, "a", "x")->version, 41);
    kube__api_store_set_version(store, 50);
    ck_assert_uint_eq(kube__api_store_oldest(store, things), 50);
    ck_assert_uint_eq(put("a", "y", 1)->version, 51);
}

TEST(held_objects_outlive_their_deletion)
{
    kube__api_object *object = kube__api_object_ref(put("a", "x", 9));
    kube__api_store_delete(store, ctx, object, NULL);
    kube__api_store_compact(store);
    ck_assert_str_eq(object->fields.items[2].value, "9");
    kube__api_object_unref(object);
}

TEST(a_thing_costs_less_than_two_and_a_half_times_its_text)
{
    enum { COUNT = 20000 };
    char name[16];
    size_t bytes = 0;
    struct mallinfo2 before = mallinfo2();
    for (unsigned i = 0; i < COUNT; i++) {
        snprintf(name, sizeof(name), "n%06u", i * 7919u % COUNT);
        bytes += put("a", name, 1)->len;
        kube_ctx_reset(ctx);
    }
    size_t used = mallinfo2().uordblks - before.uordblks;
    if (used > 0) /* a sanitizer's allocator tells nothing */
        ck_assert_uint_lt(used * 2, bytes * 5);
}

static bool change_all(void *arg)
{
    (void)arg;
    kube_ctx *own = kube_ctx_new();
    kube__api_store *fresh = own ? kube__api_store_new(4) : NULL;
    bool good = false;
    if (fresh) {
        static const char text[] = "{\"metadata\":{\"name\":\"x\",\"labels\":{\"a\":\"b\"}}}";
        kube__api_collection *some = kube__api_store_collection(fresh, "g", "p", true);
        kube__json *value = kube__json_parse(own, text, strlen(text), NULL, NULL, NULL);
        uint64_t version = kube__api_store_version(fresh);
        kube__api_object *object =
            some && value ? kube__api_store_put(fresh, own, some, value, NULL) : NULL;
        if (object)
            good = kube__api_store_delete(fresh, own, object, NULL);
        else if (kube__api_store_version(fresh) != version || (some && kube__api_store_count(some)))
            abort(); /* nothing may have changed */
        if (object && !good && !kube__api_store_get(some, "", "x"))
            abort();
    }
    kube__api_store_free(fresh);
    kube_ctx_free(own);
    return good;
}

TEST(lost_memory_changes_nothing)
{
    ck_assert_uint_gt(fail_malloc_replay(change_all, NULL), 5);
}
