/* SPDX-License-Identifier: Apache-2.0 */
#include "object/block/block.h"
#include "object_kit.h"
#include "support/fail_malloc.h"

#include <kube/key.h>
#include <pthread.h>

static const char small_json[] = "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\","
                                 "\"metadata\":{\"name\":\"w\",\"namespace\":\"ns\"}}";

TEST(a_reference_outlives_the_ctx)
{
    const kube_object *object = &decode_widget(small_json)->base;
    ck_assert_ptr_eq(kube_object_ref(object), object);
    kube_ctx_reset(ctx);
    ck_assert_str_eq(kube_object_metadata(object)->name, "w");
    kube_object_unref(object);
}

TEST(references_of_what_has_no_block_do_nothing)
{
    fixture_widget by_hand = {.metadata = {.name = "w"}};
    const kube_object *none = NULL;
    ck_assert_ptr_eq(kube_object_ref(&by_hand.base), &by_hand.base);
    kube_object_unref(&by_hand.base);
    kube_object_unref(&by_hand.base);
    ck_assert_ptr_null(kube_object_ref(none));
    kube_object_unref(none);
    ck_assert_int_eq(kube_object_keep(ctx, &by_hand.base, NULL), KUBE_OK);
    ck_assert_int_eq(kube_object_keep(ctx, none, NULL), KUBE_OK);
    ck_assert_uint_eq(kube_object_memory(&by_hand.base), 0);
    ck_assert_uint_eq(kube_object_memory(none), 0);
    ck_assert_ptr_null(kube_object_lost_path(&by_hand.base));
    ck_assert_ptr_null(kube_object_lost_path(none));
}

TEST(a_struct_copy_has_no_reference_of_its_own)
{
    fixture_widget *w = decode_widget(small_json);
    fixture_widget n = *w;
    for (int i = 0; i < 3; i++)
        kube_object_unref(&n.base);
    ck_assert_int_eq(kube_object_keep(ctx, &n.base, NULL), KUBE_OK);
    ck_assert_uint_eq(kube_object_memory(&n.base), 0);
    ck_assert_uint_eq(atomic_load(&w->base.block->refs), 1);
    ck_assert_str_eq(w->metadata.name, "w");
}

TEST(keep_holds_until_the_ctx_ends)
{
    kube_ctx *short_lived = kube_ctx_child(ctx);
    kube_ctx *long_lived = kube_ctx_child(ctx);
    kube_object *object = NULL;
    ck_assert_int_eq(kube_decode(short_lived, &fixture_widget_type, small_json,
                                 sizeof small_json - 1, &object, NULL),
                     KUBE_OK);
    ck_assert_int_eq(kube_object_keep(long_lived, object, NULL), KUBE_OK);
    kube_ctx_free(short_lived);
    ck_assert_str_eq(kube_object_metadata(object)->name, "w");
    kube_ctx_free(long_lived);
}

static void *ref_and_unref(void *arg)
{
    for (int i = 0; i < 20000; i++) {
        kube_object_ref(arg);
        kube_object_unref(arg);
    }
    kube_object_unref(arg);
    return NULL;
}

TEST(threads_may_share_references)
{
    kube_object *object = &decode_widget(small_json)->base;
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) {
        kube_object_ref(object);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, ref_and_unref, object), 0);
    }
    kube_ctx_reset(ctx); /* the last of them frees it */
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

TEST(metadata_is_found_by_the_type)
{
    fixture_widget w = {.metadata = {.name = "w"}};
    ck_assert_ptr_null(kube_object_metadata(&w.base));
    ck_assert_ptr_null(kube_object_metadata(NULL));
    w.base.type = &fixture_widget_type;
    ck_assert_ptr_eq(kube_object_metadata(&w.base), &w.metadata);
}

TEST(memory_counts_the_whole_block)
{
    const kube_object *small = &decode_widget(small_json)->base;
    const kube_object *full = &decode_widget(fixture_full_json)->base;
    ck_assert_uint_gt(kube_object_memory(small), sizeof(fixture_widget));
    ck_assert_uint_gt(kube_object_memory(full), kube_object_memory(small));
}

TEST(lost_path_is_known_of_struct_copies_too)
{
    fixture_widget *w = decode_widget("{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\","
                                      "\"status\":{\"strict\":{\"first\":1,\"second\":2}}}");
    fixture_widget n = *w;
    ck_assert_str_eq(kube_object_lost_path(&w->base), "status.strict.first");
    ck_assert_str_eq(kube_object_lost_path(&n.base), "status.strict.first");
    ck_assert_ptr_null(kube_object_lost_path(&decode_widget(small_json)->base));
}

