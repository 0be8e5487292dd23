/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <string.h>

TEST(keeps_what_was_added_and_ends_it_with_a_nul)
{
    kube__buffer b;
    kube__buffer_init(&b, 1000);
    ck_assert_ptr_null(b.data);
    kube__buffer_add_text(&b, "a");
    kube__buffer_add(&b, "b\0c", 3);
    kube__buffer_printf(&b, "%d-%s", 42, "x");
    ck_assert_uint_eq(b.len, 8);
    ck_assert_mem_eq(b.data, "ab\0c42-x", 9);
    kube__buffer_fini(&b);
}

TEST(grows_up_to_its_limit_and_not_a_byte_further)
{
    kube__buffer b;
    kube__buffer_init(&b, 1000);
    for (int i = 0; i < 1000; i++)
        kube__buffer_add(&b, "x", 1);
    ck_assert(!b.failed);
    ck_assert_uint_eq(b.len, 1000);
    ck_assert_uint_eq(strlen(b.data), 1000);
    kube__buffer_add(&b, "x", 1);
    ck_assert(b.failed);
    ck_assert_ptr_null(b.data);
    kube__buffer_fini(&b);
}

TEST(failure_is_sticky_until_reset)
{
    kube__buffer b;
    kube__buffer_init(&b, 4);
    kube__buffer_printf(&b, "%s", "12345");
    ck_assert(b.failed);
    kube__buffer_add_text(&b, "1");
    ck_assert_ptr_null(kube__buffer_reserve(&b, 1));
    ck_assert_uint_eq(b.len, 0);
    kube__buffer_reset(&b);
    kube__buffer_add_text(&b, "1234");
    ck_assert(!b.failed);
    ck_assert_str_eq(b.data, "1234");
    kube__buffer_fini(&b);
}

TEST(reset_forgets_the_text_and_keeps_the_storage)
{
    kube__buffer b;
    char *data;
    kube__buffer_init(&b, 100);
    kube__buffer_add_text(&b, "some text");
    data = b.data;
    kube__buffer_reset(&b);
    ck_assert_uint_eq(b.len, 0);
    ck_assert_str_eq(b.data, "");
    kube__buffer_add_text(&b, "other");
    ck_assert_ptr_eq(b.data, data);
    kube__buffer_fini(&b);
}

TEST(reserved_room_is_there_to_be_written)
{
    kube__buffer b;
    char *end;
    kube__buffer_init(&b, 10000);
    kube__buffer_add_text(&b, "ab");
    end = kube__buffer_reserve(&b, 5000);
    ck_assert_ptr_eq(end, b.data + 2);
    memset(end, 'z', 5000);
    b.len += 5000;
    kube__buffer_add_text(&b, "!");
    ck_assert_uint_eq(b.len, 5003);
    ck_assert_str_eq(b.data + 5001, "z!");
    kube__buffer_fini(&b);
}

TEST(a_length_that_overflows_is_a_failure)
{
    kube__buffer b;
    kube__buffer_init(&b, SIZE_MAX);
    kube__buffer_add_text(&b, "ab");
    ck_assert_ptr_null(kube__buffer_reserve(&b, SIZE_MAX - 1));
    ck_assert(b.failed);
    kube__buffer_fini(&b);
}

static bool fill(void *arg)
{
    kube__buffer b;
    bool ok;
    (void)arg;
    kube__buffer_init(&b, 10000);
    for (int i = 0; i < 100; i++)
        kube__buffer_printf(&b, "line %d of a text that has to grow\n", i);
    ok = !b.failed;
    kube__buffer_fini(&b);
    return ok;
}

TEST(survives_every_failing_allocation)
{
    ck_assert_uint_ge(fail_malloc_replay(fill, NULL), 4);
}
