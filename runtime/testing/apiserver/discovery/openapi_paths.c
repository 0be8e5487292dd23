/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of a group version: what kubectl asks them for is which parameters they take. */
#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "base/ascii.h"
#include "discovery.h"
#include "openapi.h"

#include <stdlib.h>
#include <string.h>

static const char reference_prefix[] = "#/components/schemas/";

typedef struct operation {
    kube_ctx *ctx;
    const kube__api_resource *resource;
    const char *subresource; /* "" = none */
    const char *body;        /* the component that is sent and received */
    const char *list;        /* that of a list */
    const char *group;       /* of the operation's kind */
    const char *version;
    const char *kind;
} operation;

/* Query parameters: "name" or "name:type", string when none is said. */
static const char *const of_read[] = {NULL};
static const char *const of_list[] = {"allowWatchBookmarks:boolean",
                                      "continue",
                                      "fieldSelector",
                                      "labelSelector",
                                      "limit:integer",
                                      "resourceVersion",
                                      "resourceVersionMatch",
                                      "sendInitialEvents:boolean",
                                      "timeoutSeconds:integer",
                                      "watch:boolean",
                                      NULL};
static const char *const of_write[] = {"dryRun", "fieldManager", "fieldValidation", NULL};
static const char *const of_patch[] = {"dryRun", "fieldManager", "fieldValidation", "force:boolean",
                                       NULL};
static const char *const of_delete[] = {"dryRun", "gracePeriodSeconds:integer",
                                        "orphanDependents:boolean", "propagationPolicy", NULL};
static const char *const of_delete_collection[] = {"continue",
                                                   "dryRun",
                                                   "fieldSelector",
                                                   "gracePeriodSeconds:integer",
                                                   "labelSelector",
                                                   "limit:integer",
                                                   "orphanDependents:boolean",
                                                   "propagationPolicy",
                                                   "resourceVersion",
                                                   "resourceVersionMatch",
                                                   NULL};

static const struct verb {
    const char *name;   /* of discovery */
    const char *method; /* of HTTP */
    const char *action;
    const char *word; /* that the operation's id begins with */
    bool on_collection;
    bool sends; /* has a body of the kind */
    const char *const *parameters;
} verbs[] = {
    {"list", "get", "list", "list", true, false, of_list},
    {"create", "post", "post", "create", true, true, of_write},
    {"deletecollection", "delete", "deletecollection", "deleteCollection", true, false,
     of_delete_collection},
    {"get", "get", "get", "read", false, false, of_read},
    {"update", "put", "put", "replace", false, true, of_write},
    {"delete", "delete", "delete", "delete", false, false, of_delete},
    {"patch", "patch", "patch", "patch", false, false, of_patch},
};

/* ---- pieces --------------------------------------------------------------------------------- */

static kube__json *parameter(kube_ctx *ctx, const char *text, const char *in)
{
    size_t len = strcspn(text, ":");
    kube__json *object = kube__json_object(ctx);
    kube__json_set(ctx, object, "name", kube__json_string_len(ctx, text, len));
    kube__json_set_string(ctx, object, "in", in);
    if (strcmp(in, "path") == 0)
        kube__json_set_bool(ctx, object, "required", true);
    kube__json *schema = kube__json_ensure_object(ctx, object, "schema");
    kube__json_set_string(ctx, schema, "type", text[len] ? text + len + 1 : "string");
    kube__json_set_bool(ctx, schema, "uniqueItems", true);
    return object;
}

static void add_content(kube_ctx *ctx, kube__json *to, const char *media, const char *component)
{
    kube__json *content = kube__json_ensure_object(ctx, to, "content");
    kube__json *entry = kube__json_ensure_object(ctx, content, media);
    kube__json *schema = kube__json_ensure_object(ctx, entry, "schema");
    kube__json_set(ctx, schema, "$ref",
                   kube__json_stringf(ctx, "%s%s", reference_prefix, component));
}

static void add_response(kube_ctx *ctx, kube__json *responses, const char *status,
                         const char *description, const char *component)
{
    kube__json *response = kube__json_ensure_object(ctx, responses, status);
    kube__json_set_string(ctx, response, "description", description);
    if (!component)
        return;
    add_content(ctx, response, "application/json", component);
    add_content(ctx, response, "application/yaml", component);
}

