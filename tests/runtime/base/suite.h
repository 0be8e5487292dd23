/* SPDX-License-Identifier: Apache-2.0 */
/* main() of a test with one suite. */
#ifndef TESTS_RUNTIME_BASE_SUITE_H
#define TESTS_RUNTIME_BASE_SUITE_H

#include <check.h>
#include <stddef.h>
#include <stdlib.h>

static inline int run_tests(const char *name, const TTest *const tests[], size_t count)
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    SRunner *runner;
    int failed;
    for (size_t i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define RUN_TESTS(name, tests) run_tests((name), (tests), sizeof(tests) / sizeof *(tests))

#endif /* TESTS_RUNTIME_BASE_SUITE_H */
