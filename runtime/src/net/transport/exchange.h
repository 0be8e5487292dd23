/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the transport on libcurl share: exchange.c is one request and its answer,
 * transport_fence.c what a fence does to them, transport_curl.c the thread and how others ask it.
 */
#ifndef KUBE_NET_EXCHANGE_H
#define KUBE_NET_EXCHANGE_H

#include "base/thread.h"
#include "connection.h"
#include "gzip.h"
#include "sockets.h"
#include "tls_files.h"
#include "transport.h"

#include <curl/curl.h>
#include <stdatomic.h>
#include <sys/types.h>

typedef struct kube__curl_transport kube__curl_transport;

struct kube__exchange {
    kube__curl_transport *transport;
    _Atomic uint32_t refs; /* the caller's; the transport's until on_end(); a queued command's */
    kube__http_handler handler;
    void *arg;
    char *method;
    char *url;      /* for messages */
    char *wire_url; /* for curl */
    char *body;
    size_t body_len;
    size_t body_sent;
    struct curl_slist *headers;
    bool own_connection;
    bool bulk;
    bool fenced;
    int64_t limit_ns; /* grows by each pause; 0 = none */

    unsigned commands; /* under the transport's mutex */
    kube__exchange *next_command;

    CURL *easy; /* from here on the I/O thread's alone */
    kube__exchange *next;
    kube__exchange *previous;
    kube__http_head head;
    bool head_done;
    kube__gzip *gzip; /* NULL = the answer is not packed */
    bool out_of_memory;
    bool paused;
    bool fed;     /* on_data() was called, and on_rest() not yet */
    bool stopped; /* by the handler */
    bool silent;
    bool late;
    bool sent;                    /* or begun to be */
    bool lost;                    /* after that; curl wanted to repeat it */
    bool refused;                 /* the server says that it did not process it */
    kube__connection *connection; /* that it shares; NULL = not known */
    uint32_t stream;              /* of HTTP/2; 0 = not known */
    bool writing;                 /* counts among the fenced ones that are under way */
    bool fenced_off;              /* why: */
    bool ended;
    int64_t started_ns;
    int64_t active_ns;
    int64_t paused_ns; /* since when */
    int socket_errno;  /* why there is no socket; 0 = there is */
    char detail[CURL_ERROR_SIZE];
    kube_error fence_error;
};

struct kube__curl_transport {
    kube__transport base;
    kube_config *config;
    kube__transport_options options;
    struct curl_slist *connect_to; /* for tls-server-name */
    kube__tls_files files;         /* the I/O thread's */
    CURLM *multi;
    kube__thread thread;
    kube__mutex mutex;
    kube__exchange *first_command; /* under the mutex, as the two below */
    kube__exchange *last_command;
    kube__condition changed;
    bool stopping;
    bool closed;            /* takes no command any more */
    bool gone;              /* the thread has nothing left that it might use */
    kube_fence *next_fence; /* to be taken by the I/O thread */
    int64_t next_grace_ms;
    pid_t pid;
    kube__curl_transport *next_live; /* under transport_exit.c's mutex */
    kube__exchange *running;         /* the I/O thread's, as all below */
    kube__sockets *sockets;
    kube__connection *connections;
    kube_fence *fence; /* of fenced requests; NULL = none */
    int64_t grace_ms;
    kube__fence_watcher watcher;
};

static inline int64_t kube__exchange_now_ns(void)
{
    kube_clock *clock = kube_clock_system();
    return clock->now_ns(clock);
}

/* With a reference for the caller. Returns NULL if out of memory. Threads: any, as of the next. */
kube__exchange *kube__exchange_new(kube__curl_transport *t, const kube__http_request *request);
void kube__exchange_unref(kube__exchange *x); /* NULL allowed */

/* transport_exit.c. Lets the I/O thread end, without waiting for it. */
void kube__transport_stop(kube__curl_transport *t);
/* What is on its list is stopped when the process ends. */
void kube__transport_watch_exit(void); /* once, when libcurl has been initialised */
void kube__transport_enlist(kube__curl_transport *t);
void kube__transport_delist(kube__curl_transport *t);

/* All below: on the I/O thread. */
void kube__exchange_begin(kube__curl_transport *t, kube__exchange *x);
/* Behind a pause. */
void kube__exchange_go_on(kube__exchange *x);
/* Whether the fence holds @x up; asked again and again until the last byte has left. */
bool kube__exchange_is_fenced_off(kube__exchange *x);
/* The ends of an exchange: one of them, once. */
void kube__exchange_end(kube__exchange *x, CURLcode result);
void kube__exchange_cancel(kube__exchange *x);
void kube__exchange_fence_off(kube__exchange *x);

/* transport_silence.c: cuts what takes or is silent for too long. Returns the time until the next
 * look. */
int kube__transport_cut_silent(kube__curl_transport *t);

/* transport_fence.c, likewise on the I/O thread. The fence of fenced requests is @fence from now
 * on; NULL = none. */
void kube__transport_take_fence(kube__curl_transport *t, kube_fence *fence);
void kube__transport_drop_fence(kube__curl_transport *t);
/*
 * What is under way when the fence closes ends now, before curl goes on with it: also when this
 * thread was stopped in between.
 */
void kube__transport_cut_fenced(kube__curl_transport *t);
/* The first moment at which something running has to be cut, if that is before @first. */
int64_t kube__transport_fence_end(const kube__curl_transport *t, int64_t now, int64_t first);

#endif /* KUBE_NET_EXCHANGE_H */
