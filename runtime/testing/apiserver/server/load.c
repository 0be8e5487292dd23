/* SPDX-License-Identifier: Apache-2.0 */
/* Objects into the server: through the verbs, as a client would bring them, so by the same rules.
 */
#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "apiserver/verbs/loopback.h"
#include "base/text.h"
#include "manifest.h"
#include "object/stream/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS "?fieldManager=load&fieldValidation=Strict"

/* What a failure means to a C program. */
static kube_code failure_error(kube_ctx *ctx, const kube__api_failure *failure, kube_error *err)
{
    kube_error unwanted;
    kube_code rc = KUBE_ERR_SERVER;
    size_t len = 0;
    const char *text = kube__json_text(ctx, kube__api_failure_status(ctx, failure), &len);
    if (kube_ctx_failed(ctx))
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    if (!kube__status_read(text, len, failure->http_status, &rc, err ? err : &unwanted))
        return kube_error_set(err, KUBE_ERR_SERVER, "%s", failure->message);
    return rc;
}

/* ---- one object ----------------------------------------------------------------------------- */

typedef struct loading {
    kube_apiserver *server;
    kube_ctx *ctx;
    kube__api_resource *resource;
    kube__json *object;
    const char *name;       /* "" = generateName */
    const char *collection; /* path */
} loading;

static kube_code find_resource(loading *l, kube_error *err)
{
    const char *version = kube__json_string_at(l->object, "apiVersion");
    const char *kind = kube__json_string_at(l->object, "kind");
    const char *slash = strchr(version, '/');
    const char *group = slash ? kube_ctx_strndup(l->ctx, version, (size_t)(slash - version)) : "";
    if (!kube__json_is(l->object, KUBE__JSON_OBJECT))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "it is no object");
    if (!*version || !*kind)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s is missing",
                              *kind ? "apiVersion" : "kind");
    if (!group)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    l->resource =
        kube__api_registry_find_kind(l->server->registry, group, slash ? slash + 1 : version, kind);
    if (!l->resource)
        return kube_error_set(err, KUBE_ERR_NOT_FOUND,
                              "no resource is served for kind %s of %s: load its CRD first", kind,
                              version);
    return KUBE_OK;
}

/* Where @resource's objects are; @namespace_ "" = "default". */
static const char *collection_path(kube_ctx *ctx, const kube__api_resource *resource,
                                   const char *namespace_)
{
    const char *root = *resource->group ? "/apis/" : "/api";
    if (!resource->namespaced)
        return kube__api_text(ctx, "%s%s/%s/%s", root, resource->group, resource->version,
                              resource->plural);
    return kube__api_text(ctx, "%s%s/%s/namespaces/%s/%s", root, resource->group, resource->version,
                          *namespace_ ? namespace_ : "default", resource->plural);
}

/* The answer, or NULL and @failure. @subpath "" = the collection. */
static kube__json *call(loading *l, const char *method, const char *subpath, const kube__json *body,
                        kube__api_failure **failure)
{
    const char *path = kube__api_text(l->ctx, "%s%s%s%s", l->collection, *subpath ? "/" : "",
                                      subpath, body ? OPTIONS : "");
    return kube__api_loopback(l->server, l->ctx, method, path, NULL, body, failure);
}

/* What the server sets is not for the client to say; exported objects have it. */
static void forget_identity(kube__json *object)
{
    kube__json *metadata = kube__json_get(object, "metadata");
    kube__json_remove(metadata, "resourceVersion");
    kube__json_remove(metadata, "uid");
}

static void take_version(kube_ctx *ctx, kube__json *object, const kube__json *from)
{
    kube__json_set_string(ctx, kube__json_ensure_object(ctx, object, "metadata"), "resourceVersion",
                          kube__json_string_at(from, "metadata.resourceVersion"));
}

