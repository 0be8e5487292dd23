/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of metadata that all kinds share. */
#include "apiserver/core/field_error.h"
#include "apiserver/core/name.h"
#include "apiserver/core/request.h"
#include "apiserver/value/table.h"
#include "base/ascii.h"
#include "strategy.h"

#include <string.h>

enum { MAX_ANNOTATIONS = 256 << 10 };

/* ---- names ---------------------------------------------------------------------------------- */

static const char *wrong_name(kube_ctx *ctx, const kube__api_resource *resource, const char *name)
{
    if (strcmp(resource->group, "rbac.authorization.k8s.io") == 0)
        return kube__api_wrong_path_segment(ctx, name);
    if (!*resource->group && !resource->custom &&
        (strcmp(resource->plural, "namespaces") == 0 || strcmp(resource->plural, "services") == 0))
        return kube__api_wrong_label(name);
    return kube__api_wrong_subdomain(ctx, name);
}

/* A generated name goes on: its last character may be a dash. */
static const char *wrong_base(kube_ctx *ctx, const kube__api_resource *resource, const char *base)
{
    size_t len = strlen(base);
    if (len > 1 && base[len - 1] == '-')
        base = kube__api_text(ctx, "%.*sa", (int)(len - 1), base);
    return base ? wrong_name(ctx, resource, base) : NULL;
}

static void check_name(kube_ctx *ctx, const kube__api_resource *resource,
                       const kube__json *metadata, kube__api_causes *causes)
{
    const char *name = kube__json_string_at(metadata, "name");
    const char *base = kube__json_string_at(metadata, "generateName");
    const char *wrong = *base ? wrong_base(ctx, resource, base) : NULL;
    if (wrong)
        kube__api_cause_invalid_text(causes, "metadata.generateName", base, "%s", wrong);
    if (!*name) {
        kube__api_cause_required(causes, "metadata.name", "name or generateName is required");
        return;
    }
    wrong = wrong_name(ctx, resource, name);
    if (wrong)
        kube__api_cause_invalid_text(causes, "metadata.name", name, "%s", wrong);
}

static void check_key(kube_ctx *ctx, const char *field, const char *key, kube__api_causes *causes)
{
    const char *faults[KUBE__NAME_FAULTS];
    size_t count = kube__api_wrong_qualified(ctx, key, faults);
    for (size_t i = 0; i < count; i++)
        kube__api_cause_invalid_text(causes, field, key, "%s", faults[i]);
}

static void check_labels(kube_ctx *ctx, const kube__json *labels, kube__api_causes *causes)
{
    KUBE__JSON_EACH (label, labels) {
        const char *value = kube__json_string_or(label, "");
        const char *wrong = kube__api_wrong_label_value(value);
        check_key(ctx, "metadata.labels", label->key, causes);
        if (wrong)
            kube__api_cause_invalid_text(causes, "metadata.labels", value, "%s", wrong);
    }
}

/* Keys without regard to case. */
static void check_annotations(kube_ctx *ctx, const kube__json *annotations,
                              kube__api_causes *causes)
{
    size_t bytes = 0;
    KUBE__JSON_EACH (annotation, annotations) {
        check_key(ctx, "metadata.annotations", kube__api_lower(ctx, annotation->key), causes);
        bytes += strlen(annotation->key) + annotation->len;
    }
    if (bytes > MAX_ANNOTATIONS)
        kube__api_add_cause(causes, "FieldValueTooLong", "metadata.annotations",
                            "Too long: may not be more than %d bytes", MAX_ANNOTATIONS);
}

/* ---- owners --------------------------------------------------------------------------------- */

static void require(kube_ctx *ctx, const kube__json *owner, size_t index, const char *member,
                    kube__api_causes *causes)
{
    if (!*kube__json_string_at(owner, member))
        kube__api_cause_required(
            causes, kube__api_text(ctx, "metadata.ownerReferences[%zu].%s", index, member),
            "must not be empty");
}

static void check_owners(kube_ctx *ctx, const kube__json *owners, kube__api_causes *causes)
{
    const kube__json *controller = NULL;
    size_t index = 0;
    KUBE__JSON_EACH (owner, owners) {
        const char *version = kube__json_string_at(owner, "apiVersion");
        const char *kind = kube__json_string_at(owner, "kind");
        require(ctx, owner, index, "apiVersion", causes);
        require(ctx, owner, index, "kind", causes);
        require(ctx, owner, index, "name", causes);
        require(ctx, owner, index, "uid", causes);
        if (strcmp(version, "v1") == 0 && strcmp(kind, "Event") == 0)
            kube__api_add_cause(causes, "FieldValueInvalid",
                                kube__api_text(ctx, "metadata.ownerReferences[%zu]", index),
                                "Invalid value: %s: /%s, Kind=%s is disallowed from being an owner",
                                kube__json_text(ctx, owner, NULL), version, kind);
        index++;
        if (!kube__json_is_true(kube__json_get(owner, "controller")))
            continue;
        if (controller && !kube__api_causes_full(causes))
            kube__api_add_cause(
                causes, "FieldValueInvalid", "metadata.ownerReferences",
                "Invalid value: %s: Only one reference can have Controller set to true. Found "
                "\"true\" in references for %s/%s and %s/%s",
                kube__json_text(ctx, owners, NULL), kube__json_string_at(controller, "kind"),
                kube__json_string_at(controller, "name"), kind,
                kube__json_string_at(owner, "name"));
        controller = owner;
    }
}

