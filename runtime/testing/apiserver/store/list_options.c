/* SPDX-License-Identifier: Apache-2.0 */
#include "list_options.h"

#include "apiserver/core/request.h"
#include "apiserver/value/quote.h"
#include "base/ascii.h"
#include "store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WATCHED = 1000 }; /* requirements of a watch: whoever writes waits for them */

/* ---- scalars, with Go's words --------------------------------------------------------------- */

static const char *syntax_error(kube_ctx *ctx, const char *function, const char *text,
                                const char *why)
{
    return kube__api_text(ctx, "strconv.%s: parsing %s: %s", function, kube__api_quote(ctx, text),
                          why);
}

bool kube__api_parse_version(kube_ctx *ctx, const char *text, uint64_t *out, const char **why)
{
    const char *p = text;
    while (kube__is_digit(*p))
        p++;
    *why = NULL;
    *out = 0;
    if (*p || p == text) {
        *why = syntax_error(ctx, "ParseUint", text, "invalid syntax");
        return false;
    }
    errno = 0;
    *out = strtoull(text, NULL, 10);
    if (errno == ERANGE) {
        *why = syntax_error(ctx, "ParseUint", text, "value out of range");
        return false;
    }
    return true;
}

static kube__api_failure *read_int(kube__api_request *request, const char *name, int64_t *out)
{
    const char *text = kube__api_query(request, name);
    const char *p = *text == '-' || *text == '+' ? text + 1 : text;
    while (kube__is_digit(*p))
        p++;
    *out = 0;
    if (!*text)
        return NULL;
    if (*p || !kube__is_digit(p[-1]))
        return kube__api_bad_request(
            request->ctx, "%s", syntax_error(request->ctx, "ParseInt", text, "invalid syntax"));
    errno = 0;
    *out = strtoll(text, NULL, 10);
    if (errno == ERANGE)
        return kube__api_bad_request(
            request->ctx, "%s", syntax_error(request->ctx, "ParseInt", text, "value out of range"));
    return NULL;
}

static bool has_query(const kube__api_request *request, const char *name)
{
    for (size_t i = 0; i < request->query.len; i++) {
        if (strcmp(request->query.items[i].key, name) == 0)
            return true;
    }
    return false;
}

/* ---- rules ---------------------------------------------------------------------------------- */

static void forbid(kube__api_causes *causes, const char *field, const char *why)
{
    kube__api_add_cause(causes, "FieldValueForbidden", field, "Forbidden: %s", why);
}

