/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the object layer share: each case runs with a ctx of its own. */
#ifndef TESTS_RUNTIME_OBJECT_OBJECT_KIT_H
#define TESTS_RUNTIME_OBJECT_OBJECT_KIT_H

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

FIXTURE(setup_ctx, teardown_ctx);

/* @json as a widget that may be edited. */
static inline fixture_widget *decode_widget(const char *json)
{
    kube_object *object = NULL;
    kube_error err;
    kube_code rc = kube_decode(ctx, &fixture_widget_type, json, strlen(json), &object, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    return (fixture_widget *)(void *)object;
}

#endif /* TESTS_RUNTIME_OBJECT_OBJECT_KIT_H */
