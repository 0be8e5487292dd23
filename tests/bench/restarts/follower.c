/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows Networks, ConfigMaps and Secrets, each with a client and an informer of its own, and
 * prints "RESOURCE ROUND NANOSECONDS" for each round (an annotation) that a cache comes to know.
 * peer/main.go does the same with client-go; restart_lag.py compares the two.
 */
#include <core/v1/api.h>
#include <inttypes.h>
#include <kube/kube.h>
#include <samplecrd/v1/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char round_annotation[] = "kubegen.dev/round";

static void tell(const char *resource, const kube_object *object)
{
    const char *round =
        kube_string_map_get(&kube_object_metadata(object)->annotations, round_annotation);
    kube_clock *clock = kube_clock_system();
    if (!round)
        return;
    printf("%s %s %" PRId64 "\n", resource, round, clock->wall_ns(clock));
    fflush(stdout);
}

static void on_add(void *arg, const kube_object *object, bool in_initial_list)
{
    (void)in_initial_list;
    tell(arg, object);
}

static void on_update(void *arg, const kube_object *old_object, const kube_object *new_object)
{
    (void)old_object;
    tell(arg, new_object);
}

static void must(kube_code rc, const kube_error *err)
{
    if (!rc)
        return;
    fprintf(stderr, "follower: %s\n", err->message);
    exit(1);
}

int main(int argc, char **argv)
{
    static const kube_handler handler = {.on_add = on_add, .on_update = on_update};
    const kube_type *const types[] = {&samplecrd_v1_network_type, &core_v1_config_map_type,
                                      &core_v1_secret_type};
    const kube_config_options options = {.kubeconfig = argc > 1 ? argv[1] : NULL};
    const kube_informer_options scope = {.namespace_ = "default"};
    kube_config *config;
    kube_client *clients[3];
    kube_informer_factory *factories[3];
    kube_informer *informer;
    kube_ctx *ctx = kube_ctx_new();
    kube_error err;
    must(kube_config_load(&options, &config, &err), &err);
    for (int i = 0; i < 3; i++) {
        must(kube_client_new(config, NULL, &clients[i], &err), &err);
        must(kube_informer_factory_new(clients[i], &scope, &factories[i], &err), &err);
        must(kube_informer_factory_informer(factories[i], types[i], NULL, &informer, &err), &err);
        must(kube_informer_add_handler(informer, &handler, (void *)(uintptr_t)types[i]->resource,
                                       NULL, NULL, &err),
             &err);
        must(kube_informer_factory_start(factories[i], ctx, &err), &err);
    }
    while (getchar() != EOF) /* until its parent goes */
        ;
    for (int i = 0; i < 3; i++) {
        kube_informer_factory_free(factories[i]);
        kube_client_free(clients[i]);
    }
    kube_config_free(config);
    kube_ctx_free(ctx);
    return 0;
}
