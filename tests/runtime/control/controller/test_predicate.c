/* SPDX-License-Identifier: Apache-2.0 */
#include "support/suite.h"

#include <core/v1/register.h>
#include <kube/predicate.h>

/* Two states of a ConfigMap; it has no generation unless a test gives it one. */
static core_v1_config_map before;
static core_v1_config_map now;
static kube_change update;

static void set_up(void)
{
    before = (core_v1_config_map){
        .base = {.type = &core_v1_config_map_type},
        .metadata = {.name = "a", .namespace_ = "ns", .uid = "u", .resource_version = "1"}};
    now = before;
    now.metadata.resource_version = "2";
    update = (kube_change){
        .type = &core_v1_config_map_type, .old_object = &before.base, .new_object = &now.base};
}

static bool passes(const kube_predicate *predicate)
{
    return kube_predicate_passes(predicate, &update);
}

static const kube_predicate *const built_in[] = {&kube_generation_changed, &kube_labels_changed,
                                                 &kube_annotations_changed, &kube_version_changed};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

FIXTURE(set_up, NULL);

TEST(without_a_predicate_everything_passes)
{
    ck_assert(passes(NULL));
}

TEST(adds_and_deletes_pass)
{
    const kube_change add = {.type = &core_v1_config_map_type, .new_object = &now.base};
    const kube_change gone = {.type = &core_v1_config_map_type, .old_object = &now.base};
    for (int i = 0; i < BUILT_IN; i++) {
        ck_assert(kube_predicate_passes(built_in[i], &add));
        ck_assert(kube_predicate_passes(built_in[i], &gone));
    }
}

TEST(kinds_of_changes_are_told_apart)
{
    static const kube_predicate *const kinds[] = {&kube_when_added, &kube_when_updated,
                                                  &kube_when_deleted};
    const kube_change changes[] = {
        {.type = &core_v1_config_map_type, .new_object = &now.base},
        update,
        {.type = &core_v1_config_map_type, .old_object = &now.base},
    };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            ck_assert_int_eq(kube_predicate_passes(kinds[i], &changes[j]), i == j);
    }
}

static void set_label(core_v1_config_map *map, kube_string_map_entry *label)
{
    map->metadata.labels = (kube_string_map){label, label ? 1 : 0};
}

TEST(labels_are_selected_before_or_after_a_change)
{
    kube_string_map_entry web = {"app", "web"};
    kube_string_map_entry other = {"app", "db"};
    const kube_change add = {.type = &core_v1_config_map_type, .new_object = &now.base};
    const kube_change gone = {.type = &core_v1_config_map_type, .old_object = &before.base};
    kube_predicate *selected;
    ck_assert_int_eq(kube_label_predicate_new("app=web,!old", &selected, NULL), KUBE_OK);
    ck_assert(!passes(selected));
    set_label(&now, &web);
    set_label(&before, &other);
    ck_assert(passes(selected));
    ck_assert(kube_predicate_passes(selected, &add));
    ck_assert(!kube_predicate_passes(selected, &gone));
    set_label(&now, &other);
    set_label(&before, &web);
    ck_assert(passes(selected)); /* it has left */
    ck_assert(!kube_predicate_passes(selected, &add));
    ck_assert(kube_predicate_passes(selected, &gone));
    kube_label_predicate_free(selected);
    kube_label_predicate_free(NULL);
}

TEST(a_wrong_selector_makes_no_predicate)
{
    kube_predicate *none;
    kube_error err;
    ck_assert_int_eq(kube_label_predicate_new("app=web=db", &none, &err), KUBE_ERR_ARGUMENT);
    ck_assert_ptr_null(none);
}

TEST(a_resync_passes_none)
{
    now = before;
    before.metadata.generation = now.metadata.generation = 3;
    for (int i = 0; i < BUILT_IN; i++)
        ck_assert_msg(!passes(built_in[i]), "predicate %d", i);
}

TEST(an_object_of_the_same_name_is_another_when_its_uid_is)
{
    now.metadata.uid = "v";
    before.metadata.generation = now.metadata.generation = 1;
    for (int i = 0; i < BUILT_IN; i++)
        ck_assert_msg(passes(built_in[i]), "predicate %d", i);
}

TEST(generation_tells_the_spec_from_the_status)
{
    before.metadata.generation = now.metadata.generation = 3;
    ck_assert(!passes(&kube_generation_changed));
    ck_assert(passes(&kube_version_changed));
    now.metadata.generation = 4;
    ck_assert(passes(&kube_generation_changed));
}

TEST(a_kind_without_a_generation_passes_with_each_version)
{
    ck_assert(passes(&kube_generation_changed));
}

TEST(the_beginning_of_the_end_passes_though_the_generation_stays)
{
    before.metadata.generation = now.metadata.generation = 3;
    now.metadata.deletion_timestamp = (kube_time){.sec = 7, .set = true};
    ck_assert(passes(&kube_generation_changed));
    before.metadata.deletion_timestamp = now.metadata.deletion_timestamp;
    ck_assert(!passes(&kube_generation_changed));
}

