/* SPDX-License-Identifier: Apache-2.0 */
#include "object/block/block.h"
#include "object_kit.h"
#include "random_object.h"
#include "support/fail_malloc.h"

static fixture_widget *copy_of(kube_ctx *in, const fixture_widget *w)
{
    kube_object *copy = kube_object_deep_copy(in, &fixture_widget_type, &w->base);
    ck_assert_ptr_nonnull(copy);
    ck_assert_ptr_ne(copy, &w->base);
    return (fixture_widget *)(void *)copy;
}

static bool equal(const fixture_widget *a, const fixture_widget *b)
{
    return kube_object_equal(&fixture_widget_type, &a->base, &b->base);
}

static char *encoded(const fixture_widget *w)
{
    const char *json;
    kube_error err;
    kube_code rc =
        kube_encode(ctx, &fixture_widget_type, &w->base, KUBE_ENCODE_PLAIN, &json, NULL, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    return strdup(json);
}

/* A copy has nothing of its source: the sanitizer sees a pointer that was left behind. */
TEST(copies_outlive_their_source)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        kube_ctx *scope = kube_ctx_new();
        random_source source = {seed * 7919, scope, false};
        fixture_widget w = {0};
        random_struct(&source, &fixture_widget_schema, &w);
        char *before = encoded(&w);
        fixture_widget *copy = copy_of(ctx, &w);
        ck_assert(equal(copy, &w));
        kube_ctx_free(scope);

        char *after = encoded(copy);
        ck_assert_str_eq(after, before);
        free(after);

        /* Its pointers are marked, so that it can be cloned once it is sealed. */
        scope = kube_ctx_new();
        kube__block_seal(&copy->base);
        fixture_widget *clone = copy_of(scope, copy);
        ck_assert(equal(clone, copy));
        kube_ctx_reset(ctx);
        after = encoded(clone);
        ck_assert_str_eq(after, before);
        kube_ctx_free(scope);
        free(after);
        free(before);
    }
}

TEST(copies_of_the_full_object_are_equal)
{
    fixture_widget *w = decode_widget(fixture_full_json);
    fixture_widget *copy = copy_of(ctx, w);
    ck_assert(equal(w, copy));
    kube__block_seal(&w->base);
    fixture_widget *clone = copy_of(ctx, w);
    ck_assert(equal(clone, copy));
    ck_assert_uint_eq(w->base.block->flags & KUBE__BLOCK_SEALED, KUBE__BLOCK_SEALED);
    ck_assert_uint_eq(clone->base.block->flags & KUBE__BLOCK_SEALED, 0);
}

TEST(keeps_null_and_empty_apart) /* G-30, G-31 */
{
    const char *none[1] = {NULL};
    fixture_leaf no_leaves[1] = {{0}};
    fixture_widget w = {
        .spec =
            {
                .strings = {none, 0},
                .leaves = {no_leaves, 0},
                .bytes = {(const unsigned char *)"", 0},
                .raw = {"", 0},
            },
    };
    fixture_widget *copy = copy_of(ctx, &w);
    for (int round = 0; round < 2; round++) {
        ck_assert_ptr_nonnull(copy->spec.strings.items);
        ck_assert_ptr_ne(copy->spec.strings.items, none);
        ck_assert_uint_eq(copy->spec.strings.len, 0);
        ck_assert_ptr_nonnull(copy->spec.leaves.items);
        ck_assert_ptr_nonnull(copy->spec.bytes.data);
        ck_assert_ptr_nonnull(copy->spec.raw.text);
        ck_assert_ptr_null(copy->spec.tags.items);
        ck_assert_ptr_null(copy->spec.leaf_map.items);
        ck_assert_ptr_null(copy->spec.leaf_ptr);
        ck_assert_ptr_null(copy->spec.text);
        kube__block_seal(&copy->base);
        copy = copy_of(ctx, copy);
    }
}

TEST(takes_what_was_edited_in_a_copy)
{
    fixture_widget *copy = copy_of(ctx, decode_widget(fixture_full_json));
    char text[] = "edited";
    copy->spec.text = text;
    copy->spec.i32 = 77;
    fixture_widget *again = copy_of(ctx, copy);
    text[0] = 'X';
    ck_assert_str_eq(again->spec.text, "edited");
    ck_assert_int_eq(again->spec.i32, 77);
}

TEST(takes_what_was_edited_in_a_struct_copy_of_a_sealed_object)
{
    fixture_widget *w = decode_widget(fixture_full_json);
    kube__block_seal(&w->base);
    fixture_widget n = *w;
    n.spec.text = "edited";
    n.spec.leaf_ptr = NULL;
    fixture_widget *copy = copy_of(ctx, &n);
    ck_assert_str_eq(copy->spec.text, "edited");
    ck_assert_ptr_null(copy->spec.leaf_ptr);
    ck_assert_str_eq(w->spec.text, "t");
    ck_assert(copy->base.block != w->base.block);
    ck_assert_ptr_eq(copy->base.type, &fixture_widget_type);
}

