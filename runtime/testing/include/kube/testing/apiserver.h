/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A Kubernetes API server inside the test: HTTP, watches, CRDs, and the rest of the API
 * machinery, without a cluster.
 *
 * For tests and demos only: it keeps everything in memory unless told otherwise and is not hardened
 * against hostile clients. What it does differs from a real kube-apiserver in the points that
 * docs/apiserver.md lists, and in no other: tests/conformance runs the same cases on both.
 *
 *     kube_apiserver *server;
 *     kube_apiserver_start(NULL, &server, &err);
 *     kube_apiserver_load_file(server, "config/crd/networks.yaml", &err);
 *     kube_apiserver_client(server, &client, &err);
 *     …
 *     kube_client_free(client);
 *     kube_apiserver_stop(server);
 */
#ifndef KUBE_TESTING_APISERVER_H
#define KUBE_TESTING_APISERVER_H

#include <kube/kube.h>

KUBE_BEGIN_DECLS

/** Threads: any, for all functions but start and stop. Any number of servers in a process. */
typedef struct kube_apiserver kube_apiserver;

typedef enum kube_apiserver_authorization {
    KUBE_APISERVER_ALLOW_ALL, /* whoever is authenticated may do everything */
    KUBE_APISERVER_RBAC,      /* what the stored Roles and bindings say; group system:masters all;
                                 with TLS always: clients send no credentials without */
} kube_apiserver_authorization;

/** Zero means the default, throughout. */
typedef struct kube_apiserver_options {
    uint16_t port; /* on 127.0.0.1; 0 = a free one */
    bool tls;      /* with a CA of its own, which the kubeconfig names */
    kube_apiserver_authorization authorization;
    bool workloads;               /* Deployments get ReplicaSets, those Pods, and these are Ready */
    const char *data_file;        /* keep objects there: crash-safe, read again at the next start;
                                     NULL = in memory only. Copied */
    size_t history;               /* changes that a watch can start from; 0 = 10000 */
    int64_t bookmark_interval_ms; /* 0 = 60 s, as the real one */
    kube_clock *clock;            /* of bookmarks, timeouts and time stamps; outlives the server;
                                     NULL = the machine's */
    uint64_t seed;                /* of faults, uids and generated names; 0 = from the machine */
    size_t call_limit;            /* of recorded calls that are kept; 0 = 10000, the oldest go */
} kube_apiserver_options;

/**
 * Starts it and returns when it answers. @p options may be NULL. Give it to kube_apiserver_stop().
 * Fails when the port is taken, and when the data file is no such file or another server has it.
 */
KUBE_CHECKED kube_code kube_apiserver_start(const kube_apiserver_options *options,
                                            kube_apiserver **out, kube_error *err);
/** Ends all watches, joins every thread, forgets everything. NULL is allowed. */
KUBE_API void kube_apiserver_stop(kube_apiserver *server);

/** "http://127.0.0.1:41235"; valid until stop. */
KUBE_API const char *kube_apiserver_url(const kube_apiserver *server);
/** The port it listens on, of 127.0.0.1. */
KUBE_API uint16_t kube_apiserver_port(const kube_apiserver *server);
/** The seed in use, to print when a test fails. */
KUBE_API uint64_t kube_apiserver_seed(const kube_apiserver *server);
/**
 * A kubeconfig as YAML text, valid until stop: contexts "admin" (current; system:masters), "user"
 * (user "user", no groups but system:authenticated) and, with TLS, "cert" (a client certificate of
 * system:masters). Without TLS clients send no credentials, and whoever calls is the administrator.
 */
KUBE_API const char *kube_apiserver_kubeconfig(const kube_apiserver *server);
/** A client of the administrator. Free it before stop. */
KUBE_CHECKED kube_code kube_apiserver_client(kube_apiserver *server, kube_client **out,
                                             kube_error *err);
/** A client of one of the kubeconfig's contexts. Free it before stop. */
KUBE_CHECKED kube_code kube_apiserver_client_for(kube_apiserver *server, const char *context,
                                                 kube_client **out, kube_error *err);

/* ---- objects -------------------------------------------------------------------------------- */

/**
 * Creates or replaces every object of a YAML or JSON text, as `kubectl apply` in this order would:
 * a CRD can be used by the next document. Namespaced objects without namespace go to "default".
 * @p err names the document and the server's reason. Status is stored too.
 */
KUBE_CHECKED kube_code kube_apiserver_load(kube_apiserver *server, const char *text, size_t len,
                                           kube_error *err);
/** The same with a file's text; @p err names the file too. */
KUBE_CHECKED kube_code kube_apiserver_load_file(kube_apiserver *server, const char *path,
                                                kube_error *err);
/** The same with a typed object: `&network` and `&samplecrd_v1_network_type`. */
KUBE_CHECKED kube_code kube_apiserver_load_object(kube_apiserver *server, const kube_type *type,
                                                  const kube_object *object, kube_error *err);
/**
 * An object as the server would send it, as JSON text in @p ctx; NULL in @p out when there is none.
 * @p namespace_ NULL = "default", of a cluster-scoped kind nothing.
 */
KUBE_CHECKED kube_code kube_apiserver_object(kube_apiserver *server, kube_ctx *ctx,
                                             const kube_type *type, const char *namespace_,
                                             const char *name, const char **out, kube_error *err);
/** The newest resource version given out. */
KUBE_API uint64_t kube_apiserver_resource_version(kube_apiserver *server);
/** Forgets the history: watches from an older version, and `continue` tokens, get 410. */
KUBE_API void kube_apiserver_compact(kube_apiserver *server);
/** Ends every watch that is open, in order, as a server that goes down does. */
KUBE_API void kube_apiserver_end_watches(kube_apiserver *server);
/** Sends a bookmark to every watch that asked for them, now. */
KUBE_API void kube_apiserver_send_bookmarks(kube_apiserver *server);