/* Status goes by its own way where there is one. */
static kube__api_failure *put_status(loading *l, kube__json *stored, const char *name)
{
    kube__json *status = kube__json_get(l->object, "status");
    kube__api_failure *failure = NULL;
    if (!status || !l->resource->has_status || !stored)
        return NULL;
    kube__json_set(l->ctx, stored, "status", kube__json_copy(l->ctx, status));
    call(l, "PUT", kube__api_text(l->ctx, "%s/status", name), stored, &failure);
    return failure;
}

static kube__api_failure *create_or_replace(loading *l)
{
    kube__api_failure *failure = NULL;
    kube__json *live = *l->name ? call(l, "GET", l->name, NULL, &failure) : NULL;
    kube__json *stored;
    if (failure && failure->http_status != 404)
        return failure;
    failure = NULL;
    forget_identity(l->object);
    if (live) {
        take_version(l->ctx, l->object, live);
        stored = call(l, "PUT", l->name, l->object, &failure);
    } else {
        stored = call(l, "POST", "", l->object, &failure);
    }
    if (failure)
        return failure;
    return put_status(l, stored, kube__json_string_at(stored, "metadata.name"));
}

static kube_code load_one(kube_apiserver *server, kube_ctx *ctx, kube__json *object,
                          kube_error *err)
{
    loading l = {.server = server, .ctx = ctx, .object = object};
    kube_code rc = find_resource(&l, err);
    kube__api_failure *failure;
    if (rc)
        return rc;
    l.name = kube__json_string_at(object, "metadata.name");
    l.collection =
        collection_path(ctx, l.resource, kube__json_string_at(object, "metadata.namespace"));
    failure = create_or_replace(&l);
    return failure ? failure_error(ctx, failure, err) : KUBE_OK;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* kubectl takes every kind that ends so, and has items, for a list. */
static const kube__json *items_of(const kube__json *document)
{
    const char *kind = kube__json_string_at(document, "kind");
    size_t len = strlen(kind);
    const kube__json *items = kube__json_get(document, "items");
    bool is_list = len >= 4 && strcmp(kind + len - 4, "List") == 0;
    return is_list && kube__json_is(items, KUBE__JSON_ARRAY) ? items : NULL;
}

static void name_object(const kube__json *object, kube_error *err)
{
    const char *kind = kube__json_string_at(object, "kind");
    const char *name = kube__json_string_at(object, "metadata.name");
    if (*kind && *name)
        kube_error_prefix(err, "%s %s", kind, name);
}

static kube_code load_object(kube_apiserver *server, kube_ctx *ctx, kube__json *object,
                             kube_error *err)
{
    kube_code rc;
    kube__lock(&server->lock);
    rc = load_one(server, ctx, object, err);
    kube__unlock(&server->lock);
    if (rc)
        name_object(object, err);
    return rc;
}

static kube_code load_document(kube_apiserver *server, kube_ctx *ctx, kube__json *document,
                               kube_error *err)
{
    const kube__json *items = items_of(document);
    kube_code rc = KUBE_OK;
    size_t number = 0;
    if (kube__json_is(document, KUBE__JSON_NULL))
        return KUBE_OK;
    if (!items)
        return load_object(server, ctx, document, err);
    for (kube__json *item = items->first; item && !rc; item = item->next, number++) {
        rc = load_object(server, ctx, item, err);
        if (rc)
            kube_error_prefix(err, "items[%zu]", number);
    }
    return rc;
}

static kube_code load_next(kube_apiserver *server, kube_ctx *ctx, kube__api_manifest *manifest,
                           bool *ended, kube_error *err)
{
    const char *fault;
    kube__json *document = kube__api_manifest_next(manifest, ctx, &fault);
    kube_code rc;
    *ended = !document;
    if (kube_ctx_failed(ctx))
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    if (fault)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "document %zu: %s", manifest->number, fault);
    if (!document)
        return KUBE_OK;
    rc = load_document(server, ctx, document, err);
    if (rc)
        kube_error_prefix(err, "document %zu, line %zu", manifest->number, manifest->line);
    return rc;
}

