/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What grows with input from the network or from documents, at its worst: each case runs with n, 2n
 * and 4n, and what is to be counted runs in bench_measured(), for `valgrind --tool=callgrind
 * --toggle-collect=bench_measured --dump-after=bench_measured`. Prints a line for each run.
 */
#include "object/block/pool.h"
#include "object/stream/stream.h"
#include "runtime/object/fixture_types.h"

#include <kube/codec.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kit ------------------------------------------------------------------------------------- */

static void fail(const char *what)
{
    fprintf(stderr, "bench_growth: %s\n", what);
    exit(2);
}

static void must(kube_code rc, const kube_error *err)
{
    if (rc)
        fail(err->message);
}

/* Its own function, and not static, so that callgrind knows it by name. */
void bench_measured(void (*run)(void *arg), void *arg);
__attribute__((noinline)) void bench_measured(void (*run)(void *arg), void *arg)
{
    run(arg);
}

typedef struct text {
    char *data;
    size_t len;
    size_t size;
} text;

static void put(text *t, const char *format, ...) KUBE_PRINTF(2, 3);
static void put(text *t, const char *format, ...)
{
    va_list args;
    if (t->len + 256 > t->size) {
        t->size = 2 * t->size + 4096;
        t->data = realloc(t->data, t->size);
        if (!t->data)
            fail("out of memory");
    }
    va_start(args, format);
    t->len += (size_t)vsnprintf(t->data + t->len, 256, format, args);
    va_end(args);
}

/* How the members of an object are named. */
typedef enum order { RISING, FALLING, SHUFFLED, RENAMED, EQUAL } order;

/* 7919 is prime, and no n is a multiple of it. */
static size_t number_at(order o, size_t i, size_t n)
{
    switch (o) {
    case FALLING:
        return n - i;
    case SHUFFLED:
        return i * 7919 % n;
    case RENAMED:
        return n + i;
    case EQUAL:
        return 0;
    default:
        return i;
    }
}

/* `"key":value` n times; the names have a long beginning in common. */
static void put_members(text *t, order o, size_t n, const char *value)
{
    for (size_t i = 0; i < n; i++)
        put(t, "%s\"a-prefix-that-all-the-keys-share-%08zu\":%s", i ? "," : "", number_at(o, i, n),
            value);
}

static const char head[] =
    "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"}";

/* A widget whose spec has @before, n members and @after. */
static text widget(const char *before, order o, size_t n, const char *value, const char *after)
{
    text t = {0};
    put(&t, "%s,\"spec\":{%s", head, before);
    put_members(&t, o, n, value);
    put(&t, "%s}}", after);
    return t;
}

/* ---- objects --------------------------------------------------------------------------------- */

typedef struct pair {
    kube_ctx *ctx;
    kube_object *a;
    kube_object *b;
    const char *patch;
    size_t paths;
    bool equal;
} pair;

static bool count_path(void *arg, const char *path)
{
    pair *p = arg;
    p->paths += *path != '\0';
    return true;
}

static void run_diff(void *arg)
{
    pair *p = arg;
    kube_error err;
    must(kube_diff(p->ctx, &fixture_widget_type, p->a, p->b, &p->patch, NULL, &err), &err);
}

static void run_diff_paths(void *arg)
{
    pair *p = arg;
    kube_diff_paths(&fixture_widget_type, p->a, p->b, count_path, p, SIZE_MAX);
}

static void run_equal(void *arg)
{
    pair *p = arg;
    p->equal = kube_object_equal(&fixture_widget_type, p->a, p->b);
}

static kube_object *decode(kube_ctx *ctx, text json)
{
    kube_object *object = NULL;
    kube_error err;
    must(kube_decode(ctx, &fixture_widget_type, json.data, json.len, &object, &err), &err);
    free(json.data);
    return object;
}

