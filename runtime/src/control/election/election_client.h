/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the client that only the elector uses (LE-8). */
#ifndef KUBE_CONTROL_ELECTION_CLIENT_H
#define KUBE_CONTROL_ELECTION_CLIENT_H

#include <kube/client.h>

/* As clients of @config, which was loaded by @options; but it says ".../leader-election" of itself,
 * and a request ends in time for another before @renew_deadline_ms. */
KUBE__CHECKED kube_code kube__election_client_new(const kube_config *config,
                                                  const kube_config_options *options,
                                                  int64_t renew_deadline_ms, kube_client **out,
                                                  kube_error *err);

#endif /* KUBE_CONTROL_ELECTION_CLIENT_H */
