/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the client that only the elector uses (LE-8). */
#ifndef KUBE_CONTROL_ELECTION_CLIENT_H
#define KUBE_CONTROL_ELECTION_CLIENT_H

#include <kube/client.h>

/* A client of @config that says ".../leader-election" of itself, and whose requests end in time for
 * another before @renew_deadline_ms. @metrics NULL = none. */
KUBE__CHECKED kube_code kube__election_client_new(const kube_config *config,
                                                  int64_t renew_deadline_ms, kube_metrics *metrics,
                                                  kube_client **out, kube_error *err);

#endif /* KUBE_CONTROL_ELECTION_CLIENT_H */
