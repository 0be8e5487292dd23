/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that threads of a test wait on, in place of sleeping. */
#ifndef TESTS_SUPPORT_GATE_H
#define TESTS_SUPPORT_GATE_H

#include "base/thread.h"

#include <check.h>

typedef struct gate {
    kube__mutex mutex;
    kube__condition condition;
    int passed;
} gate;

static inline void gate_init(gate *g)
{
    ck_assert_int_eq(kube__mutex_init(&g->mutex, NULL), KUBE_OK);
    ck_assert_int_eq(kube__condition_init(&g->condition, NULL), KUBE_OK);
    g->passed = 0;
}

static inline void gate_fini(gate *g)
{
    kube__condition_fini(&g->condition);
    kube__mutex_fini(&g->mutex);
}

/* Counts one up. */
static inline void gate_pass(gate *g)
{
    kube__lock(&g->mutex);
    g->passed++;
    kube__broadcast(&g->condition);
    kube__unlock(&g->mutex);
}

/* How often gate_pass() was called so far. */
static inline int gate_count(gate *g)
{
    int passed;
    kube__lock(&g->mutex);
    passed = g->passed;
    kube__unlock(&g->mutex);
    return passed;
}

/* Blocks until gate_pass() was called @count times in all. */
static inline void gate_wait(gate *g, int count)
{
    kube__lock(&g->mutex);
    while (g->passed < count)
        kube__wait(&g->condition, &g->mutex);
    kube__unlock(&g->mutex);
}

#endif /* TESTS_SUPPORT_GATE_H */
