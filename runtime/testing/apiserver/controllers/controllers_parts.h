/* SPDX-License-Identifier: Apache-2.0 */
/* What the controllers share: jobs that wait to be done, and requests to the server they are in. */
#ifndef KUBE_APISERVER_CONTROLLERS_PARTS_H
#define KUBE_APISERVER_CONTROLLERS_PARTS_H

#include "apiserver/store/store.h"
#include "controllers.h"

typedef enum kube__job_kind {
    KUBE__JOB_NAMESPACE,  /* a namespace that is being deleted */
    KUBE__JOB_DEFINITION, /* a CRD that is being deleted */
    KUBE__JOB_OWNER,      /* an object whose dependents decide when it may go */
    KUBE__JOB_DEPENDENT,  /* an object that has owners */
    KUBE__JOB_DEPLOYMENT,
    KUBE__JOB_REPLICA_SET,
    KUBE__JOB_STATEFUL_SET,
    KUBE__JOB_DAEMON_SET,
    KUBE__JOB_POD,
    KUBE__JOB_KIND_COUNT_
} kube__job_kind;

/* One object to look at. */
typedef struct kube__job {
    kube__job_kind kind;
    kube__api_collection *collection;
    const char *namespace_;
    const char *name;
} kube__job;

typedef struct kube__jobs kube__jobs;             /* jobs.c: those that wait, each once */
typedef struct kube__dependents kube__dependents; /* dependents.c: who has which owner */
typedef struct kube__waiting kube__waiting;       /* collector.c: owners that wait for dependents */

struct kube__api_controllers {
    kube_apiserver *server;
    kube__thread thread;
    kube__condition ready; /* with the server's lock */
    kube__jobs *jobs;
    kube__dependents *dependents;
    kube__waiting *waiting;
    bool rescan; /* a change could not be noted: look at everything */
    bool stopping;
};

/* One job in one hold of the server's lock. */
typedef struct kube__turn {
    kube__api_controllers *controllers;
    kube_apiserver *server;
    kube_ctx *ctx;
    const kube__job *job;
} kube__turn;

/* ---- tables --------------------------------------------------------------------------------- */

/* The first member of what is in a table; its owner allocates it. */
typedef struct kube__chain_node {
    struct kube__chain_node *next; /* with another hash, cut to the table's size */
    uint64_t hash;
} kube__chain_node;

typedef struct kube__chains {
    kube__chain_node **at;
    size_t slot_count; /* a power of two */
    size_t count;      /* of nodes */
} kube__chains;

/* Returns false if out of memory. The caller frees @table->at. */
bool kube__chains_init(kube__chains *table, size_t slot_count);
/* Where the list begins that has all nodes with this hash. */
kube__chain_node **kube__chains_of(const kube__chains *table, uint64_t hash);
/* Makes more slots when there are many nodes; if out of memory, it goes on with those it has. */
void kube__chains_add(kube__chains *table, kube__chain_node *node);
/* Takes out the node to which @at points. */
void kube__chains_remove(kube__chains *table, kube__chain_node **at);

/* ---- jobs ----------------------------------------------------------------------------------- */

kube__jobs *kube__jobs_new(void);
void kube__jobs_free(kube__jobs *jobs);
/* Adds a job, unless it waits already. Returns false if out of memory. */
bool kube__jobs_add(kube__jobs *jobs, const kube__job *job);
/* The oldest, in the ctx's memory; false if no job waits or if out of memory. */
bool kube__jobs_take(kube__jobs *jobs, kube_ctx *ctx, kube__job *out);
bool kube__jobs_empty(const kube__jobs *jobs);

/* Adds a job of the controllers; if out of memory, they rescan. */
void kube__controllers_add(kube__api_controllers *controllers, kube__job_kind kind,
                           kube__api_collection *collection, const char *namespace_,
                           const char *name);

/* ---- dependents ----------------------------------------------------------------------------- */

kube__dependents *kube__dependents_new(void);
void kube__dependents_free(kube__dependents *dependents);
/* Notes whom a changed object belongs to now. Returns false if out of memory. */
bool kube__dependents_note(kube__dependents *dependents, const kube__api_change *change);
void kube__dependents_clear(kube__dependents *dependents);
/* Those that name @uid as an owner: calls for each. It must not change them. */
void kube__dependents_each(const kube__dependents *dependents, const char *uid,
                           void (*visit)(void *arg, kube__api_collection *collection,
                                         const char *namespace_, const char *name),
                           void *arg);

/* ---- requests ------------------------------------------------------------------------------- */

/* The job's object as it is now, NULL when it is gone. */
kube__api_object *kube__turn_object(const kube__turn *turn);
/* The newest served version of a collection. Returns NULL if no version is served. */
kube__api_resource *kube__turn_resource(const kube__turn *turn,
                                        const kube__api_collection *collection);
/* A tree of the object. Returns NULL if it is not served or if out of memory. */
kube__json *kube__turn_tree(const kube__turn *turn, const kube__api_object *object);
kube__api_collection *kube__turn_collection(const kube__turn *turn, const char *group,
                                            const char *plural);
/* Requests on one object; the answer, or NULL. @subresource "" = none. */
kube__json *kube__turn_create(const kube__turn *turn, kube__api_collection *collection,
                              const char *namespace_, const kube__json *object);
kube__json *kube__turn_patch(const kube__turn *turn, const kube__api_object *object,
                             const char *subresource, const kube__json *merge_patch);
kube__json *kube__turn_update(const kube__turn *turn, const kube__api_object *object,
                              const char *subresource, const kube__json *document);
/* @propagation "" = the default. */
void kube__turn_delete(const kube__turn *turn, const kube__api_object *object,
                       const char *propagation);

/* ---- what they do --------------------------------------------------------------------------- */

typedef void kube__controller(const kube__turn *turn);

kube__controller kube__run_namespace;
kube__controller kube__run_definition;
kube__controller kube__run_owner;
kube__controller kube__run_dependent;
kube__controller kube__run_deployment;
kube__controller kube__run_replica_set;
kube__controller kube__run_stateful_set;
kube__controller kube__run_daemon_set;
kube__controller kube__run_pod;

/* Which jobs a change brings. */
void kube__collector_notice(kube__api_controllers *controllers, const kube__api_change *change);
void kube__collector_free(kube__api_controllers *controllers);
void kube__namespaces_notice(kube__api_controllers *controllers, const kube__api_change *change);
void kube__workloads_notice(kube__api_controllers *controllers, const kube__api_change *change);

#endif /* KUBE_APISERVER_CONTROLLERS_PARTS_H */
