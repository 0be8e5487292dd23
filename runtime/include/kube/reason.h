/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Why a reconcile runs.
 */
#ifndef KUBE_REASON_H
#define KUBE_REASON_H

#include <kube/workqueue.h>

KUBE_BEGIN_DECLS

/**
 * The newest event of a key since its last run. Events of the same object are told as one, from the
 * first old version to the last new one with all paths between; `more` counts events of others.
 * No member is NULL.
 */
typedef struct kube_reason {
    const char *what; /* "add", "update", "delete", "resync", "retry", "requeue" or "enqueue"; the
                         back-off of a failure after which an event's run went well ends in a
                         "requeue", too */
    const char *old_version; /* resourceVersions, "" = none */
    const char *new_version;
    const char *changed; /* up to 8 changed paths, comma-separated; "" = unknown */
    const char *kind;    /* of the object that changed, which may be an owned or watched one; ""
                            when no object did (retry, requeue, enqueue) */
    kube_key object;     /* its key; empty strings when no object changed */
    unsigned more;       /* events of other objects that this run is for, too */
} kube_reason;

/** One line: "update of Deployment default/web 12 -> 13 (spec.replicas), and 2 more"; in @p ctx,
 * NULL when memory is out. */
KUBE_API const char *kube_reason_text(kube_ctx *ctx, const kube_reason *why);

KUBE_END_DECLS

#endif /* KUBE_REASON_H */
