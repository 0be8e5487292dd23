/* SPDX-License-Identifier: Apache-2.0 */
/* Objects made up by their tables, for properties that hold for all of them. */
#ifndef TESTS_RUNTIME_OBJECT_RANDOM_OBJECT_H
#define TESTS_RUNTIME_OBJECT_RANDOM_OBJECT_H

#include <kube/generated.h>

typedef struct random_source {
    uint64_t state; /* not 0; equal seeds make equal objects */
    kube_ctx *ctx;
    bool is_modest; /* integers and texts that cJSON, too, keeps as they are */
} random_source;

uint64_t random_next(random_source *source);
/* Fills a zeroed struct, its base left out. */
void random_struct(random_source *source, const kube_schema *schema, void *at);
/* Gives about one in @odds members of a struct that random_struct() filled, at any depth, another
 * value. Memory that others share is left alone. */
void random_edit(random_source *source, const kube_schema *schema, void *at, unsigned odds);

#endif /* TESTS_RUNTIME_OBJECT_RANDOM_OBJECT_H */
