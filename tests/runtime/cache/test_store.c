/* SPDX-License-Identifier: Apache-2.0 */
/* The store (STO-*), after client-go's thread_safe_store_test.go, index_test.go and store_test.go,
 * and what a list changes in it (INF-2, TestReplaceEvents, TestProcessDeltasInBatch). */
#include "cache/store.h"
#include "objects.h"
#include "support/fail_malloc.h"
#include "support/forked.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static kube__store *new_store(void)
{
    kube__store *store;
    ck_assert_int_eq(kube__store_new(&samplecrd_v1_network_type, &store, NULL), KUBE_OK);
    return store;
}

/* Applies one change and returns what the batch says of it, held by the batch. */
static kube__batch *apply(kube__store *store, kube_object *object, bool deleted)
{
    kube__delta delta = {object, deleted};
    kube__batch *batch = kube__batch_new(1, 0);
    size_t applied;
    ck_assert_int_eq(kube__store_apply(store, &delta, 1, NULL, batch, &applied, NULL), KUBE_OK);
    ck_assert_uint_eq(applied, 1);
    ck_assert_ptr_null(delta.object);
    ck_assert_uint_eq(batch->len, 1);
    return batch;
}

static void put(kube__store *store, kube_object *object)
{
    kube__batch_unref(apply(store, object, false));
}

static void take(kube__store *store, kube_object *object)
{
    kube__batch_unref(apply(store, object, true));
}

static kube__name key(const char *ns, const char *name)
{
    kube__name k = {ns, name};
    return k;
}

static size_t count_list(kube__store *store, const char *ns)
{
    kube__held *held;
    size_t len;
    ck_assert_int_eq(kube__store_list(store, ns, NULL, &held, NULL), KUBE_OK);
    len = held->len;
    kube__held_free(held);
    return len;
}

/* The names that an index holds for a value, in any order, as a sorted line. */
static const char *by_index(kube__store *store, const char *index, const char *value)
{
    static char line[256];
    kube__held *held;
    line[0] = '\0';
    ck_assert_int_eq(kube__store_by_index(store, index, value, &held, NULL), KUBE_OK);
    for (char c = 'a'; c <= 'z'; c++)
        for (size_t i = 0; i < held->len; i++)
            if (name_of(held->items[i])[0] == c)
                snprintf(line + strlen(line), sizeof line - strlen(line), "%s ",
                         name_of(held->items[i]));
    kube__held_free(held);
    return line;
}

/* Values are the words of the cidr, so that one object can have none, one or many. */
static kube_code by_cidr(void *arg, kube_ctx *ctx, const kube_object *object, kube_index_emit *emit,
                         void *sink, kube_error *err)
{
    char *words = kube_ctx_strdup(ctx, as_network(object)->spec.cidr);
    char *rest = NULL;
    (void)arg;
    (void)err;
    if (!words)
        return KUBE_ERR_NO_MEMORY;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        emit(sink, word);
    return KUBE_OK;
}

static void add_cidr_index(kube__store *store)
{
    ck_assert_int_eq(kube__store_add_index(store, "cidr", by_cidr, NULL, NULL), KUBE_OK);
}

TEST(keeps_the_last_state_by_namespace_and_name)
{
    kube__store *store = new_store();
    kube__batch *batch;
    const kube_object *got;
    put(store, network("a", "x", "u", "1"));
    put(store, network("b", "x", "u", "2"));
    put(store, network(NULL, "x", "u", "3"));
    batch = apply(store, network("a", "x", "u", "4"), false);
    ck_assert_str_eq(version_of(batch->items[0].old_object), "1");
    ck_assert_str_eq(version_of(batch->items[0].new_object), "4");
    kube__batch_unref(batch);
    ck_assert_uint_eq(kube__store_count(store), 3);
    got = kube__store_get(store, key("a", "x"));
    ck_assert_str_eq(version_of(got), "4");
    kube_object_unref(got);
    got = kube__store_get(store, key("", "x"));
    ck_assert_str_eq(version_of(got), "3");
    kube_object_unref(got);
    ck_assert_ptr_null(kube__store_get(store, key("a", "y")));
    ck_assert_ptr_null(kube__store_get(store, key("c", "x")));
    kube__store_free(store);
}

