/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A Kubernetes API server that runs inside the test: HTTP, watches, CRDs and the rest of the
 * API, without a cluster.
 *
 * It is for tests and demos only: by default it keeps everything in memory, and it is not hardened
 * against hostile clients. docs/apiserver.md lists all points in which it differs from a real
 * kube-apiserver; tests/conformance runs the same cases on both.
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

/** A server. A process may have several. Threads: any, for all functions but start and stop. */
typedef struct kube_apiserver kube_apiserver;

typedef enum kube_apiserver_authorization {
    KUBE_APISERVER_ALLOW_ALL, /* everybody who is authenticated may do everything */
    KUBE_APISERVER_RBAC,      /* the stored Roles and bindings decide; the group system:masters may
                                 do everything. It needs TLS, because clients send no credentials
                                 without it */
} kube_apiserver_authorization;

/** Zero always means the default. */
typedef struct kube_apiserver_options {
    uint16_t port; /* port of 127.0.0.1; 0 = a free one */
    bool tls;      /* use TLS, with a CA that is in the kubeconfig */
    kube_apiserver_authorization authorization;
    bool workloads;        /* Deployments get ReplicaSets, these get Pods, and Pods become Ready */
    const char *data_file; /* file to keep objects in, also after a crash; it is read at the start.
                              NULL = in memory only. The path is copied */
    size_t history;        /* how many changes are kept for watches to start from; 0 = 10000 */
    int64_t bookmark_interval_ms; /* 0 = 60 s, as the real server */
    kube_clock *clock;            /* for bookmarks, timeouts and time stamps; must outlive the
                                     server; NULL = the machine's */
    uint64_t seed;                /* for faults, uids and generated names, never for tokens and
                                     keys; 0 = a random one */
    size_t call_limit;            /* how many recorded calls are kept, the newest ones; 0 = 10000 */
} kube_apiserver_options;

/**
 * Starts a server and returns when it answers. @p options may be NULL. To be freed with
 * kube_apiserver_stop(). It fails if the port is in use, if the data file is another kind of file,
 * or if another server uses the data file.
 */
KUBE_CHECKED kube_code kube_apiserver_start(const kube_apiserver_options *options,
                                            kube_apiserver **out, kube_error *err);
/** Ends all watches, joins every thread and frees the server. NULL allowed. */
KUBE_API void kube_apiserver_stop(kube_apiserver *server);

/** Returns the URL, such as "http://127.0.0.1:41235", valid until stop. */
KUBE_API const char *kube_apiserver_url(const kube_apiserver *server);
/** Returns the port of 127.0.0.1 that the server listens on. */
KUBE_API uint16_t kube_apiserver_port(const kube_apiserver *server);
/** Returns the seed in use, to print when a test fails. */
KUBE_API uint64_t kube_apiserver_seed(const kube_apiserver *server);
/**
 * Returns a kubeconfig as YAML text, valid until stop. Its contexts are "admin" (the current one,
 * of group system:masters), "user" (user "user", only in group system:authenticated) and, with TLS,
 * "cert" (a client certificate of system:masters). Without TLS clients send no credentials, and
 * everybody is the administrator.
 */
KUBE_API const char *kube_apiserver_kubeconfig(const kube_apiserver *server);
/** Makes a client of the administrator. Free it before stop. */
KUBE_CHECKED kube_code kube_apiserver_client(kube_apiserver *server, kube_client **out,
                                             kube_error *err);
/** Makes a client for one of the contexts of the kubeconfig. Free it before stop. */
KUBE_CHECKED kube_code kube_apiserver_client_for(kube_apiserver *server, const char *context,
                                                 kube_client **out, kube_error *err);

/* ---- objects -------------------------------------------------------------------------------- */

/**
 * Creates or replaces every object of a YAML or JSON text, one after another, so that a document
 * can use the CRD before it. Namespaced objects without a namespace go to "default". Status is
 * stored too. @p err names the document and the server's reason.
 */
KUBE_CHECKED kube_code kube_apiserver_load(kube_apiserver *server, const char *text, size_t len,
                                           kube_error *err);
/** The same with the text of a file, which @p err names. */
KUBE_CHECKED kube_code kube_apiserver_load_file(kube_apiserver *server, const char *path,
                                                kube_error *err);
/** The same with one typed object; pass `&network.base` and `&samplecrd_v1_network_type`. */
KUBE_CHECKED kube_code kube_apiserver_load_object(kube_apiserver *server, const kube_type *type,
                                                  const kube_object *object, kube_error *err);
/**
 * Gives an object as the server would send it, as JSON text in @p ctx. `*out` is NULL if there is
 * no such object. @p namespace_ NULL means "default"; it is ignored for cluster-scoped kinds.
 */
KUBE_CHECKED kube_code kube_apiserver_object(kube_apiserver *server, kube_ctx *ctx,
                                             const kube_type *type, const char *namespace_,
                                             const char *name, const char **out, kube_error *err);
/** Returns the newest resourceVersion. */
KUBE_API uint64_t kube_apiserver_resource_version(kube_apiserver *server);
/** Forgets the history: watches from an older version and `continue` tokens get a 410. */
KUBE_API void kube_apiserver_compact(kube_apiserver *server);
/** Ends every open watch in an orderly way, as a server does that goes down. */
KUBE_API void kube_apiserver_end_watches(kube_apiserver *server);
/** Sends a bookmark to every watch that has asked for bookmarks. */
KUBE_API void kube_apiserver_send_bookmarks(kube_apiserver *server);

