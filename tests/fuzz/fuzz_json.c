/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the API server's JSON, and as the fields that managers own. */
#include "api_kit.h"
#include "apiserver/patch/fieldset.h"

static bool read_fields(kube_ctx *ctx, const kube__json *value)
{
    kube__field_set set;
    kube__field_set again;
    if (!kube__json_is(value, KUBE__JSON_OBJECT) || !kube__field_set_read(ctx, value, &set))
        return false;
    kube__json *written = kube__field_set_write(ctx, kube__field_set_union(ctx, set, set));
    must(kube__field_set_read(ctx, written, &again), "fields that cannot be read again");
    must(kube__field_set_equal(set, again), "other fields when written and read");
    return !kube__field_set_empty(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    kube_ctx *ctx = kube_ctx_new();
    kube__json *value = fuzz_parse(ctx, (const char *)data, len);
    count_input("values", value != NULL);
    if (value) {
        fuzz_same_again(ctx, value);
        kube__json_sort(value);
        fuzz_same_again(ctx, value);
    }
    count_input("fields", value && read_fields(ctx, value));
    kube_ctx_free(ctx);
    return 0;
}
