/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Finds and sets conditions in an object's status.
 *
 * There is one condition of each type. Its lastTransitionTime changes only with its status.
 */
#ifndef KUBE_CONDITION_H
#define KUBE_CONDITION_H

#include <kube/ctx.h>
#include <kube/meta.h>

KUBE_BEGIN_DECLS

#define KUBE_CONDITION_TRUE "True"
#define KUBE_CONDITION_FALSE "False"
#define KUBE_CONDITION_UNKNOWN "Unknown"

/** Returns the condition of that type, or NULL. */
KUBE_API const kube_condition *kube_condition_find(const kube_condition_list *conditions,
                                                   const char *type);
/** Returns whether the condition of that type is there and its status is True. */
KUBE_API bool kube_condition_is_true(const kube_condition_list *conditions, const char *type);
/**
 * Adds @p condition, or replaces the one of its type. A list that changes gets new storage in
 * @p ctx and borrows the strings of @p condition. If the status changes, last_transition_time is
 * what @p condition says, or the time of the ctx's clock; otherwise it stays. A message that is
 * NULL becomes "", because the server requires one.
 * @param changed whether the list has changed; may be NULL
 * @return KUBE_ERR_ARGUMENT, with a message that says why, if the server would refuse the
 * condition: its type is no name ("Ready", "example.org/Ready"), its status is not True, False or
 * Unknown, its reason is not a word of letters, digits, `_`, `,` and `:` that begins with a letter,
 * its message has more than 32768 characters, or its generation is below zero
 */
KUBE_CHECKED kube_code kube_condition_set(kube_ctx *ctx, kube_condition_list *conditions,
                                          const kube_condition *condition, bool *changed,
                                          kube_error *err);
/** Removes the condition of that type. A list that changes gets new storage in @p ctx. @p changed
 * (may be NULL) tells whether the condition was there. */
KUBE_CHECKED kube_code kube_condition_remove(kube_ctx *ctx, kube_condition_list *conditions,
                                             const char *type, bool *changed, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_CONDITION_H */
