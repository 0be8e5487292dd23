/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A proxy that hands bytes on, unless a rule says otherwise: connections are refused, reset,
 * cut, stalled, slowed down.
 *
 * It looks into nothing, so TLS, HTTP/2 and whatever server stands behind it are all the same to
 * it. Point the client at kube_fault_proxy_port() instead of the server's port:
 *
 *     kube_fault_proxy_start(&(kube_fault_proxy_options){.target_port = port}, &proxy, &err);
 *     kube_fault_proxy_add_rule(proxy, &(kube_wire_rule){.kind = KUBE_WIRE_CUT, .nth = 2,
 *                                                        .direction = KUBE_WIRE_TO_CLIENT,
 *                                                        .after_bytes = 1000}, &err);
 *
 * Faults of HTTP's level: kube_fault_rule of <kube/testing/apiserver.h>.
 */
#ifndef KUBE_TESTING_PROXY_H
#define KUBE_TESTING_PROXY_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

/** Threads: any, for all functions but start and stop. */
typedef struct kube_fault_proxy kube_fault_proxy;

/** What befalls a connection. */
typedef enum kube_wire_fault_kind {
    KUBE_WIRE_REFUSE,     /* accepted and closed at once; nobody listening: see _down() */
    KUBE_WIRE_RESET,      /* both ends get a RST */
    KUBE_WIRE_CUT,        /* both ends see an orderly end */
    KUBE_WIRE_HALF_CLOSE, /* the direction ends in order, the other one goes on */
    KUBE_WIRE_STALL,      /* the direction hands nothing on any more; the connection stays open */
    KUBE_WIRE_SLOW,       /* bytes_per_second at most */
    KUBE_WIRE_DELAY,      /* every piece of up to 64 KiB waits for delay_ms */
    KUBE_WIRE_BLACK_HOLE, /* accepted, but nothing is read from it, and nothing sent */
    KUBE_WIRE_KIND_COUNT_
} kube_wire_fault_kind;

/** Of the fault, and of the bytes that are counted. */
typedef enum kube_wire_direction {
    KUBE_WIRE_BOTH, /* each for itself; a stall stops both as soon as one has got so far */
    KUBE_WIRE_TO_SERVER,
    KUBE_WIRE_TO_CLIENT,
} kube_wire_direction;

/**
 * Which connections get a fault. The first rule whose turn it is takes a connection when it is
 * accepted; rules behind it do not see that connection.
 */
typedef struct kube_wire_rule {
    kube_wire_fault_kind kind;
    kube_wire_direction direction; /* no meaning for REFUSE and BLACK_HOLE */
    unsigned nth;                  /* the nth connection since the rule was added only, from 1 */
    double probability;            /* else: of each connection, by the seed; 0 = always */
    unsigned times;                /* at most so many connections; 0 = no bound */
    uint64_t after_bytes; /* RESET, CUT, HALF_CLOSE, STALL: so many bytes of the direction pass; it
                             happens when there is one more */
    uint64_t after_bytes_spread; /* plus up to so many, by the seed */
    uint64_t bytes_per_second;   /* of SLOW; 0 = 1024 */
    int64_t delay_ms;            /* of DELAY; 0 = 100 */
} kube_wire_rule;

typedef struct kube_fault_proxy_options {
    const char *target_host; /* NULL = 127.0.0.1 */
    uint16_t target_port;
    uint16_t port;    /* to listen on; 0 = a free one */
    const char *host; /* to listen on, for clients of another network; NULL = 127.0.0.1 */
    uint64_t seed; /* 0 = from the machine's clock */
} kube_fault_proxy_options;

typedef struct kube_fault_proxy_stats {
    uint64_t connections; /* accepted so far */
    size_t open;          /* of these; what a fault holds open is */
    uint64_t bytes_to_server;
    uint64_t bytes_to_client;
    uint64_t faults[KUBE_WIRE_KIND_COUNT_]; /* connections they have happened to */
} kube_fault_proxy_stats;

/** Listens and starts its thread. @p options name the port to lead to. Give it to
 * kube_fault_proxy_stop(). */
KUBE_CHECKED kube_code kube_fault_proxy_start(const kube_fault_proxy_options *options,
                                              kube_fault_proxy **out, kube_error *err);
/** Ends every connection, joins the thread. NULL is allowed. */
KUBE_API void kube_fault_proxy_stop(kube_fault_proxy *proxy);
/** The port it listens on. */
KUBE_API uint16_t kube_fault_proxy_port(const kube_fault_proxy *proxy);
/** The seed in use, to print when a test fails. */
KUBE_API uint64_t kube_fault_proxy_seed(const kube_fault_proxy *proxy);

/** Adds a rule for connections that are accepted from now on. KUBE_ERR_ARGUMENT when it makes no
 * sense. */
KUBE_CHECKED kube_code kube_fault_proxy_add_rule(kube_fault_proxy *proxy,
                                                 const kube_wire_rule *rule, kube_error *err);
/** Takes all rules away. Connections keep the fault they were given. */
KUBE_API void kube_fault_proxy_clear_rules(kube_fault_proxy *proxy);
/** The same, and connections that were given a fault end; the others go on. */
KUBE_API void kube_fault_proxy_heal(kube_fault_proxy *proxy);
/** Ends all connections; new ones are accepted. */
KUBE_API void kube_fault_proxy_end_connections(kube_fault_proxy *proxy);
/** Nobody listens any more, so that new connections are refused; then those that are open end. */
KUBE_API void kube_fault_proxy_down(kube_fault_proxy *proxy);
/** Listens again, on the same port. */
KUBE_API void kube_fault_proxy_up(kube_fault_proxy *proxy);
/** Where connections lead to from now on: a server that came back on another port. */
KUBE_API void kube_fault_proxy_set_target_port(kube_fault_proxy *proxy, uint16_t port);

/** Fills @p stats with the counts so far. */
KUBE_API void kube_fault_proxy_get_stats(kube_fault_proxy *proxy, kube_fault_proxy_stats *stats);
/** Waits until faults of a kind have happened to @p count connections, as long as @p ctx lasts. */
KUBE_CHECKED kube_code kube_fault_proxy_wait_for_fault(kube_fault_proxy *proxy, kube_ctx *ctx,
                                                       kube_wire_fault_kind kind, uint64_t count,
                                                       kube_error *err);
/** "refuse", "reset", … */
KUBE_API const char *kube_wire_fault_kind_name(kube_wire_fault_kind kind);

KUBE_END_DECLS

#endif /* KUBE_TESTING_PROXY_H */