TEST(carries_over_what_was_lost)
{
    static const char json[] = "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\","
                               "\"metadata\":{\"name\":\"w\"},\"status\":{\"lost\":1}}";
    fixture_widget *w = decode_widget(json);
    ck_assert_str_eq(kube_object_lost_path(&w->base), "status.lost");
    fixture_widget n = *w;
    const fixture_widget *copies[] = {copy_of(ctx, w), copy_of(ctx, &n), NULL};
    kube__block_seal(&w->base);
    copies[2] = copy_of(ctx, w);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_str_eq(kube_object_lost_path(&copies[i]->base), "status.lost");
        ck_assert_uint_ne(copies[i]->base.block->flags & KUBE__BLOCK_PARTIAL_STATUS, 0);
        ck_assert_str_eq(copies[i]->metadata.name, "w");
    }
}

TEST(copies_text_by_its_length)
{
    /* Exactly as long as they say: a read beyond is seen by the sanitizer. */
    char *raw = memcpy(malloc(3), "[1]", 3);
    char *members = memcpy(malloc(5), "\"a\":1", 5);
    unsigned char *data = memcpy(malloc(2), "\0\1", 2);
    fixture_widget w = {
        .spec = {.raw = {raw, 3}, .bytes = {data, 2}, .extra = {members, 5}},
    };
    fixture_widget *copy = copy_of(ctx, &w);
    ck_assert(equal(copy, &w));
    free(raw);
    free(members);
    free(data);
    ck_assert_mem_eq(copy->spec.raw.text, "[1]", 3);
    ck_assert_mem_eq(copy->spec.extra.members, "\"a\":1", 5);
    ck_assert_mem_eq(copy->spec.bytes.data, "\0\1", 2);
}

TEST(copies_more_strings_than_fit_on_the_stack)
{
    const char *strings[1000];
    fixture_widget w = {.spec = {.text = "after", .strings = KUBE_LIST_OF(strings)}};
    for (size_t i = 0; i < 1000; i++)
        strings[i] = kube_printf(ctx, "%zu", i * i);
    fixture_widget *copy = copy_of(ctx, &w);
    ck_assert(equal(copy, &w));
}

TEST(gives_up_on_a_tree_without_end)
{
    fixture_tree tree = {.value = "t"};
    fixture_widget w = {.spec = {.tree = &tree}};
    tree.left = &tree;
    ck_assert_ptr_null(kube_object_deep_copy(ctx, &fixture_widget_type, &w.base));
}

TEST(copies_nothing_from_nothing)
{
    ck_assert_ptr_null(kube_object_deep_copy(ctx, &fixture_widget_type, NULL));
    ck_assert_ptr_null(kube_schema_deep_copy(ctx, &fixture_leaf_schema, NULL));
}

TEST(copies_any_struct_into_the_ctx)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        kube_ctx *scope = kube_ctx_new();
        kube_ctx *reference = kube_ctx_new();
        random_source source = {seed * 104729, scope, false};
        random_source again = {seed * 104729, reference, false};
        fixture_spec spec = {0};
        fixture_spec want = {0};
        random_struct(&source, &fixture_spec_schema, &spec);
        random_struct(&again, &fixture_spec_schema, &want);
        fixture_spec *copy = kube_schema_deep_copy(ctx, &fixture_spec_schema, &spec);
        ck_assert_ptr_nonnull(copy);
        kube_ctx_free(scope);
        ck_assert(kube_schema_equal(&fixture_spec_schema, copy, &want));
        kube_ctx_free(reference);
    }
}

TEST(clones_with_one_allocation)
{
    fixture_widget *w = decode_widget(fixture_full_json);
    kube__block_seal(&w->base);
    copy_of(ctx, w); /* the ctx has room for the next note by now */
    fail_malloc_at(0);
    const kube_object *clone = kube_object_deep_copy(ctx, &fixture_widget_type, &w->base);
    size_t allocations = fail_malloc_off();
    ck_assert_ptr_nonnull(clone);
    ck_assert_uint_eq(allocations, 1);
}

static bool copy_step(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    bool done = kube_object_deep_copy(own, &fixture_widget_type, arg) != NULL;
    kube_ctx_free(own);
    return done;
}

TEST(survives_every_failing_allocation)
{
    fixture_widget *w = decode_widget(fixture_full_json);
    fixture_widget n = *w;
    const char *strings[300];
    for (size_t i = 0; i < 300; i++)
        strings[i] = "x";
    n.spec.strings = (kube_string_list)KUBE_LIST_OF(strings);
    ck_assert_uint_ge(fail_malloc_replay(copy_step, &n.base), 3);
    kube__block_seal(&w->base);
    ck_assert_uint_ge(fail_malloc_replay(copy_step, &w->base), 2);
}

/* The block is no memory of the ctx, but who copies need not know. */
TEST(a_copy_that_finds_no_memory_fails_its_ctx)
{
    fixture_widget w = {.metadata = {.name = "a"}};
    fixture_widget *sealed = copy_of(ctx, &w);
    const fixture_widget *const sources[] = {&w, sealed};
    kube__block_seal(&sealed->base);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        kube_ctx *scope = kube_ctx_new();
        kube_object *copy;
        fail_malloc_from(1);
        copy = kube_object_deep_copy(scope, &fixture_widget_type, &sources[i]->base);
        fail_malloc_off();
        ck_assert_ptr_null(copy);
        ck_assert(kube_ctx_failed(scope));
        kube_ctx_free(scope);
    }
}
