/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all kinds that are served. */
#ifndef KUBE_APISERVER_REGISTRY_H
#define KUBE_APISERVER_REGISTRY_H

#include "apiserver/core/resource.h"
#include "apiserver/store/store.h"

typedef struct kube__api_registry kube__api_registry; /* used under the server's lock */

kube__api_registry *kube__api_registry_new(void);
void kube__api_registry_free(kube__api_registry *registry);
/* Takes the caller's reference; replaces one of the same group, version and plural. Returns false
 * if out of memory (the reference is given back). */
bool kube__api_registry_put(kube__api_registry *registry, kube__api_resource *resource);
/* All versions of a group's plural go. */
void kube__api_registry_remove(kube__api_registry *registry, const char *group, const char *plural);
/* Returns NULL if it does not exist. Adds no reference. */
kube__api_resource *kube__api_registry_find(const kube__api_registry *registry, const char *group,
                                            const char *version, const char *plural);
kube__api_resource *kube__api_registry_find_kind(const kube__api_registry *registry,
                                                 const char *group, const char *version,
                                                 const char *kind);
/* In the order of discovery: core first, then groups as the real server orders them, versions
 * newest first, plurals sorted. NULL past the end. */
kube__api_resource *kube__api_registry_at(const kube__api_registry *registry, size_t index);
bool kube__api_registry_has_group(const kube__api_registry *registry, const char *group);
bool kube__api_registry_has_version(const kube__api_registry *registry, const char *group,
                                    const char *version);

/* The built-in resources (builtin.c): registers them with schema, columns and collection. */
bool kube__api_register_builtins(kube__api_registry *registry, kube__api_store *store);

#endif /* KUBE_APISERVER_REGISTRY_H */
