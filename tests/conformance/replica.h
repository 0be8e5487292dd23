/* SPDX-License-Identifier: Apache-2.0 */
/* One of several processes that stand for election on the program's server: a user of its own, so
 * that the audit log tells them apart, and a child process. */
#ifndef TESTS_CONFORMANCE_REPLICA_H
#define TESTS_CONFORMANCE_REPLICA_H

#include "support/audit.h"
#include "support/child.h"

typedef struct replica {
    const char *name; /* whom the Lease names */
    const char *user; /* whom the audit log names */
    const char *kubeconfig;
    const char *log;
    child *process; /* NULL = was not started */
} replica;

/* Makes a ServiceAccount @name with all rights, and a kubeconfig for it with the server at @url. */
void replica_add(replica *r, const char *name, const char *url);
/* The end of what it said. */
const char *replica_last_words(const replica *r);
/* Ends it in order, if it runs. */
void replica_end(replica *r);
/* Ends it in whatever way. */
void replica_drop(replica *r);

/* Whom the Lease @name in the case's namespace names; "" = nobody. Valid until the next call. */
const char *lease_holder(const char *name);

#endif /* TESTS_CONFORMANCE_REPLICA_H */
