/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection through the proxy: a socket at each end, a lane of bytes for each direction, and
 * the fault it was given. Nothing here blocks: the owner polls for what a tunnel asks, and serves
 * it. Confined to the proxy's lock.
 */
#ifndef KUBE_PROXY_TUNNEL_H
#define KUBE_PROXY_TUNNEL_H

#include <kube/testing/proxy.h>
#include <netinet/in.h>
#include <stdbool.h>

/* What a connection has to expect, drawn when it is accepted. */
typedef struct kube__wire_plan {
    bool any;
    kube_wire_fault_kind kind;
    kube_wire_direction direction;
    uint64_t after_bytes;
    uint64_t bytes_per_second;
    int64_t delay_ms;
} kube__wire_plan;

typedef enum kube__tunnel_end { KUBE__TUNNEL_CLIENT, KUBE__TUNNEL_SERVER } kube__tunnel_end;

typedef struct kube__tunnel kube__tunnel;

/* Takes @client, which it closes in any case, and begins to connect to @target unless the plan is
 * not to. NULL when it is over already or if out of memory. */
kube__tunnel *kube__tunnel_new(int client, const struct sockaddr_in *target,
                               const kube__wire_plan *plan, kube_fault_proxy_stats *stats);
/* Closes what is open. NULL allowed. */
void kube__tunnel_free(kube__tunnel *tunnel);
bool kube__tunnel_has_plan(const kube__tunnel *tunnel);

/* The socket to poll and what for; -1 = not now. Errors are noticed in any case. */
int kube__tunnel_interest(const kube__tunnel *tunnel, kube__tunnel_end end, short *events);
/* When it has to be served although nothing happened; INT64_MAX = never. */
int64_t kube__tunnel_wake_ns(const kube__tunnel *tunnel);
/* Moves what can be moved. False = it is over. */
bool kube__tunnel_serve(kube__tunnel *tunnel, const short happened[2], int64_t now_ns,
                        kube_fault_proxy_stats *stats);

/* Lets a socket send small pieces at once. */
void kube__tunnel_hurry(int fd);

#endif /* KUBE_PROXY_TUNNEL_H */
