/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What two servers cannot agree on (uids, times, ports, generated names, tokens, resource versions)
 * gets the same name on both sides, so that everything else can be compared. A uid that comes again
 * gets the name it had; resource versions are remembered, so that their order can be compared.
 */
#ifndef TESTS_PARITY_NORMAL_H
#define TESTS_PARITY_NORMAL_H

#include "apiserver/value/json.h"

enum { PARITY_NAMES_MAX = 400, PARITY_VERSIONS_MAX = 4000 };

typedef struct parity_version {
    int64_t value;
    bool whole; /* of a list or bookmark: no object's own */
    const char *where;
} parity_version;

/* What one side has said in one scenario. */
typedef struct parity_names {
    kube_ctx *ctx;
    const char *host; /* "127.0.0.1:41235" */
    const char *from[PARITY_NAMES_MAX];
    const char *to[PARITY_NAMES_MAX];
    size_t count;
    size_t uids;
    size_t generated;
    parity_version versions[PARITY_VERSIONS_MAX];
    size_t version_count;
} parity_names;

/* Changes a body in place; @where is told with the versions found. */
void parity_normalise(parity_names *names, kube__json *body, const char *where);
/* @name was made by the server. */
void parity_name_generated(parity_names *names, const char *name);
/* The same for text. */
const char *parity_normal_text(parity_names *names, const char *text);

#endif /* TESTS_PARITY_NORMAL_H */
