/* SPDX-License-Identifier: Apache-2.0 */
/* Paths into a body. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

/* The element of "[3]", "[name=x]" or "['key']", given what stands between the brackets. */
static kube__json *in_brackets(kube_ctx *ctx, kube__json *value, const char *text, size_t len)
{
    const char *equals = memchr(text, '=', len);
    const char *key;
    const char *wanted;
    if (len > 2 && *text == '\'')
        return kube__json_get(value, kube_ctx_strndup(ctx, text + 1, len - 2));
    if (!equals)
        return kube__json_item(value, (size_t)strtoul(text, NULL, 10));
    key = kube_ctx_strndup(ctx, text, (size_t)(equals - text));
    wanted = kube_ctx_strndup(ctx, equals + 1, len - (size_t)(equals - text) - 1);
    KUBE__JSON_EACH (child, value)
        if (strcmp(kube__json_string_at(child, key), wanted) == 0)
            return child;
    return NULL;
}

kube__json *parity_pick(kube_ctx *ctx, kube__json *value, const char *path)
{
    while (value && *path) {
        size_t len;
        if (*path == '[') {
            len = strcspn(path, "]");
            value = in_brackets(ctx, value, path + 1, len - 1);
            path += len + (path[len] == ']');
        } else {
            path += *path == '.';
            len = strcspn(path, ".[");
            value = kube__json_get(value, kube_ctx_strndup(ctx, path, len));
            path += len;
        }
    }
    return value;
}
