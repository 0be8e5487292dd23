/* SPDX-License-Identifier: Apache-2.0 */
#include "informer_world.h"

#include "cache/factory.h"

#include <check.h>
#include <string.h>

static kube__list_watch *source_of(void *arg, const kube_type *type)
{
    (void)type;
    return script_source(((informer_world *)arg)->server);
}

static double no_random(void *arg)
{
    (void)arg;
    return 0;
}

void informer_world_init(informer_world *w)
{
    memset(w, 0, sizeof *w);
    w->fake = kube_fake_clock_new();
    w->ctx = kube_ctx_new();
    w->server = script_new(w->fake);
    w->options.clock = kube_fake_clock_clock(w->fake);
}

void informer_world_make(informer_world *w)
{
    ck_assert_int_eq(kube_informer_factory_new(NULL, &w->options, &w->factory, NULL), KUBE_OK);
    kube__informer_factory_set_sources(w->factory, source_of, w);
    kube__informer_factory_set_random(w->factory, no_random, NULL);
    ck_assert_int_eq(kube_informer_factory_informer(w->factory, &samplecrd_v1_network_type, NULL,
                                                    &w->informer, NULL),
                     KUBE_OK);
}

void informer_world_start(informer_world *w)
{
    ck_assert_int_eq(kube_informer_factory_start(w->factory, w->ctx, NULL), KUBE_OK);
}

void informer_world_sync(informer_world *w)
{
    informer_world_start(w);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w->factory, w->ctx, NULL), KUBE_OK);
}

void informer_world_fini(informer_world *w)
{
    kube_informer_factory_free(w->factory);
    script_free(w->server);
    kube_ctx_free(w->ctx);
    kube_fake_clock_free(w->fake);
}

void informer_world_event(answer *stream, kube_watch_event_type type, const char *name,
                          const char *version)
{
    answer_object(stream, type, network("ns", name, name, version));
}

answer *informer_world_list(informer_world *w, const char *names, const char *version,
                            const char *end)
{
    answer *stream = script_add(w->server);
    for (; *names; names++) {
        char name[2] = {*names, '\0'};
        informer_world_event(stream, KUBE_WATCH_ADDED, name, version);
    }
    answer_initial_end(stream, end);
    return stream;
}
