/* SPDX-License-Identifier: Apache-2.0 */
/* A reflector on a scripted server and a fake clock, stepped by the test on its own thread. */
#ifndef TESTS_CACHE_REFLECTOR_WORLD_H
#define TESTS_CACHE_REFLECTOR_WORLD_H

#include "cache/reflector.h"
#include "objects.h"
#include "script.h"

typedef struct world {
    kube_fake_clock *fake;
    kube_ctx *ctx;
    script *server;
    kube__store *store;
    kube__reflector *reflector;
    kube__reflector_options options;
    double random;
    int replaces;
    int applies;
    int resyncs;
    int64_t resync_ms;      /* 0 = never */
    int64_t resync_ns;      /* the next one */
    size_t deletes;         /* told so far, tombstones included */
    char bad_told[256];     /* "+name " = has become bad, "-name " = is no longer */
    kube_code fail_replace; /* what the next replace returns */
    int64_t delays[64];     /* of the back-offs so far */
    size_t delay_count;
} world;

/* Paged lists; w->options may still be changed. */
void world_init(world *w);
void world_start(world *w);
void world_fini(world *w);
/* Steps until the next step would wait for the script; back-offs are noted and waited for. */
void world_run(world *w);
/* "name@version …" of all that is cached, sorted by name; valid until the next call. */
const char *world_cache(world *w);
const char *world_version(world *w); /* the reflector's */
const char *world_store_version(world *w);
/* All requests so far, joined by ";", the watch that would come next included. */
const char *world_requests(world *w);

/* A whole list of @names, one letter each, all at @version. */
answer *world_add_list(world *w, const char *names, const char *version,
                       const char *continue_token);
void answer_event(answer *watch, kube_watch_event_type type, const char *name, const char *version);

kube_error expired_error(void);
kube_error too_many_requests_error(void);
kube_error refused_error(void);
kube_error internal_error(void);
kube_error forbidden_error(void);

#endif /* TESTS_CACHE_REFLECTOR_WORLD_H */
