/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs that wait: a queue in which each is once. */
#include "base/hash.h"
#include "controllers_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct node {
    kube__job job;
    struct node *next;         /* in the queue */
    struct node *next_in_slot; /* with another hash, cut to the table's size */
    uint64_t hash;
    char text[]; /* namespace and name, NUL-terminated each */
} node;

struct kube__jobs {
    node *first;
    node *last;
    node **slots;
    size_t slot_count; /* a power of two */
    size_t count;
};

enum { FIRST_SLOTS = 64 };

kube__jobs *kube__jobs_new(void)
{
    kube__jobs *jobs = calloc(1, sizeof *jobs);
    if (!jobs)
        return NULL;
    jobs->slot_count = FIRST_SLOTS;
    jobs->slots = calloc(FIRST_SLOTS, sizeof(node *));
    if (!jobs->slots) {
        free(jobs);
        return NULL;
    }
    return jobs;
}

void kube__jobs_free(kube__jobs *jobs)
{
    if (!jobs)
        return;
    for (node *n = jobs->first, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    free(jobs->slots);
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

static node **slot_of(kube__jobs *jobs, uint64_t hash)
{
    return &jobs->slots[hash & (jobs->slot_count - 1)];
}

/* More slots when there are many jobs; without memory it goes on with those it has. */
static void grow(kube__jobs *jobs)
{
    if (jobs->count < jobs->slot_count * 2)
        return;
    node **slots = calloc(jobs->slot_count * 4, sizeof *slots);
    if (!slots)
        return;
    free(jobs->slots);
    jobs->slots = slots;
    jobs->slot_count *= 4;
    for (node *n = jobs->first; n; n = n->next) {
        node **slot = slot_of(jobs, n->hash);
        n->next_in_slot = *slot;
        *slot = n;
    }
}

bool kube__jobs_add(kube__jobs *jobs, const kube__job *job)
{
    uint64_t hash = hash_job(job);
    for (const node *n = *slot_of(jobs, hash); n; n = n->next_in_slot)
        if (n->hash == hash && same(&n->job, job))
            return true;
    grow(jobs);
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
    n->hash = hash;
    n->next = NULL;
    if (jobs->last)
        jobs->last->next = n;
    else
        jobs->first = n;
    jobs->last = n;
    jobs->count++;
    node **slot = slot_of(jobs, hash);
    n->next_in_slot = *slot;
    *slot = n;
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
    node **at = slot_of(jobs, n->hash);
    while (*at != n)
        at = &(*at)->next_in_slot;
    *at = n->next_in_slot;
    jobs->first = n->next;
    if (!jobs->first)
        jobs->last = NULL;
    jobs->count--;
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
