/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Caches that follow the server: informers, and the factory that shares one per type.
 *
 * Generated code gives each Kind typed twins of all that takes a kube_object here.
 */
#ifndef KUBE_INFORMER_H
#define KUBE_INFORMER_H

#include <kube/client.h>
#include <kube/lister.h>

KUBE_BEGIN_DECLS

typedef struct kube_informer_factory kube_informer_factory;
typedef struct kube_informer kube_informer;
typedef struct kube_registration kube_registration; /* one handler at one informer */

typedef struct kube_informer_options {
    int64_t resync_ms;          /* 0 = never; at least 1 s (INF-4) */
    const char *namespace_;     /* NULL = all */
    const char *label_selector; /* applied by the server */
    const char *field_selector;
    bool keep_managed_fields; /* they are skipped while decoding otherwise */
    bool no_streaming_list;   /* list by pages from the start */
    size_t buffer_bytes;      /* bound of decoded but unapplied events; 0 = 4 MiB */
    kube_clock *clock;        /* NULL = the machine's */
    /** Changes an object before it is stored (INF-13); must not change its name. NULL = none. */
    kube_code (*transform)(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err);
    void *transform_arg;
} kube_informer_options;

/** A factory on @p client, which must outlive it. @p options NULL = defaults; copied. */
KUBE_CHECKED kube_code kube_informer_factory_new(kube_client *client,
                                                 const kube_informer_options *options,
                                                 kube_informer_factory **out, kube_error *err);
/** Stops (as kube_informer_factory_stop()) and gives back everything. NULL allowed. */
KUBE_API void kube_informer_factory_free(kube_informer_factory *factory);
/** The clock of its informers, never NULL: what stands on the factory goes by the same time. */
KUBE_API kube_clock *kube_informer_factory_clock(const kube_informer_factory *factory);
/** The one informer of @p type, made at the first call; borrowed from the factory. */
KUBE_CHECKED kube_code kube_informer_factory_informer(kube_informer_factory *factory,
                                                      const kube_type *type, kube_informer **out,
                                                      kube_error *err);
/** Starts the informers that are not running yet (G-25); may be called again. Does not block.
 * Cancelling @p ctx stops them. */
KUBE_CHECKED kube_code kube_informer_factory_start(kube_informer_factory *factory, kube_ctx *ctx,
                                                   kube_error *err);
/** Waits until every started informer has synced, or @p ctx ends. */
KUBE_CHECKED kube_code kube_informer_factory_wait_synced(kube_informer_factory *factory,
                                                         kube_ctx *ctx, kube_error *err);
/** Stops all informers and joins their threads. Pending notifications may be dropped (INF-9). */
KUBE_API void kube_informer_factory_stop(kube_informer_factory *factory);

/** Calls @p visit for each of its informers, by type, until it returns false. Threads: any. */
KUBE_API void kube_informer_factory_each(kube_informer_factory *factory,
                                         bool (*visit)(void *arg, kube_informer *informer),
                                         void *arg);

/**
 * Callbacks of one handler: serial, in order, on the handler's own thread (INF-6), NULL = not
 * interested. Objects are valid during the call; kube_object_ref() keeps one. Be quick: enqueue.
 */
typedef struct kube_handler {
    void (*on_add)(void *arg, const kube_object *object, bool in_initial_list);
    void (*on_update)(void *arg, const kube_object *old_object, const kube_object *new_object);
    /** @p final_state_known false: the delete was missed, @p object is the last state seen. */
    void (*on_delete)(void *arg, const kube_object *object, bool final_state_known);
} kube_handler;

/**
 * Registers a handler. A late one first gets on_add for each cached object (INF-5). @p out (NULL
 * allowed) is borrowed until kube_informer_remove_handler() or the informer's end.
 */
KUBE_CHECKED kube_code kube_informer_add_handler(kube_informer *informer,
                                                 const kube_handler *handler, void *arg,
                                                 kube_registration **out, kube_error *err);
/** Removes a handler and waits until no callback of it runs; not from inside one of its own. */
KUBE_API void kube_informer_remove_handler(kube_informer *informer, kube_registration *handler);
/** Whether all adds of the initial list have returned from this handler's callback (INF-5). */
KUBE_API bool kube_registration_has_synced(const kube_registration *registration);
KUBE_API bool kube_informer_has_synced(const kube_informer *informer);
KUBE_API const kube_type *kube_informer_type(const kube_informer *informer);

/** The informer's cache to read; borrowed. */
KUBE_API const kube_lister *kube_informer_lister(const kube_informer *informer);
/**
 * Adds an index (STO-2…4). @p index calls @p emit for each value of an object. Allowed while
 * running: present objects are indexed at once. A second index of that name is an error.
 */
typedef void kube_index_emit(void *sink, const char *value);
typedef void kube_index_function(void *arg, const kube_object *object, kube_index_emit *emit,
                                 void *sink);
KUBE_CHECKED kube_code kube_informer_add_index(kube_informer *informer, const char *name,
                                               kube_index_function *index, void *arg,
                                               kube_error *err);

/** What an informer has done and holds; counts since its start. Threads: any. */
typedef struct kube_informer_stats {
    uint64_t lists;   /* paged or whole, failed ones included */
    uint64_t watches; /* opened, streaming lists included */
    uint64_t events;
    uint64_t bad_objects; /* quarantined: they did not decode */
    uint64_t backoffs;
    size_t objects;
    size_t object_bytes;
    size_t queued_bytes_peak;
    const char *last_error; /* static storage of the informer; "" = none */
    bool synced;
    int64_t last_list_ns;  /* when it was last brought up to date by a list, by the factory's
                              clock; 0 = never, here and below */
    int64_t last_event_ns; /* an event came, bookmarks not counted */
    int64_t last_heard_ns; /* anything came from the watch: event or bookmark */
} kube_informer_stats;
KUBE_API void kube_informer_get_stats(const kube_informer *informer, kube_informer_stats *stats);

/**
 * For tests: a cache without a server. Enters a decoded or copied object into the cache of an
 * informer that is never started, or takes it out when @p deleted. Handlers are not called.
 */
KUBE_CHECKED kube_code kube_informer_enter(kube_informer *informer, const kube_object *object,
                                           bool deleted, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_INFORMER_H */
