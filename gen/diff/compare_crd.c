/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_crd.h"

#include "compare_schema.h"
#include "support/ascii.h"
#include "support/text_map.h"

#include <stdlib.h>
#include <string.h>

static const char *text_at(const json_value *of, const char *key)
{
    const char *text = json_text(json_get(of, key));
    return text ? text : "";
}

static const json_value *spec_of(const json_value *crd)
{
    return json_get(crd, "spec");
}

static const json_value *names_of(const json_value *crd)
{
    return json_get(spec_of(crd), "names");
}

/* Returns the element of @list whose member @key is @text, or NULL. */
static const json_value *find_element(const json_value *list, const char *key, const char *text)
{
    for (const json_value *one = json_first(list); one; one = json_next(one))
        if (strcmp(text_at(one, key), text) == 0)
            return one;
    return NULL;
}

/* ---- versions ------------------------------------------------------------------------------ */

static const json_value *schema_of(const json_value *version)
{
    return json_get(json_get(version, "schema"), "openAPIV3Schema");
}

static bool has_status(const json_value *version)
{
    return json_kind_of(json_get(json_get(version, "subresources"), "status")) == JSON_OBJECT;
}

static void compare_status(const schema_pair *pair)
{
    bool was = has_status(pair->was);
    bool is = has_status(pair->is);
    if (was && !is)
        schema_pair_tell(pair, RULE_STATUS_REMOVED, "subresources",
                         "the status subresource is gone");
    else if (is && !was)
        schema_pair_tell(pair, RULE_STATUS_ADDED, "subresources",
                         "there is a status subresource now");
}

static void compare_scale(const schema_pair *pair)
{
    static const char *const keys[] = {"specReplicasPath", "statusReplicasPath",
                                       "labelSelectorPath"};
    const json_value *was = json_get(json_get(pair->was, "subresources"), "scale");
    const json_value *is = json_get(json_get(pair->is, "subresources"), "scale");
    schema_pair at = schema_pair_at(pair, was, is, "");
    if (was && !is)
        schema_pair_tell(&at, RULE_SCALE_REMOVED, "", "the scale subresource is gone");
    if (is && !was)
        schema_pair_tell(&at, RULE_SCALE_ADDED, "", "there is a scale subresource now");
    for (size_t i = 0; was && is && i < sizeof keys / sizeof *keys; i++) {
        const char *before = text_at(was, keys[i]);
        const char *after = text_at(is, keys[i]);
        if (strcmp(before, after) != 0)
            schema_pair_tell(&at, RULE_SCALE_PATH_CHANGED, keys[i], "%s %s becomes %s", keys[i],
                             *before ? before : "none", *after ? after : "none");
    }
}

static void compare_selectable(const schema_pair *pair)
{
    const json_value *was = json_get(pair->was, "selectableFields");
    const json_value *is = json_get(pair->is, "selectableFields");
    for (const json_value *one = json_first(was); one; one = json_next(one)) {
        schema_pair at = schema_pair_at(pair, one, NULL, text_at(one, "jsonPath"));
        if (!find_element(is, "jsonPath", at.about.path))
            schema_pair_tell(&at, RULE_SELECTABLE_FIELD_REMOVED, "",
                             "field selectors cannot name it any more");
    }
    for (const json_value *one = json_first(is); one; one = json_next(one)) {
        schema_pair at = schema_pair_at(pair, NULL, one, text_at(one, "jsonPath"));
        if (!find_element(was, "jsonPath", at.about.path))
            schema_pair_tell(&at, RULE_SELECTABLE_FIELD_ADDED, "", "field selectors can name it");
    }
}

