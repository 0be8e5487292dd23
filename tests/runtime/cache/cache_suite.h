/* SPDX-License-Identifier: Apache-2.0 */
/* main() of a test whose cases share a fixture; what they log is kept aside. */
#ifndef TESTS_CACHE_SUITE_H
#define TESTS_CACHE_SUITE_H

#include "log_lines.h"
#include "support/suite.h"

static inline int run_with_fixture(const char *name, void (*set_up)(void), void (*tear_down)(void),
                                   const TTest *const tests[], size_t count)
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    tcase_set_timeout(cases, 0); /* ctest's counts */
    tcase_add_checked_fixture(cases, log_lines_start, log_lines_stop);
    tcase_add_checked_fixture(cases, set_up, tear_down);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}

#define RUN_WITH_FIXTURE(name, set_up, tear_down, tests)                                           \
    run_with_fixture((name), (set_up), (tear_down), (tests), sizeof(tests) / sizeof *(tests))

#endif /* TESTS_CACHE_SUITE_H */