/* ---- finalizers ----------------------------------------------------------------------------- */

static bool is_standard(const char *finalizer)
{
    return strcmp(finalizer, "orphan") == 0 || strcmp(finalizer, "foregroundDeletion") == 0 ||
           strcmp(finalizer, "kubernetes") == 0;
}

static void check_finalizers(kube_ctx *ctx, const kube__api_resource *resource,
                             const kube__json *finalizers, kube__api_causes *causes)
{
    size_t index = 0;
    KUBE__JSON_EACH (finalizer, finalizers)
        check_key(ctx, "metadata.finalizers", kube__json_string_or(finalizer, ""), causes);
    KUBE__JSON_EACH (finalizer, finalizers) {
        const char *text = kube__json_string_or(finalizer, "");
        if (!resource->custom && !strchr(text, '/') && !is_standard(text))
            kube__api_cause_invalid_text(
                causes, kube__api_text(ctx, "metadata.finalizers[%zu]", index), text,
                "name is neither a standard finalizer name nor is it fully qualified");
        index++;
    }
    if (kube__json_has_text(finalizers, "orphan") &&
        kube__json_has_text(finalizers, "foregroundDeletion"))
        kube__api_cause_invalid(causes, "metadata.finalizers", finalizers,
                                "finalizer orphan and foregroundDeletion cannot be both set");
}

/* Who is being deleted gets no further reasons to stay. */
static void check_new_finalizers(kube_ctx *ctx, const kube__json *metadata, const kube__json *old,
                                 kube__api_causes *causes)
{
    kube__api_table known = {.ctx = ctx};
    kube__buffer list;
    if (!kube__json_get(old, "deletionTimestamp"))
        return;
    kube__buffer_init(&list, SIZE_MAX / 4);
    KUBE__JSON_EACH (finalizer, kube__json_get(old, "finalizers"))
        kube__api_table_has_text(&known, kube__json_string_or(finalizer, ""));
    KUBE__JSON_EACH (finalizer, kube__json_get(metadata, "finalizers")) {
        const char *text = kube__json_string_or(finalizer, "");
        if (!kube__api_table_has_text(&known, text))
            kube__buffer_printf(&list, "%s\"%s\"", list.len ? ", " : "", text);
    }
    const char *added = kube__api_take_text(ctx, &list, NULL);
    if (*added)
        kube__api_cause_forbidden(causes, "metadata.finalizers",
                                  "no new finalizers can be added if the object is being deleted, "
                                  "found new finalizers []string{%s}",
                                  added);
}

void kube__api_warn_of_finalizers(kube_ctx *ctx, const kube__json *object,
                                  kube__api_response *response)
{
    KUBE__JSON_EACH (finalizer, kube__json_at(object, "metadata.finalizers")) {
        const char *text = kube__json_string_or(finalizer, "");
        if (!strchr(text, '/') && !is_standard(text))
            kube__api_warn(ctx, response,
                           "metadata.finalizers: \"%s\": prefer a domain-qualified finalizer name "
                           "to avoid accidental conflicts with other finalizer writers",
                           text);
    }
}

void kube__api_metadata_validate(kube_ctx *ctx, const kube__api_resource *resource,
                                 const kube__json *object, const kube__json *old,
                                 kube__api_causes *causes)
{
    const kube__json *metadata = kube__json_get(object, "metadata");
    if (!old)
        check_name(ctx, resource, metadata, causes);
    check_labels(ctx, kube__json_get(metadata, "labels"), causes);
    check_annotations(ctx, kube__json_get(metadata, "annotations"), causes);
    check_owners(ctx, kube__json_get(metadata, "ownerReferences"), causes);
    check_finalizers(ctx, resource, kube__json_get(metadata, "finalizers"), causes);
    /* Custom resources are looked at twice, by the registry and by their own strategy. */
    for (int times = old ? 1 + resource->custom : 0; times > 0; times--)
        check_new_finalizers(ctx, metadata, kube__json_get(old, "metadata"), causes);
}
