/* SPDX-License-Identifier: Apache-2.0 */
/* Runs named health checks and writes the text that Kubernetes' own servers answer with. */
#ifndef KUBE_CONTROL_HEALTH_H
#define KUBE_CONTROL_HEALTH_H

#include "http.h"

#include <kube/manager.h>

typedef struct kube__health kube__health;

/* @name is "healthz", "livez" or "readyz": that of the path. It has the check "ping". */
KUBE__CHECKED kube_code kube__health_new(const char *name, kube__health **out, kube_error *err);
void kube__health_free(kube__health *health);
/* Before it is served. @name is copied; one name twice is an error. */
KUBE__CHECKED kube_code kube__health_add(kube__health *health, const char *name,
                                         kube_health_check *check, void *arg, kube_error *err);
/*
 * Answers /readyz ("ok", or 500 and all checks with the reason of those that fail),
 * /readyz?verbose, ?exclude=<check> and /readyz/<check>.
 */
void kube__health_answer(kube__health *health, kube_ctx *ctx,
                         const kube__http_server_request *request, kube__http_answer *answer);
/* Runs each check; @err is NULL for those that are well. */
void kube__health_each(kube__health *health,
                       void (*visit)(void *arg, const char *name, const kube_error *err),
                       void *arg);
/* Returns the name of a check that runs now, or NULL. Threads: any. */
const char *kube__health_running(const kube__health *health);

#endif /* KUBE_CONTROL_HEALTH_H */
