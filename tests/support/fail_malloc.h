/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets allocations fail on purpose, so that every "out of memory" path is walked once.
 *
 * In CMake link kubegen_fail_malloc beside the code under test:
 *
 *     kubegen_add_test(NAME test_ctx SOURCES test_ctx.c LIBS kube_base kubegen_fail_malloc)
 *
 * It makes the linker send calls of malloc, calloc, realloc, strdup and strndup through here: those
 * of objects and static libraries in the executable. Shared libraries (curl) keep the real ones.
 * Check is a static library on Debian and ends the test when it is out of memory, so no ck_assert
 * may run while an allocation is to fail. Works with the sanitizers, whose leak check finds what a
 * failed call forgot.
 *
 * The usual test walks through all of them:
 *
 *     static bool step(void *arg)
 *     {
 *         kube_error err;
 *         kube_code rc = thing_do(arg, &err);
 *         if (rc != KUBE_OK && rc != KUBE_ERR_NO_MEMORY)
 *             abort();
 *         return rc == KUBE_OK;
 *     }
 *     ck_assert_uint_gt(fail_malloc_replay(step, &thing), 0);
 *
 * step() runs with the 1st allocation failing, then the 2nd, and so on, until it is through without
 * meeting a failure. It must give back all it made and return whether it succeeded. A success
 * although an allocation failed is allowed: code may do without.
 */
#ifndef TESTS_SUPPORT_FAIL_MALLOC_H
#define TESTS_SUPPORT_FAIL_MALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* The @nth allocation from now on fails, once; 1 = the next one, 0 = none. Threads: any. */
void fail_malloc_at(size_t nth);
/* The @nth allocation from now on and all after it fail. */
void fail_malloc_from(size_t nth);
/* Ends it; returns how many allocations were asked for since fail_malloc_at() or _from(). */
size_t fail_malloc_off(void);
/* Allocations that were made to fail since fail_malloc_at() or _from(). */
size_t fail_malloc_failed(void);

/*
 * Runs @step with each of its allocations failing in turn, singly and together with all after it;
 * see above. Returns how many allocations a run without failure makes. Aborts with a message when
 * @step fails without a failed allocation.
 */
size_t fail_malloc_replay(bool (*step)(void *arg), void *arg);

#endif /* TESTS_SUPPORT_FAIL_MALLOC_H */
