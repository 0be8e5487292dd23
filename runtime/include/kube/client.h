/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Calls to the API server for any Kind, given its kube_type. kubegen writes typed calls for
 * each Kind.
 *
 * A call blocks until it is answered, or until its ctx is cancelled or its deadline has passed;
 * then it returns without waiting for the network. Results live as long as the ctx; `*out` is NULL
 * on failure. Options may be NULL, except of an apply, which needs a field_manager; a member that
 * is zero is not sent. Calls are repeated only as REQ-3 and REQ-4 say.
 * @p out is the address of a pointer to kube_object or to the struct of the Kind; for a list, of a
 * pointer to kube_object_list or to the list of the Kind; for a watch, of a pointer to kube_watch
 * or to the watch of the Kind. Prefer the typed calls: here the compiler cannot check @p out.
 * @p ns is the namespace. NULL or "" means all namespaces in a list or watch, and the namespace of
 * the object's metadata in a call that takes an object; a Kind without namespaces has no other. A
 * @p key names one object; its strings are borrowed for the call.
 *
 * A client has two I/O threads: on one, calls share an HTTP/2 connection; on the other, each list
 * and watch has a connection of its own. Threads: any number may use a client at once.
 */
#ifndef KUBE_CLIENT_H
#define KUBE_CLIENT_H

#include <kube/codec.h>
#include <kube/config.h>
#include <kube/fence.h>
#include <kube/key.h>
#include <kube/metrics.h>
#include <kube/rbac.h>

KUBE_BEGIN_DECLS

typedef struct kube_client kube_client;
typedef struct kube_watch kube_watch;

/** What a client is made with. A member that is zero has its default; all pointers are borrowed. */
typedef struct kube_client_options {
    /** The longest time that a call may take, for each of its attempts (REQ-2); the server is told.
     * 0 = the configuration's request timeout, or 30 s without one; -1 = no limit but the ctx's
     * deadline. A time that is set here or in the configuration holds for lists, too: it counts
     * while the caller waits for the answer. It never holds for a watch. */
    int64_t call_timeout_ms;
    /** The longest silence: in the answer to a list, before that to a watch, and on a connection on
     * which calls wait, which is then left, so that the next call gets a new one. It bounds a call
     * whatever its call_timeout_ms, even -1; a get that has waited so long is sent once more.
     * 0 = 30 s, -1 = no limit. A watch is dead when nothing came for 90 s, or for two and a half of
     * the intervals in which its bookmarks come. */
    int64_t idle_timeout_ms;
    /** Writes (create, update, patch, apply, delete…) fail with KUBE_ERR_FENCED unless the fence is
     * open. The client asks the fence when a call is made and again directly before it sends the
     * request, and cuts off requests that are under way when the fence closes. NULL = none. */
    kube_fence *fence;
    /** The kernel discards data of a fenced client that it could not deliver within this time. So
     * no write arrives later than that after the fence has closed, even if the process was
     * suspended or cut off in between. 0, or more than 45 s = 45 s, as without a fence. */
    int64_t fence_grace_ms;
    /** Requests are counted here as client-go does: rest_client_requests_total,
     * rest_client_request_duration_seconds, rest_client_request_retries_total. NULL = nowhere. */
    kube_metrics *metrics;
    /** Called with the text of each Warning header (REQ-8) on the thread that makes the call, lists
     * or opens the watch; for an informer that is a thread of its own. It may use the client. Of
     * one answer it gets 64 at most. NULL = the text is logged. */
    void (*on_warning)(void *arg, const char *text);
    void *on_warning_arg;
    const char *user_agent; /**< NULL = the configuration's; copied */
    kube_clock *clock;      /**< by which token files are read anew; NULL = the machine's */
    /** Do not ask for gzip. Otherwise lists and watches ask for it unless the server is on this
     * machine: twenty times less goes over the network, and reading takes some more CPU time. */
    bool no_compression;
} kube_client_options;

KUBE_CHECKED kube_code kube_client_new_sized(const kube_config *config,
                                             const kube_client_options *options,
                                             size_t options_size, kube_client **out,
                                             kube_error *err);
/** Makes a client and starts its threads. It sends nothing yet. @p config may be freed afterwards.
 * @p options NULL = defaults. KUBE_ERR_ARGUMENT for options that cannot be; KUBE_ERR_CONFIG if the
 * token file cannot be read. */