static void check_watch(kube_ctx *ctx, const kube__api_list_options *options,
                        kube__api_causes *causes)
{
    const char *match = options->version_match;
    bool not_older = strcmp(match, "NotOlderThan") == 0;
    if (options->has_initial_events && !not_older)
        forbid(causes, "resourceVersionMatch",
               "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    if (!*match)
        return;
    if (!options->has_initial_events)
        forbid(causes, "resourceVersionMatch",
               "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    if (!not_older)
        kube__api_add_cause(causes, "FieldValueNotSupported", "resourceVersionMatch",
                            "Unsupported value: %s: supported values: \"NotOlderThan\"",
                            kube__api_quote(ctx, match));
    if (*options->continue_)
        forbid(causes, "resourceVersionMatch",
               "resourceVersionMatch is forbidden when continue is provided");
}

static void check_list(kube_ctx *ctx, const kube__api_list_options *options,
                       kube__api_causes *causes)
{
    const char *match = options->version_match;
    bool exact = strcmp(match, "Exact") == 0;
    if (*match) {
        if (!*options->version_text)
            forbid(causes, "resourceVersionMatch",
                   "resourceVersionMatch is forbidden unless resourceVersion is provided");
        if (*options->continue_)
            forbid(causes, "resourceVersionMatch",
                   "resourceVersionMatch is forbidden when continue is provided");
        if (!exact && strcmp(match, "NotOlderThan") != 0)
            kube__api_add_cause(
                causes, "FieldValueNotSupported", "resourceVersionMatch",
                "Unsupported value: %s: supported values: \"Exact\", \"NotOlderThan\", \"\"",
                kube__api_quote(ctx, match));
        if (exact && strcmp(options->version_text, "0") == 0)
            forbid(causes, "resourceVersionMatch",
                   "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
    if (options->has_initial_events)
        forbid(causes, "sendInitialEvents", "sendInitialEvents is forbidden for list");
}

static kube__api_failure *check_options(kube_ctx *ctx, const kube__api_list_options *options)
{
    kube__api_causes causes = {.ctx = ctx};
    if (options->watch)
        check_watch(ctx, options, &causes);
    else
        check_list(ctx, options, &causes);
    return causes.count ? kube__api_invalid(ctx, "meta.k8s.io", "ListOptions", "", &causes) : NULL;
}

static kube__api_failure *read_version(kube_ctx *ctx, kube__api_list_options *options)
{
    const char *why;
    if (!*options->version_text ||
        kube__api_parse_version(ctx, options->version_text, &options->version, &why))
        return NULL;
    const char *text = kube__api_text(ctx, "resourceVersion: Invalid value: %s: %s",
                                      kube__api_quote(ctx, options->version_text), why);
    if (options->watch)
        return kube__api_fail(ctx, 500, "", "%s", text);
    return kube__api_bad_request(ctx, "invalid resource version: %s", text);
}

/* A watch on an object's path is one with a field selector. */
static kube__api_failure *read_selectors(kube__api_request *request,
                                         const kube__api_resource *resource,
                                         kube__api_list_options *out)
{
    kube_ctx *ctx = request->ctx;
    kube__api_failure *failure =
        kube__api_label_selector(ctx, kube__api_query(request, "labelSelector"), &out->labels);
    const char *fields = kube__api_query(request, "fieldSelector");
    if (failure)
        return failure;
    if (*request->name && !*fields)
        fields = kube__api_text(ctx, "metadata.name=%s", request->name);
    bool own_fields = resource->custom || *resource->selectable_fields;
    failure = kube__api_field_selector(ctx, fields, own_fields ? resource->selectable_fields : NULL,
                                       &out->fields);
    if (!failure && out->watch &&
        kube__api_selector_len(out->labels) + kube__api_selector_len(out->fields) > MAX_WATCHED)
        return kube__api_bad_request(ctx, "the selectors of a watch have at most %d requirements",
                                     MAX_WATCHED);
    if (!failure && own_fields && !resource->namespaced &&
        kube__api_selector_names(out->fields, "metadata.namespace"))
        return kube__api_bad_request(ctx, "field label not supported: metadata.namespace");
    if (!failure && strcmp(resource->group, "events.k8s.io") == 0)
        failure = kube__api_selector_rename(ctx, kube__api_event_stored_path, &out->fields);
    return failure;
}

kube__api_failure *kube__api_read_list_options(kube__api_request *request,
                                               const kube__api_resource *resource,
                                               kube__api_list_options *out)
{
    *out = (kube__api_list_options){
        .watch = strcmp(request->verb, "watch") == 0,
        .bookmarks = kube__api_query_is_true(request, "allowWatchBookmarks"),
        .has_initial_events = has_query(request, "sendInitialEvents"),
        .initial_events = kube__api_query_is_true(request, "sendInitialEvents"),
        .continue_ = kube__api_query(request, "continue"),
        .version_text = kube__api_query(request, "resourceVersion"),
        .version_match = kube__api_query(request, "resourceVersionMatch"),
    };
    kube__api_failure *failure = read_int(request, "limit", &out->limit);
    if (!failure)
        failure = read_int(request, "timeoutSeconds", &out->timeout_s);
    if (!failure)
        failure = read_selectors(request, resource, out);
    if (!failure)
        failure = check_options(request->ctx, out);
    if (!failure)
        failure = read_version(request->ctx, out);
    return failure;
}

kube__api_failure *kube__api_version_too_large(kube_ctx *ctx, uint64_t asked, uint64_t current)
{
    kube__api_failure *failure = kube__api_fail(
        ctx, 504, "Timeout", "Timeout: Too large resource version: %" PRIu64 ", current: %" PRIu64,
        asked, current);
    failure->has_details = true;
    failure->retry_after_s = 1;
    kube__api_add_cause(&failure->causes, "ResourceVersionTooLarge", NULL,
                        "Too large resource version");
    return failure;
}

bool kube__api_list_matches(const kube__api_list_options *options, const kube__api_object *object)
{
    return kube__api_selector_matches(options->labels, object->labels) &&
           kube__api_selector_matches(options->fields, object->fields);
}
