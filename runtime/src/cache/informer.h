/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An informer consists of a reflector on a thread of its own, a store, and a processor of handlers.
 *
 * The lock order is `delta`, the processor's lock, the store's lock. `delta` is held by a writer
 * while it changes the store and publishes the change, so that a handler that is added meanwhile
 * misses nothing and gets nothing twice. Index functions run under `delta`; no user code runs under
 * the other two.
 */
#ifndef KUBE_CACHE_INFORMER_H
#define KUBE_CACHE_INFORMER_H

#include "processor.h"
#include "reflector.h"

#include <kube/informer.h>

struct kube_lister {
    kube__store *store;
    kube__bad_objects *bad;
};

typedef struct kube__informer_options {
    const kube_type *type;
    kube__list_watch *source;   /* outlives the informer */
    kube_informer_options user; /* strings outlive the informer */
    /* Called without locks when the informer has synced, and when its thread ends. */
    void (*changed)(void *arg);
    void *changed_arg;
    double (*random01)(void *arg); /* NULL = its own */
    void *random_arg;
} kube__informer_options;

KUBE__CHECKED kube_code kube__informer_new(const kube__informer_options *options,
                                           kube_informer **out, kube_error *err);
/* Stops the informer and frees it. NULL allowed. */
void kube__informer_free(kube_informer *informer);
/* Starts the threads. A second call, or one after a stop, does nothing (INF-8). The informer ends
 * when @ctx is cancelled, and does not mind what else becomes of @ctx. */
KUBE__CHECKED kube_code kube__informer_start(kube_informer *informer, kube_ctx *ctx,
                                             kube_error *err);
void kube__informer_cancel(kube_informer *informer); /* does not wait */
void kube__informer_stop(kube_informer *informer);   /* joins */

/* Is told of objects that become bad, are bad for another reason, become good again, or go. */
typedef struct kube__bad_listener {
    struct kube__bad_listener *next;
    /* Called on the informer's thread, under `delta`. */
    void (*changed)(void *arg, kube_key key, bool is_bad);
    void *arg;
} kube__bad_listener;
/* Adds a listener, which stays where it is. After the removal it is not called any more. */
void kube__informer_listen(kube_informer *informer, kube__bad_listener *listener);
void kube__informer_unlisten(kube_informer *informer, kube__bad_listener *listener);
/* As kube__bad_objects_find(). Threads: any. */
bool kube__informer_find_bad(const kube_informer *informer, kube_key key, kube_error *err);
/* Whether the cache has a state of @key. Threads: any. */
bool kube__informer_has(const kube_informer *informer, kube_key key);

typedef enum kube__informer_state {
    KUBE__INFORMER_NEW,
    KUBE__INFORMER_RUNNING,
    KUBE__INFORMER_STOPPED,
} kube__informer_state;
kube__informer_state kube__informer_get_state(const kube_informer *informer);
/* As kube__processor_look(). Threads: any. */
void kube__informer_look(kube_informer *informer, kube__handlers_state *state);
const char *kube__informer_last_error(const kube_informer *informer);

#endif /* KUBE_CACHE_INFORMER_H */
