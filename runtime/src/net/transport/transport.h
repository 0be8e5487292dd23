/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface to HTTP that the client uses: a struct of functions. transport_curl.c implements it
 * with libcurl; tests may implement it themselves. Handlers run on the transport's I/O thread.
 */
#ifndef KUBE_NET_TRANSPORT_H
#define KUBE_NET_TRANSPORT_H

#include "net/config/config.h"

#include <kube/config.h>
#include <kube/fence.h>
#include <stddef.h>

typedef struct kube__transport kube__transport;
typedef struct kube__exchange kube__exchange;

typedef struct kube__http_request {
    const char *method;
    const char *url; /* absolute */
    const kube__http_header *headers;
    size_t header_count;
    const char *body; /* NULL = none */
    size_t body_len;
    bool own_connection; /* HTTP/1.1, shared with nothing: for answers that may have to wait */
    bool bulk;           /* much data is expected */
    bool packed;         /* gzip is asked for; what comes packed is unpacked anyway */
    bool fenced;         /* only while the transport's fence is open, if it has one */
    int64_t limit_ms;    /* cut after that long, less the pauses; 0 = never */
} kube__http_request;

typedef struct kube__http_head {
    int status;
    char content_type[128]; /* "" when the server did not say */
    bool has_retry_after;   /* an integer; the date form is not supported (REQ-4) */
    int64_t retry_after_ms;
    bool gzip; /* the transport unpacks it */
} kube__http_head;

/* Whether the connection was lost before the answer began (REQ-3, condition B). */
typedef enum kube__http_loss {
    KUBE__HTTP_NOT_LOST,
    KUBE__HTTP_LOST,
    KUBE__HTTP_STALE, /* it had been used before: the server may have closed it while it was idle */
    KUBE__HTTP_SILENT,  /* it was left, and this request has waited on it for most of that time */
    KUBE__HTTP_REFUSED, /* the server has said that it did not process the request */
} kube__http_loss;

/*
 * How an exchange ended. The reason of a KUBE_ERR_TRANSPORT is one of: NameResolution,
 * ConnectionRefused, ConnectionTimedOut, Unreachable (no connection came about); Proxy (it refused
 * the connection); Certificate, TLS;
 * ConnectionClosed, ConnectionReset (lost before or in the answer); Truncated (the answer was cut);
 * Idle (silent for too long); NotHTTP; Resources (no file
 * descriptor or no memory of the system was left); Transport (anything else). KUBE_ERR_TIMEOUT: it
 * took longer than limit_ms.
 */
typedef struct kube__http_end {
    kube_code code; /* KUBE_OK = the answer is complete */
    kube__http_loss loss;
    bool sent;        /* something of the request may have left, and was not refused unseen */
    kube_error error; /* filled unless code is KUBE_OK */
} kube__http_end;

typedef enum kube__http_verdict {
    KUBE__HTTP_TAKEN,
    KUBE__HTTP_FULL, /* nothing was taken: the same bytes come again after resume() */
    KUBE__HTTP_STOP, /* give the exchange up; on_end() gets KUBE_ERR_CANCELED */
} kube__http_verdict;

/*
 * on_head is called at most once, then on_data, and on_end exactly once and last. on_rest comes
 * after some on_data, when all that was at hand has been given, but need not come before on_end;
 * it does not say FULL. on_warning gets the value of each Warning header, before on_head. These two
 * may be NULL.
 *
 * silence_ms is asked again and again for how long the answer, or a pause in it, may be waited for:
 * then the exchange is cut; 0 = for ever, as when it is NULL.
 */
typedef struct kube__http_handler {
    void (*on_head)(void *arg, const kube__http_head *head);
    kube__http_verdict (*on_data)(void *arg, const char *data, size_t len);
    kube__http_verdict (*on_rest)(void *arg);
    void (*on_end)(void *arg, const kube__http_end *end);
    int64_t (*silence_ms)(void *arg);
    void (*on_warning)(void *arg, const char *value);
} kube__http_handler;

struct kube__transport {
    /*
     * Copies the request and returns at once. @arg must live until on_end(). When it fails no
     * handler is called. @out must be given to end().
     */
    kube_code (*start)(kube__transport *transport, const kube__http_request *request,
                       const kube__http_handler *handler, void *arg, kube__exchange **out,
                       kube_error *err);
    /* Goes on after KUBE__HTTP_FULL. */
    void (*resume)(kube__transport *transport, kube__exchange *exchange);
    /* Gives the exchange back: if it still runs it is cancelled. Does not wait for that. */
    void (*end)(kube__transport *transport, kube__exchange *exchange);
    /* Cancels what runs, joins the thread. */
    void (*free)(kube__transport *transport);
    /* Fenced requests from now on; see kube_client_options. NULL = not supported. */
    void (*set_fence)(kube__transport *transport, kube_fence *fence, int64_t grace_ms);
};

typedef struct kube__transport_options {
    void (*dead)(void *arg); /* called when a connection is left, on the I/O thread */
    void *arg;
    /* A connection that is shared is left when calls have waited on it for so long and nothing
     * came; 0 = never. */
    int64_t silence_ms;
} kube__transport_options;

/* The transport on libcurl. Keeps a reference to @config. */
KUBE__CHECKED kube_code kube__transport_curl_new(const kube_config *config,
                                                 const kube__transport_options *options,
                                                 kube__transport **out, kube_error *err);

#endif /* KUBE_NET_TRANSPORT_H */
