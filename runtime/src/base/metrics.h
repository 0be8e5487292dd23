/* SPDX-License-Identifier: Apache-2.0 */
/* How metrics are stored: shared by the files that register, change and write them. */
#ifndef KUBE_BASE_METRICS_H
#define KUBE_BASE_METRICS_H

#include "thread.h"

#include <kube/metrics.h>
#include <stdatomic.h>
#include <string.h>

typedef enum kube__metric_kind {
    KUBE__METRIC_COUNTER,
    KUBE__METRIC_GAUGE,
    KUBE__METRIC_HISTOGRAM,
} kube__metric_kind;

typedef struct kube__metric kube__metric;

/* A counter, gauge or histogram of the public header. */
typedef struct kube__series {
    const kube__metric *metric;
    char **values;         /* one a label, in the same block */
    _Atomic uint64_t bits; /* of the value; a histogram's sum */
    _Atomic uint64_t whole;
    _Atomic uint64_t buckets[]; /* of a histogram, each for itself, the last to +Inf */
} kube__series;

/* A family of it. */
struct kube__metric {
    kube_metrics *registry;
    kube__metric_kind kind;
    char *name;
    char *help;
    char **labels;
    size_t label_count;
    double *bounds;
    size_t bound_count;
    kube__series **series; /* by values */
    size_t len;
    size_t size;
    bool full;            /* and said so */
    kube__series *hidden; /* stands in if out of memory */
};

typedef struct kube__collector {
    void (*collect)(void *arg);
    void *arg;
    struct kube__collector *next;
} kube__collector;

struct kube_metrics {
    kube__mutex mutex;      /* of all metrics and their series */
    kube__metric **metrics; /* by name */
    size_t len;
    size_t size;
    kube__mutex collecting; /* of the collectors, held while they run; taken before `mutex` */
    kube__collector *collectors;
};

/* Of a counter or gauge. */
double kube__series_value(const kube__series *series);

static inline double kube__metric_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t kube__metric_to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif /* KUBE_BASE_METRICS_H */
