/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on faults. */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/fault.h"

kube_code kube_apiserver_add_fault(kube_apiserver *server, const kube_fault_rule *rule,
                                   kube_error *err)
{
    return kube__api_faults_add(server->faults, rule, err);
}

void kube_apiserver_clear_faults(kube_apiserver *server)
{
    kube__api_faults_clear(server->faults);
}

uint64_t kube_apiserver_fault_count(kube_apiserver *server, kube_fault_kind kind)
{
    return kube__api_faults_count(server->faults, kind);
}
