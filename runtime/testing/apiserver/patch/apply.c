/* SPDX-License-Identifier: Apache-2.0 */
/* Server-side apply. */
#include "apiserver/value/quote.h"
#include "apiserver/value/steps.h"
#include "field_owner.h"

#include <string.h>

typedef struct application {
    kube_ctx *ctx;
    const kube__api_schema *schema;
    const kube__json *live; /* without managedFields, as is config */
    const kube__json *config;
    const kube__api_manager *manager;
    kube__field_owners owners;
} application;

/* ---- conflicts ------------------------------------------------------------------------------ */

typedef struct conflicts {
    kube_ctx *ctx;
    kube__api_causes causes;
    const char *owner; /* as it is told */
    kube__buffer list; /* "conflicts with …:\n- .spec.x" */
    const char *one;   /* the same as if it were the only one */
    bool named;        /* the owner has been, in the list */
} conflicts;

static const char *tell_owner(kube_ctx *ctx, const kube__field_owner *owner)
{
    const char *text = kube__api_quote(ctx, owner->name);
    if (*owner->subresource)
        text = kube__api_text(ctx, "%s with subresource %s", text,
                              kube__api_quote(ctx, owner->subresource));
    return owner->applied ? text : kube__api_text(ctx, "%s using %s", text, owner->api_version);
}

static void add_conflict(void *arg, const kube__path *path)
{
    conflicts *c = arg;
    const char *at = kube__path_print(c->ctx, path);
    kube__api_add_cause(&c->causes, "FieldManagerConflict", at, "conflict with %s", c->owner);
    c->one = kube__api_text(c->ctx, "conflict with %s: %s", c->owner, at);
    if (!c->named)
        kube__buffer_printf(&c->list, "%sconflicts with %s:", c->list.len ? "\n" : "", c->owner);
    c->named = true;
    kube__buffer_printf(&c->list, "\n- %s", at);
}

static int by_name(const kube__field_owner *a, const kube__field_owner *b)
{
    int order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->subresource, b->subresource);
}

/* The owner that comes after @last by name; NULL if @last is the last one. */
static const kube__field_owner *next_owner(kube__field_owners owners, const kube__field_owner *last)
{
    const kube__field_owner *best = NULL;
    bool seen = !last; /* owners of the same name come as they are listed */
    for (const kube__field_owner *o = owners.first; o && kube__api_take_steps(4); o = o->next) {
        int order = last ? by_name(o, last) : 1;
        if ((order > 0 || (order == 0 && seen)) && (!best || by_name(o, best) < 0))
            best = o;
        seen |= o == last;
    }
    return best;
}

/* What others own and the result has otherwise; without @allowed. */
static kube__api_failure *check_conflicts(const application *a, kube__field_set taken,
                                          kube__field_set allowed, const kube__field_owner *self)
{
    conflicts c = {.ctx = a->ctx, .causes = {.ctx = a->ctx}};
    kube__buffer_init(&c.list, SIZE_MAX / 4);
    for (const kube__field_owner *o = next_owner(a->owners, NULL); o;
         o = next_owner(a->owners, o)) {
        if (o == self)
            continue;
        c.owner = tell_owner(a->ctx, o);
        c.named = false;
        kube__field_set both = kube__field_set_intersect(a->ctx, o->fields, taken);
        kube__field_set_each(kube__field_set_minus(a->ctx, both, allowed), add_conflict, &c);
    }
    const char *list = kube__api_take_text(a->ctx, &c.list, NULL);
    if (!c.causes.count)
        return NULL;
    kube__api_failure *failure =
        c.causes.count == 1
            ? kube__api_fail(a->ctx, 409, "Conflict", "Apply failed with 1 conflict: %s", c.one)
            : kube__api_fail(a->ctx, 409, "Conflict", "Apply failed with %zu conflicts: %s",
                             c.causes.count, list);
    if (failure->http_status == 409) {
        failure->has_details = true;
        failure->causes = c.causes;
    }
    return failure;
}

/* ---- pruning -------------------------------------------------------------------------------- */

/*
 * Takes out what this manager applied the last time and not this time, unless someone else owns it;
 * what lies below such a field and was never its own stays.
 */