static void compare_columns(const schema_pair *pair)
{
    static const char key[] = "additionalPrinterColumns";
    const json_value *was = json_get(pair->was, key);
    const json_value *is = json_get(pair->is, key);
    for (const json_value *one = json_first(was); one; one = json_next(one)) {
        const char *name = text_at(one, "name");
        schema_pair at = schema_pair_at(pair, one, find_element(is, "name", name), "");
        if (!at.is)
            schema_pair_tell(&at, RULE_COLUMN_REMOVED, "", "the column %s is gone", name);
        else if (!schema_pair_is_same(one, at.is))
            schema_pair_tell(&at, RULE_COLUMN_CHANGED, "", "the column %s is another one", name);
    }
    for (const json_value *one = json_first(is); one; one = json_next(one)) {
        const char *name = text_at(one, "name");
        schema_pair at = schema_pair_at(pair, NULL, one, "");
        if (!find_element(was, "name", name))
            schema_pair_tell(&at, RULE_COLUMN_ADDED, "", "the column %s is new", name);
    }
}

static void compare_serving(const schema_pair *pair)
{
    bool was = json_is_true(json_get(pair->was, "served"));
    bool is = json_is_true(json_get(pair->is, "served"));
    if (was && !is)
        schema_pair_tell(
            pair, RULE_VERSION_UNSERVED, "served", "the version is not served any more%s",
            json_is_true(json_get(pair->is, "storage")) ? ", while objects are stored in it" : "");
    if (is && !was)
        schema_pair_tell(pair, RULE_VERSION_SERVED, "served", "the version is served again");
    if (json_is_true(json_get(pair->is, "deprecated")) &&
        !json_is_true(json_get(pair->was, "deprecated")))
        schema_pair_tell(pair, RULE_VERSION_DEPRECATED, "deprecated", "the version is deprecated");
}

/* Whether what the version is like matters: it is served, or objects are stored in it. */
static bool is_used(const json_value *version)
{
    return json_is_true(json_get(version, "served")) || json_is_true(json_get(version, "storage"));
}

static void compare_version(const schema_pair *pair)
{
    schema_pair root = schema_pair_at(pair, schema_of(pair->was), schema_of(pair->is), "");
    compare_serving(pair);
    if (!is_used(pair->is))
        return;
    compare_status(pair);
    compare_scale(pair);
    compare_selectable(pair);
    compare_columns(pair);
    if (root.was && root.is)
        compare_schema(&root);
    else if (root.was)
        schema_pair_tell(pair, RULE_SCHEMA_REMOVED, "", "the schema is gone");
}

static schema_pair version_pair(const schema_pair *crd, const json_value *was, const json_value *is)
{
    schema_pair made = schema_pair_at(crd, was, is, "");
    made.about.name =
        arena_printf(crd->in->out->in, "%s/%s", crd->about.name, text_at(was ? was : is, "name"));
    return made;
}

static const json_value *find_storage(const json_value *versions)
{
    for (const json_value *one = json_first(versions); one; one = json_next(one))
        if (json_is_true(json_get(one, "storage")))
            return one;
    return NULL;
}

static bool has_webhook(const json_value *crd)
{
    return strcmp(text_at(json_get(spec_of(crd), "conversion"), "strategy"), "Webhook") == 0;
}

/* ---- what storage loses -------------------------------------------------------------------- */

/*
 * Tells in @out what the storage version of @versions lacks of the others, of which values are sent
 * or stored: those that are served, and @stored, in which objects are. What is of no conversion is
 * pruned alike. All are of one state, so that of the other one only the CRD has a place.
 */
static void find_losses(const schema_pair *crd, change_list *out, const json_value *state,
                        const json_value *stored)
{
    static const place_list nothing;
    const comparison in = {out, &nothing, state == crd->is ? crd->in->is_places : &nothing};
    const json_value *versions = json_get(spec_of(state), "versions");
    const json_value *storage = find_storage(versions);
    schema_pair here = *crd;
    here.in = &in;
    if (!storage || !schema_of(storage) || has_webhook(state))
        return;
    for (const json_value *one = json_first(versions); one; one = json_next(one)) {
        schema_pair version = version_pair(&here, one, storage);
        schema_pair root = schema_pair_at(&version, schema_of(one), schema_of(storage), "");
        if (one != storage && root.was &&
            (json_is_true(json_get(one, "served")) ||
             strcmp(text_at(one, "name"), text_at(stored, "name")) == 0))
            compare_storage(&root);
    }
}