TEST(finalizers_pass_though_the_generation_stays)
{
    static const char *one[] = {"x/a"};
    static const char *other[] = {"x/b"};
    before.metadata.generation = now.metadata.generation = 3;
    before.metadata.finalizers = (kube_string_list){one, 1};
    ck_assert(passes(&kube_generation_changed));
    now.metadata.finalizers = (kube_string_list){other, 1};
    ck_assert(passes(&kube_generation_changed));
    now.metadata.finalizers = before.metadata.finalizers;
    ck_assert(!passes(&kube_generation_changed));
}

TEST(labels_and_annotations_are_compared_whatever_their_order)
{
    static kube_string_map_entry ab[] = {{"a", "1"}, {"b", "2"}};
    static kube_string_map_entry ba[] = {{"b", "2"}, {"a", "1"}};
    static kube_string_map_entry ac[] = {{"a", "1"}, {"c", "2"}};
    static kube_string_map_entry a3[] = {{"a", "1"}, {"b", "3"}};
    before.metadata.labels = before.metadata.annotations = (kube_string_map){ab, 2};
    now.metadata.labels = now.metadata.annotations = (kube_string_map){ba, 2};
    ck_assert(!passes(&kube_labels_changed));
    ck_assert(!passes(&kube_annotations_changed));
    now.metadata.labels = (kube_string_map){ac, 2};
    ck_assert(passes(&kube_labels_changed));
    ck_assert(!passes(&kube_annotations_changed));
    now.metadata.labels = before.metadata.labels;
    now.metadata.annotations = (kube_string_map){a3, 2};
    ck_assert(!passes(&kube_labels_changed));
    ck_assert(passes(&kube_annotations_changed));
    now.metadata.annotations.len = 1;
    ck_assert(passes(&kube_annotations_changed));
}

/* ---- combinations -------------------------------------------------------------------------- */

static int asked;

static bool answer(const kube_predicate *self, const kube_change *change)
{
    ck_assert_ptr_eq(change, &update);
    asked++;
    return *(const bool *)self->arg;
}

static bool truth = true;
static bool falsehood = false;
static const kube_predicate yes = {.passes = answer, .arg = &truth};
static const kube_predicate no = {.passes = answer, .arg = &falsehood};

static bool combined(bool (*how)(const kube_predicate *self, const kube_change *change),
                     const kube_predicate *a, const kube_predicate *b)
{
    const kube_predicate *const parts[] = {a, b, NULL};
    const kube_predicate whole = {.passes = how, .parts = parts};
    asked = 0;
    return passes(&whole);
}

TEST(all_any_and_none_ask_until_they_know)
{
    ck_assert(combined(kube_predicate_all, &yes, &yes));
    ck_assert(!combined(kube_predicate_all, &no, &yes));
    ck_assert_int_eq(asked, 1);
    ck_assert(!combined(kube_predicate_all, &yes, &no));
    ck_assert(combined(kube_predicate_any, &yes, &no));
    ck_assert_int_eq(asked, 1);
    ck_assert(combined(kube_predicate_any, &no, &yes));
    ck_assert(!combined(kube_predicate_any, &no, &no));
    ck_assert(combined(kube_predicate_none, &no, &no));
    ck_assert(!combined(kube_predicate_none, &no, &yes));
    ck_assert(!combined(kube_predicate_none, &yes, &no));
    ck_assert_int_eq(asked, 1);
}

TEST(combinations_of_nothing_have_an_answer)
{
    ck_assert(combined(kube_predicate_all, NULL, NULL));
    ck_assert(!combined(kube_predicate_any, NULL, NULL));
    ck_assert(combined(kube_predicate_none, NULL, NULL));
    ck_assert(passes(&(const kube_predicate){.passes = kube_predicate_all}));
    ck_assert(!passes(&(const kube_predicate){.passes = kube_predicate_any}));
    ck_assert(passes(&(const kube_predicate){.passes = kube_predicate_none}));
}

/* As the header shows it: constant data. */
static const kube_predicate worth = {
    kube_predicate_any,
    (const kube_predicate *const[]){&kube_generation_changed, &kube_labels_changed, NULL}, NULL};

TEST(predicates_are_static_data_and_nest)
{
    static kube_string_map_entry a[] = {{"a", "1"}};
    const kube_predicate not_worth = {kube_predicate_none,
                                      (const kube_predicate *const[]){&worth, NULL}, NULL};
    before.metadata.generation = now.metadata.generation = 3;
    ck_assert(!passes(&worth));
    ck_assert(passes(&not_worth));
    now.metadata.labels = (kube_string_map){a, 1};
    ck_assert(passes(&worth));
    ck_assert(!passes(&not_worth));
}
