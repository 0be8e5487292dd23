/* SPDX-License-Identifier: Apache-2.0 */
/* What a watch sends for an event. */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/fault.h"
#include "apiserver/store/store.h"
#include "apiserver/store/zero.h"
#include "watch.h"
#include "watch_state.h"

#include <inttypes.h>
#include <string.h>

static const char *type_name(kube__api_event_type type)
{
    switch (type) {
    case KUBE__EVENT_ADDED:
        return "ADDED";
    case KUBE__EVENT_MODIFIED:
        return "MODIFIED";
    case KUBE__EVENT_DELETED:
        return "DELETED";
    case KUBE__EVENT_ERROR:
        return "ERROR";
    case KUBE__EVENT_BOOKMARK:
    case KUBE__EVENT_INITIAL_END:
        break;
    }
    return "BOOKMARK";
}

static void open_event(kube__api_watch *watch, const char *type)
{
    kube__buffer_add(&watch->text, "{\"type\":\"", 9);
    kube__buffer_add_text(&watch->text, type);
    kube__buffer_add(&watch->text, "\",\"object\":", 11);
}

static void close_event(kube__api_watch *watch)
{
    kube__buffer_add(&watch->text, "}\n", 2);
}

/* ---- trees ---------------------------------------------------------------------------------- */

/* A document in the form the watch asked for. */
static void write_tree(kube__api_watch *watch, const char *type, kube__json *document)
{
    kube_ctx *ctx = watch->scratch;
    kube__json *shown = document;
    if (watch->view == KUBE__API_VIEW_TABLE) {
        shown = kube__api_table(ctx, &watch->request, watch->resource, &document, 1, NULL,
                                watch->with_columns, kube__api_now(watch->owner->server, ctx));
        watch->with_columns = false;
    } else if (watch->view == KUBE__API_VIEW_METADATA) {
        shown = kube__api_partial(ctx, document);
    }
    open_event(watch, type);
    kube__json_write(shown, &watch->text);
    close_event(watch);
    watch->text.failed = watch->text.failed || kube_ctx_failed(ctx);
    kube_ctx_reset(ctx);
}

static void write_bookmark(kube__api_watch *watch, uint64_t version, bool initial_end)
{
    kube_ctx *ctx = watch->scratch;
    const kube__api_resource *resource = watch->resource;
    kube__json *document =
        kube__json_typed(ctx, resource->kind, kube__api_resource_api_version(ctx, resource));
    kube__json *metadata = kube__json_ensure_object(ctx, document, "metadata");
    kube__json_set(ctx, metadata, "resourceVersion", kube__json_stringf(ctx, "%" PRIu64, version));
    if (initial_end)
        kube__json_set_string(ctx, kube__json_ensure_object(ctx, metadata, "annotations"),
                              "k8s.io/initial-events-end", "true");
    kube__api_fill_zero(ctx, resource, document);
    kube__api_order_members(document, resource->custom);
    write_tree(watch, "BOOKMARK", document);
}

static void write_error(kube__api_watch *watch, const kube__api_failure *failure)
{
    open_event(watch, "ERROR");
    kube__json_write(kube__api_failure_status(watch->scratch, failure), &watch->text);
    close_event(watch);
    watch->text.failed = watch->text.failed || kube_ctx_failed(watch->scratch);
    kube_ctx_reset(watch->scratch);
}

static void write_expired(kube__api_watch *watch, uint64_t version, uint64_t oldest)
{
    write_error(watch, kube__api_fail(watch->scratch, 410, "Expired",
                                      "too old resource version: %" PRIu64 " (%" PRIu64 ")",
                                      version, oldest));
}

/* The object's tree, with the version the client learns of. */
static kube__json *event_tree(kube__api_watch *watch, const kube__api_event *event)
{
    kube_ctx *ctx = watch->scratch;
    kube__json *document = kube__api_object_json(ctx, event->object, watch->resource);
    if (event->version != event->object->version)
        kube__json_set(ctx, kube__json_get(document, "metadata"), "resourceVersion",
                       kube__json_stringf(ctx, "%" PRIu64, event->version));
    return document;
}