TEST(an_object_outlives_its_place_while_it_is_held) /* STO-9 */
{
    kube__store *store = new_store();
    const kube_object *held;
    put(store, network("a", "x", "u", "1"));
    held = kube__store_get(store, key("a", "x"));
    take(store, network("a", "x", "u", "2"));
    kube__store_free(store);
    ck_assert_str_eq(version_of(held), "1");
    kube_object_unref(held);
}

TEST(deleting_the_unknown_is_told_and_changes_nothing) /* STO-2, INF-1 */
{
    kube__store *store = new_store();
    kube__batch *batch;
    put(store, network("a", "x", "u", "1"));
    batch = apply(store, network("a", "gone", "u", "2"), true);
    ck_assert_str_eq(name_of(batch->items[0].final_object), "gone");
    ck_assert_ptr_null(batch->items[0].old_object);
    ck_assert_ptr_null(batch->items[0].new_object);
    kube__batch_unref(batch);
    ck_assert_uint_eq(kube__store_count(store), 1);
    kube__store_free(store);
}

/* Linear probing with backward shifts and reused ids, against a plain model. */
TEST(survives_random_adds_and_deletes)
{
    enum { NAMES = 700, TURNS = 20000 };
    static int model[NAMES];
    kube__store *store = new_store();
    unsigned random = 1;
    size_t live = 0;

    memset(model, 0, sizeof model);
    add_cidr_index(store);
    for (int turn = 1; turn <= TURNS; turn++) {
        char name[16];
        char version[16];
        char cidr[32];
        const char *ns;
        unsigned i;
        random = random * 1103515245u + 12345u;
        i = (random >> 8) % NAMES;
        ns = i % 3 ? "a" : "b";
        snprintf(name, sizeof name, "n%u", i);
        snprintf(version, sizeof version, "%d", turn);
        snprintf(cidr, sizeof cidr, i % 5 ? "c%u" : "c%u d%u", i % 7, i % 11);
        if ((random >> 20) % 3) {
            put(store, network_with_cidr(ns, name, version, cidr));
            live += model[i] == 0;
            model[i] = turn;
        } else {
            take(store, network(ns, name, "u", version));
            live -= model[i] != 0;
            model[i] = 0;
        }
    }
    ck_assert_uint_eq(kube__store_count(store), live);
    ck_assert_uint_eq(count_list(store, "a") + count_list(store, "b"), live);
    for (int i = 0; i < NAMES; i++) {
        char name[16];
        const kube_object *got;
        snprintf(name, sizeof name, "n%d", i);
        got = kube__store_get(store, key(i % 3 ? "a" : "b", name));
        ck_assert_int_eq(got ? atoi(version_of(got)) : 0, model[i]);
        kube_object_unref(got);
    }
    for (int value = 0; value < 7; value++) {
        char text[16];
        kube__held *held;
        size_t expected = 0;
        snprintf(text, sizeof text, "c%d", value);
        ck_assert_int_eq(kube__store_by_index(store, "cidr", text, &held, NULL), KUBE_OK);
        for (int i = 0; i < NAMES; i++)
            expected += model[i] && i % 7 == value;
        ck_assert_uint_eq(held->len, expected);
        kube__held_free(held);
    }
    kube__store_free(store);
}

/* Peers: TestMultiIndexKeys, TestCacheTransactionShouldIndexErrors, TestWaitFor, TestSyncResult */
TEST(index_follows_its_objects) /* TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex, … */
{
    kube__store *store = new_store();
    add_cidr_index(store);
    put(store, network_with_cidr("ns", "a", "1", "x"));
    put(store, network_with_cidr("ns", "b", "1", "x y"));
    put(store, network_with_cidr("ns", "c", "1", "x y z y"));
    put(store, network_with_cidr("ns", "d", "1", ""));
    ck_assert_str_eq(by_index(store, "cidr", "x"), "a b c ");
    ck_assert_str_eq(by_index(store, "cidr", "y"), "b c ");
    ck_assert_str_eq(by_index(store, "cidr", "z"), "c ");
    ck_assert_uint_eq(kube__store_index_values(store, "cidr"), 3);
    put(store, network_with_cidr("ns", "b", "2", "z"));
    ck_assert_str_eq(by_index(store, "cidr", "x"), "a c ");
    ck_assert_str_eq(by_index(store, "cidr", "y"), "c ");
    ck_assert_str_eq(by_index(store, "cidr", "z"), "b c ");
    put(store, network_with_cidr("ns", "c", "2", ""));
    ck_assert_str_eq(by_index(store, "cidr", "y"), "");
    put(store, network_with_cidr("ns", "d", "2", "y x"));
    ck_assert_str_eq(by_index(store, "cidr", "y"), "d ");
    take(store, network("ns", "a", "u", "3"));
    take(store, network("ns", "d", "u", "3"));
    ck_assert_str_eq(by_index(store, "cidr", "x"), "");
    /* Sets that became empty are gone: only z is left. */
    ck_assert_uint_eq(kube__store_index_values(store, "cidr"), 1);
    kube__store_free(store);
}

