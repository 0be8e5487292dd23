/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a client. Tests can make one with parts of their own. */
#ifndef KUBE_NET_CLIENT_H
#define KUBE_NET_CLIENT_H

#include "client_metrics.h"
#include "net/config/credentials.h"
#include "net/transport/transport.h"

#include <kube/client.h>

struct kube_client {
    kube_config *config;
    kube__transport *transport; /* of calls */
    kube__transport *streams;   /* of lists and watches; the same one when a test brought it */
    kube__credentials *credentials;
    _Atomic uint64_t request_count;
    char *user_agent;
    int64_t call_timeout_ms;  /* of an attempt of a call; 0 = none */
    int64_t set_timeout_ms;   /* the same if somebody has set it, else 0; of lists, too */
    int64_t idle_timeout_ms;  /* how long a list may say nothing; 0 = for ever */
    int64_t watch_silence_ms; /* how long a watch may say nothing, or longer: see bookmarks.h */
    void (*on_warning)(void *arg, const char *text);
    void *on_warning_arg;
    bool packed;       /* lists and watches are asked for as gzip */
    kube_fence *fence; /* NULL = none */
    kube__client_metrics metrics;
};

/* As kube_client_new(), with a transport of the caller's, which is the client's from then on, also
 * on failure; NULL = curl. */
KUBE__CHECKED kube_code kube__client_new(const kube_config *config,
                                         const kube_client_options *options,
                                         kube__transport *transport, kube_client **out,
                                         kube_error *err);

#endif /* KUBE_NET_CLIENT_H */
