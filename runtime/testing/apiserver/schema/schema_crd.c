/* SPDX-License-Identifier: Apache-2.0 */
/* The schema nodes of a CRD: of its root and its embedded resources more is known than they say. */
#include "schema.h"
#include "schema_read.h"

#include <string.h>

/* Adds what an embedded resource, and the root, has without saying so. */
static void add_type_and_meta(kube_ctx *ctx, kube__api_schema *node)
{
    static const kube__api_schema text = {.type = KUBE__TYPE_STRING};
    const kube__api_property implied[] = {
        {"apiVersion", &text},
        {"kind", &text},
        {"metadata", kube__api_schema_of_go_type(ctx, "autoscaling_v1", "v1.ObjectMeta")},
    };
    kube__api_property *list = kube_ctx_alloc_array(ctx, node->property_count + 3, sizeof *list);
    if (!list || !implied[2].schema)
        return;
    size_t count = 0;
    for (size_t i = 0; i < node->property_count; i++) {
        const char *name = node->properties[i].name;
        if (strcmp(name, "apiVersion") != 0 && strcmp(name, "kind") != 0 &&
            strcmp(name, "metadata") != 0)
            list[count++] = node->properties[i];
    }
    for (size_t i = 0; i < 3; i++)
        list[count++] = implied[i];
    kube__api_schema_set_properties(node, list, count);
}

static const kube__api_schema *crd_child(kube__api_schema_reader *reader, const kube__json *source)
{
    kube__api_schema *node = kube_ctx_alloc(reader->ctx, sizeof *node);
    if (!node)
        return NULL;
    kube__api_schema_read(reader, source, node);
    /* `additionalProperties: true`: any scalar or list; of an object nothing is known. */
    if (kube__json_is_true(kube__json_get(source, "additionalProperties"))) {
        static const kube__api_schema unknown;
        node->additional = &unknown;
    }
    if (node->embedded_resource)
        add_type_and_meta(reader->ctx, node);
    return node;
}

const kube__api_schema *kube__api_schema_node(kube_ctx *ctx, const kube__json *open_api)
{
    kube__api_schema_reader reader = {.ctx = ctx, .child = crd_child};
    return crd_child(&reader, open_api);
}

const kube__api_schema *kube__api_schema_of_crd(kube_ctx *ctx, const kube__json *open_api)
{
    kube__api_schema_reader reader = {.ctx = ctx, .child = crd_child};
    kube__api_schema *root = kube_ctx_alloc(ctx, sizeof *root);
    if (!root)
        return NULL;
    kube__api_schema_read(&reader, open_api, root);
    root->type = KUBE__TYPE_OBJECT;
    add_type_and_meta(ctx, root);
    return kube_ctx_failed(ctx) ? NULL : root;
}
