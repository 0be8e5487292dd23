/* SPDX-License-Identifier: Apache-2.0 */
#include "failures.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

enum { AGAIN_SECONDS = 60 };

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

static long long seconds_between(int64_t from_ns, int64_t to_ns)
{
    return (long long)((to_ns - from_ns) / KUBE__NS_PER_S);
}

void kube__failures_report(kube__failures *failures, kube_log_level level, int64_t now_ns,
                           const kube_error *err)
{
    const char *text;
    const char *told = failures->told;
    kube__lock(&failures->mutex);
    text = keep(failures, err);
    failures->last = text;
    if (!failures->in_force)
        failures->since_ns = now_ns;
    failures->in_force = text;
    kube__unlock(&failures->mutex);
    if (level >= KUBE_LOG_DEBUG) {
        kube_log(level, __FILE__, __LINE__, "%s: %s", failures->resource, err->message);
        return;
    }
    if (!told)
        failures->began_ns = now_ns;
    if (told == text && seconds_between(failures->told_ns, now_ns) < AGAIN_SECONDS) {
        kube_log_debug("%s: %s", failures->resource, err->message);
        return;
    }
    failures->told = text;
    failures->told_ns = now_ns;
    if (told == text)
        kube_log(level, __FILE__, __LINE__, "%s: still failing after %lld s: %s",
                 failures->resource, seconds_between(failures->began_ns, now_ns), err->message);
    else
        kube_log(level, __FILE__, __LINE__, "%s: %s; trying again", failures->resource,
                 err->message);
}

void kube__failures_clear(kube__failures *failures, int64_t now_ns)
{
    if (!failures->in_force)
        return;
    kube__lock(&failures->mutex);
    failures->in_force = NULL;
    failures->since_ns = now_ns;
    kube__unlock(&failures->mutex);
    if (!failures->told)
        return;
    failures->told = NULL;
    kube_log_info("%s: the cache is up to date again, after %lld s", failures->resource,
                  seconds_between(failures->began_ns, now_ns));
}

const char *kube__failures_in_force(const kube__failures *failures, int64_t *since_ns)
{
    const char *text;
    kube__lock(kube__mutable(&failures->mutex));
    text = failures->in_force;
    *since_ns = failures->since_ns;
    kube__unlock(kube__mutable(&failures->mutex));
    return text;
}

const char *kube__failures_last(const kube__failures *failures)
{
    const char *last;
    kube__lock(kube__mutable(&failures->mutex));
    last = failures->last;
    kube__unlock(kube__mutable(&failures->mutex));
    return last;
}
