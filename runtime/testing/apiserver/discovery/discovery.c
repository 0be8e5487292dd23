/* SPDX-License-Identifier: Apache-2.0 */
#include "discovery.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/registry/registry.h"
#include "apiserver/value/yaml.h"
#include "apiserver/view/view.h"

#include <stdlib.h>
#include <string.h>

/* The Kubernetes whose behaviour is followed. */
#define MAJOR "1"
#define MINOR "37"
#define GIT_VERSION "v1.37.1+kubegen"

typedef struct answer {
    kube_apiserver *server;
    kube__api_request *request;
    kube__api_response *response;
    kube_ctx *ctx;
} answer;

static void refuse(const answer *a, kube__api_failure *failure)
{
    kube__api_respond_failure(a->ctx, a->response, failure);
}

/* As JSON or YAML, as the client likes. */
static void send(const answer *a, const kube__json *document)
{
    kube__api_view view;
    kube__api_media media;
    kube__api_failure *failure = kube__api_accept(a->ctx, a->request, NULL, &view, &media);
    if (failure) {
        refuse(a, failure);
        return;
    }
    kube__api_respond_json(a->response, 200, document);
    if (media == KUBE__API_MEDIA_JSON)
        return;
    kube__buffer_reset(&a->response->body);
    kube__yaml_write(document, &a->response->body);
    a->response->content_type = "application/yaml";
    a->response->may_pretty = false;
}

/* Always with line breaks: people read these. */
static void send_pretty(const answer *a, const kube__json *document)
{
    a->response->http_status = 200;
    kube__buffer_reset(&a->response->body);
    kube__json_write_pretty(document, &a->response->body);
}

/* ---- versions and paths --------------------------------------------------------------------- */

static void send_version(const answer *a)
{
    static const char *const members[][2] = {
        {"major", MAJOR},
        {"minor", MINOR},
        {"emulationMajor", MAJOR},
        {"emulationMinor", MINOR},
        {"minCompatibilityMajor", MAJOR},
        {"minCompatibilityMinor", "36"},
        {"gitVersion", GIT_VERSION},
        {"gitCommit", "unknown"},
        {"gitTreeState", "clean"},
        {"buildDate", "1970-01-01T00:00:00Z"},
        {"goVersion", "none"},
        {"compiler", "cc"},
#if defined(__aarch64__)
        {"platform", "linux/arm64"},
#else
        {"platform", "linux/amd64"},
#endif
    };
    kube__json *out = kube__json_object(a->ctx);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        kube__json_set_string(a->ctx, out, members[i][0], members[i][1]);
    send_pretty(a, out);
}

static void add_path(kube_ctx *ctx, kube__json *paths, const char *path)
{
    if (path && !(paths && paths->last && strcmp(paths->last->text, path) == 0))
        kube__json_append(paths, kube__json_string(ctx, path));
}

static int by_text(const void *a, const void *b)
{
    const kube__json *const *left = a;
    const kube__json *const *right = b;
    return strcmp((*left)->text, (*right)->text);
}

/* Sorted, each once. */
static kube__json *sorted(kube_ctx *ctx, const kube__json *paths)
{
    const kube__json **items = kube_ctx_alloc_array(ctx, paths ? paths->len : 0, sizeof *items);
    kube__json *out = kube__json_array(ctx);
    size_t count = 0;
    KUBE__JSON_EACH (path, paths) {
        if (items)
            items[count++] = path;
    }
    if (count)
        qsort(items, count, sizeof *items, by_text);
    for (size_t i = 0; i < count; i++)
        add_path(ctx, out, items[i]->text);
    return out;
}

static void send_paths(const answer *a)
{
    static const char *const fixed[] = {"/api",        "/apis",        "/apis/",
                                        "/openapi/v3", "/openapi/v3/", "/version"};
    kube_ctx *ctx = a->ctx;
    kube__json *paths = kube__json_array(ctx);
    const kube__api_resource *resource;
    const char *health;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add_path(ctx, paths, fixed[i]);
    for (size_t i = 0; (health = kube__api_health_path(ctx, i)) != NULL; i++)
        add_path(ctx, paths, health);
    for (size_t i = 0; (resource = kube__api_registry_at(a->server->registry, i)) != NULL; i++) {
        if (*resource->group)
            add_path(ctx, paths, kube__api_text(ctx, "/apis/%s", resource->group));
        add_path(ctx, paths,
                 *resource->group
                     ? kube__api_text(ctx, "/apis/%s/%s", resource->group, resource->version)
                     : kube__api_text(ctx, "/api/%s", resource->version));
    }
    kube__json *out = kube__json_object(ctx);
    kube__json_set(ctx, out, "paths", sorted(ctx, paths));
    send_pretty(a, out);
}

