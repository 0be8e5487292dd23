/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <errno.h>

/* Both are NULL until the first case or fixture of the program is declared. */
static Suite *suite;
static TCase *group;

void suite_fixture(void (*set_up)(void), void (*tear_down)(void))
{
    if (!suite)
        suite = suite_create(program_invocation_short_name);
    group = tcase_create(program_invocation_short_name);
    tcase_set_timeout(group, 0); /* ctest's counts */
    tcase_add_checked_fixture(group, set_up, tear_down);
    suite_add_tcase(suite, group);
}

void suite_add(const TTest *test, int count)
{
    if (!group)
        suite_fixture(NULL, NULL);
    tcase_add_loop_test(group, test, 0, count);
}

int suite_run(void)
{
    SRunner *runner = srunner_create(suite);
    int failed;
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
