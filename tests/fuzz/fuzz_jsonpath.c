/* SPDX-License-Identifier: Apache-2.0 */
/* The JSONPath of a column, and behind a line "%%" the document in which it finds something. */
#include "api_kit.h"
#include "apiserver/view/table.h"

#include <stdlib.h>

enum { MOST = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char otherwise[] = "{\"a\":{\"b\":[1,{\"x\":\"y\",\"z\":true},null]},\"c.d\":2.5}";
    fuzz_text rest = {(const char *)data, len};
    fuzz_text path = {0};
    fuzz_text text = {otherwise, sizeof otherwise - 1};
    const kube__json *found[MOST];
    kube_ctx *ctx = kube_ctx_new();
    next_part(&rest, &path);
    next_part(&rest, &text);
    kube__json *document = fuzz_parse(ctx, text.data, text.len);
    char *copy = copy_part(path);
    size_t count = document ? kube__jsonpath_find(ctx, document, copy, found, MOST) : 0;
    must(count <= MOST, "more values than asked for");
    for (size_t i = 0; i < count; i++)
        fuzz_same_again(ctx, found[i]);
    count_input("paths", count > 0);
    free(copy);
    kube_ctx_free(ctx);
    return 0;
}
