/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real kube-apiserver for one test program, and kubectl against it. Its state lives in a new
 * directory below TMPDIR; it ends with the test program, however that ends. With KUBEGEN_EMBEDDED
 * in the environment it is the embedded one, see embedded_server.sh.
 */
#ifndef TESTS_SUPPORT_REAL_SERVER_H
#define TESTS_SUPPORT_REAL_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct real_server real_server;

enum { REAL_SERVER_SKIPPED = 77 }; /* exit status that ctest knows as "skipped" */

/*
 * Starts a server with further kube-apiserver flags (NULL = none). Where none can be had it says so
 * and ends the program: skipped, or failed under CI=true.
 */
real_server *real_server_start(const char *flags);
/* As a crash; the address stays reserved in its record for real_server_restart(). */
void real_server_kill(real_server *server);
/*
 * The same state on the same address, with other flags if not NULL. When it returns, kubectl finds
 * the custom resources again.
 */
void real_server_restart(real_server *server, const char *flags);
/*
 * After a kill: the same state on another address, so that it can be changed unseen by whoever
 * follows the first one. Another kill and real_server_restart() bring it back.
 */
void real_server_move(real_server *server);
/* Stops its process (SIGSTOP): connections stay, and nobody answers. Nothing if it does not run. */
void real_server_pause(real_server *server);
void real_server_continue(real_server *server);
void real_server_free(real_server *server);

const char *real_server_directory(const real_server *server);
const char *real_server_kubeconfig(const real_server *server);
const char *real_server_url(const real_server *server);

/*
 * Runs kubectl with a formatted argument string through the shell, feeds it @input (NULL = none),
 * and returns its exit status. @output (may be NULL) gets what it printed on both streams, cut to
 * @size.
 */
int real_server_kubectl(real_server *server, const char *input, char *output, size_t size,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same, but anything other than success ends the program with what kubectl said. */
void real_server_must_kubectl(real_server *server, const char *input, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/*
 * Again and again until it succeeds: for what the server brings about after it has answered, such
 * as that discovery lists a CRD or that a role counts. Ends the program with what kubectl said when
 * that takes longer than a minute.
 */
void real_server_until_kubectl(real_server *server, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* TESTS_SUPPORT_REAL_SERVER_H */
