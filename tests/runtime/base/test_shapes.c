/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/shapes.h>
#include <stdio.h>
#include <string.h>

static kube_ctx *ctx;

static void set(kube_string_map *map, const char *key, const char *value)
{
    ck_assert_int_eq(kube_string_map_set(ctx, map, key, value, NULL), KUBE_OK);
}

static void check_map(const kube_string_map *map, const char *want)
{
    char text[512] = "";
    size_t len = 0;
    for (size_t i = 0; i < map->len; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s=%s ", map->items[i].key,
                                map->items[i].value);
    ck_assert_str_eq(text, want);
}

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

FIXTURE(set_up, tear_down);

TEST(get_finds_in_any_order)
{
    kube_string_map_entry entries[] = {{"b", "2"}, {"a", "1"}, {NULL, "?"}, {"c", NULL}};
    kube_string_map map = KUBE_LIST_OF(entries);
    kube_string_map none = {0};
    ck_assert_str_eq(kube_string_map_get(&map, "a"), "1");
    ck_assert_str_eq(kube_string_map_get(&map, "b"), "2");
    ck_assert_ptr_null(kube_string_map_get(&map, "c"));
    ck_assert_ptr_null(kube_string_map_get(&map, "d"));
    ck_assert_ptr_null(kube_string_map_get(&map, NULL));
    ck_assert_ptr_null(kube_string_map_get(&none, "a"));
    ck_assert_ptr_null(kube_string_map_get(NULL, "a"));
}

TEST(set_keeps_a_sorted_map_sorted)
{
    kube_string_map map = {0};
    set(&map, "m", "1");
    set(&map, "z", "2");
    set(&map, "a", "3");
    set(&map, "n", "4");
    set(&map, "zz", "5");
    check_map(&map, "a=3 m=1 n=4 z=2 zz=5 ");
    set(&map, "n", "6");
    check_map(&map, "a=3 m=1 n=6 z=2 zz=5 ");
}

TEST(set_puts_at_the_end_of_an_unsorted_map)
{
    kube_string_map_entry entries[] = {{"b", "2"}, {"a", "1"}};
    kube_string_map map = KUBE_LIST_OF(entries);
    set(&map, "c", "3");
    set(&map, "0", "4");
    check_map(&map, "b=2 a=1 c=3 0=4 ");
}

TEST(set_and_remove_leave_the_old_storage_alone)
{
    /* It may belong to an object in the cache. */
    static const kube_string_map_entry cached[] = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
    kube_string_map_entry entries[3];
    kube_string_map old = {entries, 3};
    kube_string_map map = old;
    memcpy(entries, cached, sizeof entries);
    set(&map, "b", "x");
    set(&map, "bb", "y");
    set(&map, "d", "z");
    check_map(&map, "a=1 b=x bb=y c=3 d=z ");
    map = old;
    ck_assert_int_eq(kube_string_map_remove(ctx, &map, "b", NULL), KUBE_OK);
    check_map(&map, "a=1 c=3 ");
    check_map(&old, "a=1 b=2 c=3 ");
    ck_assert_mem_eq(entries, cached, sizeof entries);
}

TEST(copies_of_a_map_go_their_own_ways)
{
    kube_string_map a = {0};
    kube_string_map b;
    kube_string_map c;
    set(&a, "k", "1");
    b = a;
    c = a;
    set(&a, "l", "a");
    set(&b, "m", "b");
    set(&b, "n", "b");
    set(&c, "k", "c");
    check_map(&a, "k=1 l=a ");
    check_map(&b, "k=1 m=b n=b ");
    check_map(&c, "k=c ");
}

TEST(removing_the_last_leaves_an_empty_map_that_is_present)
{
    kube_string_map map = {0};
    ck_assert_int_eq(kube_string_map_remove(ctx, &map, "a", NULL), KUBE_OK);
    ck_assert_ptr_null(map.items);
    set(&map, "a", "1");
    ck_assert_int_eq(kube_string_map_remove(ctx, &map, "b", NULL), KUBE_OK);
    ck_assert_uint_eq(map.len, 1);
    ck_assert_int_eq(kube_string_map_remove(ctx, &map, "a", NULL), KUBE_OK);
    ck_assert_uint_eq(map.len, 0);
    ck_assert_ptr_nonnull(map.items);
    set(&map, "c", "2");
    check_map(&map, "c=2 ");
}

TEST(a_key_that_is_there_twice_is_one)
{
    kube_string_map_entry entries[] = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
    kube_string_map map = KUBE_LIST_OF(entries);
    set(&map, "a", "9");
    check_map(&map, "a=9 b=2 a=9 ");
    ck_assert_int_eq(kube_string_map_remove(ctx, &map, "a", NULL), KUBE_OK);
    check_map(&map, "b=2 ");
}

