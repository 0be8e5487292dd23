/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Calls to the API server, by type descriptor. Generated code gives each Kind its own.
 *
 * Two I/O threads a client: calls share an HTTP/2 connection on one, lists and watches have a
 * connection each on the other.
 * A call returns when it is answered, or within 50 ms once its ctx is cancelled or past its
 * deadline. Results live as long as the ctx; `*out` is NULL on failure. Options NULL = defaults,
 * a zero member = unset. Retries follow REQ-3 and REQ-4.
 * @p ns: NULL or "" = all namespaces (list, watch, delete_collection), or cluster scope.
 * Threads: a client may be used from any number of threads at once.
 */
#ifndef KUBE_CLIENT_H
#define KUBE_CLIENT_H

#include <kube/codec.h>
#include <kube/config.h>
#include <kube/fence.h>
#include <kube/metrics.h>

KUBE_BEGIN_DECLS

typedef struct kube_client kube_client;
typedef struct kube_watch kube_watch;

/** Starts a client's threads. No request is sent. @p config may be freed afterwards. */
KUBE_CHECKED kube_code kube_client_new(const kube_config *config, kube_client **out,
                                       kube_error *err);
/** Stops and joins the threads. Calls and watches of this client must have ended. NULL allowed. */
KUBE_API void kube_client_free(kube_client *client);
/** As kube_config_namespace(). */
KUBE_API const char *kube_client_namespace(const kube_client *client);
/** Called with every Warning header's text (REQ-8), on an I/O thread; NULL = log it. */
KUBE_API void kube_client_set_warning_handler(kube_client *client,
                                              void (*handler)(void *arg, const char *text),
                                              void *arg);
/**
 * From then on writes (create, update, patch, apply, delete…) fail with KUBE_ERR_FENCED unless
 * @p fence is open. It is asked when the call is made, again last thing before the request's bytes
 * leave, and what is under way when it closes is cut off; bytes the kernel could not deliver within
 * @p grace_ms are thrown away by it. So nothing of a holder arrives later than @p grace_ms after
 * its fence closed, though the process be stopped or cut off in between. @p grace_ms 0, or more
 * than 45 s, = what clients without a fence wait, 45 s. Before the first call; both borrowed; @p
 * fence NULL = none.
 */
KUBE_API void kube_client_set_fence(kube_client *client, kube_fence *fence, int64_t grace_ms);
/** client-go's rest_client_requests_total and rest_client_request_duration_seconds go to
 * @p metrics from then on. Before the first call; borrowed. */
KUBE_CHECKED kube_code kube_client_set_metrics(kube_client *client, kube_metrics *metrics,
                                               kube_error *err);
/** Requests sent so far, retries included. For tests and metrics. Threads: any. */
KUBE_API uint64_t kube_client_request_count(const kube_client *client);

typedef struct kube_get_options {
    const char *resource_version;
} kube_get_options;

typedef struct kube_list_options {
    const char *label_selector;
    const char *field_selector;
    const char *resource_version;
    const char *resource_version_match; /* "Exact" or "NotOlderThan" */
    int64_t limit;                      /* page size; 0 = the whole list in one answer */
    const char *continue_token;
    int64_t timeout_seconds;
} kube_list_options;

typedef struct kube_watch_options {
    const char *label_selector;
    const char *field_selector;
    const char *resource_version;
    const char *resource_version_match;
    bool allow_bookmarks;
    bool send_initial_events;
    int64_t timeout_seconds;
} kube_watch_options;

/** For create, update and update_status. */
typedef struct kube_write_options {
    bool dry_run;
    const char *field_manager;
    const char *field_validation; /* "Ignore", "Warn" or "Strict" */
    bool allow_partial;           /* update although the object lost members: they will be erased */
} kube_write_options;

typedef struct kube_delete_options {
    kube_opt_int64 grace_period_seconds;
    const char *propagation_policy; /* "Orphan", "Background" or "Foreground" */
    const char *precondition_uid;
    const char *precondition_resource_version;
    bool dry_run;
} kube_delete_options;

typedef enum kube_patch_type {
    KUBE_PATCH_JSON,      /* RFC 6902 */
    KUBE_PATCH_MERGE,     /* RFC 7396 */
    KUBE_PATCH_STRATEGIC, /* built-in types only */
} kube_patch_type;

typedef struct kube_patch_options {
    bool dry_run;
    const char *field_manager;
    const char *field_validation;
    const char *subresource; /* "status"; NULL = the object itself */
} kube_patch_options;

typedef struct kube_apply_options {
    const char *field_manager; /* required */
    bool force;                /* take fields over from other managers */
    bool dry_run;
    const char *field_validation;
} kube_apply_options;

KUBE_CHECKED kube_code kube_client_get(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                       const char *ns, const char *name,
                                       const kube_get_options *options, kube_object **out,
                                       kube_error *err);
/**
 * Lists objects. With `limit` 0 the whole list comes in one answer; otherwise one page, whose
 * metadata.continue asks for the next. Items that do not decode are left out, logged, and counted
 * in @p bad_items (may be NULL).
 */
