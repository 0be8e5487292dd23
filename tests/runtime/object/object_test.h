/* SPDX-License-Identifier: Apache-2.0 */
/* main() of a test of the object layer: each case runs with its own ctx. */
#ifndef TESTS_RUNTIME_OBJECT_OBJECT_TEST_H
#define TESTS_RUNTIME_OBJECT_OBJECT_TEST_H

#include "fixture_types.h"
#include <check.h>
#include <kube/codec.h>
#include <stdlib.h>
#include <string.h>

static kube_ctx *ctx;

static void setup_ctx(void)
{
    ctx = kube_ctx_new();
    ck_assert_ptr_nonnull(ctx);
}

static void teardown_ctx(void)
{
    kube_ctx_free(ctx);
}

static inline int run_object_tests(const char *name, const TTest *const tests[], size_t count)
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    tcase_add_checked_fixture(cases, setup_ctx, teardown_ctx);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define RUN_OBJECT_TESTS(name, tests)                                                              \
    run_object_tests((name), (tests), sizeof(tests) / sizeof *(tests))

/* @json as a widget that may be edited. */
static inline fixture_widget *decode_widget(const char *json)
{
    kube_object *object = NULL;
    kube_error err;
    kube_code rc = kube_decode(ctx, &fixture_widget_type, json, strlen(json), &object, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    return (fixture_widget *)(void *)object;
}

#endif /* TESTS_RUNTIME_OBJECT_OBJECT_TEST_H */
