/* SPDX-License-Identifier: Apache-2.0 */
/* main() of a Check program: one suite of cases, run and counted. */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <check.h>
#include <stddef.h>
#include <stdlib.h>

/* Runs @suite and frees it; what main() returns. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Puts @tests into @suite, each between @set_up and @tear_down (NULL = neither). */
static inline void add_tests(Suite *suite, const char *name, void (*set_up)(void),
                             void (*tear_down)(void), const TTest *const tests[], size_t count)
{
    TCase *cases = tcase_create(name);
    tcase_set_timeout(cases, 0); /* ctest's counts */
    if (set_up)
        tcase_add_checked_fixture(cases, set_up, tear_down);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
}

static inline int run_tests(const char *name, void (*set_up)(void), void (*tear_down)(void),
                            const TTest *const tests[], size_t count)
{
    Suite *suite = suite_create(name);
    add_tests(suite, name, set_up, tear_down, tests, count);
    return run_suite(suite);
}

#define RUN_SUITE(name, tests) RUN_SUITE_WITH(name, NULL, NULL, tests)
/* The same with a fixture around each test. */
#define RUN_SUITE_WITH(name, set_up, tear_down, tests)                                             \
    run_tests((name), (set_up), (tear_down), (tests), sizeof(tests) / sizeof *(tests))

#endif /* TESTS_SUPPORT_SUITE_H */