static void send_api_versions(const answer *a)
{
    kube_ctx *ctx = a->ctx;
    const char *url = a->server->url ? a->server->url : "";
    const char *address = strstr(url, "://");
    kube__json *out = kube__json_object(ctx);
    kube__json_set_string(ctx, out, "kind", "APIVersions");
    kube__json *versions = kube__json_ensure_array(ctx, out, "versions");
    kube__json_append(versions, kube__json_string(ctx, "v1"));
    kube__json *addresses = kube__json_ensure_array(ctx, out, "serverAddressByClientCIDRs");
    kube__json *entry = kube__json_append(addresses, kube__json_object(ctx));
    kube__json_set_string(ctx, entry, "clientCIDR", "0.0.0.0/0");
    kube__json_set_string(ctx, entry, "serverAddress", address ? address + 3 : url);
    send(a, out);
}

/* ---- groups --------------------------------------------------------------------------------- */

/* {groupVersion, version}. */
static kube__json *version_entry(kube_ctx *ctx, const kube__api_resource *resource)
{
    kube__json *entry = kube__json_object(ctx);
    kube__json_set_string(ctx, entry, "groupVersion",
                          kube__api_resource_api_version(ctx, resource));
    kube__json_set_string(ctx, entry, "version", resource->version);
    return entry;
}

/* Adds a version to the group, @group, that has come so far. */
static void add_version(kube_ctx *ctx, kube__json *group, const kube__api_resource *resource)
{
    kube__json *versions = kube__json_ensure_array(ctx, group, "versions");
    KUBE__JSON_EACH (version, versions) {
        if (strcmp(kube__json_string_at(version, "version"), resource->version) == 0)
            return;
    }
    kube__json_append(versions, version_entry(ctx, resource));
    if (!kube__json_get(group, "preferredVersion"))
        kube__json_set(ctx, group, "preferredVersion", version_entry(ctx, resource));
}

static void send_groups(const answer *a)
{
    kube_ctx *ctx = a->ctx;
    kube__json *out = kube__json_typed(ctx, "APIGroupList", "v1");
    const kube__api_resource *resource;
    kube__json *groups = kube__json_ensure_array(ctx, out, "groups");
    for (size_t i = 0; (resource = kube__api_registry_at(a->server->registry, i)) != NULL; i++) {
        if (!*resource->group)
            continue;
        kube__json *group = groups ? groups->last : NULL;
        if (!group || strcmp(kube__json_string_at(group, "name"), resource->group) != 0) {
            group = kube__json_append(groups, kube__json_object(ctx));
            kube__json_set_string(ctx, group, "name", resource->group);
        }
        add_version(ctx, group, resource);
    }
    send(a, out);
}

static void send_group(const answer *a)
{
    kube_ctx *ctx = a->ctx;
    kube__json *out = kube__json_typed(ctx, "APIGroup", "v1");
    const kube__api_resource *resource;
    kube__json_set_string(ctx, out, "name", a->request->group);
    for (size_t i = 0; (resource = kube__api_registry_at(a->server->registry, i)) != NULL; i++) {
        if (strcmp(resource->group, a->request->group) == 0)
            add_version(ctx, out, resource);
    }
    send(a, out);
}

/* ---- resources ------------------------------------------------------------------------------ */

static void add_subresources(kube_ctx *ctx, kube__json *list, const kube__api_resource *resource)
{
    kube__api_subresource all[KUBE__API_SUBRESOURCES];
    size_t count = kube__api_subresources(resource, all);
    for (size_t i = 0; i < count; i++) {
        kube__json *entry = kube__json_append(list, kube__json_object(ctx));
        kube__json_set(ctx, entry, "name",
                       kube__json_stringf(ctx, "%s/%s", resource->plural, all[i].name));
        kube__json_set_string(ctx, entry, "singularName", "");
        kube__json_set_bool(ctx, entry, "namespaced", resource->namespaced);
        if (*all[i].version) {
            kube__json_set_string(ctx, entry, "group", all[i].group);
            kube__json_set_string(ctx, entry, "version", all[i].version);
        }
        kube__json_set_string(ctx, entry, "kind", all[i].kind);
        kube__json_set(ctx, entry, "verbs", kube__api_text_array(ctx, all[i].verbs));
    }
}

