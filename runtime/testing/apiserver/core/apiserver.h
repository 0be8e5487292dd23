/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server's parts and the one lock over its state: a handler runs from start to end under it, so
 * that a request sees one state and its effect is one step. Sending happens without it.
 */
#ifndef KUBE_APISERVER_APISERVER_H
#define KUBE_APISERVER_APISERVER_H

#include "apiserver/value/random.h"
#include "base/thread.h"

#include <kube/ctx.h>
#include <kube/testing/apiserver.h>

typedef struct kube__api_http kube__api_http;               /* http.h: listener and connections */
typedef struct kube__api_tls kube__api_tls;                 /* tls.h: certificates */
typedef struct kube__api_authority kube__api_authority;     /* auth.h: tokens, certificates */
typedef struct kube__api_call_log kube__api_call_log;       /* call_log.h: recorded calls */
typedef struct kube__api_controllers kube__api_controllers; /* controllers.h: namespaces, GC, … */
typedef struct kube__api_faults kube__api_faults;           /* fault.h: faults on order */
typedef struct kube__api_journal kube__api_journal;         /* journal.h: the data file */
typedef struct kube__api_registry kube__api_registry;       /* registry.h: the kinds */
typedef struct kube__api_store kube__api_store;             /* store.h: the objects */
typedef struct kube__api_request kube__api_request;         /* request.h */
typedef struct kube__api_response kube__api_response;       /* request.h */
typedef struct kube__api_watchers kube__api_watchers;       /* watch.h: the open watches */

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
    /* kube__api_handle(): requests by the server itself come from below it, too. */
    void (*handle)(kube_apiserver *server, kube__api_request *request,
                   kube__api_response *response);
    char *url;
    char *kubeconfig;
};

/* Now as RFC 3339 with seconds. */
const char *kube__api_now(kube_apiserver *server, kube_ctx *ctx);
/* The same, so many seconds from now. */
const char *kube__api_time_in(kube_apiserver *server, kube_ctx *ctx, int64_t seconds);

#endif /* KUBE_APISERVER_APISERVER_H */
