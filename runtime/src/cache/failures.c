/* SPDX-License-Identifier: Apache-2.0 */
#include "failures.h"
#include <stdlib.h>
#include <string.h>

kube_code kube__failures_init(kube__failures *failures, const char *resource, kube_error *err)
{
    memset(failures, 0, sizeof *failures);
    failures->resource = resource;
    failures->last = "";
    return kube__mutex_init(&failures->mutex, err);
}

void kube__failures_fini(kube__failures *failures)
{
    for (size_t i = 0; i < failures->len; i++)
        free(failures->texts[i]);
    kube__mutex_fini(&failures->mutex);
}

/* The kept copy of a text; when there are too many different ones, what the code says. */
static const char *keep(kube__failures *failures, const kube_error *err)
{
    char *copy;
    for (size_t i = 0; i < failures->len; i++)
        if (strcmp(failures->texts[i], err->message) == 0)
            return failures->texts[i];
    if (failures->len == KUBE__FAILURES_KEPT)
        return kube_code_name(err->code);
    copy = strdup(err->message);
    if (!copy)
        return kube_code_name(err->code);
    failures->texts[failures->len++] = copy;
    return copy;
}

void kube__failures_report(kube__failures *failures, kube_log_level level, const kube_error *err)
{
    const char *text;
    kube__lock(&failures->mutex);
    text = keep(failures, err);
    failures->last = text;
    if (failures->told == text)
        level = level < KUBE_LOG_DEBUG ? KUBE_LOG_DEBUG : level;
    else
        failures->told = text;
    kube__unlock(&failures->mutex);
    kube_log(level, __FILE__, __LINE__, "%s: %s", failures->resource, err->message);
}

void kube__failures_clear(kube__failures *failures)
{
    if (atomic_load(&failures->told))
        atomic_store(&failures->told, NULL);
}

const char *kube__failures_last(kube__failures *failures)
{
    const char *last;
    kube__lock(&failures->mutex);
    last = failures->last;
    kube__unlock(&failures->mutex);
    return last;
}
