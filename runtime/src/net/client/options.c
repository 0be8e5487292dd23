/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/memory.h"
#include "base/text.h"
#include "net/config/url.h"

#include <string.h>

enum { MAX_DELETE_OPTIONS_BYTES = 1 << 20 };

static void add_write(kube__buffer *url, bool dry_run, const char *manager, const char *validation)
{
    kube__url_add(url, "dryRun", dry_run ? "All" : NULL);
    kube__url_add(url, "fieldManager", manager);
    kube__url_add(url, "fieldValidation", validation);
}

void kube__options_list(kube__buffer *url, const kube_list_options *options)
{
    if (!options)
        return;
    kube__url_add(url, "labelSelector", options->label_selector);
    kube__url_add(url, "fieldSelector", options->field_selector);
    kube__url_add(url, "resourceVersion", options->resource_version);
    kube__url_add(url, "resourceVersionMatch", options->resource_version_match);
    kube__url_add_number(url, "limit", options->limit);
    kube__url_add(url, "continue", options->continue_token);
    kube__url_add_number(url, "timeoutSeconds", options->timeout_seconds);
}

void kube__options_watch(kube__buffer *url, const kube_watch_options *options)
{
    kube__url_add_true(url, "watch", true);
    kube__url_add(url, "labelSelector", options->label_selector);
    kube__url_add(url, "fieldSelector", options->field_selector);
    kube__url_add(url, "resourceVersion", options->resource_version);
    kube__url_add(url, "resourceVersionMatch", options->resource_version_match);
    kube__url_add_true(url, "allowWatchBookmarks", options->allow_bookmarks);
    kube__url_add_true(url, "sendInitialEvents", options->send_initial_events);
    kube__url_add_number(url, "timeoutSeconds", options->timeout_seconds);
}

void kube__options_write(kube__buffer *url, const kube_write_options *options)
{
    add_write(url, options->dry_run, options->field_manager, options->field_validation);
}

void kube__options_patch(kube__buffer *url, const kube_patch_options *options)
{
    add_write(url, options->dry_run, options->field_manager, options->field_validation);
}

void kube__options_apply(kube__buffer *url, const kube_apply_options *options)
{
    add_write(url, options->dry_run, options->field_manager, options->field_validation);
    kube__url_add_true(url, "force", options->force);
}

static void add_json_string(kube__buffer *json, const char *key, const char *value)
{
    kube__buffer_printf(json, "\"%s\":\"", key);
    for (; *value; value++) {
        unsigned char c = (unsigned char)*value;
        if (c == '"' || c == '\\')
            kube__buffer_printf(json, "\\%c", c);
        else if (c < 0x20)
            kube__buffer_printf(json, "\\u%04x", c);
        else
            kube__buffer_add(json, value, 1);
    }
    kube__buffer_add_text(json, "\"");
}

static void add_preconditions(kube__buffer *json, const kube_delete_options *options)
{
    const char *uid = kube__text_or_empty(options->precondition_uid);
    const char *version = kube__text_or_empty(options->precondition_resource_version);
    if (!*uid && !*version)
        return;
    kube__buffer_add_text(json, ",\"preconditions\":{");
    if (*uid)
        add_json_string(json, "uid", uid);
    if (*version) {
        kube__buffer_add_text(json, *uid ? "," : "");
        add_json_string(json, "resourceVersion", version);
    }
    kube__buffer_add_text(json, "}");
}

kube_code kube__options_delete(kube_ctx *ctx, const kube_delete_options *options, const char **out,
                               size_t *len, kube_error *err)
{
    static const char start[] = "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"";
    kube__buffer json;
    *out = NULL;
    *len = 0;
    kube__buffer_init(&json, MAX_DELETE_OPTIONS_BYTES);
    kube__buffer_add_text(&json, start);
    if (options->grace_period_seconds.set)
        kube__buffer_printf(&json, ",\"gracePeriodSeconds\":%lld",
                            (long long)options->grace_period_seconds.value);
    if (options->propagation_policy) {
        kube__buffer_add_text(&json, ",");
        add_json_string(&json, "propagationPolicy", options->propagation_policy);
    }
    add_preconditions(&json, options);
    if (options->dry_run)
        kube__buffer_add_text(&json, ",\"dryRun\":[\"All\"]");
    if (!json.failed && json.len > strlen(start)) {
        kube__buffer_add_text(&json, "}");
        *out = json.failed ? NULL : kube_ctx_strndup(ctx, json.data, json.len);
        *len = json.len;
    }
    if (json.failed || (json.len > strlen(start) && !*out)) {
        kube__buffer_fini(&json);
        return kube__no_memory(err, "delete options");
    }
    kube__buffer_fini(&json);
    return KUBE_OK;
}