/* "rbac.authorization.k8s.io" → "Rbac", "example.com" → "ExampleCom", "" → "Core". */
static const char *camel(kube_ctx *ctx, const char *group)
{
    if (!group[0])
        return "Core";
    size_t len = strlen(group);
    char *out = kube_ctx_alloc(ctx, len + 1);
    size_t at = 0;
    bool upper = true;
    for (size_t i = 0; out && i < len; i++) {
        if (group[i] == '.' || group[i] == '-') {
            upper = true;
            continue;
        }
        out[at++] = upper ? kube__to_upper(group[i]) : group[i];
        upper = false;
    }
    return out ? out : "";
}

static const char *operation_id(const operation *o, const struct verb *verb)
{
    kube_ctx *ctx = o->ctx;
    const kube__api_resource *resource = o->resource;
    return kube__api_text(ctx, "%s%s%s%s%s%s", verb->word, camel(ctx, resource->group),
                          camel(ctx, resource->version), resource->namespaced ? "Namespaced" : "",
                          resource->kind, o->subresource[0] ? camel(ctx, o->subresource) : "");
}

static kube__json *kind_of(const operation *o)
{
    kube__json *object = kube__json_object(o->ctx);
    kube__json_set_string(o->ctx, object, "group", o->group);
    kube__json_set_string(o->ctx, object, "version", o->version);
    kube__json_set_string(o->ctx, object, "kind", o->kind);
    return object;
}

static void add_patch_body(kube_ctx *ctx, kube__json *to, bool custom)
{
    static const char *const media[] = {
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
    };
    kube__json *body = kube__json_ensure_object(ctx, to, "requestBody");
    kube__json *content = kube__json_ensure_object(ctx, body, "content");
    for (size_t i = 0; i < sizeof media / sizeof *media - (custom ? 1 : 0); i++) {
        kube__json *entry = kube__json_ensure_object(ctx, content, media[i]);
        kube__json_set_string(ctx, kube__json_ensure_object(ctx, entry, "schema"), "type",
                              "object");
    }
    kube__json_set_bool(ctx, body, "required", true);
}

static void add_operation(const operation *o, const struct verb *verb, kube__json *path)
{
    kube_ctx *ctx = o->ctx;
    kube__json *object = kube__json_set(ctx, path, verb->method, kube__json_object(ctx));
    kube__json *tags = kube__json_ensure_array(ctx, object, "tags");
    kube__json_append(tags, kube__json_stringf(ctx, "%s_%s", camel(ctx, o->resource->group),
                                               o->resource->version));
    kube__json_set_string(ctx, object, "operationId", operation_id(o, verb));
    if (verb->parameters[0])
        kube__json_ensure_array(ctx, object, "parameters");
    for (const char *const *name = verb->parameters; *name; name++)
        kube__json_append(kube__json_get(object, "parameters"), parameter(ctx, *name, "query"));
    if (verb->sends) {
        kube__json *body = kube__json_ensure_object(ctx, object, "requestBody");
        add_content(ctx, body, "application/json", o->body);
        kube__json_set_bool(ctx, body, "required", true);
    } else if (strcmp(verb->name, "patch") == 0) {
        add_patch_body(ctx, object, o->resource->custom);
    }
    kube__json *responses = kube__json_ensure_object(ctx, object, "responses");
    bool is_status = strncmp(verb->name, "delete", 6) == 0;
    const char *component = strcmp(verb->name, "list") == 0 ? o->list
                            : is_status ? "io.k8s.apimachinery.pkg.apis.meta.v1.Status"
                                        : o->body;
    add_response(ctx, responses, "200", "OK", component);
    if (verb->sends || strcmp(verb->name, "patch") == 0)
        add_response(ctx, responses, "201", "Created", component);
    add_response(ctx, responses, "401", "Unauthorized", NULL);
    kube__json_set_string(ctx, object, "x-kubernetes-action", verb->action);
    kube__json_set(ctx, object, "x-kubernetes-group-version-kind", kind_of(o));
}

/* ---- paths ---------------------------------------------------------------------------------- */

static void add_path_parameters(kube_ctx *ctx, kube__json *path, bool has_name, bool has_namespace)
{
    kube__json *list = kube__json_ensure_array(ctx, path, "parameters");
    if (has_name)
        kube__json_append(list, parameter(ctx, "name", "path"));
    if (has_namespace)
        kube__json_append(list, parameter(ctx, "namespace", "path"));
    kube__json_append(list, parameter(ctx, "pretty", "query"));
}

