/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that does one job after the other, so that whoever asks for one need not wait. */
#ifndef KUBE_APISERVER_WORKER_H
#define KUBE_APISERVER_WORKER_H

#include "base/thread.h"

/* Lies in what the job is about, which stays where it is until the job is done. */
typedef struct kube__api_job {
    void (*run)(struct kube__api_job *job); /* on the worker's thread */
    struct kube__api_job *next;
} kube__api_job;

typedef struct kube__api_worker {
    kube__thread thread;
    kube__mutex mutex; /* of the rest */
    kube__condition changed;
    kube__api_job *first;
    kube__api_job *last;
    bool stopping;
} kube__api_worker;

KUBE__CHECKED kube_code kube__api_worker_start(kube__api_worker *worker, kube_error *err);
/* Any thread: does @job after those that were put before. */
void kube__api_worker_put(kube__api_worker *worker, kube__api_job *job);
/* Waits for the job that runs. Those behind it are not done. */
void kube__api_worker_stop(kube__api_worker *worker);

#endif /* KUBE_APISERVER_WORKER_H */
