/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping track of who set what by other requests than apply. */
#include "managed_fields.h"

#include "field_owner.h"

#include <string.h>

/* Whether the client means to forget all: an empty list, or one of one empty entry. */
static bool is_reset(const kube__json *entries, bool custom)
{
    if (!kube__json_is(entries, KUBE__JSON_ARRAY))
        return false;
    /* of a custom resource the real server takes an empty list for none */
    if (!entries->first)
        return !custom;
    KUBE__JSON_EACH (member, entries->first)
        if (member->kind != KUBE__JSON_NULL)
            return false;
    return entries->len == 1;
}

/* What the request starts from: the entries it sent, when it may and they make sense, else those
 * that are there. */
static kube__field_owners starting_owners(kube_ctx *ctx, const kube__json *live,
                                          const kube__json *object,
                                          const kube__api_manager *manager)
{
    kube__field_owners owners = {0};
    const kube__json *sent = kube__json_at(object, "metadata.managedFields");
    if (!*manager->subresource) {
        if (is_reset(sent, manager->resource && manager->resource->custom))
            return owners;
        if (kube__field_owners_read(ctx, sent, &owners) && owners.first)
            return owners;
    }
    kube__field_owners_read(ctx, kube__json_at(live, "metadata.managedFields"), &owners);
    return owners;
}

/* Whether anyone owns the replicas: who scales what nobody owns does not get to own it either. */
static bool has_owned_replicas(const kube__api_resource *resource, kube__field_owners owners)
{
    enum { PREFIX = 6 };
    const char *path = resource ? resource->scale.spec_replicas : NULL;
    bool is_spec = path && strncmp(path, ".spec.", PREFIX) == 0;
    const kube__path spec = {NULL, {.kind = KUBE__STEP_FIELD, .name = "spec"}};
    const kube__path replicas = {
        &spec, {.kind = KUBE__STEP_FIELD, .name = is_spec ? path + PREFIX : "replicas"}};
    for (const kube__field_owner *o = owners.first; o; o = o->next)
        if (kube__field_set_has(o->fields, &replicas))
            return true;
    return false;
}

kube__api_failure *kube__api_track(kube_ctx *ctx, const kube__api_schema *schema,
                                   const kube__json *live, kube__json *object,
                                   const kube__api_manager *manager)
{
    kube__field_owners owners = starting_owners(ctx, live, object, manager);
    /* an object nobody has been tracked on stays so until it is applied to */
    if (!owners.first && live && !manager->is_new) {
        kube__json_remove(kube__json_get(object, "metadata"), "managedFields");
        return kube__api_check_memory(ctx);
    }
    if (strcmp(manager->subresource, "scale") == 0 &&
        !has_owned_replicas(manager->resource, owners)) {
        kube__field_owners_set(ctx, object, owners);
        return kube__api_check_memory(ctx);
    }
    const kube__json *before = kube__field_owners_bare(ctx, live);
    const kube__json *after = kube__field_owners_bare(ctx, object);
    kube__field_owners_update(ctx, kube__typed_root(ctx, schema), before, after, manager, &owners);
    kube__field_owners_cap(ctx, &owners);
    kube__field_owners_set(ctx, object, owners);
    return kube__api_check_memory(ctx);
}

/* ---- times ---------------------------------------------------------------------------------- */

static kube__json *without_times(kube_ctx *ctx, const kube__json *object)
{
    kube__json *copy = kube__json_copy(ctx, object);
    KUBE__JSON_EACH (entry, kube__json_at(copy, "metadata.managedFields"))
        kube__json_remove(entry, "time");
    return copy;
}

void kube__api_keep_times(kube_ctx *ctx, const kube__json *live, kube__json *object)
{
    const kube__json *entries = kube__json_at(live, "metadata.managedFields");
    if (!entries || !kube__json_equal(without_times(ctx, live), without_times(ctx, object)))
        return;
    kube__json_set(ctx, kube__json_get(object, "metadata"), "managedFields",
                   kube__json_copy(ctx, entries));
}

/* ---- names ---------------------------------------------------------------------------------- */

const char *kube__api_default_manager(kube_ctx *ctx, const char *user_agent)
{
    enum { MOST_NAME = 128 };
    size_t len = strcspn(user_agent, "/");
    if (len > MOST_NAME)
        len = MOST_NAME;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)user_agent[i] < 0x20 || user_agent[i] == 0x7f)
            len = i;
    return kube__api_text_copy(ctx, user_agent, len);
}
