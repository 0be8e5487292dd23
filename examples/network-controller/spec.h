/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a Network's spec makes sense. */
#ifndef NETWORK_CONTROLLER_SPEC_H
#define NETWORK_CONTROLLER_SPEC_H

#include <samplecrd/v1/types.h>

/* What is wrong with @spec, for people, in @ctx; NULL when nothing is. */
const char *spec_problem(kube_ctx *ctx, const samplecrd_v1_network_spec *spec);

#endif /* NETWORK_CONTROLLER_SPEC_H */
