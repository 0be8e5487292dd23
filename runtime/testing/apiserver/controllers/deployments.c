/* SPDX-License-Identifier: Apache-2.0 */
/* Deployments: a ReplicaSet for each template, and the roll from the old ones to the new. */
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "workloads.h"

#include <stdlib.h>
#include <string.h>

#define HASH_LABEL "pod-template-hash"
#define REVISION "deployment.kubernetes.io/revision"
#define DESIRED "deployment.kubernetes.io/desired-replicas"
#define MOST "deployment.kubernetes.io/max-replicas"

/* One look at a Deployment. */
typedef struct rollout {
    const kube__turn *turn;
    kube_ctx *ctx;
    kube__api_object *object; /* in the state looked at */
    kube__json *tree;
    kube__children sets;
    kube__child *current; /* of the template as it is; NULL = not made yet */
    int64_t replicas;
    int64_t surge;       /* Pods beyond replicas */
    int64_t unavailable; /* Pods that may be missing */
    bool recreate;
    bool acted; /* changed something: the next look goes on from there */
} rollout;

/* ---- ReplicaSets ---------------------------------------------------------------------------- */

static int64_t spec_of(const kube__child *set)
{
    return kube__int_at(set->tree, "spec.replicas", 1);
}

static int64_t available_of(const kube__child *set)
{
    return kube__int_at(set->tree, "status.availableReplicas", 0);
}

static const char *annotation(const kube__json *tree, const char *key)
{
    return kube__json_string_or(kube__json_get(kube__json_at(tree, "metadata.annotations"), key),
                                "");
}

static int64_t revision_of(const kube__json *tree)
{
    return strtoll(annotation(tree, REVISION), NULL, 10);
}

/* Whether a set's template is the Deployment's, but for the hash. */
static bool is_current(const rollout *r, const kube__child *set)
{
    kube__json *own = kube__json_copy(r->ctx, kube__json_at(set->tree, "spec.template"));
    kube__json_remove(kube__json_at(own, "metadata.labels"), HASH_LABEL);
    return kube__json_equal(own, kube__json_at(r->tree, "spec.template"));
}

static void set_number(kube_ctx *ctx, kube__json *annotations, const char *key, int64_t number)
{
    kube__json_set_string(ctx, annotations, key, kube__api_text(ctx, "%lld", (long long)number));
}

/* Sets a set's number of Pods, with the annotations that go with it. */
static void scale(rollout *r, kube__child *set, int64_t replicas)
{
    kube__json *patch = kube__json_object(r->ctx);
    kube__json *annotations = kube__json_ensure_object(
        r->ctx, kube__json_ensure_object(r->ctx, patch, "metadata"), "annotations");
    set_number(r->ctx, annotations, DESIRED, r->replicas);
    set_number(r->ctx, annotations, MOST, r->replicas + r->surge);
    kube__json_set_int(r->ctx, kube__json_ensure_object(r->ctx, patch, "spec"), "replicas",
                       replicas);
    kube__turn_patch(r->turn, set->object, "", patch);
    r->acted = true;
}

static int64_t last_revision(const rollout *r)
{
    int64_t last = 0;
    for (size_t i = 0; i < r->sets.len; i++)
        if (&r->sets.items[i] != r->current && revision_of(r->sets.items[i].tree) > last)
            last = revision_of(r->sets.items[i].tree);
    return last;
}

static int64_t total(const rollout *r, int64_t (*count)(const kube__child *set))
{
    int64_t sum = 0;
    for (size_t i = 0; i < r->sets.len; i++)
        sum += count(&r->sets.items[i]);
    return sum;
}

/* Pods the new set may have now. */
static int64_t room(const rollout *r)
{
    int64_t has = r->current ? spec_of(r->current) : 0;
    if (r->recreate)
        return r->replicas;
    int64_t left = r->replicas + r->surge - total(r, spec_of);
    int64_t wanted = r->replicas - has;
    if (wanted < 0)
        return r->replicas;
    return has + (left < wanted ? (left > 0 ? left : 0) : wanted);
}

