/* SPDX-License-Identifier: Apache-2.0 */
/* kubeconfig_read() finds out how the cluster is asked that kubectl would ask. */
#ifndef KUBEGEN_KUBECONFIG_H
#define KUBEGEN_KUBECONFIG_H

#include "fetch.h"
#include "support/arena.h"
#include "support/diag.h"

/*
 * Reads the files of $KUBECONFIG, else ~/.kube/config, for the current context; of what several
 * say, the first counts. Texts lie in @in. Returns the server's URL, or NULL after an error, also
 * for what is not done here: programs that give credentials, such as those of clouds, proxies,
 * requests as somebody else.
 */
const char *kubeconfig_read(arena *in, fetch_options *out, diag *to);

#endif /* KUBEGEN_KUBECONFIG_H */