/* ---- recorded calls ------------------------------------------------------------------------- */

/** One request as the server understood it. Strings are never NULL but body. */
typedef struct kube_api_call {
    const char *verb; /* get list watch create update patch delete deletecollection, else "GET" … */
    const char *group;
    const char *version;
    const char *resource; /* plural; empty for other paths */
    const char *subresource;
    const char *namespace_;
    const char *name; /* of a create its object's, once it is answered */
    const char *path; /* with the query */
    const char *user;
    const char *user_agent;
    const char *content_type;
    const char *body; /* NULL = none; NUL-terminated */
    size_t body_len;
    int http_status; /* of the answer; 0 = not answered yet, or cut off by a fault */
} kube_api_call;
KUBE_DECLARE_LIST(kube_api_call);

/** Which calls are meant: NULL members match all. */
typedef struct kube_api_call_filter {
    const char *verb;
    const char *resource;
    const char *subresource; /* "" = none */
    const char *namespace_;
    const char *name;
    const char *user;
    bool writes; /* create, update, patch, delete and deletecollection only */
} kube_api_call_filter;

/** The recorded calls that match, oldest first, in @p ctx. @p filter NULL = all. */
KUBE_CHECKED kube_code kube_apiserver_calls(kube_apiserver *server, kube_ctx *ctx,
                                            const kube_api_call_filter *filter,
                                            kube_api_call_list *out, kube_error *err);
/** Waits until @p count matching calls have been answered, as long as @p ctx lasts. Those that were
 * forgotten do not count. @p err then names the filter and the newest calls there were. */
KUBE_CHECKED kube_code kube_apiserver_wait_for_calls(kube_apiserver *server, kube_ctx *ctx,
                                                     const kube_api_call_filter *filter,
                                                     size_t count, kube_error *err);
/** Watches that are open and match. */
KUBE_API size_t kube_apiserver_watch_count(kube_apiserver *server,
                                           const kube_api_call_filter *filter);
/** Forgets the calls so far, also those that are not answered yet. */
KUBE_API void kube_apiserver_forget_calls(kube_apiserver *server);

/* ---- faults --------------------------------------------------------------------------------- */

/** What an HTTP-level fault does. Byte-level ones: <kube/testing/proxy.h>. */
typedef enum kube_fault_kind {
    /* of a request, instead of its answer */
    KUBE_FAULT_STATUS,       /* a Status of http_status */
    KUBE_FAULT_TEXT,         /* http_status as text/plain, as priority and fairness does */
    KUBE_FAULT_UNAUTHORIZED, /* 401: the token has expired */
    KUBE_FAULT_DROP,         /* does the work, then closes the connection without an answer */
    /* of an event of a watch, initial ones included; instead of it */
    KUBE_FAULT_GONE,        /* ERROR event 410 Expired; also: a list with `continue` gets 410 */
    KUBE_FAULT_ERROR_EVENT, /* ERROR event 500 */
    KUBE_FAULT_END,         /* the watch ends in order */
    /* before it */
    KUBE_FAULT_BOOKMARKS,    /* a hundred bookmarks */
    KUBE_FAULT_VERSION_BACK, /* a bookmark with an older resource version than the last event's */
    KUBE_FAULT_WRONG_KIND,   /* an event with an object of another kind */
    /* with it */
    KUBE_FAULT_OVERSIZE, /* its object has an annotation of oversize_bytes (0 = 2 MiB) more */
    /* of a request, which is answered as ever */
    KUBE_FAULT_CERTIFICATE, /* with TLS: new connections get a new serving certificate, same CA */
    KUBE_FAULT_KIND_COUNT_
} kube_fault_kind;

/**
 * When: the first rule acts that matches and whose turn it is by nth, probability and times; those
 * after it do not see the request or event. NULL and 0 match all.
 */
typedef struct kube_fault_rule {
    kube_fault_kind kind;
    const char *verb; /* as in kube_api_call; "watch" for events */
    const char *resource;
    const char *path_prefix;
    unsigned nth;       /* the nth match only, from 1; not with probability */
    double probability; /* of each match, by the server's seed; 0 = always */
    unsigned times;     /* at most so often; 0 = no bound */
    int http_status;    /* of STATUS and TEXT; 0 = 503 and 429 */
    int retry_after_s;  /* of STATUS and TEXT: Retry-After; 0 = no such header, < 0 = "0" */
    size_t oversize_bytes;
    const char *subresource; /* "" = none */
    const char *namespace_;  /* of these two an event has its object's */
    const char *name;        /* of a create: what its body says, if that is JSON */
} kube_fault_rule;

/** Adds a rule behind those there are; strings are copied. KUBE_ERR_ARGUMENT when it makes no
 * sense. */
KUBE_CHECKED kube_code kube_apiserver_add_fault(kube_apiserver *server, const kube_fault_rule *rule,
                                                kube_error *err);
/** Takes all rules away; counts stay. */
KUBE_API void kube_apiserver_clear_faults(kube_apiserver *server);
/** How often faults of a kind fired since the start. */
KUBE_API uint64_t kube_apiserver_fault_count(kube_apiserver *server, kube_fault_kind kind);
/** "status", "gone", … */
KUBE_API const char *kube_fault_kind_name(kube_fault_kind kind);

KUBE_END_DECLS

#endif /* KUBE_TESTING_APISERVER_H */
