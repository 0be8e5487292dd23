/* SPDX-License-Identifier: Apache-2.0 */
/* "status=503,verb=list,nth=2": a fault rule on the command line. */
#ifndef KUBEGEN_APISERVER_FAULT_SPEC_H
#define KUBEGEN_APISERVER_FAULT_SPEC_H

#include <kube/testing/apiserver.h>

/* Cuts @spec to pieces, to which @rule points afterwards. */
KUBE__CHECKED kube_code fault_spec_parse(char *spec, kube_fault_rule *rule, kube_error *err);

#endif /* KUBEGEN_APISERVER_FAULT_SPEC_H */
