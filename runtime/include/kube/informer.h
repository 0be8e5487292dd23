/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Informers, which keep caches equal to the server, and the factory that owns one for each
 * type.
 *
 * kubegen writes typed versions for each Kind of everything here that has a kube_object.
 */
#ifndef KUBE_INFORMER_H
#define KUBE_INFORMER_H

#include <kube/client.h>
#include <kube/lister.h>

KUBE_BEGIN_DECLS

typedef struct kube_informer_factory kube_informer_factory;
typedef struct kube_informer kube_informer;
typedef struct kube_registration kube_registration; /* a handler that was added to an informer */

typedef struct kube_informer_options {
    const char *name;           /* of an informer of its own, in metrics and on the status page;
                                   NULL = "#2", "#3"… */
    int64_t resync_ms;          /* repeat all objects so often; 0 = never, at least 1 s (INF-4) */
    const char *namespace_;     /* NULL = all */
    const char *label_selector; /* the server selects by it; NULL = all objects */
    const char *field_selector; /* likewise */
    bool keep_managed_fields;   /* cache managedFields, which are skipped otherwise */
    bool no_streaming_list;     /* always list in pages */
    size_t buffer_bytes;        /* bound of events that wait to be applied; 0 = 4 MiB */
    kube_clock *clock;          /* NULL = the machine's */
    bool exit_on_no_memory;     /* the process ends, with a line that says so, when the ctx of an
                                   index function runs out of memory, or that of a reconcile or map
                                   function of a controller on these caches. Otherwise the work
                                   fails and is tried again */
    /** Changes an object before it is stored, but not its name (INF-13). May be NULL. */
    kube_code (*transform)(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err);
    void *transform_arg;
    /** Called when a list or watch of @p type has failed, before the informer waits and tries
     * again; a version that has expired counts too. It runs on the informer's thread and holds it
     * up. May be NULL; the failure is logged in any case (INF-13). */
    void (*on_failure)(void *arg, const kube_type *type, const kube_error *err);
    void *on_failure_arg;
} kube_informer_options;

KUBE_CHECKED kube_code kube_informer_factory_new_sized(kube_client *client,
                                                       const kube_informer_options *options,
                                                       size_t options_size,
                                                       kube_informer_factory **out,
                                                       kube_error *err);
/** Makes a factory whose informers use @p client, which must outlive it. @p options are copied and
 * may be NULL. */
KUBE_INLINE kube_code kube_informer_factory_new(kube_client *client,
                                                const kube_informer_options *options,
                                                kube_informer_factory **out, kube_error *err)
{
    return kube_informer_factory_new_sized(client, options, sizeof *options, out, err);
}
/** Stops the factory, as kube_informer_factory_stop(), and frees it with its informers. NULL
 * allowed. */
KUBE_API void kube_informer_factory_free(kube_informer_factory *factory);
/** Returns the clock of the informers, never NULL. A controller on the factory uses it, too. */
KUBE_API kube_clock *kube_informer_factory_clock(const kube_informer_factory *factory);
/** Returns the options of the factory, to copy and change them for an informer of its own. */
KUBE_API const kube_informer_options *
kube_informer_factory_options(const kube_informer_factory *factory);
KUBE_CHECKED kube_code kube_informer_factory_informer_sized(kube_informer_factory *factory,
                                                            const kube_type *type,
                                                            const kube_informer_options *own,
                                                            size_t own_size, void *out,
                                                            kube_error *err);
/**
 * Gives an informer of @p type; the first call makes it. The factory owns it. @p out is the address
 * of a pointer to kube_informer or to the informer of the Kind.
 *
 * Those who pass NULL for @p own share the informer that has the factory's options. Other options
 * hold as a whole in place of the factory's, and are copied, but `clock` and `exit_on_no_memory`
 * are always the factory's. They belong to an informer of their own, with a cache and a watch of
 * its own: a later call with equal options gets the same, one with other options another.
 * KUBE_ERR_ARGUMENT if an informer of that type and name has other options.
 */
KUBE_INLINE kube_code kube_informer_factory_informer(kube_informer_factory *factory,
                                                     const kube_type *type,
                                                     const kube_informer_options *own, void *out,
                                                     kube_error *err)
{
    return kube_informer_factory_informer_sized(factory, type, own, sizeof *own, out, err);
}
#define kube_informer_factory_informer(factory, type, ...)                                         \
    kube_informer_factory_informer(                                                                \
        factory, KUBE__RBAC_USE("list,watch", "-", "kube_informer_factory_informer", type),        \
        __VA_ARGS__)
