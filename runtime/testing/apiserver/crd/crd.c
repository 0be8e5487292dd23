/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults and status of a CustomResourceDefinition. */
#include "crd.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "base/ascii.h"
#include "base/ctx.h"
#include "base/text.h"

#include <string.h>

/* ---- defaults ------------------------------------------------------------------------------- */

/* Members that are pointers in Go, so that their zero value is kept. */
static bool keeps_zero(const char *name)
{
    static const char *const names[] = {
        "served",  "storage", "x-kubernetes-preserve-unknown-fields",
        "maximum", "minimum", "multipleOf",
        "port",    "kind",    "plural",
        "group",   "scope",   "deprecationWarning",
        "status",  "scale",   "openAPIV3Schema",
        NULL};
    return kube__api_is_one_of(name, names) || strncmp(name, "max", 3) == 0 ||
           strncmp(name, "min", 3) == 0;
}

static bool is_zero(const kube__json *value)
{
    switch (value->kind) {
    case KUBE__JSON_NULL:
        return true;
    case KUBE__JSON_BOOL:
        return !value->boolean;
    case KUBE__JSON_NUMBER:
        return strcmp(value->text, "0") == 0;
    case KUBE__JSON_STRING:
    case KUBE__JSON_ARRAY:
        return value->len == 0;
    case KUBE__JSON_OBJECT:
        break;
    }
    return false;
}

/* What Go would not write is taken out. Under properties names are names, no keywords. */
static void drop_zeros(kube__json *object, bool is_names)
{
    kube__json *next;
    if (kube__json_is(object, KUBE__JSON_ARRAY)) {
        KUBE__JSON_EACH (item, object)
            drop_zeros(item, false);
        return;
    }
    if (!kube__json_is(object, KUBE__JSON_OBJECT))
        return;
    for (kube__json *member = object->first; member; member = next) {
        next = member->next;
        bool is_map = !is_names && (strcmp(member->key, "properties") == 0 ||
                                    strcmp(member->key, "patternProperties") == 0 ||
                                    strcmp(member->key, "definitions") == 0);
        bool is_value =
            !is_names && (strcmp(member->key, "default") == 0 ||
                          strcmp(member->key, "example") == 0 || strcmp(member->key, "enum") == 0);
        bool is_empty = is_value ? member->kind == KUBE__JSON_NULL ||
                                       (member->kind == KUBE__JSON_ARRAY && !member->first &&
                                        strcmp(member->key, "enum") == 0)
                                 : is_zero(member) || (is_map && !member->first);
        if (!is_names && is_empty && (member->kind == KUBE__JSON_NULL || !keeps_zero(member->key)))
            kube__json_remove(object, member->key);
        else if (!is_value)
            drop_zeros(member, is_map);
    }
}

