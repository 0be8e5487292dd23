/* SPDX-License-Identifier: Apache-2.0 */
/* What makes networks real. The controller knows no more of it than this. */
#ifndef NETWORK_CONTROLLER_PROVIDER_H
#define NETWORK_CONTROLLER_PROVIDER_H

#include <kube/ctx.h>
#include <kube/workqueue.h>

struct real_network {
    kube_key key; /* of the Network that wants it */
    const char *cidr;
    const char *gateway;
};

/* Functions may be called by several workers at once, but by one for a key. */
struct provider {
    /* Makes the network as wanted; @changed tells whether it was not so before. KUBE_ERR_ARGUMENT,
     * here and below, for a key that cannot be one. */
    kube_code (*ensure)(struct provider *provider, kube_ctx *ctx, const struct real_network *wanted,
                        bool *changed, kube_error *err);
    /* Removes it; KUBE_OK also when there was none. */
    kube_code (*remove)(struct provider *provider, kube_ctx *ctx, kube_key key, bool *existed,
                        kube_error *err);
    /* Calls @visit for each network that exists, until it returns false. cidr and gateway are NULL
     * where they cannot be read. */
    kube_code (*list)(struct provider *provider, kube_ctx *ctx,
                      bool (*visit)(void *arg, const struct real_network *network), void *arg,
                      kube_error *err);
    void (*free)(struct provider *provider);
};

/* Keeps each network as a file of @directory, which it makes if need be. Files are written whole
 * or not at all. */
kube_code provider_files_new(const char *directory, struct provider **out, kube_error *err);
/* NULL allowed. */
void provider_free(struct provider *provider);

#endif /* NETWORK_CONTROLLER_PROVIDER_H */