static void add_hash(kube_ctx *ctx, kube__json *labels, const char *hash)
{
    kube__json_set_string(ctx, labels, HASH_LABEL, hash);
}

static void create_set(rollout *r)
{
    kube_ctx *ctx = r->ctx;
    const kube__json *template_ = kube__json_at(r->tree, "spec.template");
    const char *hash = kube__template_hash(ctx, template_);
    kube__json *set = kube__json_typed(ctx, "ReplicaSet", "apps/v1");
    kube__json *metadata = kube__json_ensure_object(ctx, set, "metadata");
    kube__json_set(ctx, metadata, "name", kube__json_stringf(ctx, "%s-%s", r->object->name, hash));
    const kube__json *labels = kube__json_at(template_, "metadata.labels");
    add_hash(ctx, kube__json_set(ctx, metadata, "labels", kube__json_copy(ctx, labels)), hash);
    const kube__json *annotations = kube__json_at(r->tree, "metadata.annotations");
    kube__json *own =
        kube__json_set(ctx, metadata, "annotations",
                       annotations ? kube__json_copy(ctx, annotations) : kube__json_object(ctx));
    kube__json_remove(own, "kubectl.kubernetes.io/last-applied-configuration");
    set_number(ctx, own, REVISION, last_revision(r) + 1);
    set_number(ctx, own, DESIRED, r->replicas);
    set_number(ctx, own, MOST, r->replicas + r->surge);
    kube__json_append(kube__json_ensure_array(ctx, metadata, "ownerReferences"),
                      kube__controller_reference(ctx, r->tree));
    kube__json *spec = kube__json_ensure_object(ctx, set, "spec");
    kube__json_set_int(ctx, spec, "replicas", room(r));
    kube__json *selector = kube__json_set(
        ctx, spec, "selector", kube__json_copy(ctx, kube__json_at(r->tree, "spec.selector")));
    add_hash(ctx, kube__json_ensure_object(ctx, selector, "matchLabels"), hash);
    kube__json *copy = kube__json_set(ctx, spec, "template", kube__json_copy(ctx, template_));
    add_hash(
        ctx,
        kube__json_ensure_object(ctx, kube__json_ensure_object(ctx, copy, "metadata"), "labels"),
        hash);
    const kube__json *seconds = kube__json_at(r->tree, "spec.minReadySeconds");
    if (seconds)
        kube__json_set(ctx, spec, "minReadySeconds", kube__json_copy(ctx, seconds));
    kube__turn_create(r->turn, kube__turn_collection(r->turn, "apps", "replicasets"),
                      r->object->namespace_, set);
    r->acted = true;
}

/* ---- revisions ------------------------------------------------------------------------------ */

static void put_revision(rollout *r, const kube__api_object *object, int64_t revision)
{
    kube__json *patch = kube__json_object(r->ctx);
    set_number(r->ctx,
               kube__json_ensure_object(r->ctx, kube__json_ensure_object(r->ctx, patch, "metadata"),
                                        "annotations"),
               REVISION, revision);
    kube__turn_patch(r->turn, object, "", patch);
    r->acted = true;
}

/* The newest template has the highest revision, also when it was one before. */
static void number_revisions(rollout *r)
{
    int64_t revision = revision_of(r->current->tree);
    if (revision <= last_revision(r)) {
        revision = last_revision(r) + 1;
        put_revision(r, r->current->object, revision);
    }
    if (revision_of(r->tree) != revision)
        put_revision(r, r->object, revision);
}

static void drop_history(rollout *r)
{
    int64_t limit = kube__int_at(r->tree, "spec.revisionHistoryLimit", 10);
    int64_t idle = 0;
    const kube__child *oldest = NULL;
    for (size_t i = 0; i < r->sets.len; i++) {
        const kube__child *set = &r->sets.items[i];
        if (set == r->current || spec_of(set) || set->object->deleting ||
            kube__int_at(set->tree, "status.replicas", 0))
            continue;
        idle++;
        if (!oldest || revision_of(set->tree) < revision_of(oldest->tree))
            oldest = set;
    }
    if (idle > limit) {
        kube__turn_delete(r->turn, oldest->object, "Background");
        r->acted = true;
    }
}

