/* SPDX-License-Identifier: Apache-2.0 */
/* The headers of the built-in APIs in C++, with the generated ones that they bring. */
#include <apiextensions/v1/api.h>
#include <apps/v1/api.h>
#include <authorization/v1/api.h>
#include <autoscaling/v2/api.h>
#include <batch/v1/api.h>
#include <coordination/v1/api.h>
#include <core/v1/api.h>
#include <cstring>
#include <discovery/v1/api.h>
#include <events/v1/api.h>
#include <networking/v1/api.h>
#include <policy/v1/api.h>
#include <rbac/v1/api.h>
#include <storage/v1/api.h>

/* Calls that are macros, too. */
kube_code look(kube_client *client, kube_ctx *ctx, kube_object **out);
kube_code look(kube_client *client, kube_ctx *ctx, kube_object **out)
{
    return ::kube_client_get(client, ctx, &core_v1_pod_type, kube_key_of("", "x"), nullptr, out,
                             nullptr);
}

int main()
{
    kube_ctx *ctx = kube_ctx_new();
    apps_v1_deployment wanted = {};
    const char *json = nullptr;
    int status = 1;
    wanted.metadata.name = "web";
    wanted.spec.replicas = kube_some_int32(0);
    if (ctx && apps_v1_deployment_encode(ctx, &wanted, &json, nullptr, nullptr) == KUBE_OK)
        status = std::strstr(json, "\"replicas\":0") ? 0 : 1;
    kube_ctx_free(ctx);
    return status;
}