/* Peers: TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex, TestMultiIndexKeys,
 * TestCacheTransactionShouldIndexErrors, TestWaitFor, TestSyncResult */
TEST(a_late_index_covers_what_is_there) /* STO-3 */
{
    kube__store *store = new_store();
    kube__held *held;
    kube_error err;
    put(store, network_with_cidr("ns", "a", "1", "x"));
    put(store, network_with_cidr("ns", "b", "1", "y"));
    add_cidr_index(store);
    ck_assert_str_eq(by_index(store, "cidr", "x"), "a ");
    ck_assert_int_eq(kube__store_add_index(store, "cidr", by_cidr, NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "there is already an index cidr");
    ck_assert_int_eq(kube__store_add_index(store, "namespace", by_cidr, NULL, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube__store_by_index(store, "color", "x", &held, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "there is no index color");
    ck_assert_ptr_null(held);
    ck_assert_str_eq(by_index(store, "namespace", "ns"), "a b "); /* STO-5 */
    kube__store_free(store);
}

TEST(there_is_an_end_to_indexes)
{
    kube__store *store = new_store();
    kube_error err;
    char name[16];
    for (int i = 1; i < KUBE__MAX_INDEXES; i++) {
        snprintf(name, sizeof name, "i%d", i);
        ck_assert_int_eq(kube__store_add_index(store, name, by_cidr, NULL, NULL), KUBE_OK);
    }
    ck_assert_int_eq(kube__store_add_index(store, "more", by_cidr, NULL, &err), KUBE_ERR_ARGUMENT);
    put(store, network_with_cidr("ns", "a", "1", "x"));
    ck_assert_str_eq(by_index(store, "i15", "x"), "a ");
    kube__store_free(store);
}

TEST(lists_by_namespace_and_labels) /* STO-5 */
{
    kube__store *store = new_store();
    kube__selector *selector;
    kube__held *held;
    put(store, labeled("a", "x", "1", "app=web"));
    put(store, labeled("a", "y", "1", "app=db"));
    put(store, labeled("b", "z", "1", "app=web,tier=front"));
    ck_assert_uint_eq(count_list(store, "a"), 2);
    ck_assert_uint_eq(count_list(store, "b"), 1);
    ck_assert_uint_eq(count_list(store, "c"), 0);
    ck_assert_uint_eq(count_list(store, NULL), 3);
    ck_assert_uint_eq(count_list(store, ""), 3);
    ck_assert_int_eq(kube__selector_parse("app=web", &selector, NULL), KUBE_OK);
    ck_assert_int_eq(kube__store_list(store, NULL, selector, &held, NULL), KUBE_OK);
    ck_assert_uint_eq(held->len, 2);
    kube__held_free(held);
    ck_assert_int_eq(kube__store_list(store, "a", selector, &held, NULL), KUBE_OK);
    ck_assert_uint_eq(held->len, 1);
    ck_assert_str_eq(name_of(held->items[0]), "x");
    kube__held_free(held);
    kube__selector_free(selector);
    kube__store_free(store);
}

static kube__table *staged(kube__store *store, kube_object *const *objects, size_t len)
{
    kube__table *table = kube__store_stage(store);
    for (size_t i = 0; i < len; i++)
        ck_assert_int_eq(kube__store_stage_put(store, table, objects[i], true, NULL), KUBE_OK);
    return table;
}

static kube__batch *replace(kube__store *store, kube_object *const *objects, size_t len,
                            const char *version, size_t keep_missing)
{
    kube__batch *batch;
    ck_assert_int_eq(kube__store_replace(store, staged(store, objects, len), version, keep_missing,
                                         0, &batch, NULL),
                     KUBE_OK);
    return batch;
}

/* Peers: TestRealFIFO_ReplaceMakesDeletions,
 * TestRealFIFO_ReplaceMakesDeletionsForObjectsOnlyInQueue, TestRealFIFO_replaceWithDeleteDeltaIn,
 * TestRealFIFO_ReplaceAtomic, TestRealFIFO_ReplaceAtomicPop, TestRealFIFO_ResyncAtomic,
 * TestProcessDeltasInBatch, TestStoreResourceVersion, TestResetWatch */
TEST(replace_tells_the_difference) /* INF-2, TestReplaceEvents */
{
    kube__store *store = new_store();
    kube__batch *batch;
    char version[32];
    size_t adds = 0;
    size_t updates = 0;
    put(store, network("ns", "gone", "u1", "1"));
    put(store, network("ns", "same", "u2", "2"));
    put(store, network("ns", "changed", "u3", "3"));
    batch = replace(store,
                    (kube_object *[]){network("ns", "same", "u2", "2"),
                                      network("ns", "changed", "u4", "5"),
                                      network("ns", "new", "u5", "6")},
                    3, "10", 0);
    ck_assert_uint_eq(batch->len, 4);
    ck_assert_ptr_null(batch->items[0].final_object);
    ck_assert_str_eq(name_of(batch->items[0].old_object), "gone");
    ck_assert_ptr_null(batch->items[0].new_object);
    for (size_t i = 1; i < batch->len; i++) {
        const kube__change *change = &batch->items[i];
        ck_assert_ptr_nonnull(change->new_object);
        adds += change->old_object == NULL;
        updates += change->old_object != NULL;
        if (strcmp(name_of(change->new_object), "same") == 0)
            ck_assert_ptr_eq(change->old_object, change->new_object);
        if (strcmp(name_of(change->new_object), "changed") == 0)
            ck_assert_str_eq(as_network(change->old_object)->metadata.uid, "u3");
    }
    ck_assert_uint_eq(adds, 1);
    ck_assert_uint_eq(updates, 2);
    kube__batch_unref(batch);
    ck_assert_uint_eq(kube__store_count(store), 3);
    ck_assert_ptr_null(kube__store_get(store, key("ns", "gone")));
    kube__store_resource_version(store, version, sizeof version); /* STO-7 */
    ck_assert_str_eq(version, "10");
    kube__store_free(store);
}

/* Peers: TestRealFIFO_ReplaceMakesDeletions,
 * TestRealFIFO_ReplaceMakesDeletionsForObjectsOnlyInQueue,
 * TestRealFIFO_replaceWithDeleteDeltaIn */
TEST(replace_with_nothing_deletes_all)
{
    kube__store *store = new_store();
    kube__batch *batch;
    put(store, network("ns", "a", "u", "1"));
    put(store, network("ns", "b", "u", "1"));
    batch = replace(store, NULL, 0, "2", 0);
    ck_assert_uint_eq(batch->len, 2);
    kube__batch_unref(batch);
    ck_assert_uint_eq(kube__store_count(store), 0);
    ck_assert_uint_eq(count_list(store, "ns"), 0);
    kube__store_free(store);
}

TEST(a_list_with_bad_items_deletes_only_what_is_certain)
{
    kube__store *store = new_store();
    kube__batch *batch;
    put(store, network("ns", "a", "u", "1"));
    put(store, network("ns", "b", "u", "1"));
    batch = replace(store, (kube_object *[]){network("ns", "a", "u", "1")}, 1, "2", 1);
    ck_assert_uint_eq(batch->len, 2); /* b stays: it may be the bad item */
    kube__batch_unref(batch);
    ck_assert_uint_eq(kube__store_count(store), 2);
    batch = replace(store, NULL, 0, "3", 1); /* two are missing, one can be bad */
    ck_assert_uint_eq(batch->len, 2);
    kube__batch_unref(batch);
    ck_assert_uint_eq(kube__store_count(store), 0);
    kube__store_free(store);
}

/* Peers: TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex, TestMultiIndexKeys,
 * TestCacheTransactionShouldIndexErrors, TestWaitFor, TestSyncResult */
TEST(replace_rebuilds_every_index) /* STO-4; an index added meanwhile included */
{
    kube__store *store = new_store();
    kube__table *table;
    kube__batch *batch;
    put(store, network_with_cidr("ns", "a", "1", "x"));
    table = staged(store, (kube_object *[]){network_with_cidr("ns", "b", "2", "x y")}, 1);
    add_cidr_index(store);
    ck_assert_str_eq(by_index(store, "cidr", "x"), "a ");
    ck_assert_int_eq(kube__store_replace(store, table, "2", 0, 0, &batch, NULL), KUBE_OK);
    kube__batch_unref(batch);
    ck_assert_str_eq(by_index(store, "cidr", "x"), "b ");
    ck_assert_str_eq(by_index(store, "cidr", "y"), "b ");
    kube__store_free(store);
}

TEST(a_staged_object_can_change_and_go)
{
    kube__store *store = new_store();
    kube_object *objects[] = {network("ns", "a", "u", "1"), network("ns", "b", "u", "1"),
                              network("ns", "a", "u", "2")};
    kube_object *gone = network("ns", "b", "u", "3");
    kube__table *table = staged(store, objects, 3);
    kube__batch *batch;
    kube__store_stage_remove(table, gone);
    kube__store_stage_remove(table, gone);
    kube_object_unref(gone);
    ck_assert_int_eq(kube__store_replace(store, table, "3", 0, 0, &batch, NULL), KUBE_OK);
    ck_assert_uint_eq(batch->len, 1);
    ck_assert_str_eq(version_of(batch->items[0].new_object), "2");
    kube__batch_unref(batch);
    kube__store_free(store);
}

/* Peers: TestRealFIFO_PopMultipleDeltaInBatch, TestRealFIFO_PopBrokenItemsInBatch */
TEST(changes_of_a_batch_carry_the_state_before) /* FIFO-4 with repeated keys */
{
    kube__store *store = new_store();
    kube__delta deltas[] = {{network("ns", "a", "u", "1"), false},
                            {network("ns", "a", "u", "2"), false},
                            {network("ns", "a", "u", "3"), true},
                            {network("ns", "a", "u2", "4"), false}};
    kube__batch *batch = kube__batch_new(4, 0);
    char version[8];
    size_t applied;
    ck_assert_int_eq(kube__store_apply(store, deltas, 4, "4", batch, &applied, NULL), KUBE_OK);
    ck_assert_uint_eq(applied, 4);
    ck_assert_ptr_null(batch->items[0].old_object);
    ck_assert_ptr_eq(batch->items[1].old_object, batch->items[0].new_object);
    ck_assert_ptr_eq(batch->items[2].old_object, batch->items[1].new_object);
    ck_assert_str_eq(version_of(batch->items[2].final_object), "3");
    ck_assert_ptr_null(batch->items[2].new_object);
    ck_assert_ptr_null(batch->items[3].old_object);
    kube__store_resource_version(store, version, sizeof version);
    ck_assert_str_eq(version, "4");
    kube__batch_unref(batch);
    kube__store_free(store);
}

TEST(overhead_an_object_is_small)
{
    enum { COUNT = 20000 };
    kube__store *store = new_store();
    char name[32];
    static const char *const spaces[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "network-%d", i);
        put(store, network(spaces[i % 8], name, "u", "1"));
    }
    ck_assert_uint_le(kube__store_overhead_bytes(store) / COUNT, 50);
    kube__store_free(store);
}

/* ---- out of memory ------------------------------------------------------------------------- */

struct memory {
    kube_object *first;
    kube_object *second;
    kube_object *third;
};

static kube_object *borrowed(kube_object *object)
{
    kube_object_ref(object);
    return object;
}

static kube_code fill(kube__store *store, const struct memory *m)
{
    kube__delta deltas[] = {{borrowed(m->first), false},
                            {borrowed(m->second), false},
                            {borrowed(m->third), false},
                            {borrowed(m->first), true}};
    kube__batch *batch = kube__batch_new(4, 0);
    size_t applied = 0;
    kube_code code = KUBE_ERR_NO_MEMORY;
    if (batch)
        code = kube__store_apply(store, deltas, 4, "7", batch, &applied, NULL);
    if (batch && batch->len != applied)
        abort();
    for (size_t i = applied; i < 4; i++)
        kube_object_unref(deltas[i].object);
    kube__batch_unref(batch);
    return code;
}

static kube_code relist(kube__store *store, const struct memory *m)
{
    kube__table *table = kube__store_stage(store);
    kube__batch *batch = NULL;
    size_t before = kube__store_count(store);
    kube_code code = KUBE_OK;
    if (!table)
        return KUBE_ERR_NO_MEMORY;
    code = kube__store_stage_put(store, table, borrowed(m->second), true, NULL);
    if (code) {
        kube_object_unref(m->second);
        kube__table_free(table);
        return code;
    }
    code = kube__store_replace(store, table, "8", 0, 0, &batch, NULL);
    if (code && kube__store_count(store) != before)
        abort();
    kube__batch_unref(batch);
    return code;
}

static bool use_store(void *arg)
{
    const struct memory *m = arg;
    kube__store *store = NULL;
    kube__held *held = NULL;
    kube_code code = kube__store_new(&samplecrd_v1_network_type, &store, NULL);
    if (code)
        return false;
    code = kube__store_add_index(store, "cidr", by_cidr, NULL, NULL);
    if (!code)
        code = fill(store, m);
    if (!code)
        code = relist(store, m);
    if (!code)
        code = kube__store_add_index(store, "again", by_cidr, NULL, NULL);
    if (!code)
        code = kube__store_by_index(store, "again", "y", &held, NULL);
    kube__held_free(held);
    kube__store_free(store);
    if (code && code != KUBE_ERR_NO_MEMORY)
        abort();
    return code == KUBE_OK;
}

TEST(every_allocation_may_fail)
{
    struct memory m = {network_with_cidr("ns", "a", "1", "x"),
                       network_with_cidr("ns", "b", "1", "x y"),
                       network_with_cidr("ns", "b", "2", "y z x w")};
    ck_assert_uint_gt(fail_malloc_replay(use_store, &m), 20);
    kube_object_unref(m.first);
    kube_object_unref(m.second);
    kube_object_unref(m.third);
}

/* ---- an index function without memory -------------------------------------------------------- */

static bool is_scarce;

static kube_code by_scarce(void *arg, kube_ctx *ctx, const kube_object *object,
                           kube_index_emit *emit, void *sink, kube_error *err)
{
    (void)arg;
    (void)err;
    (void)object;
    emit(sink, kube_ctx_alloc(ctx, is_scarce ? SIZE_MAX : 8));
    return KUBE_OK;
}

static kube_code put_x(kube__store *store)
{
    kube__batch *batch = kube__batch_new(1, 0);
    kube__delta delta = {network("a", "x", "u", "1"), false};
    size_t applied;
    kube_error err;
    kube_code rc = kube__store_apply(store, &delta, 1, NULL, batch, &applied, &err);
    ck_assert_uint_eq(applied, rc ? 0 : 1);
    if (rc) {
        ck_assert_str_eq(err.message, "out of memory: index scarce");
        kube_object_unref(delta.object);
    }
    kube__batch_unref(batch);
    return rc;
}

TEST(an_index_function_without_memory_is_asked_again)
{
    kube__store *store = new_store();
    ck_assert_int_eq(kube__store_add_index(store, "scarce", by_scarce, NULL, NULL), KUBE_OK);
    is_scarce = true;
    ck_assert_int_eq(put_x(store), KUBE_ERR_NO_MEMORY);
    ck_assert_uint_eq(kube__store_count(store), 0);
    is_scarce = false;
    ck_assert_int_eq(put_x(store), KUBE_OK);
    ck_assert_str_eq(by_index(store, "scarce", ""), "x ");
    kube__store_free(store);
}

static void index_without_memory(void *arg)
{
    kube__store *store = new_store();
    (void)arg;
    kube__store_exit_on_no_memory(store);
    is_scarce = true;
    if (!kube__store_add_index(store, "scarce", by_scarce, NULL, NULL))
        put_x(store);
}

TEST(or_ends_the_process)
{
    char text[256];
    ck_assert_int_eq(forked_run(index_without_memory, NULL, text, sizeof text), 1);
    ck_assert_str_eq(text, "out of memory: 18446744073709551615 bytes for index scarce of networks "
                           "a/x\n");
}
