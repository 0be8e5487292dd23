/* SPDX-License-Identifier: Apache-2.0 */
/* Makes clients for one purpose, which no fence holds up: that of the elector (LE-8), and others.
 */
#ifndef KUBE_CONTROL_ELECTION_CLIENT_H
#define KUBE_CONTROL_ELECTION_CLIENT_H

#include <kube/client.h>

/* A client of @config that says ".../PURPOSE" of itself. @metrics NULL = none. */
KUBE__CHECKED kube_code kube__special_client_new(const kube_config *config, const char *purpose,
                                                 int64_t timeout_ms, kube_metrics *metrics,
                                                 kube_client **out, kube_error *err);
/* A client of @config that says ".../leader-election" of itself, and whose requests end in time for
 * another before @renew_deadline_ms. @metrics NULL = none. */
KUBE__CHECKED kube_code kube__election_client_new(const kube_config *config,
                                                  int64_t renew_deadline_ms, kube_metrics *metrics,
                                                  kube_client **out, kube_error *err);

#endif /* KUBE_CONTROL_ELECTION_CLIENT_H */
