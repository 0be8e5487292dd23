/* SPDX-License-Identifier: Apache-2.0 */
/* main() of a test of the object layer: each case runs with its own ctx. */
#ifndef TESTS_RUNTIME_OBJECT_OBJECT_TEST_H
#define TESTS_RUNTIME_OBJECT_OBJECT_TEST_H

#include "fixture_types.h"
#include "support/suite.h"
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

#define RUN_OBJECT_TESTS(name, tests) RUN_SUITE_WITH(name, setup_ctx, teardown_ctx, tests)

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
