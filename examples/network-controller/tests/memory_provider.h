/* SPDX-License-Identifier: Apache-2.0 */
/* Networks that exist in memory only, and a test that waits for them. */
#ifndef NETWORK_CONTROLLER_MEMORY_PROVIDER_H
#define NETWORK_CONTROLLER_MEMORY_PROVIDER_H

#include "../provider.h"

/* Exits the test if out of memory. Free it with provider_free(). */
struct provider *memory_provider_new(void);

/* "10.1.0.0/16 by 10.1.0.1", or "none", in @ctx. */
const char *memory_provider_get(struct provider *provider, kube_ctx *ctx, const char *ns,
                                const char *name);
/* Waits until get() would say @wanted, as long as @ctx lasts; returns what it says then. */
const char *memory_provider_wait(struct provider *provider, kube_ctx *ctx, const char *ns,
                                 const char *name, const char *wanted);
/* How many networks exist. */
size_t memory_provider_count(struct provider *provider);
/* How often the controller has called ensure() or remove(). */
size_t memory_provider_call_count(struct provider *provider);
/* Waits until it has called more often than @count, as long as @ctx lasts. */
void memory_provider_wait_for_call(struct provider *provider, kube_ctx *ctx, size_t count);
/* What somebody else does behind the controller's back: sets, or with NULL removes, a network. */
void memory_provider_meddle(struct provider *provider, const char *ns, const char *name,
                            const char *cidr, const char *gateway);
/* All networks go, as if the machine had been set up anew. */
void memory_provider_clear(struct provider *provider);
/* The next @count calls fail. */
void memory_provider_fail(struct provider *provider, size_t count);

#endif /* NETWORK_CONTROLLER_MEMORY_PROVIDER_H */