static const char *loss_key(arena *in, const change *loss)
{
    return arena_printf(in, "%s %s", change_rules[loss->rule].name, loss->subject);
}

/* Objects of all versions are stored in one, by which they are pruned: what is lost now, and was
 * not before. */
static void compare_losses(const schema_pair *crd, const json_value *stored, bool moved)
{
    change_list before = {.in = arena_new()};
    change_list after = {.in = crd->in->out->in};
    text_map known = {0};
    if (!moved)
        find_losses(crd, &before, crd->was, stored);
    for (size_t i = 0; i < before.found.len; i++)
        text_map_add(&known, before.in, loss_key(before.in, &before.found.items[i]));
    find_losses(crd, &after, crd->is, stored);
    for (size_t i = 0; i < after.found.len; i++)
        if (!text_map_has(&known, loss_key(before.in, &after.found.items[i])))
            *VEC_ADD(&crd->in->out->found) = after.found.items[i];
    free(after.found.items);
    change_list_free(&before);
}

static void compare_stored_version(const schema_pair *crd, const json_value *was,
                                   const json_value *is)
{
    const json_value *before = find_storage(was);
    const json_value *after = find_storage(is);
    bool moved = before && after && strcmp(text_at(before, "name"), text_at(after, "name")) != 0;
    schema_pair pair = schema_pair_at(crd, before, after, "");
    if (moved)
        schema_pair_tell(&pair, RULE_STORAGE_VERSION_CHANGED, "storage",
                         "objects are stored in %s, not in %s", text_at(after, "name"),
                         text_at(before, "name"));
    if (before)
        compare_losses(crd, before, moved);
}

static void compare_versions(const schema_pair *crd)
{
    const json_value *was = json_get(spec_of(crd->was), "versions");
    const json_value *is = json_get(spec_of(crd->is), "versions");
    for (const json_value *one = json_first(was); one; one = json_next(one)) {
        schema_pair pair = version_pair(crd, one, find_element(is, "name", text_at(one, "name")));
        if (pair.is)
            compare_version(&pair);
        else if (json_is_true(json_get(one, "storage")))
            schema_pair_tell(&pair, RULE_STORED_VERSION_REMOVED, "",
                             "the version is gone, while objects are stored in it");
        else if (json_is_true(json_get(one, "served")))
            schema_pair_tell(&pair, RULE_VERSION_REMOVED, "", "the version is gone");
    }
    for (const json_value *one = json_first(is); one; one = json_next(one)) {
        schema_pair pair = version_pair(crd, NULL, one);
        if (!find_element(was, "name", text_at(one, "name")))
            schema_pair_tell(&pair, RULE_VERSION_ADDED, "", "the version is new");
    }
    compare_stored_version(crd, was, is);
}

/* ---- the CRD ------------------------------------------------------------------------------- */

static void compare_text(const schema_pair *of, rule_id rule, const char *key)
{
    const char *was = text_at(of->was, key);
    const char *is = text_at(of->is, key);
    if (strcmp(was, is) != 0)
        schema_pair_tell(of, rule, key, "%s %s becomes %s", key, was, *is ? is : "none");
}

static void compare_texts(const schema_pair *of, rule_id rule, const char *key, const char *what)
{
    const json_value *is = json_get(of->is, key);
    for (const json_value *one = json_first(json_get(of->was, key)); one; one = json_next(one))
        if (json_text(one) && !json_has_text(is, json_text(one)))
            schema_pair_tell(of, rule, key, "the %s %s is gone", what, json_text(one));
}

/* What the server names by itself where a CRD leaves it out. */
static const char *singular_of(arena *in, const json_value *names)
{
    const char *singular = text_at(names, "singular");
    char *kind;
    if (*singular)
        return singular;
    kind = arena_strdup(in, text_at(names, "kind"));
    for (char *c = kind; *c; c++)
        *c = ascii_lower(*c);
    return kind;
}