static kube__json *prune(const application *a, const kube__json *merged, kube__field_set last)
{
    kube_ctx *ctx = a->ctx;
    const kube__api_schema *schema = a->schema;
    if (kube__field_set_empty(last))
        return kube__json_copy(ctx, merged);
    kube__field_set dropped = kube__typed_with_parents(ctx, schema, last);
    const kube__json *pruned = kube__typed_remove(ctx, schema, merged, dropped);
    kube__field_set owned = {0};
    for (const kube__field_owner *o = a->owners.first; o; o = o->next)
        owned = kube__field_set_union(ctx, owned, o->fields);
    kube__field_set all =
        kube__typed_with_parents(ctx, schema, kube__typed_fields(ctx, schema, merged));
    kube__field_set kept =
        kube__typed_with_parents(ctx, schema, kube__typed_fields(ctx, schema, pruned));
    kept = kube__field_set_union(ctx, kept, kube__typed_with_parents(ctx, schema, owned));
    pruned = kube__typed_remove(ctx, schema, merged, kube__field_set_minus(ctx, all, kept));
    kept = kube__typed_with_parents(ctx, schema, kube__typed_fields(ctx, schema, pruned));
    kube__field_set gone = kube__field_set_minus(ctx, all, kept);
    return kube__typed_remove(ctx, schema, merged, kube__field_set_intersect(ctx, gone, dropped));
}

/* ---- client-side apply's annotation --------------------------------------------------------- */

static const char last_applied[] = "kubectl.kubernetes.io/last-applied-configuration";

static const char *last_applied_of(const kube__json *object)
{
    return kube__json_string_or(
        kube__json_get(kube__json_at(object, "metadata.annotations"), last_applied), "");
}

/* kubectl may take over what it had applied by itself and is unchanged since. */
static kube__field_set allowed_conflicts(const application *a)
{
    kube__field_set none = {0};
    const char *text = last_applied_of(a->live);
    if (strcmp(a->manager->name, "kubectl") != 0 || !*text)
        return none;
    kube__json *last = kube__json_parse(a->ctx, text, strlen(text), NULL, NULL, NULL);
    if (!last || strcmp(kube__json_string_at(last, "apiVersion"), a->manager->api_version) != 0 ||
        kube__typed_fault(a->ctx, a->schema, last))
        return none;
    kube__changes changes = kube__typed_compare(a->ctx, a->schema, last, a->live);
    kube__field_set set = kube__typed_fields(a->ctx, a->schema, last);
    set = kube__field_set_minus(a->ctx, set, changes.modified);
    set = kube__field_set_minus(a->ctx, set, changes.added);
    return kube__field_set_minus(a->ctx, set, changes.removed);
}

/* Keeps the annotation, where there is one, in step with what kubectl applied. */
static void update_annotation(const application *a, kube__json *object)
{
    if (strcmp(a->manager->name, "kubectl") != 0 || !*last_applied_of(object))
        return;
    kube__json *copy = kube__json_copy(a->ctx, a->config);
    kube__json *annotations = kube__json_at(copy, "metadata.annotations");
    kube__json_remove(annotations, last_applied);
    if (annotations && !annotations->len)
        kube__json_remove(kube__json_get(copy, "metadata"), "annotations");
    kube__json_sort(copy);
    const char *text = kube__json_text(a->ctx, copy, NULL);
    kube__json_set_string(a->ctx, kube__json_at(object, "metadata.annotations"), last_applied,
                          kube__api_text(a->ctx, "%s\n", text));
}

/* ---- applying ------------------------------------------------------------------------------- */

static void split_version(const kube__json *config, const char **group, size_t *group_len,
                          const char **version)
{
    const char *text = kube__json_string_at(config, "apiVersion");
    const char *slash = strchr(text, '/');
    *group = text;
    *group_len = slash ? (size_t)(slash - text) : 0;
    *version = slash ? slash + 1 : text;
}

