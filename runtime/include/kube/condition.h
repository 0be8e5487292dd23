/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Conditions in a status: one a type, whose transition time moves with its status alone.
 */
#ifndef KUBE_CONDITION_H
#define KUBE_CONDITION_H

#include <kube/ctx.h>
#include <kube/meta.h>

KUBE_BEGIN_DECLS

#define KUBE_CONDITION_TRUE "True"
#define KUBE_CONDITION_FALSE "False"
#define KUBE_CONDITION_UNKNOWN "Unknown"

/** The condition of that type; NULL = there is none. */
KUBE_API const kube_condition *kube_condition_find(const kube_condition_list *conditions,
                                                   const char *type);
/** Whether there is a condition of that type, and its status is True. */
KUBE_API bool kube_condition_is_true(const kube_condition_list *conditions, const char *type);
/**
 * Adds or replaces the condition of that type; a changed list is a new one in @p ctx, and borrows
 * @p condition's strings. Its last_transition_time stays unless the status changed; then it is what
 * @p condition says, or now by the ctx's clock. @p changed (may be NULL): whether anything did.
 * A reason or message of NULL becomes "", for the server requires both.
 * KUBE_ERR_ARGUMENT when it has no type, or a status that is none of the three.
 */
KUBE_CHECKED kube_code kube_condition_set(kube_ctx *ctx, kube_condition_list *conditions,
                                          const kube_condition *condition, bool *changed,
                                          kube_error *err);
/** Takes the condition of that type out; a changed list is a new one in @p ctx. @p changed (may be
 * NULL): whether there was one. */
KUBE_CHECKED kube_code kube_condition_remove(kube_ctx *ctx, kube_condition_list *conditions,
                                             const char *type, bool *changed, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_CONDITION_H */
