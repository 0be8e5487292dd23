/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the manager share: an API server within the program, and managers on it. */
#ifndef TESTS_MANAGER_WORLD_H
#define TESTS_MANAGER_WORLD_H

#include "support/child.h"
#include "support/gate.h"
#include "support/suite.h"

#include <kube/kube.h>
#include <kube/testing/apiserver.h>
#include <pthread.h>
#include <samplecrd/v1/api.h>
#include <stdatomic.h>

/* A manager, and the thread that it runs on. */
typedef struct replica {
    kube_manager *manager;
    kube_ctx *ctx;
    pthread_t thread;
    bool started;
    bool ended;
    kube_code rc;
    kube_error err;
    gate ran;  /* once for each reconcile */
    gate hold; /* a reconcile that was told to waits here */
    atomic_bool holds;
    atomic_bool interrupted; /* a reconcile saw the end of its ctx */
    atomic_int active;
    char last[64]; /* the last one's name; under the mutex of ran */
} replica;

extern kube_apiserver *server;
extern kube_client *admin;
extern kube_ctx *ctx; /* of the test: its deadline ends every wait */
extern const char *kubeconfig;
extern kube_error err;
extern replica one;
extern replica two;

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

/* The server, a client of it, its kubeconfig in a file, and no variable of a pod. */
void set_up_server(void);
void tear_down_server(void);
/* With the example's CRD, and with a Network of it in the namespace default. */
void load_crd(void);
void load_network(const char *name);

/* Makes a manager; the options of its command line end with NULL. */
kube_code make_replica(replica *r, const kube_manager_options *extra, const char *const given[]);
#define make(r, ...) make_replica(r, NULL, (const char *const[]){__VA_ARGS__, NULL})
void start(replica *r);
void stop(replica *r);

/* Requests a page, whose body and type are the test's; returns the HTTP status. */
int get_from(const char *address, const char *path, const char **body, char **type);
int get(replica *r, const char *path, const char **body);
/* Whether @path of it is answered with @status and @part; false while it serves nothing. */
bool shows(replica *r, const char *path, int status, const char *part);

#endif /* TESTS_MANAGER_WORLD_H */