/* ---- recorded calls ------------------------------------------------------------------------- */

/** A request as the server understood it. Only body may be NULL. */
typedef struct kube_api_call {
    const char *verb; /* get list watch create update patch delete deletecollection; of other paths
                         the method */
    const char *group;
    const char *version;
    const char *resource; /* the plural; "" for paths that are not resources */
    const char *subresource;
    const char *namespace_;
    const char *name; /* for a create, that of the new object, once it is answered */
    const char *path; /* with the query */
    const char *user;
    const char *user_agent;
    const char *content_type;
    const char *body; /* ends with NUL; NULL = the request had no body */
    size_t body_len;
    int http_status; /* 0 = not answered yet, or cut off by a fault */
} kube_api_call;
KUBE_DECLARE_LIST(kube_api_call);

/** Selects calls. A member that is NULL matches all calls. */
typedef struct kube_api_call_filter {
    const char *verb;
    const char *resource;
    const char *subresource; /* "" = calls without one */
    const char *namespace_;
    const char *name;
    const char *user;
    bool writes; /* only create, update, patch, delete and deletecollection */
} kube_api_call_filter;

/** Gives the recorded calls that match, oldest first, in @p ctx. @p filter NULL = all. */
KUBE_CHECKED kube_code kube_apiserver_calls(kube_apiserver *server, kube_ctx *ctx,
                                            const kube_api_call_filter *filter,
                                            kube_api_call_list *out, kube_error *err);
/** Waits until @p count calls that match have been answered, or until @p ctx ends; @p err then
 * names the filter and the newest calls. Calls that were forgotten do not count. */
KUBE_CHECKED kube_code kube_apiserver_wait_for_calls(kube_apiserver *server, kube_ctx *ctx,
                                                     const kube_api_call_filter *filter,
                                                     size_t count, kube_error *err);
/** Returns how many open watches match. */
KUBE_API size_t kube_apiserver_watch_count(kube_apiserver *server,
                                           const kube_api_call_filter *filter);
/** Forgets all calls so far, also those that are not answered yet. */
KUBE_API void kube_apiserver_forget_calls(kube_apiserver *server);

/* ---- faults --------------------------------------------------------------------------------- */

/** What a fault of HTTP does. <kube/testing/proxy.h> has faults of connections. */
typedef enum kube_fault_kind {
    /* instead of the answer to a request */
    KUBE_FAULT_STATUS,       /* a Status with http_status */
    KUBE_FAULT_TEXT,         /* http_status with a text, as the server's flow control answers */
    KUBE_FAULT_UNAUTHORIZED, /* 401, as after a token has expired */
    KUBE_FAULT_DROP,         /* does the work, then closes the connection without an answer */
    /* instead of an event of a watch, which may be an initial one */
    KUBE_FAULT_GONE,        /* an ERROR event, 410 Expired; a list with `continue` gets a 410 too */
    KUBE_FAULT_ERROR_EVENT, /* an ERROR event, 500 */
    KUBE_FAULT_END,         /* the watch ends in an orderly way */
    /* before an event */
    KUBE_FAULT_BOOKMARKS,    /* a hundred bookmarks */
    KUBE_FAULT_VERSION_BACK, /* a bookmark whose resourceVersion is older than the last event's */
    KUBE_FAULT_WRONG_KIND,   /* an event with an object of another kind */
    /* in an event */
    KUBE_FAULT_OVERSIZE, /* its object has a further annotation of oversize_bytes (0 = 2 MiB) */
    /* after a request, which is answered as usual */
    KUBE_FAULT_CERTIFICATE, /* new TLS connections get a new certificate of the same CA */
    KUBE_FAULT_KIND_COUNT_
} kube_fault_kind;

/**
 * When a fault happens. The first rule that matches, and whose turn it is by nth, probability and
 * times, takes a request or event; later rules do not see it. NULL and 0 match all.
 */
typedef struct kube_fault_rule {
    kube_fault_kind kind;
    const char *verb; /* as in kube_api_call; "watch" for events */
    const char *resource;
    const char *path_prefix;
    unsigned nth;       /* only the nth match, from 1; excludes probability */
    double probability; /* for each match, by the server's seed; 0 = always */
    unsigned times;     /* at most so often; 0 = no bound */
    int http_status;    /* for STATUS and TEXT; 0 = 503 and 429 */
    int retry_after_s;  /* for STATUS and TEXT: the Retry-After; 0 = none, below 0 = "0" */
    size_t oversize_bytes;
    const char *subresource; /* "" = requests without one */
    const char *namespace_;  /* for an event, that of its object */
    const char *name;        /* likewise; for a create, the name in its body if that is JSON */
} kube_fault_rule;

/** Adds a rule after the others; strings are copied. KUBE_ERR_ARGUMENT if it makes no sense. */
KUBE_CHECKED kube_code kube_apiserver_add_fault(kube_apiserver *server, const kube_fault_rule *rule,
                                                kube_error *err);
/** Removes all rules; the counts stay. */
KUBE_API void kube_apiserver_clear_faults(kube_apiserver *server);
/** Returns how often faults of a kind have happened since the start. */
KUBE_API uint64_t kube_apiserver_fault_count(kube_apiserver *server, kube_fault_kind kind);
/** Returns "status", "gone" and so on. */
KUBE_API const char *kube_fault_kind_name(kube_fault_kind kind);

KUBE_END_DECLS

#endif /* KUBE_TESTING_APISERVER_H */
