/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a client. Tests can make one with parts of their own. */
#ifndef KUBE_NET_CLIENT_H
#define KUBE_NET_CLIENT_H

#include "base/thread.h"
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
    int64_t silence_ms; /* how long a list or watch may say nothing beyond its time */
    kube__mutex mutex;  /* the warning handler */
    void (*warning)(void *arg, const char *text);
    void *warning_arg;
    kube_fence *fence; /* NULL = none */
    kube__client_metrics metrics;
};

typedef struct kube__client_parts {
    kube_clock *clock;          /* NULL = the machine's; for credentials */
    kube__transport *transport; /* NULL = curl; the client's from then on, also on failure */
} kube__client_parts;

KUBE__CHECKED kube_code kube__client_new(const kube_config *config, const kube__client_parts *parts,
                                         kube_client **out, kube_error *err);

#endif /* KUBE_NET_CLIENT_H */
