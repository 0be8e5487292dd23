/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server's parts and the one lock over its state: a handler runs from start to end under it, so
 * that a request sees one state and its effect is one step. Sending happens without it.
 */
#ifndef KUBE_APISERVER_SERVER_H
#define KUBE_APISERVER_SERVER_H

#include "base/thread.h"
#include "fault.h"
#include "random.h"
#include "request.h"
#include "store.h"
#include "watch.h"

#include <kube/testing/apiserver.h>

typedef struct kube__api_http kube__api_http;               /* http.h: listener and connections */
typedef struct kube__api_tls kube__api_tls;                 /* tls.h: certificates */
typedef struct kube__api_authority kube__api_authority;     /* auth.h: tokens, certificates */
typedef struct kube__api_call_log kube__api_call_log;       /* calls.h: recorded calls */
typedef struct kube__api_controllers kube__api_controllers; /* controllers.h: namespaces, GC, … */
typedef struct kube__api_journal kube__api_journal;         /* journal.h: the data file */

struct kube_apiserver {
    kube_apiserver_options options; /* defaults filled in; data_file copied */
    kube_clock *clock;
    kube__mutex lock; /* of all below but where a header says otherwise */
    kube__api_random random;
    kube__api_registry *registry;
    kube__api_store *store;
    kube__api_watchers *watchers;
    kube__api_authority *authority;
    kube__api_faults *faults;  /* own lock */
    kube__api_call_log *calls; /* own lock */
    kube__api_controllers *controllers;
    kube__api_journal *journal; /* NULL without a data file */
    kube__api_http *http;
    kube__api_tls *tls; /* of the serving thread; NULL = plain */
    char *url;
    char *kubeconfig;
};

/* ---- handle.c: one request, under the lock -------------------------------------------------- */

/* Answers @request. Never fails: a failure is an answer. Authentication has been done. */
void kube__api_handle(kube_apiserver *server, kube__api_request *request,
                      kube__api_response *response);

/*
 * A request by the server itself (system:apiserver; no authorization, not recorded), under the
 * lock: what controllers, loading and journals use, so that the rules are the same for all.
 * @path with query: "/api/v1/namespaces/a/pods/b?propagationPolicy=Background". @body may be NULL.
 * @content_type NULL = application/json. The answer's document, NULL unless 2xx; then *@failure.
 */
kube__json *kube__api_call(kube_apiserver *server, kube__heap *heap, const char *method,
                           const char *path, const char *content_type, const kube__json *body,
                           kube__api_failure **failure);

/* Now as RFC 3339 with seconds. */
const char *kube__api_now(kube_apiserver *server, kube__heap *heap);
/* The same, so many seconds from now. */
const char *kube__api_time_in(kube_apiserver *server, kube__heap *heap, int64_t seconds);

#endif /* KUBE_APISERVER_SERVER_H */
