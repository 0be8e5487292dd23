/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs the failures of a reflector and remembers the last one. A failure that repeats is logged
 * once a minute, and in between only at level debug. A line says when things work again.
 */
#ifndef KUBE_CACHE_FAILURES_H
#define KUBE_CACHE_FAILURES_H

#include "base/thread.h"

#include <kube/log.h>
#include <stdint.h>

enum { KUBE__FAILURES_KEPT = 32 };

typedef struct kube__failures {
    kube__mutex mutex;
    const char *resource;
    char *texts[KUBE__FAILURES_KEPT]; /* distinct ones, kept to the end: readers hold pointers */
    size_t len;
    const char *last;
    const char *in_force; /* NULL = all is well; only the reporting thread changes it */
    int64_t since_ns;     /* when that became so */
    /* Of the reporting thread alone. */
    const char *told; /* the one in force, if it was logged */
    int64_t told_ns;
    int64_t began_ns; /* the first since all was well */
} kube__failures;

KUBE__CHECKED kube_code kube__failures_init(kube__failures *failures, const char *resource,
                                            kube_error *err);
void kube__failures_fini(kube__failures *failures);
/* Reports a failure. One at level debug or below is not remembered. Call it on the thread that
 * calls kube__failures_clear(). */
void kube__failures_report(kube__failures *failures, kube_log_level level, int64_t now_ns,
                           const kube_error *err);
/* Says that things work again, so that the next failure is logged at once. It is cheap if there was
 * no failure. */
void kube__failures_clear(kube__failures *failures, int64_t now_ns);
/* Returns the text of the failure in force, or NULL if all is well, and since when that is so (0 =
 * there was no failure yet). The text is valid until fini. Threads: any. */
const char *kube__failures_in_force(const kube__failures *failures, int64_t *since_ns);
/* Returns the text of the last failure, or "". It is valid until fini. Threads: any. */
const char *kube__failures_last(const kube__failures *failures);

#endif /* KUBE_CACHE_FAILURES_H */
