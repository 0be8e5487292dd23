/* SPDX-License-Identifier: Apache-2.0 */
/* The options that every program with a manager has. */
#ifndef KUBE_CONTROL_MANAGER_OPTIONS_H
#define KUBE_CONTROL_MANAGER_OPTIONS_H

#include <kube/manager.h>

/* What the program, the environment and the command line say together; strings are borrowed. */
typedef struct kube__manager_settings {
    const char *kubeconfig;
    const char *master;
    const char *context;
    const char *namespace_;   /* NULL = all */
    const char *http_address; /* "" or "0" = nowhere, as for the next two */
    const char *health_address;
    const char *metrics_address;
    bool leader_elect;
    int64_t lease_duration_ms;
    int64_t renew_deadline_ms;
    int64_t retry_period_ms;
    const char *lease_name;
    const char *lease_namespace; /* NULL = the pod's, else the configuration's */
    const char *identity;        /* NULL = made up */
    int64_t resync_ms;
    const char *log_level; /* NULL = as the program has it */
    bool verbose;
} kube__manager_settings;

/* Reads them, and the program's own options; sets the log's level. Errors do not name the program.
 */
KUBE__CHECKED kube_code kube__manager_options_read(const kube_manager_options *options, int argc,
                                                   char **argv, kube__manager_settings *out,
                                                   kube_error *err);

#endif /* KUBE_CONTROL_MANAGER_OPTIONS_H */
