/* SPDX-License-Identifier: Apache-2.0 */
/* What test_rbac_program.sh compiles, as C and as C++, and never runs. */
#include <apps/v1/api.h>
#include <core/v1/api.h>

#include <kube/kube.h>

#ifdef __cplusplus
#define LINKAGE extern "C"
#else
#define LINKAGE
#endif

/* Nobody calls it: what it asks for counts only if the linker keeps it. */
LINKAGE kube_code remove_deployment(kube_client *client, kube_ctx *ctx, kube_key key);
kube_code remove_deployment(kube_client *client, kube_ctx *ctx, kube_key key)
{
    return apps_v1_deployments_delete(client, ctx, key, NULL, NULL);
}

static kube_code look(kube_client *client, kube_ctx *ctx, kube_key key)
{
    apps_v1_deployment *deployment;
    kube_code rc = apps_v1_deployments_get(client, ctx, key, NULL, &deployment, NULL);
    if (!rc)
        rc = apps_v1_deployments_update_status(client, ctx, "", deployment, NULL, NULL, NULL);
    return rc;
}

#ifdef DYNAMIC
static kube_code any(kube_client *client, kube_ctx *ctx, const kube_type *const *types, int i)
{
    kube_object *object;
    /* What is special in an assembler's text, or in a template of it. */
    kube_code rc = kube_client_get(client, ctx, types[i % 2 ? '"' : *"\\n{|}%0"],
                                   kube_key_of("a", "b"), NULL, &object, NULL);
    if (!rc)
        rc = (kube_client_delete)(client, ctx, types[i], kube_key_of("a", "b"), NULL, NULL);
    return rc;
}
#endif

int main(int argc, char **argv)
{
    kube_controller *controller = NULL;
    kube_client *client = NULL;
    kube_ctx *ctx = kube_ctx_new();
    kube_code rc = look(client, ctx, kube_key_of("", argv[0]));
    if (argc > 5) /* twice the same */
        rc = look(client, ctx, kube_key_of("", argv[5]));
    if (!rc)
        rc = kube_controller_owns(controller, &core_v1_pod_type, NULL, NULL);
    KUBE_NEEDS("", "nodes", "get,list");
#ifdef DYNAMIC
    if (!rc)
        rc = any(client, ctx, NULL, argc);
#endif
    return (int)rc;
}
