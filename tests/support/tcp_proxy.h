/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to and fro between a loopback port and another, until the test cuts them. */
#ifndef TESTS_SUPPORT_TCP_PROXY_H
#define TESTS_SUPPORT_TCP_PROXY_H

typedef struct tcp_proxy tcp_proxy;

/* Listens on a new port and connects each connection to @port on 127.0.0.1. */
tcp_proxy *tcp_proxy_start(int port);
int tcp_proxy_port(const tcp_proxy *proxy);
/* Ends all connections; new ones are refused. */
void tcp_proxy_cut(tcp_proxy *proxy);
/* Listens again, on the same port. */
void tcp_proxy_restore(tcp_proxy *proxy);
/* NULL allowed. */
void tcp_proxy_free(tcp_proxy *proxy);

#endif /* TESTS_SUPPORT_TCP_PROXY_H */
