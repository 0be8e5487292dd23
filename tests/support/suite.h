/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases of a Check program. A test file declares each where it stands; they run in that order:
 *
 *     FIXTURE(set_up, tear_down);           the cases below it run between these two
 *     TEST(what_is_so) { … }
 *     TEST_EACH(what_is_so, rows) { … }     runs for each row of an array, which is rows[_i]
 *     TEST_TIMES(what_is_so, count) { … }   runs with _i = 0 … count - 1
 *
 * Each is put into the suite before main() begins, so main() has nothing to list: it is
 * suite_main.c's, unless the program has one of its own that calls suite_run().
 */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <check.h>
#include <stddef.h>
#include <stdlib.h>

#define TEST(name) TEST_TIMES(name, 1)
#define TEST_EACH(name, rows) TEST_TIMES(name, sizeof(rows) / sizeof *(rows))
#define TEST_TIMES(name, count)                                                                    \
    static void name##_fn(int _i);                                                                 \
    __attribute__((constructor)) static void name##_add(void)                                      \
    {                                                                                              \
        static const TTest test = {#name, name##_fn, __FILE__, __LINE__};                          \
        suite_add(&test, (int)(count));                                                            \
    }                                                                                              \
    static void name##_fn(int _i __attribute__((unused)))

#define FIXTURE(set_up, tear_down) FIXTURE_NAMED(fixture_, __COUNTER__, set_up, tear_down)
#define FIXTURE_NAMED(prefix, number, set_up, tear_down)                                           \
    FIXTURE_DECLARED(prefix, number, set_up, tear_down)
#define FIXTURE_DECLARED(prefix, number, set_up, tear_down)                                        \
    __attribute__((constructor)) static void prefix##number(void)                                  \
    {                                                                                              \
        suite_fixture((set_up), (tear_down));                                                      \
    }                                                                                              \
    static void prefix##number(void)

/* What the macros call. */
void suite_fixture(void (*set_up)(void), void (*tear_down)(void));
void suite_add(const TTest *test, int count);

/* Runs all cases and returns what main() returns. */
int suite_run(void);

#endif /* TESTS_SUPPORT_SUITE_H */
