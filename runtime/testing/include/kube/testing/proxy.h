/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A proxy for tests. It forwards bytes, but refuses, resets, cuts, stalls or slows down
 * connections as its rules say.
 *
 * It does not look into the bytes, so it works with TLS, HTTP/2 and any server. Let the client
 * connect to kube_fault_proxy_port() instead of the server's port:
 *
 *     kube_fault_proxy_start(&(kube_fault_proxy_options){.target_port = port}, &proxy, &err);
 *     kube_fault_proxy_add_rule(proxy, &(kube_wire_rule){.kind = KUBE_WIRE_CUT, .nth = 2,
 *                                                        .direction = KUBE_WIRE_TO_CLIENT,
 *                                                        .after_bytes = 1000}, &err);
 *
 * For faults of HTTP, such as a 429, see kube_fault_rule in <kube/testing/apiserver.h>.
 */
#ifndef KUBE_TESTING_PROXY_H
#define KUBE_TESTING_PROXY_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

/** Threads: any, for all functions but start and stop. */
typedef struct kube_fault_proxy kube_fault_proxy;

/** What happens to a connection. */
typedef enum kube_wire_fault_kind {
    KUBE_WIRE_REFUSE,     /* it is accepted and closed at once (kube_fault_proxy_down() does not
                             even accept) */
    KUBE_WIRE_RESET,      /* both ends get a RST */
    KUBE_WIRE_CUT,        /* both ends see the connection end in an orderly way */
    KUBE_WIRE_HALF_CLOSE, /* one direction ends in an orderly way, the other continues */
    KUBE_WIRE_STALL,      /* nothing is forwarded any more; the connection stays open */
    KUBE_WIRE_SLOW,       /* at most bytes_per_second are forwarded */
    KUBE_WIRE_DELAY,      /* every piece of up to 64 KiB is delayed by delay_ms */
    KUBE_WIRE_BLACK_HOLE, /* it is accepted, but nothing is read from it or sent to it */
    KUBE_WIRE_KIND_COUNT_
} kube_wire_fault_kind;

/** The direction that a fault affects, and in which bytes are counted. */
typedef enum kube_wire_direction {
    KUBE_WIRE_BOTH, /* each is counted for itself; a stall stops both when one has got so far */
    KUBE_WIRE_TO_SERVER,
    KUBE_WIRE_TO_CLIENT,
} kube_wire_direction;

/**
 * Which connections get a fault. When a connection is accepted, the first rule that applies takes
 * it; later rules do not see that connection.
 */
typedef struct kube_wire_rule {
    kube_wire_fault_kind kind;
    kube_wire_direction direction; /* ignored for REFUSE and BLACK_HOLE */
    unsigned nth;                  /* only the nth connection after the rule was added, from 1 */
    double probability;            /* if nth is 0: for each connection, by the seed; 0 = always */
    unsigned times;                /* for at most so many connections; 0 = no bound */
    uint64_t after_bytes; /* RESET, CUT, HALF_CLOSE, STALL: that many bytes are forwarded before;
                             the fault happens when there is one more */
    uint64_t after_bytes_spread; /* and a random number of bytes more, up to this */
    uint64_t bytes_per_second;   /* for SLOW; 0 = 1024 */
    int64_t delay_ms;            /* for DELAY; 0 = 100 */
} kube_wire_rule;

typedef struct kube_fault_proxy_options {
    const char *target_host; /* NULL = 127.0.0.1 */
    uint16_t target_port;
    uint16_t port;    /* port to listen on; 0 = a free one */
    const char *host; /* address to listen on; NULL = 127.0.0.1 */
    uint64_t seed;    /* 0 = from the machine's clock */
} kube_fault_proxy_options;

typedef struct kube_fault_proxy_stats {
    uint64_t connections; /* connections accepted so far */
    size_t open;          /* connections that are open, also those that a fault holds open */
    uint64_t bytes_to_server;
    uint64_t bytes_to_client;
    uint64_t faults[KUBE_WIRE_KIND_COUNT_]; /* connections that have met each fault */
} kube_fault_proxy_stats;

/** Starts a proxy to `target_port`. To be freed with kube_fault_proxy_stop(). */
KUBE_CHECKED kube_code kube_fault_proxy_start(const kube_fault_proxy_options *options,
                                              kube_fault_proxy **out, kube_error *err);
/** Ends every connection, joins the thread and frees the proxy. NULL allowed. */
KUBE_API void kube_fault_proxy_stop(kube_fault_proxy *proxy);
/** Returns the port that the proxy listens on. */
KUBE_API uint16_t kube_fault_proxy_port(const kube_fault_proxy *proxy);
/** Returns the seed in use, to print when a test fails. */
KUBE_API uint64_t kube_fault_proxy_seed(const kube_fault_proxy *proxy);

/** Adds a rule for connections that are accepted from now on. KUBE_ERR_ARGUMENT if it makes no
 * sense. */
KUBE_CHECKED kube_code kube_fault_proxy_add_rule(kube_fault_proxy *proxy,
                                                 const kube_wire_rule *rule, kube_error *err);
/** Removes all rules. A connection that has a fault keeps it. */
KUBE_API void kube_fault_proxy_clear_rules(kube_fault_proxy *proxy);
/** Removes all rules and ends the connections that have a fault; the others continue. */
KUBE_API void kube_fault_proxy_heal(kube_fault_proxy *proxy);
/** Ends all connections. New ones are accepted. */
KUBE_API void kube_fault_proxy_end_connections(kube_fault_proxy *proxy);
/** Stops listening, so that new connections are refused, and ends those that are open. */
KUBE_API void kube_fault_proxy_down(kube_fault_proxy *proxy);
/** Listens again, on the same port. */
KUBE_API void kube_fault_proxy_up(kube_fault_proxy *proxy);
/** Sends new connections to another port, for a server that was started again. */
KUBE_API void kube_fault_proxy_set_target_port(kube_fault_proxy *proxy, uint16_t port);

/** Fills @p stats. */
KUBE_API void kube_fault_proxy_get_stats(kube_fault_proxy *proxy, kube_fault_proxy_stats *stats);
/** Waits until @p count connections have met a fault of this kind, or until @p ctx ends. */
KUBE_CHECKED kube_code kube_fault_proxy_wait_for_fault(kube_fault_proxy *proxy, kube_ctx *ctx,
                                                       kube_wire_fault_kind kind, uint64_t count,
                                                       kube_error *err);
/** Returns "refuse", "reset" and so on. */
KUBE_API const char *kube_wire_fault_kind_name(kube_wire_fault_kind kind);

KUBE_END_DECLS

#endif /* KUBE_TESTING_PROXY_H */
