/* SPDX-License-Identifier: Apache-2.0 */
/* The query of a write: dryRun, fieldManager, fieldValidation, force. */
#include "apiserver/value/quote.h"
#include "verb.h"

#include <string.h>

enum { MAX_MANAGER = 128 };

static void check_dry_run(kube__api_work *work, kube__api_causes *causes)
{
    const kube__api_pairs query = work->request->query;
    const char **given = kube_ctx_alloc_array(work->ctx, query.len + 1, sizeof *given);
    size_t count = 0;
    bool known = true;
    for (size_t i = 0; given && i < query.len; i++) {
        if (strcmp(query.items[i].key, "dryRun") != 0)
            continue;
        given[count++] = query.items[i].value;
        known = known && strcmp(query.items[i].value, "All") == 0;
    }
    work->dry_run = count > 0;
    if (!known)
        kube__api_add_cause(causes, "FieldValueNotSupported", "dryRun",
                            "Unsupported value: %s: supported values: \"All\"",
                            kube__api_quote_list(work->ctx, given));
}

static void check_manager(kube__api_work *work, bool is_apply, kube__api_causes *causes)
{
    const char *manager = kube__api_query(work->request, "fieldManager");
    work->field_manager = manager;
    if (is_apply && !*manager)
        kube__api_add_cause(causes, "FieldValueRequired", "fieldManager",
                            "Required value: is required for apply patch");
    if (strlen(manager) > MAX_MANAGER)
        kube__api_add_cause(causes, "FieldValueTooLong", "fieldManager",
                            "Too long: may not be more than %d bytes", MAX_MANAGER);
    for (const char *p = manager; *p; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f) {
            kube__api_add_cause(causes, "FieldValueInvalid", "fieldManager",
                                "Invalid value: %s: should not contain any unprintable characters",
                                kube__api_quote(work->ctx, manager));
            break;
        }
    }
}

static void check_validation(kube__api_work *work, kube__api_causes *causes)
{
    const char *text = kube__api_query(work->request, "fieldValidation");
    work->validation = KUBE__FIELDS_WARN;
    if (strcmp(text, "Ignore") == 0)
        work->validation = KUBE__FIELDS_IGNORE;
    else if (strcmp(text, "Strict") == 0)
        work->validation = KUBE__FIELDS_STRICT;
    else if (*text && strcmp(text, "Warn") != 0)
        kube__api_add_cause(causes, "FieldValueNotSupported", "fieldValidation",
                            "Unsupported value: %s: supported values: \"\", \"Ignore\", "
                            "\"Strict\", \"Warn\"",
                            kube__api_quote(work->ctx, text));
}

kube__api_failure *kube__api_read_options(kube__api_work *work, const char *kind, bool is_apply)
{
    kube__api_causes causes = {.ctx = work->ctx};
    bool is_patch = strcmp(kind, "PatchOptions") == 0;
    if (is_patch && !is_apply && *kube__api_query(work->request, "force"))
        kube__api_add_cause(&causes, "FieldValueForbidden", "force",
                            "Forbidden: may not be specified for non-apply patch");
    work->force = kube__api_query_is_true(work->request, "force");
    if (strcmp(kind, "DeleteOptions") != 0) {
        check_manager(work, is_apply, &causes);
        check_dry_run(work, &causes);
        check_validation(work, &causes);
    } else {
        check_dry_run(work, &causes);
    }
    return causes.count ? kube__api_invalid(work->ctx, "meta.k8s.io", kind, "", &causes) : NULL;
}