KUBE_CHECKED kube_code kube_client_list(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                        const char *ns, const kube_list_options *options,
                                        kube_object_list **out, size_t *bad_items, kube_error *err);
/**
 * Follows all pages of `limit` (default 500) objects and calls @p visit for each object, which is
 * valid during the call; it returns false to stop. An expired continue token leads to one whole
 * list (PAG-1). @p list_metadata (may be NULL) gets the first page's, in @p ctx.
 */
KUBE_CHECKED kube_code kube_client_list_each(kube_client *client, kube_ctx *ctx,
                                             const kube_type *type, const char *ns,
                                             const kube_list_options *options,
                                             bool (*visit)(void *arg, const kube_object *object),
                                             void *arg, kube_list_meta *list_metadata,
                                             kube_error *err);
KUBE_CHECKED kube_code kube_client_create(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                          const char *ns, const kube_object *object,
                                          const kube_write_options *options, kube_object **out,
                                          kube_error *err);
/** PUT. A partial object is refused (KUBE_ERR_PARTIAL) with its lost path and the ways out. */
KUBE_CHECKED kube_code kube_client_update(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                          const char *ns, const kube_object *object,
                                          const kube_write_options *options, kube_object **out,
                                          kube_error *err);
/** PUT of the status subresource; only losses under status and metadata make it refuse. */
KUBE_CHECKED kube_code kube_client_update_status(kube_client *client, kube_ctx *ctx,
                                                 const kube_type *type, const char *ns,
                                                 const kube_object *object,
                                                 const kube_write_options *options,
                                                 kube_object **out, kube_error *err);
KUBE_CHECKED kube_code kube_client_delete(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                          const char *ns, const char *name,
                                          const kube_delete_options *options, kube_error *err);
KUBE_CHECKED kube_code kube_client_delete_collection(kube_client *client, kube_ctx *ctx,
                                                     const kube_type *type, const char *ns,
                                                     const kube_delete_options *options,
                                                     const kube_list_options *list_options,
                                                     kube_error *err);
KUBE_CHECKED kube_code kube_client_patch(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         const char *ns, const char *name,
                                         kube_patch_type patch_type, const char *patch,
                                         size_t patch_len, const kube_patch_options *options,
                                         kube_object **out, kube_error *err);
/** Server-side apply of what is set in @p object; its name must be. A zero of a plain scalar counts
 * as unset, also where it is required: an explicit zero is a kube_opt_*. */
KUBE_CHECKED kube_code kube_client_apply(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         const char *ns, const kube_object *object,
                                         const kube_apply_options *options, kube_object **out,
                                         kube_error *err);
KUBE_CHECKED kube_code kube_client_apply_status(kube_client *client, kube_ctx *ctx,
                                                const kube_type *type, const char *ns,
                                                const kube_object *object,
                                                const kube_apply_options *options,
                                                kube_object **out, kube_error *err);
/**
 * Sends the difference between two states of an object as a merge patch with @p old_object's
 * resourceVersion, so that a change in between is a KUBE_ERR_CONFLICT: the write for cached or
 * partial objects. Without a difference nothing is sent and `*out` is a copy of the new one.
 */
KUBE_CHECKED kube_code kube_client_patch_diff(kube_client *client, kube_ctx *ctx,
                                              const kube_type *type, const char *ns,
                                              const kube_object *old_object,
                                              const kube_object *new_object,
                                              const kube_patch_options *options, kube_object **out,
                                              kube_error *err);

/* ---- watch ----------------------------------------------------------------------------------- */

typedef enum kube_watch_event_type {
    KUBE_WATCH_ADDED,
    KUBE_WATCH_MODIFIED,
    KUBE_WATCH_DELETED,
    KUBE_WATCH_BOOKMARK, /* object NULL; resource_version advances */
    KUBE_WATCH_ERROR,    /* object NULL; error is the server's Status */
    KUBE_WATCH_BAD,      /* an event whose object does not decode; error says where. The watch goes
                            on. */
} kube_watch_event_type;

typedef struct kube_event {
    kube_watch_event_type type;
    const kube_object *object;    /* lives as long as the ctx of kube_watch_next() */
    const char *resource_version; /* likewise; NULL for ERROR and BAD */
    bool initial_events_end;      /* the bookmark that ends a streaming list */
    kube_error error;             /* of ERROR and BAD */
} kube_event;

/** Opens a watch; returns once the server answered 200 (an answer else is the error). */
KUBE_CHECKED kube_code kube_client_watch(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         const char *ns, const kube_watch_options *options,
                                         kube_watch **out, kube_error *err);
/** Waits for the next event. KUBE_ERR_CLOSED = the server ended the stream cleanly. */
KUBE_CHECKED kube_code kube_watch_next(kube_watch *watch, kube_ctx *ctx, kube_event *event,
                                       kube_error *err);
/** Ends the watch; NULL allowed. */
KUBE_API void kube_watch_free(kube_watch *watch);

KUBE_END_DECLS

#endif /* KUBE_CLIENT_H */
