/* SPDX-License-Identifier: Apache-2.0 */
/* Makes URLs of API resources (REQ-1, REQ-17), and names the resource of a request in messages. */
#ifndef KUBE_NET_URL_H
#define KUBE_NET_URL_H

#include "base/buffer.h"
#include "config.h"

#include <kube/object.h>

/* What a request is about: for its URL, for messages, and for the RBAC rule that allows it. */
typedef struct kube__target {
    const kube_type *type;
    const char *verb; /* as RBAC names it: "get", "deletecollection", … */
    const char *namespace_;
    const char *name;        /* NULL = the collection */
    const char *subresource; /* NULL = none */
} kube__target;

/* Splits @server into the parts a config keeps; refuses query, fragment, user and odd ports. */
KUBE__CHECKED kube_code kube__url_parse_server(kube_config *config, const char *server,
                                               kube_error *err);
/*
 * Splits "host:port", "[::1]:port", and both without a port, *port "" then. Returns what is wrong
 * with it, or NULL. *host in @memory.
 */
const char *kube__url_split_authority(kube_ctx *memory, const char *authority, const char **host,
                                      const char **port);
/*
 * Starts @url with everything up to the query. Refuses names that are empty, "." or "..", or that
 * hold "/" or "%"; escapes the rest. Queries are added by the functions below, and at the end
 * kube__url_check() tells how it went.
 */
KUBE__CHECKED kube_code kube__url_start(kube__buffer *url, const kube_config *config,
                                        const kube__target *target, kube_error *err);
/* Adds `name=value`, escaped; a NULL or empty value is left out. */
void kube__url_add(kube__buffer *url, const char *name, const char *value);
/* Zero is left out. */
void kube__url_add_number(kube__buffer *url, const char *name, int64_t value);
/* Tells the server the time of a request (REQ-2); 0 is left out. */
void kube__url_add_timeout(kube__buffer *url, int64_t timeout_ms);
void kube__url_add_true(kube__buffer *url, const char *name, bool value);

/* Whether all of it could be added, and it is not longer than a server takes. */
KUBE__CHECKED kube_code kube__url_check(const kube__buffer *url, kube_error *err);

/* `networks "a"`, or `networks`. Returns NULL if out of memory. */
const char *kube__target_text(kube_ctx *ctx, const kube__target *target);

#endif /* KUBE_NET_URL_H */
