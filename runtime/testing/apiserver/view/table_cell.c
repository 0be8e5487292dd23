/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of cells that tables of built-in and of custom resources share. */
#include "base/text.h"
#include "table.h"

void kube__table_text(kube_ctx *ctx, kube__json *cells, const char *text)
{
    kube__json_append(cells, kube__json_string(ctx, kube__text_or_empty(text)));
}

void kube__table_number(kube_ctx *ctx, kube__json *cells, int64_t number)
{
    kube__json_append(cells, kube__json_int(ctx, number));
}

int64_t kube__table_int(const kube__json *object, const char *path)
{
    int64_t number = 0;
    kube__json_to_int(kube__json_at(object, path), &number);
    return number;
}

const char *kube__table_string(const kube__json *object, const char *path, const char *otherwise)
{
    const char *text = kube__json_string_at(object, path);
    return *text ? text : otherwise;
}