/** Starts the informers that are not running yet (G-25); call it again for later ones. It does not
 * block. Cancelling @p ctx stops them. Nothing else of it concerns them: it may have a deadline, be
 * reset, and be freed before the factory, and they go on. */
KUBE_CHECKED kube_code kube_informer_factory_start(kube_informer_factory *factory, kube_ctx *ctx,
                                                   kube_error *err);
/** Waits until each started informer has its first list, or until @p ctx ends. */
KUBE_CHECKED kube_code kube_informer_factory_wait_synced(kube_informer_factory *factory,
                                                         kube_ctx *ctx, kube_error *err);
/** Stops all informers and joins their threads. Calls of handlers that are still pending may be
 * dropped (INF-9). */
KUBE_API void kube_informer_factory_stop(kube_informer_factory *factory);

/** Calls @p visit for each informer, in order of their types and then of their age, until it
 * returns false. Threads: any. */
KUBE_API void kube_informer_factory_each(kube_informer_factory *factory,
                                         bool (*visit)(void *arg, kube_informer *informer),
                                         void *arg);

/**
 * What is called when the cache changes; each of them may be NULL. The functions of one handler are
 * called one at a time and in order, on a thread of its own (INF-6). Objects are valid during the
 * call; kube_object_ref() keeps one longer. A handler should return quickly: put a key into a
 * queue. One that does not keep up is told less: several changes of an object come as one, and an
 * object that came and went in between does not come at all.
 */
typedef struct kube_handler {
    void (*on_add)(void *arg, const kube_object *object, bool in_initial_list);
    void (*on_update)(void *arg, const kube_object *old_object, const kube_object *new_object);
    /** @p final_state_known is false if the delete itself was missed; @p object is then the last
     * state that was seen. */
    void (*on_delete)(void *arg, const kube_object *object, bool final_state_known);
} kube_handler;

typedef struct kube_handler_options {
    const char *name;  /* in the log, where the handler is slow; NULL = its number */
    int64_t resync_ms; /* repeat all objects to this handler so often, at least 1 s (INF-4); 0 = as
                          often as the informer's options say, KUBE_NO_RESYNC = never */
    /** The handler is told of the objects only for which this returns true (INF-11): an update that
     * makes an object pass is an add, one after which it no longer passes is a delete of its last
     * state that passed. @p arg is the handler's. May be NULL. */
    bool (*filter)(void *arg, const kube_object *object);
} kube_handler_options;

#define KUBE_NO_RESYNC INT64_C(-1)
enum { KUBE_HANDLER_NAME_MAX = 64 }; /* with its end; a longer name is cut */

KUBE_CHECKED kube_code kube_informer_add_handler_sized(kube_informer *informer,
                                                       const kube_handler *handler,
                                                       size_t handler_size, void *arg,
                                                       const kube_handler_options *options,
                                                       size_t options_size, kube_registration **out,
                                                       kube_error *err);
/**
 * Adds a handler. It is copied, and so are @p options, which may be NULL. If the informer has
 * objects already, on_add is called for each of them first (INF-5). @p out (may be NULL) is valid
 * until kube_informer_remove_handler() or the end of the informer. Where the informer runs already,
 * the first resync may come late by up to a minute.
 */
KUBE_INLINE kube_code kube_informer_add_handler(kube_informer *informer,
                                                const kube_handler *handler, void *arg,
                                                const kube_handler_options *options,
                                                kube_registration **out, kube_error *err)
{
    return kube_informer_add_handler_sized(informer, handler, sizeof *handler, arg, options,
                                           sizeof *options, out, err);
}
/** Removes a handler and waits until none of its functions runs. Called by one of them, it does not
 * wait: that call is the last (INF-8). Two handlers must not remove each other at a time. */
KUBE_API void kube_informer_remove_handler(kube_informer *informer, kube_registration *handler);
/** Returns whether on_add of this handler has returned for each object of the first list (INF-5).
 */
KUBE_API bool kube_registration_has_synced(const kube_registration *registration);
/** Returns whether the cache has had the first list. That stays so when it falls behind or stops:
 * see kube_informer_state(). */
KUBE_API bool kube_informer_has_synced(const kube_informer *informer);

