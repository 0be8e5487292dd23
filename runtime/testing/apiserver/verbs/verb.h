/* SPDX-License-Identifier: Apache-2.0 */
/* One request on a resource, on its way through the verbs; under the server's lock. */
#ifndef KUBE_APISERVER_VERB_H
#define KUBE_APISERVER_VERB_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/patch/managed_fields.h"
#include "apiserver/store/list_options.h"
#include "apiserver/store/store.h"
#include "apiserver/view/view.h"

typedef enum kube__api_field_validation {
    KUBE__FIELDS_IGNORE,
    KUBE__FIELDS_WARN,
    KUBE__FIELDS_STRICT,
} kube__api_field_validation;

typedef struct kube__api_work {
    kube_apiserver *server;
    kube_ctx *ctx;
    kube__api_request *request;
    kube__api_response *response;
    kube__api_resource *resource;
    kube__api_view view;
    kube__api_media media;
    /* of the query */
    bool dry_run;
    const char *field_manager; /* "" = not given */
    kube__api_field_validation validation;
    bool force;
} kube__api_work;

/* Reads and checks dryRun, fieldManager, fieldValidation and force. @kind: "CreateOptions" … */
kube__api_failure *kube__api_read_options(kube__api_work *work, const char *kind, bool is_apply);

/* ---- body.c: what the client sent ----------------------------------------------------------- */

/* Parses the body as JSON or YAML. @duplicates gets the paths of repeated keys. */
typedef struct kube__api_findings { /* "unknown field \"a\"" …, in the order found */
    const char **items;
    size_t len;
    kube_ctx *ctx;
} kube__api_findings;

/* 415 unless the body is JSON or YAML. */
kube__api_failure *kube__api_check_content_type(kube__api_work *work, bool *yaml);
/*
 * An object of the work's kind: parsed, its kind and apiVersion checked, types checked (built-ins),
 * unknown members taken out and told as fieldValidation says, defaults put in.
 */
kube__api_failure *kube__api_read_object(kube__api_work *work, kube__json **out);
/* The same from the tree of a patched or applied object. @findings so far; may be NULL. */
kube__api_failure *kube__api_take_object(kube__api_work *work, kube__json *object,
                                         kube__api_findings *findings);
/* An object of any kind; 400 names @kind if it is not NULL. */
kube__api_failure *kube__api_read_document(kube__api_work *work, const char *kind, bool yaml,
                                           kube__api_findings *findings, kube__json **out);
void kube__api_find(kube__api_findings *findings, const char *format, ...) KUBE_PRINTF(2, 3);
/* Warnings, or 400 when strict. @prefix: "Network in version …: "; NULL = the usual one. */
kube__api_failure *kube__api_tell_findings(kube__api_work *work, kube__api_findings *findings);

/* ---- write.c: what creates and updates share ------------------------------------------------ */

/* Checks that names of object and path agree; sets metadata.namespace. */
kube__api_failure *kube__api_check_names(kube__api_work *work, kube__json *object);
/* The manager of the work's request. */
kube__api_manager kube__api_manager_of(kube__api_work *work, const kube__json *object);
/*
 * Stores a new object, which was read; *@out is it as it is answered. @applied: managedFields have
 * been set by apply.
 */
kube__api_failure *kube__api_create_object(kube__api_work *work, kube__json *object, bool applied,
                                           kube__json **out);
/*
 * Stores a new state of @stored, whose tree is @live. @subresource "", "status", "scale",
 * "finalize" … says which part counts. *@out is it as it is answered; *@gone: that removed the
 * last finalizer of an object that was being deleted.
 */
kube__api_failure *kube__api_update_object(kube__api_work *work, kube__api_object *stored,
                                           const kube__json *live, kube__json *object, bool applied,
                                           kube__json **out);
/* The stored object of the path, or 404. */
kube__api_failure *kube__api_find_object(kube__api_work *work, kube__api_object **out);
kube__api_failure *kube__api_object_not_found(kube__api_work *work, const char *name);
/* A put with what hangs on it: CRDs are served. */
kube__api_failure *kube__api_commit(kube__api_work *work, kube__json *document,
                                    const kube__json *old, kube__api_object **stored);