static void write_object(kube__api_watch *watch, const kube__api_event *event)
{
    if (watch->view != KUBE__API_VIEW_OBJECT || event->version != event->object->version) {
        write_tree(watch, type_name(event->type), event_tree(watch, event));
        return;
    }
    open_event(watch, type_name(event->type));
    kube__api_object_write(event->object, watch->resource, false, &watch->text);
    close_event(watch);
}

/* ---- faults --------------------------------------------------------------------------------- */

static void write_oversize(kube__api_watch *watch, const kube__api_event *event, size_t bytes)
{
    kube_ctx *ctx = watch->scratch;
    kube__json *document = event_tree(watch, event);
    char *filler = kube_ctx_alloc(ctx, bytes + 1);
    if (filler)
        memset(filler, 'x', bytes);
    kube__json *metadata = kube__json_get(document, "metadata");
    kube__json_set_string(ctx, kube__json_ensure_object(ctx, metadata, "annotations"),
                          "kubegen.dev/oversize", filler);
    kube__api_order_members(document, watch->resource->custom);
    write_tree(watch, type_name(event->type), document);
}

static void write_wrong_kind(kube__api_watch *watch)
{
    kube_ctx *ctx = watch->scratch;
    kube__api_failure *failure =
        kube__api_fail(ctx, 500, "InternalError", "an object of another kind, by a fault");
    open_event(watch, "ADDED");
    kube__json_write(kube__api_failure_status(ctx, failure), &watch->text);
    watch->text.failed = watch->text.failed || kube_ctx_failed(ctx);
    close_event(watch);
    kube_ctx_reset(ctx);
}

/* Before the event: what the client may start from once more is what it has seen, or older. */
static void write_bookmarks(kube__api_watch *watch, unsigned count, uint64_t back)
{
    bool within_initial = watch->initial_at < watch->initial_len || watch->last == 0;
    if (!watch->options.bookmarks || within_initial)
        return;
    uint64_t version = watch->last > back ? watch->last - back : 1;
    while (count--)
        write_bookmark(watch, version, false);
}

/* True when the event itself is still to be sent. */
static bool write_fault(kube__api_watch *watch, const kube__api_event *event,
                        const kube__api_fault *fault, bool *goes_on)
{
    switch (fault->kind) {
    case KUBE_FAULT_END:
        *goes_on = false;
        return false;
    case KUBE_FAULT_GONE:
        write_expired(watch, watch->last, event->version);
        *goes_on = false;
        return false;
    case KUBE_FAULT_ERROR_EVENT:
        write_error(watch, kube__api_fail(watch->scratch, 500, "InternalError",
                                          "Internal error occurred: a fault"));
        *goes_on = false;
        return false;
    case KUBE_FAULT_OVERSIZE:
        write_oversize(watch, event, fault->oversize_bytes);
        return false;
    case KUBE_FAULT_BOOKMARKS:
        write_bookmarks(watch, 100, 0);
        return true;
    case KUBE_FAULT_VERSION_BACK:
        write_bookmarks(watch, 1, 10);
        return true;
    case KUBE_FAULT_WRONG_KIND:
        write_wrong_kind(watch);
        return true;
    default:
        return true;
    }
}

static bool meets_fault(const kube__api_watch *watch, const kube__api_object *object,
                        kube__api_fault *fault)
{
    const kube__api_fault_place place = {
        .verb = "watch",
        .resource = watch->resource->plural,
        .subresource = "",
        .namespace_ = object->namespace_,
        .name = object->name,
        .path = watch->request.path,
    };
    return kube__api_faults_on_event(watch->owner->server->faults, &place, fault);
}

bool kube__api_watch_write(kube__api_watch *watch, const kube__api_event *event)
{
    kube__api_fault fault;
    bool goes_on = true;
    switch (event->type) {
    case KUBE__EVENT_BOOKMARK:
    case KUBE__EVENT_INITIAL_END:
        write_bookmark(watch, event->version, event->type == KUBE__EVENT_INITIAL_END);
        watch->last = event->version;
        return true;
    case KUBE__EVENT_ERROR:
        write_expired(watch, event->version, event->oldest);
        return false;
    default:
        break;
    }
    if (!watch->request.internal && meets_fault(watch, event->object, &fault) &&
        !write_fault(watch, event, &fault, &goes_on)) {
        if (goes_on)
            watch->last = event->version;
        return goes_on;
    }
    write_object(watch, event);
    watch->last = event->version;
    return true;
}
