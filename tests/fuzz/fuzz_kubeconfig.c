/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a kubeconfig. What is taken has a server and a namespace, and describes itself. */
#include "fuzz.h"

#include <kube/config.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    kube_config *config = NULL;
    kube_error err = {0};
    kube_ctx *ctx = kube_ctx_new();
    kube_code rc = kube_config_parse((const char *)data, len, "/nonexistent", NULL, &config, &err);
    must((rc == KUBE_OK) == (config != NULL), "a configuration and an error, or neither");
    must(rc == KUBE_OK || *err.message, "an error without a message");
    if (config) {
        const char *text = kube_config_describe(ctx, config);
        must(text && *kube_config_server(config) && *kube_config_namespace(config), "an empty one");
    }
    count_input("kubeconfigs", rc == KUBE_OK);
    kube_config_free(config);
    kube_ctx_free(ctx);
    return 0;
}
