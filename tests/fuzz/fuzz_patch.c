/* SPDX-License-Identifier: Apache-2.0 */
/* An object, and behind a line "%%" a patch of it, as each of the three kinds. */
#include "api_kit.h"
#include "apiserver/patch/patch.h"

static void patch_with(kube_ctx *ctx, const kube__json *object, const kube__json *patch)
{
    static kube_ctx *kept;
    static const kube__api_schema *schema;
    if (!kept) {
        kept = kube_ctx_new();
        schema = kube__api_schema_of_builtin(kept, "apps", "v1", "Deployment");
    }
    bool objects = kube__json_is(object, KUBE__JSON_OBJECT);
    kube__json *out = NULL;
    bool done = !kube__api_json_patch(ctx, object, patch, &out);
    if (done)
        fuzz_same_again(ctx, out);
    count_input("JSON", done);
    done = objects && !kube__api_check_merge_patch(ctx, patch);
    if (done)
        fuzz_same_again(ctx, kube__api_merge_patch(ctx, object, patch));
    count_input("merge", done);
    done = objects && kube__json_is(patch, KUBE__JSON_OBJECT) &&
           !kube__api_strategic_patch(ctx, schema, object, patch, &out);
    if (done)
        fuzz_same_again(ctx, out);
    count_input("strategic", done);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    fuzz_text rest = {(const char *)data, len};
    fuzz_text part;
    kube__json *documents[2] = {NULL, NULL};
    kube_ctx *ctx = kube_ctx_new();
    for (int i = 0; i < 2 && next_part(&rest, &part); i++)
        documents[i] = fuzz_parse(ctx, part.data, part.len);
    if (documents[0] && documents[1])
        patch_with(ctx, documents[0], documents[1]);
    kube_ctx_free(ctx);
    return 0;
}
