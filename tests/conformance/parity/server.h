/* SPDX-License-Identifier: Apache-2.0 */
/* One of the two API servers that are compared: where it listens and how to be known to it. */
#ifndef TESTS_PARITY_SERVER_H
#define TESTS_PARITY_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct parity_server {
    const char *name; /* "real", "embedded" */
    char *url;        /* "https://127.0.0.1:41235" */
    char *admin;      /* tokens */
    char *user;
    char *certificate; /* PEM of a client in system:masters; NULL = none */
    char *key;
    void *process; /* whoever started it */
} parity_server;

/* A kube-apiserver of its own; ends the program where none can be had (see real_server.h). */
void parity_start_real(parity_server *server, const char *name);
/* The program @path, kubegen-apiserver, as a child. */
void parity_start_embedded(parity_server *server, const char *path);
void parity_stop(parity_server *server);

#endif /* TESTS_PARITY_SERVER_H */
