/* SPDX-License-Identifier: Apache-2.0 */
/* OW-1 and OW-2: controller-runtime's controllerutil tests, by table. */
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <core/v1/register.h>
#include <kube/owner.h>
#include <stdio.h>
#include <string.h>

static kube_ctx *ctx;
static kube_error err;

static const core_v1_config_map blue = {
    .base = {.type = &core_v1_config_map_type},
    .metadata = {.name = "blue", .namespace_ = "default", .uid = "uid-blue"},
};
/* The same name, made anew. */
static const core_v1_config_map blue_again = {
    .base = {.type = &core_v1_config_map_type},
    .metadata = {.name = "blue", .namespace_ = "default", .uid = "uid-again"},
};
static const core_v1_config_map red = {
    .base = {.type = &core_v1_config_map_type},
    .metadata = {.name = "red", .namespace_ = "default", .uid = "uid-red"},
};
static const core_v1_config_map elsewhere = {
    .base = {.type = &core_v1_config_map_type},
    .metadata = {.name = "blue", .namespace_ = "kube-system", .uid = "uid-elsewhere"},
};
static const core_v1_secret blue_secret = {
    .base = {.type = &core_v1_secret_type},
    .metadata = {.name = "blue", .namespace_ = "default", .uid = "uid-secret"},
};
static const core_v1_namespace space = {
    .base = {.type = &core_v1_namespace_type},
    .metadata = {.name = "space", .uid = "uid-space"},
};
static const core_v1_config_map unborn = {
    .base = {.type = &core_v1_config_map_type},
    .metadata = {.name = "unborn", .namespace_ = "default"},
};
static const core_v1_config_map untyped = {
    .metadata = {.name = "untyped", .namespace_ = "default", .uid = "uid-untyped"},
};
static const core_v1_config_map nameless = {
    .base = {.type = &core_v1_config_map_type},
    .metadata = {.namespace_ = "default", .uid = "uid-nameless"},
};

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

static kube_object_meta fresh(void)
{
    return (kube_object_meta){.name = "child", .namespace_ = "default"};
}

/* "ConfigMap blue uid-blue!, …": with '!' for a controller. */
static const char *shown(const kube_object_meta *metadata)
{
    static char text[512];
    text[0] = '\0';
    for (size_t i = 0; i < metadata->owner_references.len; i++) {
        const kube_owner_reference *r = &metadata->owner_references.items[i];
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %s %s%s", used ? ", " : "", r->kind,
                 r->name, r->uid, r->controller.set && r->controller.value ? "!" : "");
    }
    return text;
}

FIXTURE(set_up, tear_down);

TEST(a_controller_reference_is_complete) /* OW-1 */
{
    kube_owner_reference r = kube_controller_reference(&blue.base);
    ck_assert_str_eq(r.api_version, "v1");
    ck_assert_str_eq(r.kind, "ConfigMap");
    ck_assert_str_eq(r.name, "blue");
    ck_assert_str_eq(r.uid, "uid-blue");
    ck_assert(r.controller.set && r.controller.value);
    ck_assert(r.block_owner_deletion.set && r.block_owner_deletion.value);
    ck_assert_ptr_null(kube_controller_reference(&untyped.base).kind);
}

TEST(the_controller_is_the_reference_that_says_so) /* OW-1 */
{
    kube_owner_reference references[] = {
        {.kind = "A", .name = "plain", .uid = "1"},
        {.kind = "A", .name = "false", .uid = "2", .controller = KUBE_SOME(false)},
        {.kind = "A", .name = "first", .uid = "3", .controller = KUBE_SOME(true)},
        {.kind = "A", .name = "second", .uid = "4", .controller = KUBE_SOME(true)},
    };
    kube_object_meta metadata = fresh();
    ck_assert_ptr_null(kube_controller_of(&metadata));
    metadata.owner_references = (kube_owner_reference_list){references, 2};
    ck_assert_ptr_null(kube_controller_of(&metadata));
    metadata.owner_references.len = 4;
    ck_assert_str_eq(kube_controller_of(&metadata)->name, "first");
}

TEST(control_goes_by_uid_alone) /* OW-1 */
{
    kube_object_meta metadata = fresh();
    ck_assert(!kube_is_controlled_by(&metadata, &blue.base));
    ck_assert_int_eq(kube_set_controller_reference(ctx, &metadata, &blue.base, &err), KUBE_OK);
    ck_assert(kube_is_controlled_by(&metadata, &blue.base));
    ck_assert(!kube_is_controlled_by(&metadata, &blue_again.base));
    ck_assert(!kube_is_controlled_by(&metadata, &untyped.base));
    /* Two without a uid are not the same one. */
    metadata.owner_references.items[0].uid = NULL;
    ck_assert(!kube_is_controlled_by(&metadata, &unborn.base));
}

