/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schedule under way: the server, what it changed and nobody was told of yet, the caches as far
 * as they were told, and the keys that wait. All of it belongs to one thread, but what the server's
 * threads write down of changes, which is under the server's lock.
 */
#ifndef KUBE_EXPLORER_STATE_H
#define KUBE_EXPLORER_STATE_H

#include "apiserver/value/random.h"

#include <kube/testing/clock.h>
#include <kube/testing/explorer.h>

/* ---- objects and events --------------------------------------------------------------------- */

typedef struct kube__explored_event {
    bool deleted;
    const kube_object *object; /* a reference */
} kube__explored_event;

/* A kind as the server, and as the controller's cache has it. */
typedef struct kube__explored {
    const kube_type *type;
    bool is_for;
    bool owned;
    kube__explored_event *pending; /* what the cache does not know yet, oldest first */
    size_t pending_len;
    size_t pending_capacity;
    const kube_object **cached; /* references, in the order of their first coming */
    size_t cached_len;
    size_t cached_capacity;
    kube_informer *informer; /* the factory's */
} kube__explored;

/* ---- keys ----------------------------------------------------------------------------------- */

enum { KUBE__EXPLORED_TEXT = 320 }; /* of namespace and name: a DNS name has 253 at most */

typedef struct kube__explored_key {
    char namespace_[KUBE__EXPLORED_TEXT];
    char name[KUBE__EXPLORED_TEXT];
    bool ready; /* in the queue */
    bool retry; /* failed; comes back when its back-off is over */
    bool timer; /* comes back when requeue_after_ms is over */
    int attempts;
    kube_reason_what what;
    char version[32]; /* of the newest object it was told of */
    char failure[256];
} kube__explored_key;

struct kube_explorer {
    const kube_exploration *what;
    uint64_t seed;
    kube__api_random schedule;
    kube__api_random user; /* its own, so that a change of schedules leaves changes alone */
    kube_fake_clock *clock;
    kube_apiserver *server;
    kube_client *client;
    kube_ctx *ctx;     /* of callbacks */
    kube_ctx *run_ctx; /* of reconciles */
    kube_informer_factory *factory;
    bool started;
    kube__explored *kinds; /* for_ first */
    size_t kind_count;
    struct kube__explored_change *changes; /* the server's, under its lock; oldest first */
    struct kube__explored_change **changes_end;
    bool changes_lost;         /* memory ran out */
    kube__explored_key **keys; /* stay where they are while reconcile runs */
    size_t key_count;
    size_t key_capacity;
    unsigned runs;
    char **steps;
    size_t step_count;
    size_t step_capacity;
    char note[128];
};

/* ---- explorer_world.c: server and caches ---------------------------------------------------- */

KUBE__CHECKED kube_code kube__explorer_open(kube_explorer *x, kube_error *err);
void kube__explorer_close(kube_explorer *x);
/* Puts what the server has changed since the last time at the ends of pending. */
KUBE__CHECKED kube_code kube__explorer_collect(kube_explorer *x, kube_error *err);
/* Tells the cache of the next @count events, one by one. */
KUBE__CHECKED kube_code kube__explorer_deliver(kube_explorer *x, kube__explored *kind, size_t count,
                                               kube_error *err);
/* The same as a list does that has seen so many: what came between is never seen. */
KUBE__CHECKED kube_code kube__explorer_list(kube_explorer *x, kube__explored *kind, size_t count,
                                            kube_error *err);
/* The controller's process begins or ends. */
KUBE__CHECKED kube_code kube__explorer_start(kube_explorer *x, kube_error *err);
void kube__explorer_stop(kube_explorer *x);

/* ---- explorer_keys.c: the queue ------------------------------------------------------------- */

KUBE__CHECKED kube_code kube__explorer_add_key(kube_explorer *x, kube_key key,
                                               kube_reason_what what, const char *version,
                                               kube_error *err);
/* Of an event of @kind's @object. */
KUBE__CHECKED kube_code kube__explorer_add_keys_of(kube_explorer *x, const kube__explored *kind,
                                                   const kube_object *object, kube_reason_what what,
                                                   kube_error *err);
/* Adds every key of the cache of for_, and of owned kinds. */
KUBE__CHECKED kube_code kube__explorer_add_all(kube_explorer *x, kube_reason_what what,
                                               kube_error *err);
/* How many are ready, retry or timer, as @flag picks; and the nth of those. */
typedef bool kube__explored_flag(const kube__explored_key *key);
bool kube__explored_is_ready(const kube__explored_key *key);
bool kube__explored_is_retry(const kube__explored_key *key);
bool kube__explored_is_timer(const kube__explored_key *key);
size_t kube__explorer_count(const kube_explorer *x, kube__explored_flag *flag);
kube__explored_key *kube__explorer_nth(kube_explorer *x, kube__explored_flag *flag, size_t nth);
/* Back-off or timer are over. */
void kube__explored_make_ready(kube__explored_key *key);
/* Runs reconcile for a ready key and settles it. What it returned is no failure of the schedule. */
void kube__explorer_run(kube_explorer *x, kube__explored_key *key);
void kube__explorer_forget_keys(kube_explorer *x);

/* ---- explorer_schedule.c ------------------------------------------------------------------- */

/* Goes through the seed's schedule to its end. */
KUBE__CHECKED kube_code kube__explorer_schedule(kube_explorer *x, kube_error *err);

/* ---- explorer_steps.c ----------------------------------------------------------------------- */

kube_code kube__explorer_no_memory(kube_error *err);
/* Adds to the list of steps. */
void kube__explorer_step(kube_explorer *x, const char *format, ...) KUBE_PRINTF(2, 3);

#endif /* KUBE_EXPLORER_STATE_H */
