/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include "object/block/block.h"

#include <stdlib.h>
#include <string.h>

static kube_object *finish(kube_ctx *ctx, samplecrd_v1_network *built)
{
    kube_object *object = kube_object_deep_copy(ctx, &samplecrd_v1_network_type, &built->base);
    if (!object)
        abort();
    kube_object_ref(object);
    kube_ctx_free(ctx);
    kube__block_seal(object);
    return object;
}

static samplecrd_v1_network template_of(const char *ns, const char *name, const char *uid,
                                        const char *version)
{
    samplecrd_v1_network built = {
        .base = {.type = &samplecrd_v1_network_type},
        .metadata = {.name = name, .namespace_ = ns, .uid = uid, .resource_version = version},
        .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"},
    };
    return built;
}

kube_object *network(const char *ns, const char *name, const char *uid, const char *version)
{
    samplecrd_v1_network built = template_of(ns, name, uid, version);
    return finish(kube_ctx_new(), &built);
}

kube_object *network_with_cidr(const char *ns, const char *name, const char *version,
                               const char *cidr)
{
    samplecrd_v1_network built = template_of(ns, name, "u", version);
    built.spec.cidr = cidr;
    return finish(kube_ctx_new(), &built);
}

kube_object *labeled(const char *ns, const char *name, const char *version, const char *labels)
{
    samplecrd_v1_network built = template_of(ns, name, "u", version);
    kube_ctx *ctx = kube_ctx_new();
    char *copy = kube_ctx_strdup(ctx, labels);
    char *rest = NULL;
    for (char *label = strtok_r(copy, ",", &rest); label; label = strtok_r(NULL, ",", &rest)) {
        char *equal = strchr(label, '=');
        *equal = '\0';
        if (kube_string_map_set(ctx, &built.metadata.labels, label, equal + 1, NULL))
            abort();
    }
    return finish(ctx, &built);
}
