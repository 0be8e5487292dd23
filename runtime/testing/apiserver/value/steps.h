/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one request may cost. Its own size bounds most of its work; what multiplies that (the size
 * of a schema, of a patch, of what is stored) is counted here, in steps of some nanoseconds each.
 * A request that takes more than its share fails as one does that has run out of memory, so that
 * nobody has to look out for it. The server's own threads may take as many as they like.
 */
#ifndef KUBE_APISERVER_STEPS_H
#define KUBE_APISERVER_STEPS_H

#include <kube/ctx.h>
#include <stdbool.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/* A request's share, about a second. What reads or deletes is bounded by what is stored, and
 * counted no less. */
#define KUBE__API_MAX_STEPS ((uint64_t)200000000)

/* From now on this thread may take @most; 0 = any number. The count begins at 0. */
void kube__api_steps_begin(uint64_t most);
/* From now on at most @most more, if fewer are not left anyway. */
void kube__api_steps_lower(uint64_t most);
/* How many the thread has taken since. */
uint64_t kube__api_steps_taken(void);
/* Counts. False = that was more than the request may take: go no further, whatever the answer. */
bool kube__api_take_steps(uint64_t count);
/* Fails @ctx when the request has taken too many. Returns whether it may go on. */
bool kube__api_check_steps(kube_ctx *ctx);

KUBE_END_DECLS

#endif /* KUBE_APISERVER_STEPS_H */
