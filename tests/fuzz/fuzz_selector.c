/* SPDX-License-Identifier: Apache-2.0 */
/* A selector of labels and of fields, of a query and of an object, and a pattern; up to a NUL. */
#include "api_kit.h"
#include "apiserver/query/selector.h"
#include "apiserver/value/regex.h"

#include <stdlib.h>

static void match(const kube__api_selector *selector)
{
    static const kube__api_pair items[] = {{"a", "b"}, {"metadata.name", "n"}, {"spec.x", "1"}};
    const kube__api_pairs pairs = {items, sizeof items / sizeof *items};
    kube__api_selector_matches(selector, pairs);
    kube__api_selector_names(selector, "a");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const fields[] = {"spec.x", NULL};
    const kube__api_selector *selector = NULL;
    kube_ctx *ctx = kube_ctx_new();
    char *text = copy_part((fuzz_text){(const char *)data, len});
    bool taken = !kube__api_label_selector(ctx, text, &selector) && selector;
    if (taken)
        match(selector);
    count_input("labels", taken);
    selector = NULL;
    taken = !kube__api_field_selector(ctx, text, fields, &selector) && selector;
    if (taken)
        match(selector);
    count_input("fields", taken);
    selector = NULL;
    kube__json *object = fuzz_parse(ctx, (const char *)data, len);
    taken = object && !kube__api_object_selector(ctx, object, &selector) && selector;
    if (taken)
        match(selector);
    count_input("objects", taken);
    taken = !kube__api_regex_fault(ctx, text);
    if (taken)
        kube__api_regex_matches(ctx, text, "aaaaaaaaaaaaaaaa", 16);
    count_input("patterns", taken);
    free(text);
    kube_ctx_free(ctx);
    return 0;
}
