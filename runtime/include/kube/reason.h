/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Tells a reconcile function why it runs.
 */
#ifndef KUBE_REASON_H
#define KUBE_REASON_H

#include <kube/workqueue.h>

KUBE_BEGIN_DECLS

/** What has happened to a key. */
typedef enum kube_reason_what {
    KUBE_REASON_ADD,     /* the object is new to the cache */
    KUBE_REASON_UPDATE,  /* the object has changed */
    KUBE_REASON_DELETE,  /* the object is gone */
    KUBE_REASON_RESYNC,  /* nothing has changed; the cache repeats its objects at intervals */
    KUBE_REASON_RETRY,   /* the last run failed */
    KUBE_REASON_REQUEUE, /* the last run asked for another one after a time */
    KUBE_REASON_ENQUEUE, /* kube_controller_enqueue() was called, or the object has ceased to
                            decode, decodes again, or was deleted meanwhile */
} kube_reason_what;

/** Returns the word for @p what in logs: "add", "update", "delete", "resync", "retry", "requeue" or
 * "enqueue". */
KUBE_API const char *kube_reason_what_name(kube_reason_what what);

/**
 * The newest event that concerns a key, since the key's last run. Several events of one object are
 * told as one: from the first old version to the last new one, with the paths that changed.
 * Events of other objects are only counted, in `more`. No member is NULL.
 */
typedef struct kube_reason {
    kube_reason_what what;
    const char *old_version; /* resourceVersion before the change; "" after an add */
    const char *new_version; /* and after it; "" after a delete */
    const char *changed;     /* up to 8 paths that changed, separated by commas, and then " and N
                                more" if there are others: at most 255 bytes, so that a very
                                long path is only counted, or cut and followed by "..." if it is
                                the first; "" = unknown */
    const char *kind;        /* Kind of the object that changed, which may be an owned or watched
                                one; "" for retry, requeue and enqueue */
    kube_key object;         /* key of that object; empty strings for the same three */
    unsigned more;           /* how many events of other objects this run is for as well */
} kube_reason;

/** Returns the reason as one line in @p ctx, such as "update of Deployment default/web 12 -> 13
 * (spec.replicas), and 2 more". Returns NULL if out of memory. */
KUBE_API const char *kube_reason_text(kube_ctx *ctx, const kube_reason *why);

KUBE_END_DECLS

#endif /* KUBE_REASON_H */
