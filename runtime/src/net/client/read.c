/* SPDX-License-Identifier: Apache-2.0 */
/* The calls get, list and list_each. */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "object/block/block.h"
#include "options.h"
#include "result_stream.h"
#include "verb.h"

#include <kube/log.h>
#include <string.h>

enum { PAGE_SIZE = 500, BATCH = 64 };

kube_code kube_client_get_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                kube_key key, const kube_get_options *options, size_t options_size,
                                void *out, kube_error *err)
{
    kube_get_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__target target = {.type = type, .verb = "get", .name = kube__text_or_empty(key.name)};
    kube__request request;
    kube_code rc;
    kube__object_out(out, NULL);
    rc =
        kube__verb_namespace(ctx, type, "get", key.namespace_, NULL, true, &target.namespace_, err);
    if (!rc)
        rc = kube__verb_begin(client, "GET", &target, &request, err);
    if (rc)
        return rc;
    kube__url_add(&request.url, "resourceVersion", options->resource_version);
    return kube__verb_send(client, ctx, &request, out, err);
}

/* ---- one answer ------------------------------------------------------------------------------ */

/* A list that is read page by page. */
typedef struct listing {
    kube_client *client;
    kube_ctx *ctx;
    const kube_type *type;
    const char *namespace_;
    /* Called with each object of a page; it may keep it. Anything but KUBE_OK stops. */
    kube_code (*sink)(void *arg, kube_object *object, kube_error *err);
    void *arg;
    size_t bad; /* items that did not decode */
} listing;

static kube_code copy_meta(kube_ctx *ctx, const kube_list_meta *from, kube_list_meta *to,
                           kube_error *err)
{
    *to = *from;
    to->resource_version = NULL;
    to->continue_ = NULL;
    if (from->resource_version)
        to->resource_version = kube_ctx_strdup(ctx, from->resource_version);
    if (from->continue_ && *from->continue_)
        to->continue_ = kube_ctx_strdup(ctx, from->continue_);
    return kube__ctx_check(ctx, err);
}

static kube_code take_event(listing *list, const kube__result *event, kube_error *err)
{
    if (event->object)
        return list->sink(list->arg, event->object, err);
    if (event->type == KUBE_WATCH_BAD) {
        kube_log_warn("list %s: skipped an item: %s", list->type->resource,
                      event->error ? event->error->message : "an item that does not decode");
        list->bad++;
    }
    return KUBE_OK;
}

/* Sends one list request and hands its objects to @sink as they come. */
static kube_code list_page(listing *list, const kube_list_options *options,
                           kube_list_meta *metadata, kube_error *err)
{
    const kube__result_stream_options stream_options = {
        .form = KUBE__STREAM_LIST, .namespace_ = list->namespace_, .list = *options};
    kube__result events[BATCH];
    kube__result_stream *results = NULL;
    kube_code stopped = KUBE_OK;
    kube_code rc = kube__result_stream_open(list->client, list->ctx, list->type, &stream_options,
                                            &results, err);
    while (!rc && !stopped) {
        size_t count = 0;
        rc = kube__result_stream_next(results, list->ctx, events, BATCH, &count, err);
        for (size_t i = 0; i < count; i++) {
            if (!rc && !stopped)
                stopped = take_event(list, &events[i], err);
            kube__result_stream_event_fini(&events[i]);
        }
    }
    if (!stopped && rc == KUBE_ERR_CLOSED)
        rc = copy_meta(list->ctx, kube__result_stream_list_meta(results), metadata, err);
    kube__result_stream_close(results);
    return stopped ? stopped : rc;
}

/* ---- list ------------------------------------------------------------------------------------ */

typedef struct collector {
    kube_ctx *ctx;
    kube_object **items;
    size_t len;
    size_t size;
} collector;

