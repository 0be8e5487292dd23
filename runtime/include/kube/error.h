/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What went wrong: few codes about meaning, and a plain struct with the details.
 *
 * A fallible function returns kube_code and, on failure, fills the kube_error it was given. The
 * code decides; while it is KUBE_OK the contents of the error mean nothing. Every function that
 * takes a kube_error accepts NULL.
 */
#ifndef KUBE_ERROR_H
#define KUBE_ERROR_H

#include <kube/export.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/** X(name, text): the codes. The text is what kube_code_name() returns. */
#define KUBE_CODE_MAP(X)                                                                           \
    X(OK, "ok")                                                                                    \
    X(ERR_NO_MEMORY, "out of memory")                                                              \
    X(ERR_ARGUMENT, "invalid argument")            /* the caller's mistake, nothing was sent */    \
    X(ERR_CONFIG, "invalid configuration")         /* kubeconfig, certificates, environment */     \
    X(ERR_CANCELED, "canceled")                    /* the ctx was cancelled */                     \
    X(ERR_TIMEOUT, "timed out")                    /* the ctx's deadline passed, or 504 */         \
    X(ERR_CLOSED, "closed")                        /* end of a watch, or of a stopped part */      \
    X(ERR_TRANSPORT, "transport failure")          /* no answer: dns, connect, tls, cut */         \
    X(ERR_DECODE, "undecodable")                   /* text that is not what the type says */       \
    X(ERR_PARTIAL, "partial object")               /* update would lose members, see kube_extra */ \
    X(ERR_BAD_REQUEST, "bad request")              /* 400 */                                       \
    X(ERR_UNAUTHORIZED, "unauthorized")            /* 401 */                                       \
    X(ERR_FORBIDDEN, "forbidden")                  /* 403 */                                       \
    X(ERR_NOT_FOUND, "not found")                  /* 404, or not in the cache */                  \
    X(ERR_METHOD_NOT_ALLOWED, "method not allowed") /* 405 */                                      \
    X(ERR_NOT_ACCEPTABLE, "not acceptable")        /* 406, 415 */                                  \
    X(ERR_ALREADY_EXISTS, "already exists")        /* 409 with that reason */                      \
    X(ERR_CONFLICT, "conflict")                    /* 409 otherwise */                             \
    X(ERR_EXPIRED, "expired")                      /* 410: resourceVersion or continue too old */  \
    X(ERR_TOO_LARGE, "too large")                  /* 413 */                                       \
    X(ERR_INVALID, "invalid")                      /* 422 */                                       \
    X(ERR_TOO_MANY_REQUESTS, "too many requests")  /* 429 */                                       \
    X(ERR_UNAVAILABLE, "unavailable")              /* 503 */                                       \
    X(ERR_FENCED, "fenced")                        /* the lease ran out or was lost: not sent */   \
    X(ERR_SERVER, "server error")                  /* other 5xx, and answers nobody expects */

typedef enum kube_code {
#define KUBE_CODE_ENUM(name, text) KUBE_##name,
    KUBE_CODE_MAP(KUBE_CODE_ENUM)
#undef KUBE_CODE_ENUM
} kube_code;

/**
 * Details of a failure. Plain data of 1 KiB on the caller's stack: nothing to free. Strings that
 * do not fit are cut at a UTF-8 border and `truncated` is set.
 */
typedef struct kube_error {
    kube_code code;
    int http_status;        /* 0 when no answer came */
    int64_t retry_after_ms; /* 0 = the server did not say */
    bool truncated;         /* message was cut */
    char reason[47];        /* Status.reason, such as "AlreadyExists"; "" when there is none */
    char cause[64];         /* reason of the first Status cause, such as "FieldValueInvalid" */
    char field[128];        /* field of the first Status cause, or JSON path of a decode error */
    char message[764];      /* one line, lowercase, no full stop */
} kube_error;

/** Stable lower-case text for @p code. Threads: any. */
KUBE_API const char *kube_code_name(kube_code code);

/** Fills @p err (may be NULL) from a format and returns @p code, for `return kube_error_set(…)`. */
KUBE_API kube_code kube_error_set(kube_error *err, kube_code code, const char *format, ...)
    KUBE_PRINTF(3, 4);
KUBE_API kube_code kube_error_vset(kube_error *err, kube_code code, const char *format,
                                   va_list args) KUBE_PRINTF(3, 0);

/** Puts "<prefix>: " before the message: context is added upward, never put in its place. */
KUBE_API void kube_error_prefix(kube_error *err, const char *format, ...) KUBE_PRINTF(2, 3);

/**
 * Whether a client is well advised to wait before it tries again (EM-1, SuggestsClientDelay).
 * @param delay_ms may be NULL
 */
KUBE_API bool kube_error_suggests_delay(const kube_error *err, int64_t *delay_ms);

/** Whether a list or watch must start over: 410, or a resourceVersion the server no longer has. */
KUBE_API bool kube_error_is_expired(const kube_error *err);

/** Whether the resourceVersion asked for is newer than the server's (REF-6). */
KUBE_API bool kube_error_is_too_large_version(const kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_ERROR_H */
