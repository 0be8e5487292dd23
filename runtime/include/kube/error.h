/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What went wrong: a code that a program can act on, and a struct with the details.
 *
 * A function that can fail returns a kube_code and, on failure, fills the kube_error it was given.
 * After KUBE_OK the contents of the kube_error mean nothing. Every function that takes a kube_error
 * accepts NULL.
 */
#ifndef KUBE_ERROR_H
#define KUBE_ERROR_H

#include <kube/export.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/** All codes, as X(name, text). kube_code_name() returns the text. */
#define KUBE_CODE_MAP(X)                                                                           \
    X(OK, "ok")                                                                                    \
    X(ERR_NO_MEMORY, "out of memory")                                                              \
    X(ERR_ARGUMENT, "invalid argument")    /* the caller's mistake; nothing was sent */            \
    X(ERR_CONFIG, "invalid configuration") /* kubeconfig, certificates, environment */             \
    X(ERR_CANCELED, "canceled")            /* the ctx was cancelled */                             \
    X(ERR_TIMEOUT, "timed out")           /* a deadline of ours passed: the ctx's, the client's */ \
    X(ERR_CLOSED, "closed")               /* a watch has ended, a part was stopped */              \
    X(ERR_TRANSPORT, "transport failure") /* no whole answer: DNS, TCP, TLS */                     \
    X(ERR_DECODE, "undecodable")          /* the text does not fit the type */                     \
    X(ERR_PARTIAL, "partial object")      /* an update would erase members: kube_extra */          \
    X(ERR_BAD_REQUEST, "bad request")     /* 400 */                                                \
    X(ERR_UNAUTHORIZED, "unauthorized")   /* 401 */                                                \
    X(ERR_FORBIDDEN, "forbidden")         /* 403 */                                                \
    X(ERR_NOT_FOUND, "not found")         /* 404, or not in the cache */                           \
    X(ERR_METHOD_NOT_ALLOWED, "method not allowed") /* 405 */                                      \
    X(ERR_NOT_ACCEPTABLE, "not acceptable")         /* 406, 415 */                                 \
    X(ERR_ALREADY_EXISTS, "already exists")         /* 409 with reason AlreadyExists */            \
    X(ERR_CONFLICT, "conflict")                     /* any other 409 */                            \
    X(ERR_EXPIRED, "expired")                       /* 410: resourceVersion or continue too old */ \
    X(ERR_TOO_LARGE, "too large")                   /* 413 */                                      \
    X(ERR_INVALID, "invalid")                       /* 422 */                                      \
    X(ERR_TOO_MANY_REQUESTS, "too many requests")   /* 429 */                                      \
    X(ERR_UNAVAILABLE, "unavailable")               /* 503 */                                      \
    X(ERR_SERVER_TIMEOUT, "server timeout")         /* 504: the server has given up waiting */     \
    X(ERR_FENCED, "fenced")                         /* not sent: the lease was lost or ran out */  \
    X(ERR_SERVER, "server error")                   /* other 5xx, and unexpected answers */        \
    X(ERR_FAILED, "failed") /* for the program's own failures: the library returns none itself */  \
    X(ERR_UNDECODABLE, "undecodable object") /* the object exists, but does not fit the type, or   \
                                                has a name that no object can have */

typedef enum kube_code {
#define KUBE_CODE_ENUM(name, text) KUBE_##name,
    KUBE_CODE_MAP(KUBE_CODE_ENUM)
#undef KUBE_CODE_ENUM
} kube_code;

/**
 * Details of a failure. It is 1 KiB of plain data, usually on the caller's stack, and needs no
 * freeing. A text that does not fit is cut between two UTF-8 characters.
 */
typedef struct kube_error {
    kube_code code;
    int http_status;        /* 0 if there was no answer */
    int64_t retry_after_ms; /* how long the server asks to wait; 0 if it does not say */
    bool truncated;         /* the message was cut */
    bool sent;              /* the request, or a part of it, may have reached the server */
    char reason[47];        /* the Status' reason, such as "AlreadyExists", or "" */
    char cause[64];         /* reason of the Status' first cause, such as "FieldValueInvalid" */
    char field[128];   /* field of the Status' first cause, or JSON path of what does not decode */
    char message[764]; /* one line, lower case, without a full stop */
} kube_error;

/** Returns the text of @p code, such as "not found". Threads: any. */
KUBE_API const char *kube_code_name(kube_code code);

/** Sets the code and the message of @p err (which may be NULL), clears its other members, and
 * returns @p code, so that one can write `return kube_error_set(…)`. */
KUBE_API kube_code kube_error_set(kube_error *err, kube_code code, const char *format, ...)
    KUBE_PRINTF(3, 4);
KUBE_API kube_code kube_error_vset(kube_error *err, kube_code code, const char *format,
                                   va_list args) KUBE_PRINTF(3, 0);

/** Puts "<prefix>: " before the message, so that a caller can say what it was doing. */
KUBE_API void kube_error_prefix(kube_error *err, const char *format, ...) KUBE_PRINTF(2, 3);

/** What became of a write that failed. */
typedef enum kube_outcome {
    KUBE_OUTCOME_NOT_SENT, /* it never left: nothing has changed */
    KUBE_OUTCOME_REFUSED,  /* the server answered that it did not do it */
    KUBE_OUTCOME_UNKNOWN,  /* it may have been done: the answer was lost, cut, unreadable, or a 5xx
                            */
} kube_outcome;

/** Returns what became of a create, update, patch, apply or delete that failed with @p err. If it
 * is unknown, read the object before you write again; a get, list or watch changes nothing. An
 * error that came from no call of a client counts as not sent, NULL as unknown. */
KUBE_API kube_outcome kube_error_outcome(const kube_error *err);

/**
 * Returns whether the server asks to wait before the next try, as client-go's SuggestsClientDelay.
 * @param delay_ms gets the delay that the server asks for; may be NULL
 */
KUBE_API bool kube_error_suggests_delay(const kube_error *err, int64_t *delay_ms);

/** Returns whether a list or watch must start over, because the server no longer has its
 * resourceVersion or continue token. */
KUBE_API bool kube_error_is_expired(const kube_error *err);

/** Returns whether the requested resourceVersion is newer than the server (REF-6). */
KUBE_API bool kube_error_is_too_large_version(const kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_ERROR_H */
