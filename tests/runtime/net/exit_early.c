/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_early URL MICROSECONDS: calls over TLS in threads, and a return from main() amid that, with
 * the client alive. It ends with 7.
 */
#include "net/client/client.h"

#include <kube/generated.h>
#include <kube/kube.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static kube_client *client;

static const kube_type type = {.group = "test.kube.dev",
                               .version = "v1",
                               .api_version = "test.kube.dev/v1",
                               .kind = "Thing",
                               .list_kind = "ThingList",
                               .resource = "things",
                               .singular = "thing",
                               .abi = kube_abi_2};

static void *call(void *arg)
{
    (void)arg;
    for (;;) {
        kube_ctx *ctx = kube_ctx_new();
        /* Given up soon: then the next one needs another connection, and a handshake. */
        kube_ctx_set_timeout_ms(ctx, 2);
        if (kube_client_delete(client, ctx, &type, kube_key_of("", "a"), NULL, NULL) ==
            KUBE_ERR_CANCELED) {
            kube_ctx_free(ctx);
            return NULL;
        }
        kube_ctx_free(ctx);
    }
}

int main(int argc, char **argv)
{
    const kube_config_fields fields = {.server = argv[1], .insecure_skip_tls_verify = true};
    const struct timespec wait = {0, argc > 2 ? strtol(argv[2], NULL, 10) * 1000 : 0};
    kube_config *config;
    pthread_t threads[3];
    if (kube_config_new(&fields, &config, NULL) || kube_client_new(config, NULL, &client, NULL))
        return 1;
    for (size_t i = 0; i < sizeof(threads) / sizeof *threads; i++) {
        if (pthread_create(&threads[i], NULL, call, NULL) != 0)
            return 2;
    }
    nanosleep(&wait, NULL);
    return 7;
}
