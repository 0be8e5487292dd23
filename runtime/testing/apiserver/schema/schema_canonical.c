/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities as Go writes them once it has read them: 0.5 is "500m", 1024Mi is "1Gi". */
#include "base/ctx.h"
#include "schema.h"

#include <kube/quantity.h>
#include <string.h>

static void write_quantity(kube_ctx *ctx, kube__json *value)
{
    const kube_quantity zero = {"0"};
    kube_quantity canonical;
    if (value->kind != KUBE__JSON_STRING && value->kind != KUBE__JSON_NUMBER)
        return;
    kube_code rc = kube_quantity_add(ctx, (kube_quantity){value->text}, zero, &canonical, NULL);
    if (rc == KUBE_ERR_NO_MEMORY)
        kube__ctx_fail(ctx, 0);
    if (rc)
        return;
    value->kind = KUBE__JSON_STRING;
    value->text = canonical.text;
    value->len = strlen(canonical.text);
}

void kube__api_schema_canonical(kube_ctx *ctx, const kube__api_schema *schema, kube__json *value)
{
    if (!schema || !value)
        return;
    if (schema->format && strcmp(schema->format, "quantity") == 0)
        write_quantity(ctx, value);
    KUBE__JSON_EACH (child, value) {
        kube__api_schema_canonical(
            ctx, child->key ? kube__api_schema_member(schema, child->key) : schema->items, child);
    }
}
