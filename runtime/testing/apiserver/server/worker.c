/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

/* Returns NULL when the worker is to stop. */
static kube__api_job *next_job(kube__api_worker *worker)
{
    kube__api_job *job = NULL;
    kube__lock(&worker->mutex);
    while (!worker->first && !worker->stopping)
        kube__wait(&worker->changed, &worker->mutex);
    if (!worker->stopping) {
        job = worker->first;
        worker->first = job->next;
    }
    kube__unlock(&worker->mutex);
    return job;
}

static void *run(void *arg)
{
    kube__api_job *job;
    while ((job = next_job(arg)) != NULL)
        job->run(job);
    return NULL;
}

kube_code kube__api_worker_start(kube__api_worker *worker, kube_error *err)
{
    kube_code rc = kube__mutex_init(&worker->mutex, err);
    if (rc)
        return rc;
    rc = kube__condition_init(&worker->changed, err);
    if (rc) {
        kube__mutex_fini(&worker->mutex);
        return rc;
    }
    worker->first = NULL;
    worker->stopping = false;
    rc = kube__thread_start(&worker->thread, "kube-api-work", run, worker, err);
    if (rc) {
        kube__condition_fini(&worker->changed);
        kube__mutex_fini(&worker->mutex);
    }
    return rc;
}

void kube__api_worker_put(kube__api_worker *worker, kube__api_job *job)
{
    kube__lock(&worker->mutex);
    job->next = NULL;
    if (worker->first)
        worker->last->next = job;
    else
        worker->first = job;
    worker->last = job;
    kube__signal(&worker->changed);
    kube__unlock(&worker->mutex);
}

void kube__api_worker_stop(kube__api_worker *worker)
{
    kube__lock(&worker->mutex);
    worker->stopping = true;
    kube__signal(&worker->changed);
    kube__unlock(&worker->mutex);
    kube__thread_join(&worker->thread);
    kube__condition_fini(&worker->changed);
    kube__mutex_fini(&worker->mutex);
}