static kube__api_failure *check_config(const application *a)
{
    if (kube__json_is(kube__json_at(a->config, "metadata.managedFields"), KUBE__JSON_ARRAY))
        return kube__api_bad_request(a->ctx, "metadata.managedFields must be nil");
    const char *fault = kube__typed_fault(a->ctx, a->schema, a->config);
    if (!fault)
        return NULL;
    const char *group;
    const char *version;
    size_t group_len;
    split_version(a->config, &group, &group_len, &version);
    return kube__api_fail(a->ctx, 500, "",
                          "failed to create typed patch object (%s/%s; %.*s/%s, Kind=%s): %s",
                          kube__json_string_at(a->config, "metadata.namespace"),
                          kube__json_string_at(a->config, "metadata.name"), (int)group_len, group,
                          version, kube__json_string_at(a->config, "kind"), fault);
}

/* What was there before anyone was tracked belongs to a manager of that name. */
static void adopt_untracked(application *a)
{
    if (a->owners.first)
        return;
    kube__api_manager before = *a->manager;
    before.name = "before-first-apply";
    before.subresource = a->manager->subresource;
    kube__field_owners_update(a->ctx, a->schema, kube__json_object(a->ctx), a->live, &before,
                              &a->owners);
}

/* Gives the manager the fields of its configuration, and the result. */
static kube__api_failure *merge(application *a, kube__json **out)
{
    kube_ctx *ctx = a->ctx;
    kube__json *merged = kube__typed_merge(ctx, a->schema, a->live, a->config);
    kube__field_owner *self = kube__field_owners_ensure(ctx, &a->owners, a->manager, true);
    if (!self)
        return kube__api_fail_no_memory();
    kube__field_set last = self->fields;
    self->fields =
        kube__field_owners_filter(ctx, kube__typed_fields(ctx, a->schema, a->config), a->manager);
    kube__json *result = prune(a, merged, last);
    kube__changes changes = kube__typed_compare(ctx, a->schema, a->live, result);
    kube__field_set gone = kube__field_owners_filter(ctx, changes.removed, a->manager);
    kube__field_set taken = kube__field_owners_filter(
        ctx, kube__field_set_union(ctx, changes.modified, changes.added), a->manager);
    kube__api_failure *failure =
        a->manager->force ? NULL : check_conflicts(a, taken, allowed_conflicts(a), self);
    if (failure)
        return failure;
    for (kube__field_owner *o = a->owners.first; o; o = o->next) {
        if (o == self)
            continue;
        o->fields = kube__field_set_minus(ctx, o->fields, taken);
        o->fields = kube__field_set_minus(ctx, o->fields, gone);
    }
    self->fields = kube__field_owners_strip(ctx, self->fields);
    if (!kube__json_equal(a->live, result))
        self->time = a->manager->time;
    kube__field_owners_drop_empty(&a->owners);
    *out = result;
    return kube__api_check_memory(ctx);
}

kube__api_failure *kube__api_apply(kube_ctx *ctx, const kube__api_schema *schema,
                                   const kube__json *live, const kube__json *config,
                                   const kube__api_manager *manager, kube__json **out,
                                   bool *unchanged)
{
    application a = {
        .ctx = ctx,
        .schema = kube__typed_root(ctx, schema),
        .live = kube__field_owners_bare(ctx, live),
        .config = config,
        .manager = manager,
    };
    *out = NULL;
    *unchanged = false;
    kube__api_failure *failure = kube__api_check_memory(ctx);
    if (!failure)
        failure = check_config(&a);
    if (failure)
        return failure;
    a.config = kube__field_owners_bare(ctx, config); /* it may hold null */
    if (!kube__field_owners_read(ctx, kube__json_at(live, "metadata.managedFields"), &a.owners) &&
        !kube_ctx_failed(ctx))
        return kube__api_fail(ctx, 500, "", "failed to decode managed fields");
    adopt_untracked(&a);
    kube__json *result = NULL;
    failure = merge(&a, &result);
    if (failure)
        return failure;
    update_annotation(&a, result);
    kube__field_owners_set(ctx, result, a.owners);
    if (live) {
        kube__api_keep_times(ctx, live, result);
        *unchanged = kube__json_equal(live, result);
    }
    *out = result;
    return kube__api_check_memory(ctx);
}
