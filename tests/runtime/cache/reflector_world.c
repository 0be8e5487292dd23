/* SPDX-License-Identifier: Apache-2.0 */
#include "reflector_world.h"

#include "base/units.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double next_random(void *arg)
{
    return ((world *)arg)->random;
}

static void count_deletes(world *w, const kube__batch *batch)
{
    for (size_t i = 0; i < batch->len; i++)
        w->deletes += batch->items[i].new_object == NULL;
}

static kube_code replace(void *arg, kube__table *staged, const char *resource_version,
                         size_t keep_missing, kube_error *err)
{
    world *w = arg;
    kube__batch *batch;
    kube_code code = w->fail_replace;
    if (code) {
        w->fail_replace = KUBE_OK;
        kube__table_free(staged);
        return kube_error_set(err, code, "replace failed");
    }
    w->replaces++;
    code = kube__store_replace(w->store, staged, resource_version, keep_missing, 0, &batch, err);
    if (!code)
        count_deletes(w, batch);
    kube__batch_unref(batch);
    return code;
}

static kube_code apply(void *arg, kube__delta *deltas, size_t len, const char *resource_version,
                       kube_error *err)
{
    world *w = arg;
    kube__batch *batch = kube__batch_new(len, 0);
    size_t applied;
    kube_code code;
    w->applies++;
    code = kube__store_apply(w->store, deltas, len, resource_version, batch, &applied, err);
    count_deletes(w, batch);
    kube__batch_unref(batch);
    return code;
}

static kube_code resync(void *arg, kube_error *err)
{
    world *w = arg;
    (void)err;
    w->resyncs++;
    w->resync_ns += w->resync_ms * KUBE__NS_PER_MS;
    return KUBE_OK;
}

static int64_t resync_due_ns(void *arg)
{
    const world *w = arg;
    return w->resync_ms ? w->resync_ns : INT64_MAX;
}

static void bad_changed(void *arg, kube_key key, bool is_bad)
{
    world *w = arg;
    size_t len = strlen(w->bad_told);
    snprintf(w->bad_told + len, sizeof w->bad_told - len, "%c%s ", is_bad ? '+' : '-', key.name);
}

void world_init(world *w)
{
    memset(w, 0, sizeof *w);
    w->fake = kube_fake_clock_new();
    w->ctx = kube_ctx_new_with_clock(kube_fake_clock_clock(w->fake));
    w->server = script_new(w->fake);
    ck_assert_int_eq(kube__store_new(&samplecrd_v1_network_type, &w->store, NULL), KUBE_OK);
    w->options = (kube__reflector_options){
        .type = &samplecrd_v1_network_type,
        .source = script_source(w->server),
        .store = w->store,
        .sink = {replace, apply, resync, resync_due_ns, bad_changed, w},
        .ctx = w->ctx,
        .no_streaming_list = true,
        .random01 = next_random,
        .random_arg = w,
    };
}

void world_start(world *w)
{
    w->resync_ns = (1000 + w->resync_ms) * KUBE__NS_PER_MS; /* the fake clock begins at 1 s */
    ck_assert_int_eq(kube__reflector_new(&w->options, &w->reflector, NULL), KUBE_OK);
}

void world_fini(world *w)
{
    kube__reflector_free(w->reflector);
    kube__store_free(w->store);
    script_free(w->server);
    kube_ctx_free(w->ctx);
    kube_fake_clock_free(w->fake);
}

static bool would_wait(const world *w)
{
    switch (kube__reflector_get_state(w->reflector)) {
    case KUBE__REFLECTOR_STREAM_OPEN:
    case KUBE__REFLECTOR_LIST_OPEN:
    case KUBE__REFLECTOR_WATCH_OPEN:
    case KUBE__REFLECTOR_VERIFY:
        return script_would_wait(w->server, true);
    case KUBE__REFLECTOR_LIST_READ:
    case KUBE__REFLECTOR_WATCH_READ:
        return script_would_wait(w->server, false);
    case KUBE__REFLECTOR_STOPPED:
        return true;
    case KUBE__REFLECTOR_START:
    case KUBE__REFLECTOR_BACKOFF:
        break;
    }
    return false;
}

void world_run(world *w)
{
    while (!would_wait(w)) {
        if (kube__reflector_get_state(w->reflector) == KUBE__REFLECTOR_BACKOFF) {
            int64_t left = kube__reflector_backoff_left_ms(w->reflector);
            ck_assert_uint_lt(w->delay_count, 64);
            w->delays[w->delay_count++] = left;
            kube_fake_clock_advance_ms(w->fake, left);
        }
        kube__reflector_step(w->reflector);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(name_of(*(const kube_object *const *)a), name_of(*(const kube_object *const *)b));
}

const char *world_cache(world *w)
{
    static char line[1024];
    kube__held *held;
    line[0] = '\0';
    ck_assert_int_eq(kube__store_list(w->store, NULL, NULL, &held, NULL), KUBE_OK);
    qsort(held->items, held->len, sizeof *held->items, by_name);
    for (size_t i = 0; i < held->len; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s@%s", i ? " " : "",
                 name_of(held->items[i]), version_of(held->items[i]));
    kube__held_free(held);
    return line;
}

const char *world_version(world *w)
{
    return kube__reflector_resource_version(w->reflector);
}

const char *world_store_version(world *w)
{
    static char version[64];
    kube__store_resource_version(w->store, version, sizeof version);
    return version;
}

const char *world_requests(world *w)
{
    static char line[4096];
    if (kube__reflector_get_state(w->reflector) == KUBE__REFLECTOR_WATCH_OPEN && would_wait(w)) {
        script_add(w->server);
        kube__reflector_step(w->reflector);
    }
    snprintf(line, sizeof line, "%s", script_requests(w->server));
    for (char *p = line; *p; p++)
        if (*p == '\n')
            *p = p[1] ? ';' : '\0';
    return line;
}

answer *world_add_list(world *w, const char *names, const char *version, const char *continue_token)
{
    answer *list = script_add(w->server);
    for (; *names; names++) {
        char name[2] = {*names, '\0'};
        answer_event(list, KUBE_WATCH_ADDED, name, version);
    }
    answer_list_end(list, version, continue_token);
    return list;
}

void answer_event(answer *watch, kube_watch_event_type type, const char *name, const char *version)
{
    answer_object(watch, type, network("ns", name, name, version));
}

static kube_error error(kube_code code, int status, const char *reason, const char *message)
{
    kube_error err;
    kube_error_set(&err, code, "%s", message);
    err.http_status = status;
    snprintf(err.reason, sizeof err.reason, "%s", reason);
    return err;
}

kube_error expired_error(void)
{
    return error(KUBE_ERR_EXPIRED, 410, "Expired", "too old resource version");
}

kube_error too_many_requests_error(void)
{
    return error(KUBE_ERR_TOO_MANY_REQUESTS, 429, "TooManyRequests", "slow down");
}

kube_error refused_error(void)
{
    return error(KUBE_ERR_TRANSPORT, 0, "", "connection refused");
}

kube_error internal_error(void)
{
    return error(KUBE_ERR_SERVER, 500, "InternalError", "it broke");
}

kube_error forbidden_error(void)
{
    return error(KUBE_ERR_FORBIDDEN, 403, "Forbidden", "networks is forbidden");
}
