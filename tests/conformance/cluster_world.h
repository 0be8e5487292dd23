/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the conformance cases share: one API server a program, its CRDs established, an admin's
 * client, and a fresh ctx and namespace for each case.
 */
#ifndef TESTS_CONFORMANCE_CLUSTER_WORLD_H
#define TESTS_CONFORMANCE_CLUSTER_WORLD_H

#include "support/real_server.h"
#include "support/suite.h"

#include <kube/kube.h>

extern real_server *server;
extern kube_client *client;
extern kube_ctx *ctx;
extern const char *ns;

/* Starts the server with further flags and makes the client. */
void world_start(const char *server_flags);
void world_stop(void);
/* Starts it, runs the cases and stops it; returns what main() returns. */
int world_run(const char *server_flags);
/* Checked fixture of each case. */
void case_set_up(void);
void case_tear_down(void);
/* A client of another of the kubeconfig's contexts ("user": no rights). */
kube_client *client_of(const char *context);
/* A client with options. */
kube_client *client_with(const kube_client_options *options);

/* Whether the server sends a list as a watch's first events, by its version. */
bool server_streams_lists(void);

/* Fails the case with the error's message unless @rc is @want. */
void expect_code(kube_code rc, kube_code want, const kube_error *err, const char *file, int line);
#define expect(rc, want, err) expect_code((rc), (want), (err), __FILE__, __LINE__)
#define expect_ok(rc, err) expect_code((rc), KUBE_OK, (err), __FILE__, __LINE__)

#endif /* TESTS_CONFORMANCE_CLUSTER_WORLD_H */
