/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of a whole manager: the process, its informers, its election and its events. */
#ifndef KUBE_CONTROL_PROCESS_METRICS_H
#define KUBE_CONTROL_PROCESS_METRICS_H

#include <kube/manager.h>

typedef struct kube__process_metrics kube__process_metrics;

/* The program, and what is measured of it where it is not NULL. */
typedef struct kube__process_parts {
    const char *name;    /* of the program */
    const char *version; /* of the program; NULL = not given */
    kube_informer_factory *factory;
    kube_elector *elector;
    const char *lease_name; /* what election series go by; with an elector */
    kube_recorder *recorder;
} kube__process_parts;

/* Registers process_* and build information; with the parts that there are: client-go's
 * leader_election_*, reflector and event metrics. All borrowed until it is freed. */
KUBE__CHECKED kube_code kube__process_metrics_new(kube_metrics *metrics,
                                                  const kube__process_parts *parts,
                                                  kube__process_metrics **out, kube_error *err);
void kube__process_metrics_free(kube__process_metrics *process);

#endif /* KUBE_CONTROL_PROCESS_METRICS_H */
