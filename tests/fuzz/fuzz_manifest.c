/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a manifest, in YAML or JSON. */
#include "api_kit.h"
#include "apiserver/server/manifest.h"

static void ignore_duplicate(void *arg, const char *path, const char *key)
{
    (void)arg, (void)path, (void)key;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *text = (const char *)data;
    const char *fault = NULL;
    kube__api_manifest manifest;
    kube__json *value;
    kube_ctx *ctx = kube_ctx_new();
    must(kube__api_manifest_init(&manifest, text, len), "out of memory");
    while ((value = kube__api_manifest_next(&manifest, ctx, &fault)) != NULL) {
        fuzz_same_again(ctx, value);
        count_input("documents", kube__json_is(value, KUBE__JSON_OBJECT));
    }
    kube__api_manifest_fini(&manifest);
    fault = NULL;
    value = kube__api_yaml_parse(ctx, text, len, &fault, ignore_duplicate, NULL);
    if (value)
        fuzz_same_again(ctx, value);
    count_input("YAML", value && kube__json_is(value, KUBE__JSON_OBJECT));
    kube_ctx_free(ctx);
    return 0;
}