KUBE_INLINE kube_code kube_client_new(const kube_config *config, const kube_client_options *options,
                                      kube_client **out, kube_error *err)
{
    return kube_client_new_sized(config, options, sizeof *options, out, err);
}
/** Stops and joins the threads. Calls and watches of this client must have ended. NULL allowed. */
KUBE_API void kube_client_free(kube_client *client);
/** Returns the namespace of the client's configuration, see kube_config_namespace(). */
KUBE_API const char *kube_client_namespace(const kube_client *client);
/** Returns how many requests have been sent, repeated ones included. */
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
    void (*on_restart)(void *arg); /* of list_each alone, see there */
    void *on_restart_arg;
} kube_list_options;

typedef struct kube_watch_options {
    const char *label_selector;
    const char *field_selector;
    const char *resource_version;
    const char *resource_version_match;
    bool allow_bookmarks; /* gives them as events; the client asks for them anyway, see
                             idle_timeout_ms */
    bool send_initial_events;
    int64_t timeout_seconds;
} kube_watch_options;

/** For create, update, update_status and update_scale. */
typedef struct kube_write_options {
    bool dry_run;
    const char *field_manager;
    const char *field_validation; /* "Ignore", "Warn" or "Strict" */
    bool allow_partial;           /* send an update that erases members the object has lost */
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
    bool force;                /* take fields away from other managers */
    bool dry_run;
    const char *field_validation;
} kube_apply_options;

KUBE_CHECKED kube_code kube_client_get_sized(kube_client *client, kube_ctx *ctx,
                                             const kube_type *type, kube_key key,
                                             const kube_get_options *options, size_t options_size,
                                             void *out, kube_error *err);
/** Reads the object @p key. KUBE_ERR_NOT_FOUND if there is no such object. */
KUBE_INLINE kube_code kube_client_get(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                      kube_key key, const kube_get_options *options, void *out,
                                      kube_error *err)
{
    return kube_client_get_sized(client, ctx, type, key, options, sizeof *options, out, err);
}
#define kube_client_get(client, ctx, type, ...)                                                    \
    kube_client_get(client, ctx, KUBE__RBAC_USE("get", "-", "kube_client_get", type), __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_list_sized(kube_client *client, kube_ctx *ctx,
                                              const kube_type *type, const char *ns,
                                              const kube_list_options *options, size_t options_size,
                                              void *out, size_t *bad_items, kube_error *err);
/**
 * Lists objects. With `limit` 0 the result is the whole list, otherwise one page; pass its
 * `metadata.continue_` as `continue_token` to get the next. Items that do not decode, or have a
 * name that no object can have, are left out and logged, and @p bad_items (may be NULL) counts
 * them.
 */
KUBE_INLINE kube_code kube_client_list(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                       const char *ns, const kube_list_options *options, void *out,
                                       size_t *bad_items, kube_error *err)
{
    return kube_client_list_sized(client, ctx, type, ns, options, sizeof *options, out, bad_items,
                                  err);
}
#define kube_client_list(client, ctx, type, ...)                                                   \
    kube_client_list(client, ctx, KUBE__RBAC_USE("list", "-", "kube_client_list", type),           \
                     __VA_ARGS__)
KUBE_CHECKED kube_code
kube_client_list_each_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                            const char *ns, const kube_list_options *options, size_t options_size,
                            bool (*visit)(void *arg, const kube_object *object), void *arg,
                            kube_list_meta *list_metadata, kube_error *err);
/**
 * Lists objects in pages of `limit` (0 = 500) and calls @p visit for each object until it returns
 * false. An object is valid during the call. All pages are of one state of the server. If that
 * state expires before the last page, the result is KUBE_ERR_EXPIRED; or, if the options have an
 * `on_restart`, that is called with `on_restart_arg`, so that it forgets what was visited, and then
 * @p visit gets the whole list, which is read in one answer (PAG-1). @p list_metadata (may be NULL)
 * gets the metadata of the first page, in @p ctx; it is zero if @p visit ended the listing within
 * that page.
 */