static const char *list_kind_of(arena *in, const json_value *names)
{
    const char *list_kind = text_at(names, "listKind");
    return *list_kind ? list_kind : arena_printf(in, "%sList", text_at(names, "kind"));
}

static void tell_name(const schema_pair *of, rule_id rule, const char *key, const char *was,
                      const char *is)
{
    if (strcmp(was, is) != 0)
        schema_pair_tell(of, rule, key, "%s %s becomes %s", key, was, is);
}

static void compare_names(const schema_pair *crd)
{
    arena *in = crd->in->out->in;
    schema_pair names = schema_pair_at(crd, names_of(crd->was), names_of(crd->is), "");
    compare_text(&names, RULE_PLURAL_CHANGED, "plural");
    compare_text(&names, RULE_KIND_CHANGED, "kind");
    if (strcmp(text_at(names.was, "kind"), text_at(names.is, "kind")) == 0) {
        tell_name(&names, RULE_LIST_KIND_CHANGED, "listKind", list_kind_of(in, names.was),
                  list_kind_of(in, names.is));
        tell_name(&names, RULE_SINGULAR_CHANGED, "singular", singular_of(in, names.was),
                  singular_of(in, names.is));
    }
    compare_texts(&names, RULE_SHORT_NAME_REMOVED, "shortNames", "short name");
    compare_texts(&names, RULE_CATEGORY_REMOVED, "categories", "category");
}

static void compare_crd(const schema_pair *crd)
{
    schema_pair spec = schema_pair_at(crd, spec_of(crd->was), spec_of(crd->is), "");
    const char *was = has_webhook(crd->was) ? "Webhook" : "None";
    const char *is = has_webhook(crd->is) ? "Webhook" : "None";
    compare_names(crd);
    compare_text(&spec, RULE_SCOPE_CHANGED, "scope");
    if (json_is_true(json_get(spec.was, "preserveUnknownFields")) &&
        !json_is_true(json_get(spec.is, "preserveUnknownFields")))
        schema_pair_tell(&spec, RULE_PRESERVE_UNKNOWN_REMOVED, "preserveUnknownFields",
                         "fields that are not described are pruned now");
    tell_name(&spec, RULE_CONVERSION_CHANGED, "conversion", was, is);
    compare_versions(crd);
}

/* The CRD of the same name; or, as it may have another plural now, of the same group and Kind. */
static const json_value *find_crd(const json_list *list, const json_value *like)
{
    const char *name = text_at(json_get(like, "metadata"), "name");
    for (size_t i = 0; i < list->len; i++)
        if (strcmp(text_at(json_get(list->items[i], "metadata"), "name"), name) == 0)
            return list->items[i];
    for (size_t i = 0; i < list->len; i++)
        if (strcmp(text_at(spec_of(list->items[i]), "group"), text_at(spec_of(like), "group")) ==
                0 &&
            strcmp(text_at(names_of(list->items[i]), "kind"), text_at(names_of(like), "kind")) == 0)
            return list->items[i];
    return NULL;
}

static schema_pair crd_pair(const comparison *in, const json_value *was, const json_value *is)
{
    const schema_pair nothing = {.in = in};
    schema_pair made = schema_pair_at(&nothing, was, is, "");
    made.about.name = text_at(json_get(was ? was : is, "metadata"), "name");
    return made;
}

void compare_crds(const comparison *in, const json_list *was, const json_list *is)
{
    for (size_t i = 0; i < was->len; i++) {
        schema_pair pair = crd_pair(in, was->items[i], find_crd(is, was->items[i]));
        if (pair.is)
            compare_crd(&pair);
        else
            schema_pair_tell(&pair, RULE_CRD_REMOVED, "", "the CRD is gone");
    }
    for (size_t i = 0; i < is->len; i++) {
        schema_pair pair = crd_pair(in, NULL, is->items[i]);
        if (!find_crd(was, is->items[i]))
            schema_pair_tell(&pair, RULE_CRD_ADDED, "", "the CRD is new");
    }
}