/* Owners that are set in turn; '!' = as controller. What comes of it. */
static const struct {
    const char *name;
    const kube_object *owners[3];
    bool controllers[3];
    kube_code code; /* of the last */
    const char *references;
    const char *message;
} sets[] = {
    {"one", {&blue.base}, {true}, KUBE_OK, "ConfigMap blue uid-blue!", NULL},
    {"twice the same",
     {&blue.base, &blue.base},
     {true, true},
     KUBE_OK,
     "ConfigMap blue uid-blue!",
     NULL},
    {"made anew: in its place",
     {&blue.base, &red.base, &blue_again.base},
     {true, false, true},
     KUBE_OK,
     "ConfigMap blue uid-again!, ConfigMap red uid-red",
     NULL},
    {"an owner becomes the controller",
     {&red.base, &blue.base, &red.base},
     {false, false, true},
     KUBE_OK,
     "ConfigMap red uid-red!, ConfigMap blue uid-blue",
     NULL},
    {"a second controller",
     {&blue.base, &red.base},
     {true, true},
     KUBE_ERR_ALREADY_EXISTS,
     "ConfigMap blue uid-blue!",
     "\"child\" is controlled by ConfigMap \"blue\" already"},
    {"the same name of another kind",
     {&blue.base, &blue_secret.base},
     {true, true},
     KUBE_ERR_ALREADY_EXISTS,
     "ConfigMap blue uid-blue!",
     "\"child\" is controlled by ConfigMap \"blue\" already"},
    {"several owners",
     {&blue.base, &blue_secret.base, &red.base},
     {true, false, false},
     KUBE_OK,
     "ConfigMap blue uid-blue!, Secret blue uid-secret, ConfigMap red uid-red",
     NULL},
    {"of the cluster", {&space.base}, {true}, KUBE_OK, "Namespace space uid-space!", NULL},
    {"from another namespace",
     {&elsewhere.base},
     {true},
     KUBE_ERR_ARGUMENT,
     "",
     "default/child is in another namespace than its owner, ConfigMap kube-system/blue"},
    {"from another namespace, plain",
     {&elsewhere.base},
     {false},
     KUBE_ERR_ARGUMENT,
     "",
     "default/child is in another namespace than its owner, ConfigMap kube-system/blue"},
    {"without a uid",
     {&unborn.base},
     {true},
     KUBE_ERR_ARGUMENT,
     "",
     "ConfigMap \"unborn\" cannot own anything: it has no uid, so it is no object of the server"},
    {"without a name",
     {&nameless.base},
     {false},
     KUBE_ERR_ARGUMENT,
     "",
     "ConfigMap \"\" cannot own anything: it has no name, so it is no object of the server"},
    {"without a type",
     {&untyped.base},
     {true},
     KUBE_ERR_ARGUMENT,
     "",
     "an owner must have a type: pass &object->base of one from the server or a cache"},
};

TEST(references_are_set) /* OW-2 */
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        kube_object_meta metadata = fresh();
        kube_code rc = KUBE_OK;
        for (size_t k = 0; k < 3 && sets[i].owners[k]; k++) {
            ck_assert_msg(rc == KUBE_OK, "%s: %s", sets[i].name, err.message);
            rc = sets[i].controllers[k]
                     ? kube_set_controller_reference(ctx, &metadata, sets[i].owners[k], &err)
                     : kube_set_owner_reference(ctx, &metadata, sets[i].owners[k], &err);
        }
        ck_assert_msg(rc == sets[i].code, "%s: %s", sets[i].name, kube_code_name(rc));
        ck_assert_msg(strcmp(shown(&metadata), sets[i].references) == 0, "%s: %s", sets[i].name,
                      shown(&metadata));
        if (sets[i].message)
            ck_assert_str_eq(err.message, sets[i].message);
    }
}

