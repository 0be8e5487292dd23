/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs that wait: a queue in which each is once. */
#include "base/hash.h"
#include "controllers_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct node {
    kube__chain_node in_chain;
    kube__job job;
    struct node *next; /* in the queue */
    char text[];       /* namespace and name, NUL-terminated each */
} node;

struct kube__jobs {
    node *first;
    node *last;
    kube__chains table;
};

enum { FIRST_SLOTS = 64 };

kube__jobs *kube__jobs_new(void)
{
    kube__jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs && kube__chains_init(&jobs->table, FIRST_SLOTS))
        return jobs;
    free(jobs);
    return NULL;
}

void kube__jobs_free(kube__jobs *jobs)
{
    if (!jobs)
        return;
    for (node *n = jobs->first, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    free(jobs->table.at);
    free(jobs);
}

bool kube__jobs_empty(const kube__jobs *jobs)
{
    return !jobs->first;
}

/* With the NUL between them, "a/bc" and "ab/c" differ. */
static uint64_t hash_job(const kube__job *job)
{
    uint64_t hash = (uint64_t)job->kind ^ (uintptr_t)job->collection;
    return kube__hash_text(kube__hash_text(hash, job->namespace_), job->name);
}

static bool same(const kube__job *a, const kube__job *b)
{
    return a->kind == b->kind && a->collection == b->collection && strcmp(a->name, b->name) == 0 &&
           strcmp(a->namespace_, b->namespace_) == 0;
}

bool kube__jobs_add(kube__jobs *jobs, const kube__job *job)
{
    uint64_t hash = hash_job(job);
    for (const kube__chain_node *at = *kube__chains_of(&jobs->table, hash); at; at = at->next)
        if (at->hash == hash && same(&((const node *)at)->job, job))
            return true;
    size_t namespace_size = strlen(job->namespace_) + 1;
    size_t name_size = strlen(job->name) + 1;
    node *n = malloc(sizeof *n + namespace_size + name_size);
    if (!n)
        return false;
    memcpy(n->text, job->namespace_, namespace_size);
    memcpy(n->text + namespace_size, job->name, name_size);
    n->job = *job;
    n->job.namespace_ = n->text;
    n->job.name = n->text + namespace_size;
    n->in_chain.hash = hash;
    n->next = NULL;
    if (jobs->last)
        jobs->last->next = n;
    else
        jobs->first = n;
    jobs->last = n;
    kube__chains_add(&jobs->table, &n->in_chain);
    return true;
}

bool kube__jobs_take(kube__jobs *jobs, kube_ctx *ctx, kube__job *out)
{
    node *n = jobs->first;
    if (!n)
        return false;
    *out = n->job;
    out->namespace_ = kube_ctx_strdup(ctx, n->job.namespace_);
    out->name = kube_ctx_strdup(ctx, n->job.name);
    if (kube_ctx_failed(ctx))
        return false;
    kube__chain_node **at = kube__chains_of(&jobs->table, n->in_chain.hash);
    while (*at != &n->in_chain)
        at = &(*at)->next;
    kube__chains_remove(&jobs->table, at);
    jobs->first = n->next;
    if (!jobs->first)
        jobs->last = NULL;
    free(n);
    return true;
}

void kube__controllers_add(kube__api_controllers *controllers, kube__job_kind kind,
                           kube__api_collection *collection, const char *namespace_,
                           const char *name)
{
    const kube__job job = {kind, collection, namespace_, name};
    if (!kube__jobs_add(controllers->jobs, &job))
        controllers->rescan = true;
    kube__signal(&controllers->ready);
}
