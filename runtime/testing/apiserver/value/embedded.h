/* SPDX-License-Identifier: Apache-2.0 */
/* Documents that are built into the library. */
#ifndef KUBE_APISERVER_EMBEDDED_H
#define KUBE_APISERVER_EMBEDDED_H

#include <stddef.h>

typedef struct kube__api_embedded { /* written by openapi/embed.c; an entry without name ends it */
    const char *name;               /* "apps_v1" */
    const unsigned char *text;
    size_t len;
} kube__api_embedded;

extern const kube__api_embedded kube__api_embedded_documents[];

#endif /* KUBE_APISERVER_EMBEDDED_H */