TEST(a_namespaced_owner_does_not_own_what_has_no_namespace) /* OW-2 */
{
    kube_object_meta metadata = {.name = "node"};
    ck_assert_int_eq(kube_set_controller_reference(ctx, &metadata, &blue.base, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "\"node\" has no namespace, so ConfigMap default/blue cannot own it");
    ck_assert_int_eq(kube_set_controller_reference(ctx, &metadata, &space.base, &err), KUBE_OK);
}

TEST(the_same_kind_of_another_version_is_the_same_owner) /* OW-2: the version is ignored */
{
    kube_owner_reference old[] = {
        {"v1beta1", "ConfigMap", "blue", "uid-blue", KUBE_SOME(true), {0}},
        {"other/v1", "ConfigMap", "blue", "uid-other", {0}, {0}},
    };
    kube_object_meta metadata = fresh();
    metadata.owner_references = (kube_owner_reference_list)KUBE_LIST_OF(old);
    ck_assert_int_eq(kube_set_controller_reference(ctx, &metadata, &blue.base, &err), KUBE_OK);
    ck_assert_str_eq(shown(&metadata), "ConfigMap blue uid-blue!, ConfigMap blue uid-other");
    ck_assert_str_eq(metadata.owner_references.items[0].api_version, "v1");
    /* What was there is left alone: it may be a cached object's. */
    ck_assert_ptr_ne(metadata.owner_references.items, old);
    ck_assert_str_eq(old[0].api_version, "v1beta1");
}

TEST(a_reference_is_removed_by_uid) /* OW-2 */
{
    kube_object_meta metadata = fresh();
    const kube_owner_reference *before;
    bool removed = true;
    ck_assert_int_eq(kube_remove_owner_reference(ctx, &metadata, &blue.base, &removed, &err),
                     KUBE_OK);
    ck_assert(!removed);
    ck_assert_int_eq(kube_set_controller_reference(ctx, &metadata, &blue.base, &err), KUBE_OK);
    ck_assert_int_eq(kube_set_owner_reference(ctx, &metadata, &red.base, &err), KUBE_OK);
    before = metadata.owner_references.items;
    ck_assert_int_eq(kube_remove_owner_reference(ctx, &metadata, &blue_again.base, &removed, &err),
                     KUBE_OK);
    ck_assert(!removed);
    ck_assert_ptr_eq(metadata.owner_references.items, before);
    ck_assert_int_eq(kube_remove_owner_reference(ctx, &metadata, &blue.base, &removed, &err),
                     KUBE_OK);
    ck_assert(removed);
    ck_assert_str_eq(shown(&metadata), "ConfigMap red uid-red");
    ck_assert_str_eq(before[0].name, "blue");
    ck_assert_int_eq(kube_remove_owner_reference(ctx, &metadata, &red.base, NULL, &err), KUBE_OK);
    ck_assert_uint_eq(metadata.owner_references.len, 0);
    ck_assert_ptr_nonnull(
        metadata.owner_references.items); /* an update must say that it is empty */
    ck_assert_int_eq(kube_remove_owner_reference(ctx, &metadata, &unborn.base, NULL, &err),
                     KUBE_ERR_ARGUMENT);
}

/* Memory that is out leaves the list as it was. */
static bool set_and_remove(void *arg)
{
    kube_ctx *scope = kube_ctx_new();
    kube_object_meta metadata = fresh();
    kube_code rc = scope ? KUBE_OK : KUBE_ERR_NO_MEMORY;
    (void)arg;
    if (!rc)
        rc = kube_set_controller_reference(scope, &metadata, &blue.base, NULL);
    if (rc && metadata.owner_references.len)
        abort();
    if (!rc)
        rc = kube_set_owner_reference(scope, &metadata, &red.base, NULL);
    if (!rc)
        rc = kube_remove_owner_reference(scope, &metadata, &blue.base, NULL, NULL);
    if (rc && rc != KUBE_ERR_NO_MEMORY)
        abort();
    kube_ctx_free(scope);
    return rc == KUBE_OK;
}

TEST(no_memory_is_an_error)
{
    ck_assert_uint_gt(fail_malloc_replay(set_and_remove, NULL), 0);
}

TEST(a_failed_ctx_changes_nothing)
{
    kube_object_meta metadata = {.name = "a", .namespace_ = "default"};
    ck_assert_ptr_null(kube_ctx_alloc_array(ctx, SIZE_MAX, 2));
    ck_assert_int_eq(kube_set_controller_reference(ctx, &metadata, &untyped.base, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_set_owner_reference(ctx, &metadata, &blue.base, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_remove_owner_reference(ctx, &metadata, &blue.base, NULL, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_uint_eq(metadata.owner_references.len, 0);
}