kube_code kube_apiserver_load(kube_apiserver *server, const char *text, size_t len, kube_error *err)
{
    kube_ctx *ctx = kube_ctx_new();
    kube__api_manifest manifest = {0};
    kube_code rc = KUBE_OK;
    bool ended = false;
    if (!ctx || !kube__api_manifest_init(&manifest, text, len))
        rc = kube_error_set(err, KUBE_ERR_NO_MEMORY, "load objects: out of memory");
    while (!rc && !ended) {
        rc = load_next(server, ctx, &manifest, &ended, err);
        kube_ctx_reset(ctx);
    }
    kube__api_manifest_fini(&manifest);
    kube_ctx_free(ctx);
    return rc;
}

static kube_code read_file(const char *path, kube__buffer *text, kube_error *err)
{
    FILE *file = fopen(path, "rbe");
    size_t got;
    if (!file)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s", strerror(errno));
    do {
        char *end = kube__buffer_reserve(text, BUFSIZ);
        got = end ? fread(end, 1, BUFSIZ, file) : 0;
        text->len += got;
    } while (got);
    bool broken = ferror(file);
    int reason = errno;
    fclose(file);
    if (text->failed)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    return broken ? kube_error_set(err, KUBE_ERR_ARGUMENT, "%s", strerror(reason)) : KUBE_OK;
}

kube_code kube_apiserver_load_file(kube_apiserver *server, const char *path, kube_error *err)
{
    kube__buffer text;
    kube_code rc;
    kube__buffer_init(&text, SIZE_MAX / 4);
    rc = read_file(path, &text, err);
    if (!rc)
        rc = kube_apiserver_load(server, text.data ? text.data : "", text.len, err);
    kube__buffer_fini(&text);
    if (rc)
        kube_error_prefix(err, "%s", path);
    return rc;
}

/* ---- typed objects -------------------------------------------------------------------------- */

kube_code kube_apiserver_load_object(kube_apiserver *server, const kube_type *type,
                                     const kube_object *object, kube_error *err)
{
    kube_ctx *ctx = kube_ctx_new();
    const char *text;
    size_t len;
    kube_code rc;
    if (!ctx)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "load an object: out of memory");
    rc = kube_encode(ctx, type, object, KUBE_ENCODE_PLAIN, &text, &len, err);
    if (!rc) {
        kube__json *document = kube__json_parse(ctx, text, len, NULL, NULL, NULL);
        rc = document ? load_object(server, ctx, document, err)
                      : kube_error_set(err, KUBE_ERR_NO_MEMORY, "load an object: out of memory");
    }
    kube_ctx_free(ctx);
    return rc;
}

/* Sets *@out to the object's text in @ctx, or to NULL if it does not exist. Under the lock. */
static kube_code get_object(kube_apiserver *server, kube_ctx *own, kube_ctx *ctx,
                            const kube_type *type, const char *namespace_, const char *name,
                            const char **out, kube_error *err)
{
    kube__api_failure *failure = NULL;
    loading l = {.server = server, .ctx = own};
    l.resource =
        kube__api_registry_find(server->registry, type->group, type->version, type->resource);
    if (!l.resource)
        return kube_error_set(err, KUBE_ERR_NOT_FOUND, "%s of %s are not served", type->resource,
                              type->api_version);
    l.collection = collection_path(own, l.resource, kube__text_or_empty(namespace_));
    kube__json *object = call(&l, "GET", name, NULL, &failure);
    if (object)
        *out = kube__json_text(ctx, object, NULL);
    else if (failure->http_status != 404)
        return failure_error(own, failure, err);
    return kube_ctx_failed(ctx) ? kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory")
                                : KUBE_OK;
}

kube_code kube_apiserver_object(kube_apiserver *server, kube_ctx *ctx, const kube_type *type,
                                const char *namespace_, const char *name, const char **out,
                                kube_error *err)
{
    kube_ctx *own = kube_ctx_new();
    kube_code rc;
    *out = NULL;
    if (!own)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "get an object: out of memory");
    kube__lock(&server->lock);
    rc = get_object(server, own, ctx, type, namespace_, name, out, err);
    kube__unlock(&server->lock);
    kube_ctx_free(own);
    return rc;
}