static void add_path(const operation *o, const char *url, const char *const *allowed,
                     bool on_collection, bool namespaced, kube__json *paths)
{
    kube_ctx *ctx = o->ctx;
    kube__json *path = kube__json_object(ctx);
    bool any = false;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        bool is_here = o->subresource[0] ? !on_collection : verbs[i].on_collection == on_collection;
        if (is_here && kube__api_is_one_of(verbs[i].name, allowed)) {
            add_operation(o, &verbs[i], path);
            any = true;
        }
    }
    if (!any || !url)
        return;
    add_path_parameters(ctx, path, !on_collection, namespaced);
    kube__json_set(ctx, paths, url, path);
}

static void add_subresources(const operation *whole, const char *item_url, kube__json *paths)
{
    kube_ctx *ctx = whole->ctx;
    const kube__api_resource *resource = whole->resource;
    kube__api_subresource list[KUBE__API_SUBRESOURCES];
    size_t count = kube__api_subresources(resource, list);
    for (size_t i = 0; i < count; i++) {
        operation o = *whole;
        o.subresource = list[i].name;
        o.group = list[i].version[0] ? list[i].group : resource->group;
        o.version = list[i].version[0] ? list[i].version : resource->version;
        o.kind = list[i].kind;
        o.body = kube__api_component_name(ctx, o.group, o.version, o.kind);
        add_path(&o, kube__api_text(ctx, "%s/%s", item_url, list[i].name), list[i].verbs, false,
                 resource->namespaced, paths);
    }
}

static void add_resource(kube_ctx *ctx, const kube__api_resource *resource, kube__json *paths)
{
    const char *const *allowed = kube__api_verbs(resource);
    const char *root = resource->group[0]
                           ? kube__api_text(ctx, "/apis/%s/%s", resource->group, resource->version)
                           : kube__api_text(ctx, "/api/%s", resource->version);
    const char *collection =
        kube__api_text(ctx, "%s%s/%s", root, resource->namespaced ? "/namespaces/{namespace}" : "",
                       resource->plural);
    const char *item = collection ? kube__api_text(ctx, "%s/{name}", collection) : NULL;
    operation o = {
        .ctx = ctx,
        .resource = resource,
        .subresource = "",
        .body = kube__api_component_name(ctx, resource->group, resource->version, resource->kind),
        .list =
            kube__api_component_name(ctx, resource->group, resource->version, resource->list_kind),
        .group = resource->group,
        .version = resource->version,
        .kind = resource->kind,
    };
    static const char *const list_only[] = {"list", NULL};
    if (resource->namespaced && kube__api_is_one_of("list", allowed))
        add_path(&o, kube__api_text(ctx, "%s/%s", root, resource->plural), list_only, true, false,
                 paths);
    add_path(&o, collection, allowed, true, resource->namespaced, paths);
    add_path(&o, item, allowed, false, resource->namespaced, paths);
    if (item)
        add_subresources(&o, item, paths);
}

static int by_key(const void *a, const void *b)
{
    return strcmp((*(const kube__json *const *)a)->key, (*(const kube__json *const *)b)->key);
}

/* By path; what is in them has an order of its own. */
static void write_sorted(kube_ctx *ctx, const kube__json *paths, kube__buffer *out)
{
    const kube__json **list =
        kube_ctx_alloc_array(ctx, paths ? paths->len : 0, sizeof(const kube__json *));
    size_t count = 0;
    if (!list)
        return;
    KUBE__JSON_EACH (path, paths)
        list[count++] = path;
    qsort(list, count, sizeof *list, by_key);
    for (size_t i = 0; i < count; i++) {
        kube__buffer_printf(out, "%s\"%s\":", i ? "," : "", list[i]->key);
        kube__json_write(list[i], out);
    }
}

void kube__api_openapi_paths(kube_apiserver *server, kube_ctx *ctx, const char *group,
                             const char *version, kube__buffer *out)
{
    kube__json *paths = kube__json_object(ctx);
    const kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)); i++) {
        if (strcmp(resource->group, group) == 0 && strcmp(resource->version, version) == 0)
            add_resource(ctx, resource, paths);
    }
    write_sorted(ctx, paths, out);
    if (kube_ctx_failed(ctx))
        out->failed = true;
}
