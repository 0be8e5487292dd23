/* SPDX-License-Identifier: Apache-2.0 */
/* The Network controller's provider in memory, which tells the test when something changed. */
#ifndef TESTS_TESTING_MEMORY_PROVIDER_H
#define TESTS_TESTING_MEMORY_PROVIDER_H

#include "provider.h" /* examples/network-controller */

enum { MEMORY_TEXT = 64 };

struct memory_network {
    char namespace_[MEMORY_TEXT];
    char name[MEMORY_TEXT];
    char cidr[MEMORY_TEXT];
    char gateway[MEMORY_TEXT];
};

/* Aborts when memory is out. End it by provider->free(). */
struct provider *memory_provider_new(void);
/* All networks go, as if the machine had been set up anew. */
void memory_provider_clear(struct provider *provider);
size_t memory_provider_count(struct provider *provider);
/* False = there is none. */
bool memory_provider_get(struct provider *provider, const char *namespace_, const char *name,
                         struct memory_network *out);
/* How often ensure or remove was called, whether that changed something or not. */
uint64_t memory_provider_calls(struct provider *provider);
/* Waits until there were more calls than @since, as long as @ctx lasts. False = it ended. */
bool memory_provider_wait(struct provider *provider, kube_ctx *ctx, uint64_t since);

#endif /* TESTS_TESTING_MEMORY_PROVIDER_H */
