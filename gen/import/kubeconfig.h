/* SPDX-License-Identifier: Apache-2.0 */
/* kubeconfig_read() finds out how the cluster is asked that kubectl would ask. */
#ifndef KUBEGEN_KUBECONFIG_H
#define KUBEGEN_KUBECONFIG_H

#include "fetch.h"
#include "support/arena.h"
#include "support/diag.h"

/*
 * Reads the first file of $KUBECONFIG that is there, else ~/.kube/config, for its current context.
 * Texts lie in @in. Returns the server's URL, or NULL after an error: for programs that give
 * credentials, such as those of clouds, among them.
 */
const char *kubeconfig_read(arena *in, fetch_options *out, diag *to);

#endif /* KUBEGEN_KUBECONFIG_H */