/** How much a cache is worth. */
typedef enum kube_informer_phase {
    KUBE_INFORMER_STARTING, /* it does not have the first list yet */
    KUBE_INFORMER_SYNCED,   /* it follows the server */
    KUBE_INFORMER_BEHIND,   /* it had the server's state, but the server cannot be followed now */
    KUBE_INFORMER_STOPPED,  /* it will not change any more */
} kube_informer_phase;
typedef struct kube_informer_status {
    kube_informer_phase phase;
    int64_t since_ns; /* by the factory's clock; 0 = it has not been started */
    const char *why;  /* STARTING, BEHIND: what stands in the way, "" = nothing that is known. It is
                         valid as long as the informer */
} kube_informer_status;
KUBE_API kube_informer_phase kube_informer_state_sized(const kube_informer *informer,
                                                       kube_informer_status *status,
                                                       size_t status_size);
/** Returns the phase of the informer and fills @p status, which may be NULL. Threads: any. */
static inline kube_informer_phase kube_informer_state(const kube_informer *informer,
                                                      kube_informer_status *status)
{
    return kube_informer_state_sized(informer, status, sizeof *status);
}
/** Returns what tells the informer from others of its type: "" for the one that has the factory's
 * options, otherwise the name in its own, or "#2". */
KUBE_API const char *kube_informer_name(const kube_informer *informer);
/** Returns the type of the informer's objects. */
KUBE_API const kube_type *kube_informer_type(const kube_informer *informer);

/** Returns the lister that reads the informer's cache. The informer owns it. */
KUBE_API const kube_lister *kube_informer_lister(const kube_informer *informer);
typedef void kube_index_emit(void *sink, const char *value);
typedef kube_code kube_index_function(void *arg, kube_ctx *ctx, const kube_object *object,
                                      kube_index_emit *emit, void *sink, kube_error *err);
/**
 * Adds an index (STO-2…4) for kube_lister_by_index(). @p index calls @p emit with each value that
 * an object has. What it allocates in @p ctx is freed when it returns. If it fails, or @p ctx ran
 * out of memory, nothing is lost: the cache falls behind, says why (kube_informer_state()), and
 * lists again after a delay until the function succeeds; adding the index fails. It may be added
 * while the informer runs; the objects that are there are indexed at once. KUBE_ERR_ARGUMENT if the
 * informer has an index of that name.
 */
KUBE_CHECKED kube_code kube_informer_add_index(kube_informer *informer, const char *name,
                                               kube_index_function *index, void *arg,
                                               kube_error *err);

/** What an informer has done since its start, and what it holds. */
typedef struct kube_informer_stats {
    uint64_t lists;   /* lists that were asked for, failed ones included */
    uint64_t watches; /* watches that were opened, streaming lists included */
    uint64_t events;
    uint64_t
        bad_objects;   /* states of objects that could not be used, because they did not decode */
    size_t unusable;   /* objects that are there now and whose newest state did not decode: see
                          kube_informer_each_bad() */
    uint64_t backoffs; /* waits after a failure */
    size_t objects;    /* in the cache */
    size_t object_bytes;
    size_t queued_bytes_peak; /* most bytes that ever waited to be applied */
    const char *last_error;   /* "" = none; valid as long as the informer */
    bool synced;
    int64_t last_list_ns;  /* last list, by the factory's clock; 0 = never, also below */
    int64_t last_event_ns; /* last event that was no bookmark */
    int64_t last_heard_ns; /* last event or bookmark */
    uint64_t folded;    /* changes that a slow handler was told together with a later one of their
                           object (INF-6) */
    int64_t handler_ms; /* how long the longest call of a handler has been running; 0 = none runs.
                           After 10 s the log says so, once */
    char handler[KUBE_HANDLER_NAME_MAX]; /* its name */
} kube_informer_stats;
/**
 * Calls @p visit for each object that is there, but whose newest state does not decode, until it
 * returns false; @p why says where and what is wrong with it. The cache keeps the last state that
 * was good, if there was one. An object whose text does not even say its name is only counted.
 * @p visit must not call functions of the informer or of its lister. Threads: any.
 */
KUBE_API void kube_informer_each_bad(const kube_informer *informer,
                                     bool (*visit)(void *arg, kube_key key, const char *why),
                                     void *arg);
KUBE_API void kube_informer_get_stats_sized(const kube_informer *informer,
                                            kube_informer_stats *stats, size_t stats_size);
/** Fills @p stats. Threads: any. */
static inline void kube_informer_get_stats(const kube_informer *informer,
                                           kube_informer_stats *stats)
{
    kube_informer_get_stats_sized(informer, stats, sizeof *stats);
}

/**
 * For tests without a server: puts a decoded or copied object into the cache of an informer that is
 * never started, or takes it out if @p deleted. Handlers are not called.
 */
KUBE_CHECKED kube_code kube_informer_enter(kube_informer *informer, const kube_object *object,
                                           bool deleted, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_INFORMER_H */
