/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of kubegen-apiserver. */
#ifndef KUBEGEN_APISERVER_FLAGS_H
#define KUBEGEN_APISERVER_FLAGS_H

#include <kube/testing/apiserver.h>
#include <stddef.h>
#include <sys/types.h>

struct flags {
    kube_apiserver_options server;
    const char *kubeconfig_out; /* NULL = no file is written */
    const char **loads;         /* files; the flags' */
    size_t load_count;
    kube_fault_rule *faults; /* their texts lie in argv */
    size_t fault_count;
    pid_t owner; /* 0 = none */
};

/* False when the command line is no good, which has been told then, or was answered (--help). */
bool flags_parse(struct flags *flags, int argc, char **argv, int *exit_status);
void flags_fini(struct flags *flags);

#endif /* KUBEGEN_APISERVER_FLAGS_H */
