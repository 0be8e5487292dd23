/* SPDX-License-Identifier: Apache-2.0 */
/* An informer of Networks on a scripted server and a fake clock, with its threads. */
#ifndef TESTS_CACHE_INFORMER_WORLD_H
#define TESTS_CACHE_INFORMER_WORLD_H

#include "objects.h"
#include "recorder.h"
#include "script.h"

typedef struct informer_world {
    kube_fake_clock *fake;
    kube_ctx *ctx; /* on the machine's clock: waits in a test do not depend on the fake one */
    script *server;
    kube_informer_options options;
    kube_informer_factory *factory;
    kube_informer *informer;
} informer_world;

/* w->options may be changed before world_make(). */
void informer_world_init(informer_world *w);
void informer_world_make(informer_world *w); /* factory and informer, not started */
void informer_world_start(informer_world *w);
void informer_world_sync(informer_world *w); /* starts and waits */
void informer_world_fini(informer_world *w);

/* A streamed list of @names, one letter each, all at @version, with its end mark at @end. */
answer *informer_world_list(informer_world *w, const char *names, const char *version,
                            const char *end);
void informer_world_event(answer *stream, kube_watch_event_type type, const char *name,
                          const char *version);

#endif /* TESTS_CACHE_INFORMER_WORLD_H */