/* ---- rolling -------------------------------------------------------------------------------- */

static kube__child *oldest_with_pods(const rollout *r)
{
    kube__child *oldest = NULL;
    for (size_t i = 0; i < r->sets.len; i++) {
        kube__child *set = &r->sets.items[i];
        if (set != r->current && spec_of(set) > 0 &&
            (!oldest || revision_of(set->tree) < revision_of(oldest->tree)))
            oldest = set;
    }
    return oldest;
}

/* Pods of a set that count as available: its status may still tell of some that it gives up. */
static int64_t sure_of(const kube__child *set)
{
    return available_of(set) < spec_of(set) ? available_of(set) : spec_of(set);
}

/* How many Pods of the old sets may go now without too few being available. */
static int64_t spare(const rollout *r, const kube__child *old)
{
    int64_t least = r->replicas - r->unavailable;
    int64_t broken = spec_of(old) - sure_of(old);
    int64_t missing = r->current ? spec_of(r->current) - sure_of(r->current) : 0;
    int64_t most = total(r, spec_of) - least - missing;
    int64_t out = total(r, sure_of) - least;
    if (broken > out) /* those that are not available cost nothing */
        out = broken;
    if (out > most)
        out = most;
    return out < spec_of(old) ? out : spec_of(old);
}

static void roll(rollout *r)
{
    kube__child *old = oldest_with_pods(r);
    if (r->recreate && old) {
        scale(r, old, 0);
        return;
    }
    if (r->recreate && !r->current) {
        for (size_t i = 0; i < r->sets.len; i++) /* the old Pods go first */
            if (kube__int_at(r->sets.items[i].tree, "status.replicas", 0))
                return;
    }
    if (!r->current) {
        create_set(r);
        return;
    }
    number_revisions(r);
    int64_t wanted = room(r);
    if (wanted != spec_of(r->current))
        scale(r, r->current, wanted);
    else if (old && spare(r, old) > 0)
        scale(r, old, spec_of(old) - spare(r, old));
    else if (!old)
        drop_history(r);
}

/* ---- status --------------------------------------------------------------------------------- */

static void set_condition(rollout *r, kube__json *conditions, const char *type, bool status,
                          const char *reason, const char *message)
{
    kube_ctx *ctx = r->ctx;
    const char *value = status ? "True" : "False";
    const char *now = kube__api_now(r->turn->server, ctx);
    const char *since = now;
    size_t index = 0;
    KUBE__JSON_EACH (old, conditions) {
        if (strcmp(kube__json_string_at(old, "type"), type) == 0) {
            bool same = strcmp(kube__json_string_at(old, "status"), value) == 0;
            if (same && strcmp(kube__json_string_at(old, "reason"), reason) == 0 &&
                strcmp(kube__json_string_at(old, "message"), message) == 0)
                return;
            if (same)
                since = kube__json_string_at(old, "lastTransitionTime");
            break;
        }
        index++;
    }
    kube__json_remove_item(conditions, index);
    kube__json *condition = kube__json_object(ctx);
    kube__json_set_string(ctx, condition, "type", type);
    kube__json_set_string(ctx, condition, "status", value);
    kube__json_set_string(ctx, condition, "lastUpdateTime", now);
    kube__json_set_string(ctx, condition, "lastTransitionTime", since);
    kube__json_set_string(ctx, condition, "reason", reason);
    kube__json_set_string(ctx, condition, "message", message);
    kube__json_append(conditions, condition);
}

