/* SPDX-License-Identifier: Apache-2.0 */
/* Lists: of now, of an older version, in pages; written by copying the stored texts. */
#include "apiserver/core/apiserver.h"
#include "apiserver/query/continue.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/steps.h"
#include "verb.h"

#include <inttypes.h>
#include <string.h>

/* ---- writing -------------------------------------------------------------------------------- */

static kube__json *list_metadata(kube__api_work *work, uint64_t version, const char *token,
                                 int64_t remaining)
{
    kube_ctx *ctx = work->ctx;
    kube__json *metadata = kube__json_object(ctx);
    kube__json_set(ctx, metadata, "resourceVersion", kube__json_stringf(ctx, "%" PRIu64, version));
    if (token)
        kube__json_set_string(ctx, metadata, "continue", token);
    if (remaining >= 0)
        kube__json_set_int(ctx, metadata, "remainingItemCount", remaining);
    return metadata;
}

static void write_items(kube__api_work *work, kube__api_object *const *objects, size_t count)
{
    kube__buffer *out = &work->response->body;
    for (size_t i = 0; i < count; i++) {
        if (i)
            kube__buffer_add(out, ",", 1);
        kube__api_object_write(objects[i], work->resource, true, out);
    }
}

/* The buffer grows once. */
static void reserve(kube__api_work *work, kube__api_object *const *objects, size_t count)
{
    size_t bytes = 512;
    for (size_t i = 0; i < count; i++)
        bytes += objects[i]->len + 1;
    kube__buffer_reserve(&work->response->body, bytes);
}

static void write_custom_list(kube__api_work *work, kube__api_object *const *objects, size_t count,
                              kube__json *metadata)
{
    kube__buffer *out = &work->response->body;
    if (!kube__json_get(metadata, "continue"))
        kube__json_set_string(work->ctx, metadata, "continue", "");
    kube__json_sort(metadata);
    kube__buffer_add_text(out, "{\"apiVersion\":\"");
    kube__buffer_add_text(out, kube__api_resource_api_version(work->ctx, work->resource));
    kube__buffer_add_text(out, "\",\"items\":[");
    write_items(work, objects, count);
    kube__buffer_add_text(out, "],\"kind\":\"");
    kube__buffer_add_text(out, work->resource->list_kind);
    kube__buffer_add_text(out, "\",\"metadata\":");
    kube__json_write(metadata, out);
    kube__buffer_add(out, "}\n", 2);
}

static void write_builtin_list(kube__api_work *work, kube__api_object *const *objects, size_t count,
                               kube__json *metadata)
{
    kube__buffer *out = &work->response->body;
    kube__buffer_add_text(out, "{\"kind\":\"");
    kube__buffer_add_text(out, work->resource->list_kind);
    kube__buffer_add_text(out, "\",\"apiVersion\":\"");
    kube__buffer_add_text(out, kube__api_resource_api_version(work->ctx, work->resource));
    kube__buffer_add_text(out, "\",\"metadata\":");
    kube__json_write(metadata, out);
    kube__buffer_add_text(out, ",\"items\":[");
    write_items(work, objects, count);
    kube__buffer_add(out, "]}\n", 3);
}

/* Views and YAML are made of trees. */
static void send_trees(kube__api_work *work, kube__api_object *const *objects, size_t count,
                       kube__json *metadata)
{
    kube_ctx *ctx = work->ctx;
    kube__json *list = NULL;
    kube__json **trees = kube_ctx_alloc_array(ctx, count, sizeof *trees);
    for (size_t i = 0; trees && i < count; i++)
        trees[i] = kube__api_object_json(ctx, objects[i], work->resource);
    if (!trees)
        return;
    if (work->view == KUBE__API_VIEW_TABLE) {
        list = kube__api_table(ctx, work->request, work->resource, trees, count, metadata, true,
                               kube__api_now(work->server, ctx));
    } else if (work->view == KUBE__API_VIEW_METADATA) {
        list = kube__api_partial_list(ctx, trees, count, metadata);
    } else {
        list = kube__json_typed(ctx, work->resource->list_kind,
                                kube__api_resource_api_version(ctx, work->resource));
        if (work->resource->custom && !kube__json_get(metadata, "continue"))
            kube__json_set_string(ctx, metadata, "continue", "");
        kube__json_set(ctx, list, "metadata", metadata);
        kube__json *items = kube__json_ensure_array(ctx, list, "items");
        for (size_t i = 0; i < count; i++) {
            if (!work->resource->custom) {
                kube__json_remove(trees[i], "kind");
                kube__json_remove(trees[i], "apiVersion");
            }
            kube__json_append(items, trees[i]);
        }
    }
    kube__api_send_document(work, 200, list);
}