kube__api_failure *kube__api_commit_delete(kube__api_work *work, kube__api_object *object,
                                           kube__json *final);
bool kube__api_is_kind(const kube__api_work *work, const char *group, const char *plural);

/* ---- verb_crd.c: what hangs on a CustomResourceDefinition ----------------------------------- */

#define KUBE__API_CRD_CLEANUP "customresourcecleanup.apiextensions.k8s.io"

/* After it was stored: sets its conditions, which is another change, and serves it. */
kube__api_failure *kube__api_crd_settle(kube__api_work *work, const kube__json *crd,
                                        const kube__json *old);
/* Of a new one: the version that objects are stored in. */
void kube__api_crd_store_version(kube_ctx *ctx, kube__json *crd);
/* Of a changed one: all versions that objects have ever been stored in. */
void kube__api_crd_keep_versions(kube_ctx *ctx, const kube__json *live, kube__json *crd);
/* 403 when the kind of a new custom resource is on its way out. */
kube__api_failure *kube__api_crd_admit(kube__api_work *work, const char *name);
/* After a custom resource was removed: its CRD goes with the last one, when it waits for that. */
kube__api_failure *kube__api_crd_release(kube__api_work *work);
/* Sets the condition Terminating. */
void kube__api_crd_mark_terminating(kube_ctx *ctx, kube__json *crd, const char *reason,
                                    const char *message, const char *now);
/* A CRD was deleted: so are its objects, and it goes when none is left. */
kube__api_failure *kube__api_crd_clean_up(kube__api_work *work, const char *name);

/* ---- answers -------------------------------------------------------------------------------- */

/* An object in the form the client asked for. */
void kube__api_send(kube__api_work *work, int http_status, kube__json *document);
/* The same of what is stored, by copying where that does. */
void kube__api_send_object(kube__api_work *work, int http_status, const kube__api_object *object);
/* Keeps what matches, up to one more than the limit (0 = none). Returns how many that are; whether
 * the request took too many steps is to be checked. */
size_t kube__api_filter(const kube__api_list_options *options, kube__api_object **objects,
                        size_t count, size_t limit);
/* A list of @objects; @token NULL = it is whole, @remaining < 0 = not told. */
kube__api_failure *kube__api_send_list(kube__api_work *work, kube__api_object *const *objects,
                                       size_t count, uint64_t version, const char *token,
                                       int64_t remaining);
/* A document as JSON or YAML, whatever was asked for besides. */
void kube__api_send_document(kube__api_work *work, int http_status, const kube__json *document);

/* ---- verbs: NULL = answered ----------------------------------------------------------------- */

typedef kube__api_failure *kube__api_verb(kube__api_work *work);

kube__api_verb kube__api_verb_get;
kube__api_verb kube__api_verb_list;
kube__api_verb kube__api_verb_watch;
kube__api_verb kube__api_verb_create;
kube__api_verb kube__api_verb_update;
kube__api_verb kube__api_verb_patch;
/* 415 unless the body is of a kind of patch that the resource takes. */
kube__api_failure *kube__api_check_patch_type(kube__api_work *work);
kube__api_verb kube__api_verb_delete;
kube__api_verb kube__api_verb_delete_collection;
/* scale_rules.c: a path of a CRD's scale subresource without the dot it begins with. */
const char *kube__api_scale_path(const char *path);
/* The rules that a custom resource's scale paths bring. */
void kube__api_scale_validate(kube__api_work *work, const kube__json *object,
                              kube__api_causes *causes);
/* scale.c */
kube__api_verb kube__api_scale_get;
kube__api_verb kube__api_scale_update;
kube__api_verb kube__api_scale_patch;
kube__api_verb kube__api_pod_bind; /* verb_pod.c */
kube__api_verb kube__api_pod_evict;
kube__api_verb kube__api_verb_review;

#endif /* KUBE_APISERVER_VERB_H */