static void set_conditions(rollout *r, kube__json *conditions, int64_t updated, int64_t replicas,
                           int64_t available)
{
    bool enough = available >= r->replicas - r->unavailable;
    set_condition(r, conditions, "Available", enough,
                  enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                  enough ? "Deployment has minimum availability."
                         : "Deployment does not have minimum availability.");
    if (!r->current)
        return;
    bool complete = updated == r->replicas && replicas == r->replicas && available == r->replicas;
    const char *message = kube__api_text(r->ctx,
                                         complete ? "ReplicaSet \"%s\" has successfully progressed."
                                                  : "ReplicaSet \"%s\" is progressing.",
                                         r->current->object->name);
    set_condition(r, conditions, "Progressing", true,
                  complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated", message);
}

static int64_t replicas_of(const kube__child *set)
{
    return kube__int_at(set->tree, "status.replicas", 0);
}

static int64_t ready_of(const kube__child *set)
{
    return kube__int_at(set->tree, "status.readyReplicas", 0);
}

static int64_t ending_of(const kube__child *set)
{
    return kube__int_at(set->tree, "status.terminatingReplicas", 0);
}

static void put_status(rollout *r)
{
    kube_ctx *ctx = r->ctx;
    const kube__json *old = kube__json_at(r->tree, "status.conditions");
    kube__json *status = kube__json_object(ctx);
    int64_t updated = r->current ? replicas_of(r->current) : 0;
    int64_t available = total(r, available_of);
    int64_t missing = total(r, spec_of) - available;
    kube__json_set_int(ctx, status, "observedGeneration",
                       kube__int_at(r->tree, "metadata.generation", 1));
    kube__set_count(ctx, status, "replicas", total(r, replicas_of));
    kube__set_count(ctx, status, "updatedReplicas", updated);
    kube__set_count(ctx, status, "readyReplicas", total(r, ready_of));
    kube__set_count(ctx, status, "availableReplicas", available);
    kube__set_count(ctx, status, "unavailableReplicas", missing > 0 ? missing : 0);
    kube__json_set_int(ctx, status, "terminatingReplicas", total(r, ending_of));
    kube__json *conditions = kube__json_set(
        ctx, status, "conditions", old ? kube__json_copy(ctx, old) : kube__json_array(ctx));
    set_conditions(r, conditions, updated, total(r, replicas_of), available);
    kube__put_status(r->turn, r->tree, status);
}

/* ---- a look --------------------------------------------------------------------------------- */

static void read_limits(rollout *r)
{
    const kube__json *strategy = kube__json_at(r->tree, "spec.strategy");
    const kube__json *rolling = kube__json_get(strategy, "rollingUpdate");
    r->replicas = kube__int_at(r->tree, "spec.replicas", 1);
    r->recreate = strcmp(kube__json_string_at(strategy, "type"), "Recreate") == 0;
    if (r->recreate)
        return;
    r->surge = kube__scaled(kube__json_get(rolling, "maxSurge"), r->replicas, true, 1);
    r->unavailable = kube__scaled(kube__json_get(rolling, "maxUnavailable"), r->replicas, false, 0);
    if (!r->surge && !r->unavailable)
        r->unavailable = 1;
    if (r->unavailable > r->replicas)
        r->unavailable = r->replicas;
}

void kube__run_deployment(const kube__turn *turn)
{
    rollout r = {.turn = turn, .ctx = turn->ctx};
    r.object = kube__turn_object(turn);
    r.tree = r.object ? kube__turn_tree(turn, r.object) : NULL;
    if (!r.tree)
        return;
    kube__api_object_ref(r.object);
    read_limits(&r);
    r.sets = kube__children_of(turn, "apps", "replicasets", r.object);
    for (size_t i = 0; i < r.sets.len && !r.current; i++)
        if (is_current(&r, &r.sets.items[i]))
            r.current = &r.sets.items[i];
    bool paused = kube__json_is_true(kube__json_at(r.tree, "spec.paused"));
    if (!r.object->deleting && !kube_ctx_failed(turn->ctx) && (!paused || r.current))
        roll(&r);
    /* its own changes bring the next look, which tells of them */
    if (!r.acted && !kube_ctx_failed(turn->ctx))
        put_status(&r);
    kube__children_release(&r.sets);
    kube__api_object_unref(r.object);
}