TEST(an_entry_needs_a_key)
{
    kube_string_map map = {0};
    kube_error err;
    ck_assert_int_eq(kube_string_map_set(ctx, &map, NULL, "x", &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_string_map_remove(ctx, &map, NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_uint_eq(map.len, 0);
}

TEST(list_grows_and_leaves_the_old_storage_alone)
{
    const char *texts[] = {"a", "b", "never seen"};
    kube_string_list list = {texts, 2};
    kube_string_list none = {0};
    ck_assert_int_eq(kube_string_list_append(ctx, &list, "c", NULL), KUBE_OK);
    ck_assert_uint_eq(list.len, 3);
    ck_assert_str_eq(list.items[0], "a");
    ck_assert_str_eq(list.items[2], "c");
    ck_assert_str_eq(texts[2], "never seen");
    ck_assert(kube_string_list_contains(&list, "c"));
    ck_assert(!kube_string_list_contains(&list, "d"));
    ck_assert(!kube_string_list_contains(&list, NULL));
    ck_assert(!kube_string_list_contains(&none, "a"));
    ck_assert(!kube_string_list_contains(NULL, "a"));
    ck_assert_int_eq(kube_string_list_append(ctx, &none, "x", NULL), KUBE_OK);
    ck_assert_str_eq(none.items[0], "x");
}

TEST(copies_of_a_list_go_their_own_ways)
{
    int64_t_list a = {0};
    int64_t_list b;
    for (int64_t i = 0; i < 3; i++)
        *KUBE_LIST_APPEND(ctx, &a) = i;
    b = a;
    *KUBE_LIST_APPEND(ctx, &a) = 100;
    *KUBE_LIST_APPEND(ctx, &b) = 200;
    *KUBE_LIST_APPEND(ctx, &b) = 201;
    *KUBE_LIST_APPEND(ctx, &a) = 101;
    ck_assert_uint_eq(a.len, 5);
    ck_assert_uint_eq(b.len, 5);
    ck_assert(a.items[2] == 2 && a.items[3] == 100 && a.items[4] == 101);
    ck_assert(b.items[2] == 2 && b.items[3] == 200 && b.items[4] == 201);
    /* One that was shortened: what it gave up may be another's. */
    b = a;
    b.len = 3;
    *KUBE_LIST_APPEND(ctx, &b) = 300;
    ck_assert(a.items[3] == 100 && b.items[3] == 300);
}

TEST(new_elements_are_zeroed)
{
    int64_t_list list = {0};
    for (int i = 0; i < 100; i++) {
        int64_t *item = KUBE_LIST_APPEND(ctx, &list);
        ck_assert_int_eq(*item, 0);
        *item = -1;
    }
    kube_ctx_reset(ctx);
    list = (int64_t_list){0};
    for (int i = 0; i < 100; i++) {
        int64_t *item = KUBE_LIST_APPEND(ctx, &list);
        ck_assert_int_eq(*item, 0);
    }
}

TEST(lists_of_one_ctx_grow_at_constant_cost)
{
    /* Counted in memory: copying at each step would take gigabytes. */
    enum { LISTS = 8, COUNT = 20000 };
    int64_t_list lists[LISTS] = {{0}};
    size_t allocations;
    fail_malloc_at(0);
    for (int64_t i = 0; i < COUNT; i++) {
        for (int l = 0; l < LISTS; l++)
            *KUBE_LIST_APPEND(ctx, &lists[l]) = i * LISTS + l;
    }
    allocations = fail_malloc_off();
    ck_assert_uint_lt(allocations, 200);
    for (int64_t i = 0; i < COUNT; i++) {
        for (int l = 0; l < LISTS; l++)
            ck_assert(lists[l].items[i] == i * LISTS + l);
    }
}

TEST(a_length_that_overflows_is_out_of_memory)
{
    char item = 0;
    ck_assert_ptr_null(kube_list_grow(ctx, &item, SIZE_MAX / 2, 1));
    ck_assert_ptr_null(kube_list_grow(ctx, &item, SIZE_MAX / 64, 32));
}

static bool edit(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    kube_string_map_entry entries[] = {{"a", "1"}, {"c", "3"}};
    kube_string_map map = KUBE_LIST_OF(entries);
    kube_string_list list = {0};
    int64_t_list numbers = {0};
    kube_error err;
    bool ok = false;
    (void)arg;
    if (!own || !kube_ctx_alloc(own, 200))
        goto out;
    for (int i = 0; i < 200; i++) {
        const char *key = kube_printf(own, "key-%d", i);
        if (!key || kube_string_map_set(own, &map, key, "v", &err) != KUBE_OK)
            goto out;
        if (kube_string_list_append(own, &list, key, &err) != KUBE_OK)
            goto out;
        if (!KUBE_LIST_APPEND(own, &numbers))
            goto out;
    }
    ok = kube_string_map_set(own, &map, "a", "2", &err) == KUBE_OK &&
         kube_string_map_remove(own, &map, "c", &err) == KUBE_OK;
out:
    /* Whatever failed, what is there is whole. */
    for (size_t i = 0; i < list.len; i++)
        ok = ok && list.items[i];
    ok = ok && numbers.len == 200;
    kube_ctx_free(own);
    return ok;
}

TEST(survives_every_failing_allocation)
{
    ck_assert_uint_ge(fail_malloc_replay(edit, NULL), 10);
}