kube__api_failure *kube__api_send_list(kube__api_work *work, kube__api_object *const *objects,
                                       size_t count, uint64_t version, const char *token,
                                       int64_t remaining)
{
    kube__json *metadata = list_metadata(work, version, token, remaining);
    if (work->view != KUBE__API_VIEW_OBJECT || work->media != KUBE__API_MEDIA_JSON) {
        send_trees(work, objects, count, metadata);
        return kube__api_check_memory(work->ctx);
    }
    work->response->http_status = 200;
    work->response->may_pretty = true;
    reserve(work, objects, count);
    if (work->resource->custom)
        write_custom_list(work, objects, count, metadata);
    else
        write_builtin_list(work, objects, count, metadata);
    return kube__api_check_memory(work->ctx);
}

/* ---- which ---------------------------------------------------------------------------------- */

typedef struct list_page {
    kube__api_range range;
    uint64_t version; /* of the state that is shown; 0 = now */
} list_page;

static const char expired_continue[] =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

static kube__api_failure *continue_from(kube__api_work *work, const char *text, list_page *page)
{
    kube__api_store *store = work->server->store;
    kube__api_continue token;
    if (*kube__api_query(work->request, "resourceVersion") &&
        strcmp(kube__api_query(work->request, "resourceVersion"), "0") != 0)
        return kube__api_bad_request(
            work->ctx, "specifying resource version is not allowed when using continue");
    kube__api_failure *failure =
        kube__api_continue_read(work->ctx, text, work->request->namespace_, &token);
    if (failure)
        return failure;
    page->range.after_namespace = token.namespace_;
    page->range.after_name = token.name;
    if (token.version < 0) /* any state will do */
        return NULL;
    page->version = (uint64_t)token.version;
    if (page->version > kube__api_store_version(store))
        return kube__api_version_too_large(work->ctx, page->version,
                                           kube__api_store_version(store));
    if (page->version >= kube__api_store_oldest(store, work->resource->collection))
        return NULL;
    failure = kube__api_fail(work->ctx, 410, "Expired", "%s", expired_continue);
    token.version = -1;
    failure->continue_token =
        kube__api_continue_write(work->ctx, &token, *work->request->namespace_ != '\0');
    return failure;
}

static kube__api_failure *choose_version(kube__api_work *work,
                                         const kube__api_list_options *options, list_page *page)
{
    kube__api_store *store = work->server->store;
    bool exact = strcmp(options->version_match, "Exact") == 0 ||
                 (!*options->version_match && options->limit > 0 && options->version > 0);
    if (options->version > kube__api_store_version(store))
        return kube__api_version_too_large(work->ctx, options->version,
                                           kube__api_store_version(store));
    if (!exact || options->version == 0)
        return NULL;
    page->version = options->version;
    if (page->version < kube__api_store_oldest(store, work->resource->collection))
        return kube__api_fail(work->ctx, 410, "Expired",
                              "The resourceVersion for the provided list is too old.");
    return NULL;
}

size_t kube__api_filter(const kube__api_list_options *options, kube__api_object **objects,
                        size_t count, size_t limit)
{
    size_t kept = 0;
    if (!options->labels && !options->fields)
        return count;
    for (size_t i = 0; i < count && (!limit || kept <= limit) && kube__api_take_steps(0); i++) {
        if (kube__api_list_matches(options, objects[i]))
            objects[kept++] = objects[i];
    }
    return kept;
}

kube__api_failure *kube__api_verb_list(kube__api_work *work)
{
    kube__api_list_options options;
    list_page page = {.range.namespace_ = work->request->namespace_};
    kube__api_object **objects;
    size_t count;
    kube__api_failure *failure =
        kube__api_read_list_options(work->request, work->resource, &options);
    if (!failure)
        failure = *options.continue_ ? continue_from(work, options.continue_, &page)
                                     : choose_version(work, &options, &page);
    if (failure)
        return failure;
    if (!kube__api_store_list(work->server->store, work->ctx, work->resource->collection,
                              &page.range, page.version, &objects, &count))
        return kube__api_fail_no_memory();
    /* Version 0 is answered from the real server's cache, which knows no pages. */
    size_t limit =
        options.limit > 0 && strcmp(options.version_text, "0") != 0 ? (size_t)options.limit : 0;
    uint64_t version = page.version ? page.version : kube__api_store_version(work->server->store);
    count = kube__api_filter(&options, objects, count, limit);
    failure = kube__api_check_memory(work->ctx);
    if (failure)
        return failure;
    if (!limit || count <= limit)
        return kube__api_send_list(work, objects, count, version, NULL, -1);
    kube__api_continue token = {.version = (int64_t)version,
                                .namespace_ = objects[limit - 1]->namespace_,
                                .name = objects[limit - 1]->name};
    bool counted = !options.labels && !options.fields;
    return kube__api_send_list(
        work, objects, limit, version,
        kube__api_continue_write(work->ctx, &token, *work->request->namespace_ != '\0'),
        counted ? (int64_t)(count - limit) : -1);
}
