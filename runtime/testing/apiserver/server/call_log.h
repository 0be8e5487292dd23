/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that were made, for tests to look at. Bounded by number, and by 64 MiB of text; the
 * oldest are forgotten. Threads: any; it has its own lock, inside which nobody is called.
 */
#ifndef KUBE_APISERVER_CALL_LOG_H
#define KUBE_APISERVER_CALL_LOG_H

#include "apiserver/core/request.h"

#include <kube/testing/apiserver.h>

typedef struct kube__api_call_log kube__api_call_log;

/* Returns NULL if out of memory. */
kube__api_call_log *kube__api_call_log_new(size_t limit);
/* NULL is allowed. */
void kube__api_call_log_free(kube__api_call_log *log);
/* Records a request that begins; a number to end it with, 0 if out of memory. */
uint64_t kube__api_call_log_begin(kube__api_call_log *log, const kube__api_request *request);
/* It has been answered. @number may be 0, or of a call that is forgotten; @name is what is known
 * of it now, see below. */
void kube__api_call_log_end(kube__api_call_log *log, uint64_t number, int http_status,
                            const char *name);

/* The verb as rules, filters and records name it: "list", or "GET" for what is no resource. */
const char *kube__api_call_verb(const kube__api_request *request);
/* The name in the path; of a create that of the object it made, or else of its body's. "" = none
 * is known. */
const char *kube__api_call_name(const kube__api_request *request);

#endif /* KUBE_APISERVER_CALL_LOG_H */