KUBE_INLINE kube_code kube_client_list_each(kube_client *client, kube_ctx *ctx,
                                            const kube_type *type, const char *ns,
                                            const kube_list_options *options,
                                            bool (*visit)(void *arg, const kube_object *object),
                                            void *arg, kube_list_meta *list_metadata,
                                            kube_error *err)
{
    return kube_client_list_each_sized(client, ctx, type, ns, options, sizeof *options, visit, arg,
                                       list_metadata, err);
}
#define kube_client_list_each(client, ctx, type, ...)                                              \
    kube_client_list_each(client, ctx, KUBE__RBAC_USE("list", "-", "kube_client_list_each", type), \
                          __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_create_sized(kube_client *client, kube_ctx *ctx,
                                                const kube_type *type, const char *ns,
                                                const kube_object *object,
                                                const kube_write_options *options,
                                                size_t options_size, void *out, kube_error *err);
/** Creates an object. @p out (may be NULL) gets it as the server stored it, in this
 * and the following writes. */
KUBE_INLINE kube_code kube_client_create(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         const char *ns, const kube_object *object,
                                         const kube_write_options *options, void *out,
                                         kube_error *err)
{
    return kube_client_create_sized(client, ctx, type, ns, object, options, sizeof *options, out,
                                    err);
}
#define kube_client_create(client, ctx, type, ...)                                                 \
    kube_client_create(client, ctx, KUBE__RBAC_USE("create", "-", "kube_client_create", type),     \
                       __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_update_sized(kube_client *client, kube_ctx *ctx,
                                                const kube_type *type, const char *ns,
                                                const kube_object *object,
                                                const kube_write_options *options,
                                                size_t options_size, void *out, kube_error *err);
/** Replaces an object. KUBE_ERR_CONFLICT if it has changed since it was read. An object that lost
 * members when it was decoded is refused with KUBE_ERR_PARTIAL; the message says what to do. */
KUBE_INLINE kube_code kube_client_update(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         const char *ns, const kube_object *object,
                                         const kube_write_options *options, void *out,
                                         kube_error *err)
{
    return kube_client_update_sized(client, ctx, type, ns, object, options, sizeof *options, out,
                                    err);
}
#define kube_client_update(client, ctx, type, ...)                                                 \
    kube_client_update(client, ctx, KUBE__RBAC_USE("update", "-", "kube_client_update", type),     \
                       __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_update_status_sized(kube_client *client, kube_ctx *ctx,
                                                       const kube_type *type, const char *ns,
                                                       const kube_object *object,
                                                       const kube_write_options *options,
                                                       size_t options_size, void *out,
                                                       kube_error *err);
/** Replaces the status of an object. It is refused only if members of status or metadata were lost.
 */
KUBE_INLINE kube_code kube_client_update_status(kube_client *client, kube_ctx *ctx,
                                                const kube_type *type, const char *ns,
                                                const kube_object *object,
                                                const kube_write_options *options, void *out,
                                                kube_error *err)
{
    return kube_client_update_status_sized(client, ctx, type, ns, object, options, sizeof *options,
                                           out, err);
}
#define kube_client_update_status(client, ctx, type, ...)                                          \
    kube_client_update_status(                                                                     \
        client, ctx, KUBE__RBAC_USE("update", "status", "kube_client_update_status", type),        \
        __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_delete_sized(kube_client *client, kube_ctx *ctx,
                                                const kube_type *type, kube_key key,
                                                const kube_delete_options *options,
                                                size_t options_size, kube_error *err);
/** Deletes the object @p key, or marks it as being deleted if it has finalizers. */
KUBE_INLINE kube_code kube_client_delete(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                         kube_key key, const kube_delete_options *options,
                                         kube_error *err)
{
    return kube_client_delete_sized(client, ctx, type, key, options, sizeof *options, err);
}
#define kube_client_delete(client, ctx, type, ...)                                                 \
    kube_client_delete(client, ctx, KUBE__RBAC_USE("delete", "-", "kube_client_delete", type),     \
                       __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_delete_object_sized(kube_client *client, kube_ctx *ctx,
                                                       const kube_type *type,
                                                       const kube_object *object,
                                                       const kube_delete_options *options,
                                                       size_t options_size, kube_error *err);
/** Deletes @p object as it was seen: KUBE_ERR_CONFLICT if it has changed since, or if another has
 * its name. For that its uid and resourceVersion are sent as preconditions, unless @p options (may
 * be NULL) name others; "" as precondition_resource_version sends the uid alone. KUBE_ERR_ARGUMENT
 * if the object has no uid. */
KUBE_INLINE kube_code kube_client_delete_object(kube_client *client, kube_ctx *ctx,
                                                const kube_type *type, const kube_object *object,
                                                const kube_delete_options *options, kube_error *err)
{
    return kube_client_delete_object_sized(client, ctx, type, object, options, sizeof *options,
                                           err);
}
#define kube_client_delete_object(client, ctx, type, ...)                                          \
    kube_client_delete_object(client, ctx,                                                         \
                              KUBE__RBAC_USE("delete", "-", "kube_client_delete_object", type),    \
                              __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_delete_collection_sized(
    kube_client *client, kube_ctx *ctx, const kube_type *type, const char *ns,
    const kube_delete_options *options, size_t options_size, const kube_list_options *list_options,
    size_t list_options_size, kube_error *err);
/** Deletes all objects that @p list_options select, in one namespace: no server does it in all of
 * them, so a namespaced Kind with @p ns NULL or "" is KUBE_ERR_ARGUMENT. */
KUBE_INLINE kube_code kube_client_delete_collection(kube_client *client, kube_ctx *ctx,
                                                    const kube_type *type, const char *ns,
                                                    const kube_delete_options *options,
                                                    const kube_list_options *list_options,
                                                    kube_error *err)
{
    return kube_client_delete_collection_sized(client, ctx, type, ns, options, sizeof *options,
                                               list_options, sizeof *list_options, err);
}
#define kube_client_delete_collection(client, ctx, type, ...)                                      \
    kube_client_delete_collection(                                                                 \
        client, ctx,                                                                               \
        KUBE__RBAC_USE("deletecollection", "-", "kube_client_delete_collection", type),            \
        __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_patch_sized(kube_client *client, kube_ctx *ctx,
                                               const kube_type *type, kube_key key,
                                               kube_patch_type patch_type, const char *patch,
                                               size_t patch_len, const kube_patch_options *options,
                                               size_t options_size, void *out, kube_error *err);
/** Sends a patch of @p patch_len bytes for the object @p key. */
KUBE_INLINE kube_code kube_client_patch(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                        kube_key key, kube_patch_type patch_type, const char *patch,
                                        size_t patch_len, const kube_patch_options *options,
                                        void *out, kube_error *err)
{
    return kube_client_patch_sized(client, ctx, type, key, patch_type, patch, patch_len, options,
                                   sizeof *options, out, err);
}
#define kube_client_patch(client, ctx, type, ...)                                                  \
    kube_client_patch(client, ctx, KUBE__RBAC_USE("patch", "-", "kube_client_patch", type),        \
                      __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_apply_sized(kube_client *client, kube_ctx *ctx,
                                               const kube_type *type, const char *ns,
                                               const kube_object *object,
                                               const kube_apply_options *options,
                                               size_t options_size, void *out, kube_error *err);
/** Server-side apply: sends the members that are set in @p object; its name must be. A scalar that
 * is zero counts as not set; to apply a zero, the member must be a kube_opt_*. If a uid
 * and a resource_version are set, the result is KUBE_ERR_CONFLICT if the object is another one, of
 * another version, or gone, also with `force`. */
KUBE_INLINE kube_code kube_client_apply(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                        const char *ns, const kube_object *object,
                                        const kube_apply_options *options, void *out,
                                        kube_error *err)
{
    return kube_client_apply_sized(client, ctx, type, ns, object, options, sizeof *options, out,
                                   err);
}
#define kube_client_apply(client, ctx, type, ...)                                                  \
    kube_client_apply(client, ctx, KUBE__RBAC_USE("create,patch", "-", "kube_client_apply", type), \
                      __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_apply_status_sized(kube_client *client, kube_ctx *ctx,
                                                      const kube_type *type, const char *ns,
                                                      const kube_object *object,
                                                      const kube_apply_options *options,
                                                      size_t options_size, void *out,
                                                      kube_error *err);
/** The same for the status of @p object. */
KUBE_INLINE kube_code kube_client_apply_status(kube_client *client, kube_ctx *ctx,
                                               const kube_type *type, const char *ns,
                                               const kube_object *object,
                                               const kube_apply_options *options, void *out,
                                               kube_error *err)
{
    return kube_client_apply_status_sized(client, ctx, type, ns, object, options, sizeof *options,
                                          out, err);
}
#define kube_client_apply_status(client, ctx, type, ...)                                           \
    kube_client_apply_status(client, ctx,                                                          \
                             KUBE__RBAC_USE("patch", "status", "kube_client_apply_status", type),  \
                             __VA_ARGS__)
KUBE_CHECKED kube_code kube_client_patch_diff_sized(
    kube_client *client, kube_ctx *ctx, const kube_type *type, const char *ns,
    const kube_object *old_object, const kube_object *new_object, const kube_patch_options *options,
    size_t options_size, void *out, kube_error *err);
/**
 * Sends the difference between @p old_object and @p new_object as a merge patch, with the
 * resourceVersion of the old one, so that the result is KUBE_ERR_CONFLICT if the object has changed
 * since. Use it to write cached objects and partial ones. If the two are equal, nothing is sent and
 * `*out` is a copy of the new one.
 */
KUBE_INLINE kube_code kube_client_patch_diff(kube_client *client, kube_ctx *ctx,
                                             const kube_type *type, const char *ns,
                                             const kube_object *old_object,
                                             const kube_object *new_object,
                                             const kube_patch_options *options, void *out,
                                             kube_error *err)
{
    return kube_client_patch_diff_sized(client, ctx, type, ns, old_object, new_object, options,
                                        sizeof *options, out, err);
}
#define kube_client_patch_diff(client, ctx, type, ...)                                             \
    kube_client_patch_diff(                                                                        \
        client, ctx, KUBE__RBAC_USE("patch", "-", "kube_client_patch_diff", type), __VA_ARGS__)

/* ---- watch ----------------------------------------------------------------------------------- */

typedef enum kube_watch_event_type {
    KUBE_WATCH_ADDED,
    KUBE_WATCH_MODIFIED,
    KUBE_WATCH_DELETED,
    KUBE_WATCH_BOOKMARK, /* only resource_version; no object has changed */
    KUBE_WATCH_ERROR,    /* error is the Status of the server, which then ends the watch */
    KUBE_WATCH_BAD,      /* the object could not be decoded; error says where. The watch goes on */
} kube_watch_event_type;

/** What kube_watch_next() gives, with all it points to: the watch's, until the next call. */
typedef struct kube_event {
    kube_watch_event_type type;
    const kube_object *object;    /* NULL for the last three types */
    const char *resource_version; /* NULL for ERROR and BAD */
    bool initial_events_end;      /* this bookmark ends the initial events of a streaming list */
    const kube_error *error;      /* of ERROR and BAD; otherwise NULL */
} kube_event;

KUBE_CHECKED kube_code kube_client_watch_sized(kube_client *client, kube_ctx *ctx,
                                               const kube_type *type, const char *ns,
                                               const kube_watch_options *options,
                                               size_t options_size, void *out, kube_error *err);
/** Opens a watch and waits for the server's answer; one other than 200 is an error. To be freed
 * with kube_watch_free(). */
KUBE_INLINE kube_code kube_client_watch(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                        const char *ns, const kube_watch_options *options,
                                        void *out, kube_error *err)
{
    return kube_client_watch_sized(client, ctx, type, ns, options, sizeof *options, out, err);
}
#define kube_client_watch(client, ctx, type, ...)                                                  \
    kube_client_watch(client, ctx, KUBE__RBAC_USE("watch", "-", "kube_client_watch", type),        \
                      __VA_ARGS__)
/** Waits for the next event, until @p ctx ends; the watch goes on then. @p event is the address of
 * a pointer to a constant kube_event, or to the constant event of the Kind. What it gets is valid
 * until the next call for this watch or its end, so that a loop takes no more memory the longer it
 * runs; kube_object_ref() or kube_object_keep() keeps an object longer. KUBE_ERR_CLOSED means that
 * the server has ended the watch: open it again at the last resource_version. */
KUBE_CHECKED kube_code kube_watch_next(kube_watch *watch, kube_ctx *ctx, void *event,
                                       kube_error *err);
/** Ends the watch. NULL allowed. */
KUBE_API void kube_watch_free(kube_watch *watch);

KUBE_END_DECLS

#endif /* KUBE_CLIENT_H */
