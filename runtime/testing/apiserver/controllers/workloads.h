/* SPDX-License-Identifier: Apache-2.0 */
/* What the controllers of workloads share: templates, the objects one controls, and status. */
#ifndef KUBE_APISERVER_WORKLOADS_H
#define KUBE_APISERVER_WORKLOADS_H

#include "controllers_parts.h"

/* An object under a controller, as it is stored and as a tree. */
typedef struct kube__child {
    kube__api_object *object; /* a reference is held */
    kube__json *tree;
} kube__child;

typedef struct kube__children {
    kube__child *items; /* by name */
    size_t len;
} kube__children;

/* The objects of a collection whose controller has this uid. Give them to _release(). */
kube__children kube__children_of(const kube__turn *turn, const char *group, const char *plural,
                                 const kube__api_object *owner);
void kube__children_release(kube__children *children);

/* The owner reference of a controller, for what it makes. */
kube__json *kube__controller_reference(kube_ctx *ctx, const kube__json *owner);
/* The reference among an object's that is of its controller; NULL = it has none. */
const kube__json *kube__controller_of(const kube__json *object);
/* The hash of a template, as it stands in names and labels. */
const char *kube__template_hash(kube_ctx *ctx, const kube__json *template_);
/* A Pod made of @owner's template, with the beginning of a name. */
kube__json *kube__pod_of(const kube__turn *turn, const kube__json *owner);
/* Stores it in the namespace of the job's object; the answer, or NULL. */
kube__json *kube__pod_create(const kube__turn *turn, const kube__json *pod);

int64_t kube__int_at(const kube__json *object, const char *path, int64_t otherwise);
/* Sets a member unless the number is 0, which Go leaves out. */
void kube__set_count(kube_ctx *ctx, kube__json *object, const char *key, int64_t value);
/* A number or a percentage of @total; "" and what cannot be read are @otherwise. */
int64_t kube__scaled(const kube__json *value, int64_t total, bool round_up, int64_t otherwise);
/* Stores @status (all of it) when it differs; a reference to @object is held by the caller. */
void kube__put_status(const kube__turn *turn, kube__json *tree, kube__json *status);

/* ---- Pods ----------------------------------------------------------------------------------- */

/* The label of DaemonSets and StatefulSets that tells of which template a Pod is. */
#define KUBE__REVISION_LABEL "controller-revision-hash"

typedef struct kube__pod_counts {
    int64_t active;
    int64_t labelled; /* those of the active that have the labels asked for */
    int64_t ready;    /* of the active */
    int64_t ending;   /* being deleted */
} kube__pod_counts;

bool kube__pod_is_active(const kube__child *pod);
bool kube__pod_is_ready(const kube__json *pod);
bool kube__pod_has_labels(const kube__child *pod, const kube__json *labels);
void kube__pod_count(const kube__child *pod, const kube__json *labels, kube__pod_counts *counts);
/* Replaces @pods by those that the job's object has now. Returns false, with no Pods, if it is gone
 * or if out of memory. */
bool kube__pods_again(const kube__turn *turn, kube__children *pods);

#endif /* KUBE_APISERVER_WORKLOADS_H */