static void compare(text a, text b, void (*run)(void *arg), size_t paths, bool equal)
{
    pair p = {.ctx = kube_ctx_new()};
    p.a = decode(p.ctx, a);
    p.b = decode(p.ctx, b);
    bench_measured(run, &p);
    if (p.paths != paths || p.equal != equal)
        fail("another difference than expected");
    kube_ctx_free(p.ctx);
}

static void paths_of_renamed_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", RENAMED, n, "1", ""), run_diff_paths, 2 * n,
            false);
}

static void paths_of_shuffled_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", SHUFFLED, n, "2", ""), run_diff_paths, n,
            false);
}

static void patch_of_reversed_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", FALLING, n, "1", ""), run_diff, 0, false);
}

static void patch_of_raw_json(size_t n)
{
    compare(widget("\"raw\":{", RISING, n, "{\"a\":[1]}", "}"),
            widget("\"raw\":{", SHUFFLED, n, "{\"a\":[2]}", "}"), run_diff, 0, false);
}

/* n / 20 levels around n members: nothing is read once for each level. */
static text nested(size_t n, order o)
{
    text t = {0};
    put(&t, "%s,\"spec\":{\"raw\":", head);
    for (size_t i = 0; i < n / 20; i++)
        put(&t, "{\"a\":");
    put(&t, "{");
    put_members(&t, o, n, "1");
    for (size_t i = 0; i < n / 20; i++)
        put(&t, "}");
    put(&t, "}}}");
    return t;
}

static void paths_of_nested_json(size_t n)
{
    compare(nested(n, RISING), nested(n, RENAMED), run_diff_paths, 2 * n, false);
}

static void equality_of_reversed_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", FALLING, n, "1", ""), run_equal, 0, false);
}

static void equality_of_shuffled_members(size_t n)
{
    compare(widget("", RISING, n, "1", ""), widget("", SHUFFLED, n, "1", ""), run_equal, 0, true);
}

typedef struct maps {
    fixture_widget a;
    fixture_widget b;
    bool equal;
} maps;

static void run_equal_maps(void *arg)
{
    maps *m = arg;
    m->equal = kube_object_equal(&fixture_widget_type, &m->a.base, &m->b.base);
}

static void equality_of_maps(size_t n)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_string_map_entry *rising = kube_ctx_alloc_array(ctx, n, sizeof *rising);
    kube_string_map_entry *falling = kube_ctx_alloc_array(ctx, n, sizeof *falling);
    maps m = {.a.spec.string_map = {rising, n}, .b.spec.string_map = {falling, n}};
    for (size_t i = 0; i < n; i++) {
        rising[i] = (kube_string_map_entry){kube_printf(ctx, "key-%08zu", i), "v"};
        falling[n - 1 - i] = rising[i];
    }
    bench_measured(run_equal_maps, &m);
    if (!m.equal)
        fail("the maps differ");
    kube_ctx_free(ctx);
}

/* ---- cases ----------------------------------------------------------------------------------- */

typedef struct growth_case {
    const char *name;
    void (*run)(size_t n);
    size_t n;
} growth_case;

static const growth_case cases[] = {
    {"paths_of_renamed_members", paths_of_renamed_members, 500},
    {"paths_of_shuffled_members", paths_of_shuffled_members, 500},
    {"patch_of_reversed_members", patch_of_reversed_members, 500},
    {"patch_of_raw_json", patch_of_raw_json, 500},
    {"paths_of_nested_json", paths_of_nested_json, 500},
    {"equality_of_reversed_members", equality_of_reversed_members, 500},
    {"equality_of_shuffled_members", equality_of_shuffled_members, 500},
    {"equality_of_maps", equality_of_maps, 500},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc > 1 && !strstr(cases[i].name, argv[1]))
            continue;
        for (size_t factor = 1; factor <= 4; factor *= 2) {
            cases[i].run(cases[i].n * factor);
            printf("%s %zu\n", cases[i].name, cases[i].n * factor);
        }
    }
    return 0;
}