static void add_resource(kube_ctx *ctx, kube__json *list, const kube__api_resource *resource)
{
    const char *hash = kube__api_storage_hash(ctx, resource);
    kube__json *entry = kube__json_append(list, kube__json_object(ctx));
    kube__json_set_string(ctx, entry, "name", resource->plural);
    kube__json_set_string(ctx, entry, "singularName", resource->singular);
    kube__json_set_bool(ctx, entry, "namespaced", resource->namespaced);
    kube__json_set_string(ctx, entry, "kind", resource->kind);
    kube__json_set(ctx, entry, "verbs", kube__api_text_array(ctx, kube__api_verbs(resource)));
    if (resource->short_names && resource->short_names[0])
        kube__json_set(ctx, entry, "shortNames", kube__api_text_array(ctx, resource->short_names));
    if (resource->categories && resource->categories[0])
        kube__json_set(ctx, entry, "categories", kube__api_text_array(ctx, resource->categories));
    if (*hash)
        kube__json_set_string(ctx, entry, "storageVersionHash", hash);
    add_subresources(ctx, list, resource);
}

static void send_resources(const answer *a)
{
    const kube__api_request *request = a->request;
    kube_ctx *ctx = a->ctx;
    kube__json *out = kube__json_object(ctx);
    const kube__api_resource *resource;
    kube__json_set_string(ctx, out, "kind", "APIResourceList");
    if (*request->group) /* the core's has none */
        kube__json_set_string(ctx, out, "apiVersion", "v1");
    kube__json_set(ctx, out, "groupVersion",
                   kube__json_stringf(ctx, "%s%s%s", request->group, *request->group ? "/" : "",
                                      request->version));
    kube__json *list = kube__json_ensure_array(ctx, out, "resources");
    for (size_t i = 0; (resource = kube__api_registry_at(a->server->registry, i)) != NULL; i++) {
        if (strcmp(resource->group, request->group) == 0 &&
            strcmp(resource->version, request->version) == 0)
            add_resource(ctx, list, resource);
    }
    send(a, out);
}

/* ---- paths ---------------------------------------------------------------------------------- */

static bool is_path(const answer *a, const char *path)
{
    size_t len = strlen(path);
    if (strncmp(a->request->path, path, len) != 0)
        return false;
    const char *rest = a->request->path + len;
    return !*rest || strcmp(rest, "/") == 0;
}

static bool is_custom_group(const answer *a)
{
    const kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(a->server->registry, i)) != NULL; i++) {
        if (resource->custom && strcmp(resource->group, a->request->group) == 0)
            return true;
    }
    return false;
}

/* Below /api or /apis, up to a version. */
static bool discover_group(const answer *a)
{
    const kube__api_request *request = a->request;
    const kube__api_registry *registry = a->server->registry;
    bool custom = is_custom_group(a);
    if (!kube__api_registry_has_group(registry, request->group))
        return false;
    if (*request->version &&
        !kube__api_registry_has_version(registry, request->group, request->version)) {
        if (custom)
            return false;
        refuse(a, kube__api_no_resource(a->ctx));
        return true;
    }
    if (!custom && strcmp(request->method, "GET") != 0)
        refuse(a, kube__api_no_method(a->ctx));
    else if (*request->version)
        send_resources(a);
    else
        send_group(a);
    return true;
}

/* The roots, which only read. */
static bool discover_root(const answer *a, void (*plain)(const answer *a))
{
    if (strcmp(a->request->method, "GET") != 0)
        refuse(a, kube__api_no_method(a->ctx));
    else if (plain != send_version && kube__api_accepts_aggregated(a->ctx, a->request))
        kube__api_discover_aggregated(a->server, a->request, a->response);
    else
        plain(a);
    return true;
}

bool kube__api_discover(kube_apiserver *server, kube__api_request *request,
                        kube__api_response *response)
{
    const answer a = {
        .server = server, .request = request, .response = response, .ctx = request->ctx};
    if (kube__api_health(request, response))
        return true;
    if (strcmp(request->path, "/") == 0) {
        send_paths(&a);
        return true;
    }
    if (is_path(&a, "/version"))
        return discover_root(&a, send_version);
    if (is_path(&a, "/api"))
        return discover_root(&a, send_api_versions);
    if (is_path(&a, "/apis"))
        return discover_root(&a, send_groups);
    if (strncmp(request->path, "/openapi/", 9) == 0)
        return kube__api_openapi(server, request, response);
    if (strncmp(request->path, "/api/", 5) == 0 || strncmp(request->path, "/apis/", 6) == 0)
        return discover_group(&a);
    return false;
}