TEST(key_is_namespace_and_name) /* STO-1 */
{
    kube_object_meta metadata = {.name = "a", .namespace_ = "ns"};
    ck_assert_str_eq(kube_key_text(ctx, kube_meta_key(&metadata)), "ns/a");
    metadata.namespace_ = "";
    ck_assert_str_eq(kube_key_text(ctx, kube_meta_key(&metadata)), "a");
    metadata.namespace_ = NULL;
    ck_assert_str_eq(kube_key_text(ctx, kube_meta_key(&metadata)), "a");
    metadata.name = NULL;
    ck_assert_str_eq(kube_key_text(ctx, kube_meta_key(&metadata)), "");
}

TEST(key_of_a_text) /* STO-1 */
{
    static const char *const bad[] = {"", "/", "a/", "a/b/c", NULL};
    kube_key key;
    kube_error err;
    ck_assert_int_eq(kube_key_parse(ctx, "ns/a", &key, NULL), KUBE_OK);
    ck_assert_str_eq(key.namespace_, "ns");
    ck_assert_str_eq(key.name, "a");
    ck_assert_int_eq(kube_key_parse(ctx, "a", &key, NULL), KUBE_OK);
    ck_assert_str_eq(key.namespace_, "");
    ck_assert_str_eq(key.name, "a");
    for (const char *const *text = bad; *text; text++) {
        ck_assert_int_eq(kube_key_parse(ctx, *text, &key, &err), KUBE_ERR_ARGUMENT);
        ck_assert_ptr_null(key.name);
    }
    ck_assert_int_eq(kube_key_parse(ctx, NULL, &key, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "\"\" is not a key: write NAMESPACE/NAME, or NAME for cluster scope");
}

TEST(same_version_needs_a_version) /* INF-3 */
{
    kube_object_meta a = {.resource_version = "1"};
    kube_object_meta b = {.resource_version = "1"};
    ck_assert(kube_meta_same_version(&a, &b));
    b.resource_version = "10";
    ck_assert(!kube_meta_same_version(&a, &b));
    b.resource_version = NULL;
    ck_assert(!kube_meta_same_version(&a, &b));
    ck_assert(!kube_meta_same_version(&b, &a));
    ck_assert(!kube_meta_same_version(&b, &b));
    b.resource_version = "";
    ck_assert(!kube_meta_same_version(&b, &b));
}

static bool keep_step(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    bool done = kube_object_keep(own, arg, NULL) == KUBE_OK &&
                kube_key_text(own, kube_meta_key(kube_object_metadata(arg))) != NULL;
    kube_ctx_free(own);
    return done;
}

TEST(survives_every_failing_allocation)
{
    kube_object *object = &decode_widget(small_json)->base;
    ck_assert_uint_gt(fail_malloc_replay(keep_step, object), 0);
    ck_assert_uint_eq(atomic_load(&object->block->refs), 1);
}

/* Each call is given what a program has that did not ask: the NULL of the call before. */
TEST(a_failed_ctx_gets_nothing)
{
    fixture_widget w = {.metadata = {.name = "a"}};
    const fixture_widget *kept = decode_widget("{\"metadata\":{\"name\":\"kept\"}}");
    kube_ctx *failed = kube_ctx_new();
    kube_object *object = &w.base;
    const char *text = "";
    kube_error err;
    ck_assert_ptr_null(kube_ctx_alloc_array(failed, SIZE_MAX, 2));
    ck_assert_int_eq(kube_decode(failed, &fixture_widget_type, "{}", 2, &object, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_ptr_null(object);
    ck_assert_int_eq(
        kube_encode(failed, &fixture_widget_type, NULL, KUBE_ENCODE_PLAIN, &text, NULL, &err),
        KUBE_ERR_NO_MEMORY);
    ck_assert_ptr_null(text);
    ck_assert_int_eq(kube_diff(failed, &fixture_widget_type, NULL, NULL, &text, NULL, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_path_get(failed, &fixture_widget_type, NULL, "spec", &text, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_ptr_null(kube_object_deep_copy(failed, &fixture_widget_type, &w.base));
    ck_assert_ptr_null(kube_schema_deep_copy(failed, &fixture_widget_schema, &w));
    ck_assert_int_eq(kube_object_keep(failed, &kept->base, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_object_keep(failed, &w.base, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_ptr_null(kube_key_text(failed, kube_meta_key(&w.metadata)));
    ck_assert_str_eq(err.message, "out of memory: 18446744073709551615 bytes");
    kube_ctx_free(failed);
}
