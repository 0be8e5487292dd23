/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of schemas share: a ctx for each case, documents written with ' for ". */
#ifndef TESTS_SCHEMA_FIXTURE_H
#define TESTS_SCHEMA_FIXTURE_H

#include "apiserver/schema/schema.h"
#include "support/suite.h"

#include <kube/kube.h>
#include <stdio.h>
#include <string.h>

static kube_ctx *ctx;

static inline void set_up(void)
{
    ctx = kube_ctx_new();
}

static inline void tear_down(void)
{
    kube_ctx_free(ctx);
}

static inline kube__json *parse(const char *text)
{
    char *copy = kube_ctx_strdup(ctx, text);
    for (char *at = copy; *at; at++) {
        if (*at == '\'')
            *at = '"';
    }
    const char *fault = "";
    kube__json *value = kube__json_parse(ctx, copy, strlen(copy), &fault, NULL, NULL);
    ck_assert_msg(value, "%s: %s", text, fault);
    return value;
}

/* The text with ' for ". */
static inline const char *with_ticks(const char *text)
{
    char *copy = kube_ctx_strdup(ctx, text);
    for (char *at = copy; *at; at++) {
        if (*at == '"')
            *at = '\'';
    }
    return copy;
}

static inline const char *text_of(const kube__json *value)
{
    return with_ticks(kube__json_text(ctx, value, NULL));
}

static inline const kube__api_schema *crd_schema(const char *text)
{
    const kube__api_schema *schema = kube__api_schema_of_crd(ctx, parse(text));
    ck_assert_ptr_nonnull(schema);
    return schema;
}

static inline int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "Required spec.a: Required value\n…", sorted: the real server has no order. */
static inline const char *causes_text(const kube__api_causes *causes)
{
    const char *lines[64];
    size_t count = 0;
    for (const kube__api_cause *cause = causes->first; cause; cause = cause->next) {
        ck_assert_uint_lt(count, 64);
        ck_assert_int_eq(strncmp(cause->reason, "FieldValue", 10), 0);
        lines[count++] = with_ticks(
            kube_printf(ctx, "%s %s: %s", cause->reason + 10, cause->field, cause->message));
    }
    qsort(lines, count, sizeof *lines, by_text);
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = kube_printf(ctx, "%s%s%s", all, i ? "\n" : "", lines[i]);
    return all;
}

#endif /* TESTS_SCHEMA_FIXTURE_H */