void kube__api_crd_default(kube_ctx *ctx, kube__json *crd)
{
    kube__json *spec = kube__json_get(crd, "spec");
    kube__json *names = kube__json_get(spec, "names");
    KUBE__JSON_EACH (version, kube__json_get(spec, "versions"))
        drop_zeros(version, false);
    drop_zeros(names, false);
    const char *kind = kube__json_string_at(names, "kind");
    if (names && !kube__json_string_at(names, "singular")[0] && kind[0])
        kube__json_set_string(ctx, names, "singular", kube__api_lower(ctx, kind));
    if (names && !kube__json_string_at(names, "listKind")[0] && kind[0])
        kube__json_set(ctx, names, "listKind", kube__json_stringf(ctx, "%sList", kind));
    if (spec && !kube__json_get(spec, "conversion"))
        kube__json_set_string(ctx, kube__json_ensure_object(ctx, spec, "conversion"), "strategy",
                              "None");
    kube__json *service = kube__json_at(spec, "conversion.webhook.clientConfig.service");
    if (service && !kube__json_get(service, "port"))
        kube__json_set_int(ctx, service, "port", 443);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* What the accepted names of the group's other CRDs are. */
typedef struct names_taken {
    kube_ctx *ctx;
    const char *group;
    const char *self;
    kube__json *resources; /* plurals, singulars and short names, as members */
    kube__json *kinds;
} names_taken;

static void take(names_taken *taken, kube__json *names, const kube__json *name)
{
    const char *text = kube__json_string_or(name, "");
    if (text[0])
        kube__json_set_bool(taken->ctx, names, text, true);
}

static bool take_names(void *arg, kube__api_object *object)
{
    names_taken *taken = arg;
    kube__json *crd = kube__json_parse(taken->ctx, object->text, object->len, NULL, NULL, NULL);
    const kube__json *accepted = kube__json_at(crd, "status.acceptedNames");
    if (strcmp(object->name, taken->self) == 0 ||
        strcmp(kube__json_string_at(crd, "spec.group"), taken->group) != 0)
        return true;
    take(taken, taken->resources, kube__json_get(accepted, "plural"));
    take(taken, taken->resources, kube__json_get(accepted, "singular"));
    KUBE__JSON_EACH (name, kube__json_get(accepted, "shortNames"))
        take(taken, taken->resources, name);
    take(taken, taken->kinds, kube__json_get(accepted, "kind"));
    take(taken, taken->kinds, kube__json_get(accepted, "listKind"));
    return true;
}

typedef struct verdict {
    const char *status;
    const char *reason;
    const char *message;
} verdict;

static void refuse(verdict *condition, const char *reason, const char *message)
{
    condition->status = "False";
    condition->reason = reason;
    condition->message = message;
}

static void accept_name(const names_taken *taken, const kube__json *requested, kube__json *accepted,
                        const char *name, const kube__json *used, const char *conflict,
                        verdict *condition)
{
    const char *wanted = kube__json_string_at(requested, name);
    if (strcmp(wanted, kube__json_string_at(accepted, name)) == 0)
        return;
    if (kube__json_get(used, wanted))
        refuse(condition, conflict,
               kube__api_text(taken->ctx, "%s is already in use",
                              kube__api_quote(taken->ctx, wanted)));
    else if (wanted[0])
        kube__json_set_string(taken->ctx, accepted, name, wanted);
    else
        kube__json_remove(accepted, name);
}

static void copy_list(kube_ctx *ctx, const kube__json *from, kube__json *to, const char *name)
{
    const kube__json *list = kube__json_get(from, name);
    if (list && list->first)
        kube__json_set(ctx, to, name, kube__json_copy(ctx, list));
    else
        kube__json_remove(to, name);
}

static void accept_short_names(const names_taken *taken, const kube__json *requested,
                               kube__json *accepted, verdict *condition)
{
    const char *message = "";
    size_t conflicts = 0;
    KUBE__JSON_EACH (name, kube__json_get(requested, "shortNames")) {
        const char *text = kube__json_string_or(name, "");
        if (kube__json_has(kube__json_get(accepted, "shortNames"), name) ||
            !kube__json_get(taken->resources, text))
            continue;
        message = kube__api_text(taken->ctx, "%s%s%s is already in use", message,
                                 conflicts++ ? ", " : "", kube__api_quote(taken->ctx, text));
        if (!message)
            return;
    }
    if (conflicts > 1)
        message = kube__api_text(taken->ctx, "[%s]", message);
    if (conflicts)
        refuse(condition, "ShortNamesConflict", message);
    else
        copy_list(taken->ctx, requested, accepted, "shortNames");
}

static verdict accept_names(const names_taken *taken, const kube__json *requested,
                            kube__json *accepted)
{
    verdict condition = {"True", "NoConflicts", "no conflicts found"};
    accept_name(taken, requested, accepted, "plural", taken->resources, "PluralConflict",
                &condition);
    accept_name(taken, requested, accepted, "singular", taken->resources, "SingularConflict",
                &condition);
    accept_short_names(taken, requested, accepted, &condition);
    accept_name(taken, requested, accepted, "kind", taken->kinds, "KindConflict", &condition);
    accept_name(taken, requested, accepted, "listKind", taken->kinds, "ListKindConflict",
                &condition);
    copy_list(taken->ctx, requested, accepted, "categories");
    return condition;
}

/* ---- conditions ----------------------------------------------------------------------------- */

static kube__json *find_condition(const kube__json *conditions, const char *type)
{
    KUBE__JSON_EACH (condition, conditions) {
        if (strcmp(kube__json_string_at(condition, "type"), type) == 0)
            return condition;
    }
    return NULL;
}

static void set_condition(kube_ctx *ctx, kube__json *conditions, const char *type,
                          const verdict *wanted, const char *now)
{
    kube__json *old = find_condition(conditions, type);
    if (!old) {
        old = kube__json_append(conditions, kube__json_object(ctx));
        kube__json_set_string(ctx, old, "type", type);
    }
    if (strcmp(kube__json_string_at(old, "status"), wanted->status) != 0) {
        kube__json_set_string(ctx, old, "status", wanted->status);
        kube__json_set_string(ctx, old, "lastTransitionTime", now);
    }
    kube__json_set_string(ctx, old, "reason", wanted->reason);
    kube__json_set_string(ctx, old, "message", wanted->message);
}

bool kube__api_crd_is_protected(const char *group)
{
    return strcmp(group, "k8s.io") == 0 || strcmp(group, "kubernetes.io") == 0 ||
           kube__text_ends_with(group, ".k8s.io") || kube__text_ends_with(group, ".kubernetes.io");
}

/* The protected groups' annotation: a URL of the review, or "unapproved, why". */
static void set_approval(kube_ctx *ctx, const kube__json *crd, kube__json *conditions,
                         const char *now)
{
    if (!kube__api_crd_is_protected(kube__json_string_at(crd, "spec.group")))
        return;
    const char *text = kube__json_string_or(
        kube__json_get(kube__json_at(crd, "metadata.annotations"), "api-approved.kubernetes.io"),
        "");
    verdict condition = {"True", "ApprovedAnnotation", ""};
    if (strncmp(text, "unapproved", strlen("unapproved")) == 0) {
        condition.status = "False";
        condition.reason = "UnapprovedAnnotation";
        condition.message = kube__api_text(ctx, "not approved: %s", kube__api_quote(ctx, text));
    } else {
        condition.message = kube__api_text(ctx, "approved in %s", text);
    }
    if (condition.message)
        set_condition(ctx, conditions, "KubernetesAPIApprovalPolicyConformant", &condition, now);
}

static void set_stored_versions(kube_ctx *ctx, const kube__json *crd, kube__json *status)
{
    kube__json *stored = kube__json_ensure_array(ctx, status, "storedVersions");
    KUBE__JSON_EACH (version, kube__json_at(crd, "spec.versions")) {
        const kube__json *name = kube__json_get(version, "name");
        if (kube__json_is_true(kube__json_get(version, "storage")) && !kube__json_has(stored, name))
            kube__json_append(stored, kube__json_copy(ctx, name));
    }
}

static void find_taken(kube_apiserver *server, names_taken *taken)
{
    kube__api_collection *crds = kube__api_store_collection(server->store, "apiextensions.k8s.io",
                                                            "customresourcedefinitions", false);
    if (crds)
        kube__api_store_each(crds, "", take_names, taken);
    else
        kube__ctx_fail(taken->ctx, 0);
}

bool kube__api_crd_conditions(kube_apiserver *server, kube_ctx *ctx, kube__json *crd)
{
    static const verdict established = {"True", "InitialNamesAccepted",
                                        "the initial names have been accepted"};
    static const char *const name_order[] = {"plural",   "singular",   "shortNames", "kind",
                                             "listKind", "categories", NULL};
    static const char *const status_order[] = {"conditions", "acceptedNames", "storedVersions",
                                               NULL};
    static const verdict not_accepted = {"False", "NotAccepted", "not all names are accepted"};
    kube__json *before = kube__json_copy(ctx, kube__json_get(crd, "status"));
    kube__json *status = kube__json_ensure_object(ctx, crd, "status");
    kube__json *accepted = kube__json_ensure_object(ctx, status, "acceptedNames");
    kube__json *conditions = kube__json_ensure_array(ctx, status, "conditions");
    names_taken taken = {.ctx = ctx,
                         .group = kube__json_string_at(crd, "spec.group"),
                         .self = kube__json_string_at(crd, "metadata.name"),
                         .resources = kube__json_object(ctx),
                         .kinds = kube__json_object(ctx)};
    const char *now = kube__api_now(server, ctx);
    set_stored_versions(ctx, crd, status);
    set_approval(ctx, crd, conditions, now);
    find_taken(server, &taken);
    verdict names = accept_names(&taken, kube__json_at(crd, "spec.names"), accepted);
    set_condition(ctx, conditions, "NamesAccepted", &names, now);
    /* Once established, it stays so: its objects must remain within reach. */
    bool was = strcmp(kube__json_string_at(find_condition(conditions, "Established"), "status"),
                      "True") == 0;
    if (!was)
        set_condition(ctx, conditions, "Established",
                      strcmp(names.status, "True") == 0 ? &established : &not_accepted, now);
    kube__json_move_first(accepted, name_order);
    kube__json_move_first(status, status_order);
    return !kube__json_equal(before, status);
}
