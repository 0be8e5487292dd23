/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an object of a built-in kind in protobuf. */
#include "api_kit.h"
#include "apiserver/value/protobuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *fault = NULL;
    kube_ctx *ctx = kube_ctx_new();
    kube__json *value = kube__api_protobuf_read(ctx, (const char *)data, len, &fault);
    must(!kube_ctx_failed(ctx), "out of memory");
    must(value || fault, "no object and no fault");
    if (value) { /* its texts may be no UTF-8, but as JSON they are */
        size_t text_len;
        const char *text = kube__json_text(ctx, value, &text_len);
        kube__json *read = fuzz_parse(ctx, text, text_len);
        must(read != NULL, "what is written is no JSON");
        fuzz_same_again(ctx, read);
    }
    count_input("objects", value != NULL);
    kube_ctx_free(ctx);
    return 0;
}