static kube_code collect(void *arg, kube_object *object, kube_error *err)
{
    collector *c = arg;
    kube_code rc;
    if (c->len == c->size) {
        size_t size = c->size ? c->size * 2 : 64;
        kube_object **items = kube_ctx_alloc_array(c->ctx, size, sizeof *items);
        if (!items)
            return kube__ctx_check(c->ctx, err);
        if (c->len)
            memcpy(items, c->items, c->len * sizeof *items);
        c->items = items;
        c->size = size;
    }
    rc = kube_object_keep(c->ctx, object, err);
    if (!rc) {
        /* Nobody else has seen it: the caller may edit it. */
        kube__block_unseal(object);
        kube__object_out(&c->items[c->len++], object);
    }
    return rc;
}

kube_code kube_client_list_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                 const char *ns, const kube_list_options *options,
                                 size_t options_size, void *out, size_t *bad_items, kube_error *err)
{
    kube_list_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    void *block = kube_ctx_alloc(ctx, sizeof(kube_object_list));
    kube_object_list list = {0};
    collector c = {.ctx = ctx};
    listing pages = {client, ctx, type, ns, collect, &c, 0};
    kube_code rc;
    kube__object_out(out, NULL);
    if (bad_items)
        *bad_items = 0;
    if (!block)
        return kube__ctx_check(ctx, err);
    rc = list_page(&pages, options, &list.metadata, err);
    if (rc)
        return rc;
    list.items = c.items;
    list.len = c.len;
    memcpy(block, &list, sizeof list);
    memcpy(out, &block, sizeof block);
    if (bad_items)
        *bad_items = pages.bad;
    return KUBE_OK;
}

/* ---- list_each ------------------------------------------------------------------------------- */

typedef struct visitor {
    bool (*visit)(void *arg, const kube_object *object);
    void *arg;
    bool stopped;
} visitor;

static kube_code visit_object(void *arg, kube_object *object, kube_error *err)
{
    visitor *v = arg;
    (void)err;
    v->stopped = !v->visit(v->arg, object);
    return v->stopped ? KUBE_ERR_CLOSED : KUBE_OK;
}

/* Only the continue token and the page size go with a further page (PAG-1). */
static kube_list_options next_page(const kube_list_options *first, const char *token)
{
    kube_list_options next = *first;
    next.resource_version = NULL;
    next.resource_version_match = NULL;
    next.continue_token = token;
    return next;
}

kube_code kube_client_list_each_sized(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                      const char *ns, const kube_list_options *options,
                                      size_t options_size,
                                      bool (*visit)(void *arg, const kube_object *object),
                                      void *arg, kube_list_meta *list_metadata, kube_error *err)
{
    kube_list_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube_list_options first = *options;
    kube_list_options page;
    kube_list_meta metadata = {0};
    visitor v = {visit, arg, false};
    listing pages = {client, ctx, type, ns, visit_object, &v, 0};
    bool is_first = true;
    kube_code rc;
    if (list_metadata)
        *list_metadata = (kube_list_meta){0};
    first.limit = first.limit ? first.limit : PAGE_SIZE;
    page = first;
    do {
        metadata = (kube_list_meta){0};
        rc = list_page(&pages, &page, &metadata, err);
        if (!v.stopped && !is_first && page.continue_token && rc == KUBE_ERR_EXPIRED &&
            first.on_restart) {
            /* The rest cannot be had any more: everything in one answer (PAG-1). */
            first.on_restart(first.on_restart_arg);
            page = first;
            page.limit = 0;
            page.continue_token = NULL;
            is_first = true;
            rc = list_page(&pages, &page, &metadata, err);
        }
        if (!rc && is_first && list_metadata)
            *list_metadata = metadata;
        if (!rc && !v.stopped && page.continue_token && metadata.continue_ &&
            strcmp(page.continue_token, metadata.continue_) == 0)
            rc = kube_error_set(err, KUBE_ERR_SERVER,
                                "list %s: the server returned the same continue token twice",
                                type->resource);
        is_first = false;
        page = next_page(&first, metadata.continue_);
    } while (!rc && metadata.continue_);
    return v.stopped ? KUBE_OK : rc;
}
