/* SPDX-License-Identifier: Apache-2.0 */
/* From a header to its model. */
#include "front/pattern.h"
#include "gen_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATUS_VERBS = MODEL_UPDATE_STATUS | MODEL_APPLY_STATUS,
    SCALE_VERBS = MODEL_GET_SCALE | MODEL_UPDATE_SCALE,
};

#define KIND "    kube_object base;\n    kube_object_meta metadata;\n"

static const model_resource *resource_of(const loaded *in)
{
    ck_assert_msg(in->model != NULL, "%s", in->messages);
    ck_assert_uint_eq(in->model->packages[0]->resource_len, 1);
    return in->model->packages[0]->resources[0];
}

TEST(every_shape_is_recognised)
{
    static const struct {
        const char *declared;
        model_kind kind;
        const char *c_name;
    } shapes[] = {
        {"const char *%s", MODEL_STRING, "const char *"},
        {"bool %s", MODEL_BOOL, "bool"},
        {"int32_t %s", MODEL_INT32, "int32_t"},
        {"int64_t %s", MODEL_INT64, "int64_t"},
        {"double %s", MODEL_DOUBLE, "double"},
        {"kube_opt_bool %s", MODEL_OPT_BOOL, "kube_opt_bool"},
        {"kube_opt_int32 %s", MODEL_OPT_INT32, "kube_opt_int32"},
        {"kube_opt_int64 %s", MODEL_OPT_INT64, "kube_opt_int64"},
        {"kube_opt_double %s", MODEL_OPT_DOUBLE, "kube_opt_double"},
        {"kube_time %s", MODEL_TIME, "kube_time"},
        {"kube_micro_time %s", MODEL_MICRO_TIME, "kube_micro_time"},
        {"kube_duration %s", MODEL_DURATION, "kube_duration"},
        {"kube_quantity %s", MODEL_QUANTITY, "kube_quantity"},
        {"kube_int_or_string %s", MODEL_INT_OR_STRING, "kube_int_or_string"},
        {"kube_bytes %s", MODEL_BYTES, "kube_bytes"},
        {"kube_raw_json %s", MODEL_RAW_JSON, "kube_raw_json"},
        {"kube_string_list %s", MODEL_STRING_LIST, "kube_string_list"},
        {"kube_string_map %s", MODEL_STRING_MAP, "kube_string_map"},
        {"kube_condition %s", MODEL_STRUCT, "kube_condition"},
        {"kube_condition *%s", MODEL_STRUCT_PTR, "kube_condition"},
        {"struct kube_condition *%s", MODEL_STRUCT_PTR, "kube_condition"},
        {"kube_condition_list %s", MODEL_LIST, "kube_condition_list"},
        {"bool_map %s", MODEL_MAP, "bool_map"},
        {"my_number %s", MODEL_INT32, "int32_t"},
        {"my_text %s", MODEL_STRING, "const char *"},
    };
    enum { COUNT = sizeof shapes / sizeof *shapes };
    char text[8192];
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "%stypedef int32_t my_number;\n"
                                 "typedef const char *my_text;\n"
                                 "typedef struct things_v1_all {\n",
                                 HEADER_TOP);
    loaded in;

    for (size_t i = 0; i < COUNT; i++) {
        char name[16];
        snprintf(name, sizeof name, "field%zu;\n", i);
        at += (size_t)snprintf(text + at, sizeof text - at, shapes[i].declared, name);
    }
    snprintf(text + at, sizeof text - at, "} things_v1_all;\n");
    in = load_text("things/v1/types.h", text);
    for (size_t i = 0; i < COUNT; i++) {
        const model_type *type = &find_struct(&in, "things_v1_all")->fields[i].type;
        ck_assert_msg(type->kind == shapes[i].kind, "%s", shapes[i].declared);
        ck_assert_str_eq(type->c_name, shapes[i].c_name);
    }
    unload(&in);
}

TEST(containers_nest_to_any_depth)
{
    loaded in =
        load_text("things/v1/types.h", HEADER_TOP
                  "typedef struct things_v1_port {\n    int32_t number;\n} things_v1_port;\n"
                  "KUBE_DECLARE_LIST(things_v1_port);\n"
                  "KUBE_DECLARE_LIST(things_v1_port_list);\n"
                  "KUBE_DECLARE_MAP(things_v1_port_list_list);\n"
                  "typedef struct things_v1_all {\n"
                  "    things_v1_port_list_list_map deep;\n"
                  "    kube_string_map_map texts;\n"
                  "} things_v1_all;\n");
    const model_type *type = &find_field(find_struct(&in, "things_v1_all"), "deep")->type;
    const model_package *package;
    ck_assert_int_eq(type->kind, MODEL_MAP);
    ck_assert_str_eq(type->container->entry, "things_v1_port_list_list_map_entry");
    type = &type->container->element;
    ck_assert_int_eq(type->kind, MODEL_LIST);
    ck_assert_ptr_null(type->container->entry);
    type = &type->container->element;
    ck_assert_str_eq(type->c_name, "things_v1_port_list");
    type = &type->container->element;
    ck_assert_int_eq(type->kind, MODEL_STRUCT);
    ck_assert_ptr_eq(type->record, find_struct(&in, "things_v1_port"));
    type = &find_field(find_struct(&in, "things_v1_all"), "texts")->type;
    ck_assert_int_eq(type->container->element.kind, MODEL_STRING_MAP);

    package = in.model->packages[0];
    ck_assert_uint_eq(package->container_len, 4); /* what is inside comes first */
    ck_assert_str_eq(package->containers[0]->name, "things_v1_port_list");
    ck_assert_str_eq(package->containers[2]->name, "things_v1_port_list_list_map");
    ck_assert_str_eq(package->containers[2]->include, "things/v1/types.h");
    ck_assert_str_eq(package->containers[3]->include, "kube/shapes.h");
    unload(&in);
}

TEST(types_may_contain_themselves)
{
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "typedef struct things_v1_tree things_v1_tree;\n"
                                     "KUBE_DECLARE_LIST(things_v1_tree);\n"
                                     "KUBE_FORWARD_MAP(things_v1_tree);\n"
                                     "/** A tree. */\n"
                                     "struct things_v1_tree {\n"
                                     "    things_v1_tree_list children;\n"
                                     "    things_v1_tree_map by_name;\n"
                                     "    things_v1_tree *next;\n"
                                     "};\n"
                                     "KUBE_DECLARE_MAP_ENTRY(things_v1_tree);\n"
                                     "typedef struct things_v1_holder {\n    things_v1_tree tree;\n"
                                     "} things_v1_holder;\n");
    const model_struct *tree = find_struct(&in, "things_v1_tree");
    ck_assert_uint_eq(in.model->packages[0]->struct_len, 2);
    ck_assert_str_eq(tree->doc, "A tree.");
    ck_assert_int_eq(find_field(tree, "by_name")->type.kind, MODEL_MAP);
    ck_assert_ptr_eq(find_field(tree, "next")->type.record, tree);
    unload(&in);
}

TEST(struct_of_key_and_value_is_no_map_entry)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "typedef struct things_v1_tag {\n    const char *key;\n"
                          "    const char *value;\n} things_v1_tag;\n"
                          "KUBE_DECLARE_LIST(things_v1_tag);\n"
                          "typedef struct things_v1_log_entry {\n    const char *key;\n"
                          "    const char *value;\n} things_v1_log_entry;\n"
                          "typedef struct things_v1_all {\n    things_v1_tag_list tags;\n"
                          "} things_v1_all;\n");
    ck_assert_int_eq(find_field(find_struct(&in, "things_v1_all"), "tags")->type.kind, MODEL_LIST);
    ck_assert_ptr_nonnull(find_struct(&in, "things_v1_log_entry"));
    unload(&in);
}

TEST(structs_of_other_headers_are_foreign)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP "#include <core/v1/types.h>\n"
                                                          "typedef struct things_v1_all {\n"
                                                          "    core_v1_object_reference *target;\n"
                                                          "    kube_condition_list conditions;\n"
                                                          "} things_v1_all;\n");
    const model_struct *all = find_struct(&in, "things_v1_all");
    const model_struct *target = find_field(all, "target")->type.record;
    const model_package *package = in.model->packages[0];
    ck_assert(!all->foreign);
    ck_assert(target->foreign);
    ck_assert_str_eq(target->include, "core/v1/types.h");
    ck_assert_str_eq(find_field(target, "namespace_")->json, "namespace");
    ck_assert_uint_eq(package->struct_len, 1);
    ck_assert_uint_eq(package->foreign_len, 2);
    ck_assert_str_eq(package->foreign[0]->name, "core_v1_object_reference");
    ck_assert_str_eq(package->foreign[1]->name, "kube_condition");
    ck_assert_str_eq(package->foreign[1]->include, "kube/meta.h");
    ck_assert_str_eq(package->foreign[1]->doc, "One aspect of an object's state.");
    unload(&in);
}

TEST(inlined_members_are_the_outer_structs)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "typedef struct things_v1_inner {\n    const char *a;\n    int32_t b;\n"
                          "} things_v1_inner;\n"
                          "typedef struct things_v1_middle {\n    // +inline\n"
                          "    things_v1_inner inner;\n    bool c;\n} things_v1_middle;\n"
                          "typedef struct things_v1_outer {\n    double d;\n    // +inline\n"
                          "    things_v1_middle middle;\n    kube_extra extra;\n"
                          "} things_v1_outer;\n");
    const model_struct *outer = find_struct(&in, "things_v1_outer");
    static const char *const paths[] = {"d", "middle.inner.a", "middle.inner.b", "middle.c"};
    ck_assert_uint_eq(outer->member_len, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(outer->members[i].path, paths[i]);
    ck_assert_str_eq(outer->members[2].field->json, "b");
    ck_assert_str_eq(outer->extra, "extra");
    ck_assert_int_eq(find_field(outer, "middle")->role, MODEL_INLINE);
    unload(&in);
}

TEST(markers_of_members_are_read)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "#define THINGS_V1_PHASE_READY \"Ready\"\n"
                          "#define THINGS_V1_PHASE_FAILED \"Failed\"\n"
                          "#define THINGS_V1_PHASES \"no\"\n"
                          "typedef struct things_v1_all {\n"
                          "    // +optional\n    // +json=podCIDR\n    // +kubegen:intern\n"
                          "    // +kubebuilder:validation:MinLength=1\n"
                          "    // +kubebuilder:validation:MaxLength=9\n"
                          "    // +kubebuilder:validation:Pattern=\"^[0-9\\\\.]+$\"\n"
                          "    const char *cidr;\n"
                          "    // +kubegen:serverSet\n"
                          "    // +kubebuilder:validation:Minimum=-5\n"
                          "    // +kubebuilder:validation:Maximum=1e3\n    double number;\n"
                          "    // +enum=THINGS_V1_PHASE\n    const char *phase;\n"
                          "    // +kubebuilder:validation:Enum=3;1;2\n    kube_opt_int32 choice;\n"
                          "} things_v1_all;\n");
    const model_struct *all = find_struct(&in, "things_v1_all");
    const model_field *cidr = find_field(all, "cidr");
    const model_field *number = find_field(all, "number");
    const model_field *phase = find_field(all, "phase");
    const model_field *choice = find_field(all, "choice");
    ck_assert(cidr->optional && cidr->intern && !cidr->server_set);
    ck_assert_str_eq(cidr->json, "podCIDR");
    ck_assert_str_eq(cidr->validation.min_length, "1");
    ck_assert_str_eq(cidr->validation.max_length, "9");
    ck_assert_str_eq(cidr->validation.pattern, "^[0-9\\.]+$");
    ck_assert(!number->optional && number->server_set);
    ck_assert_str_eq(number->validation.minimum, "-5");
    ck_assert_str_eq(number->validation.maximum, "1e3");
    ck_assert_uint_eq(phase->validation.enum_len, 2);
    ck_assert_str_eq(phase->validation.enums[0].text, "Failed");
    ck_assert(phase->validation.enums[0].is_string);
    ck_assert_uint_eq(choice->validation.enum_len, 3);
    ck_assert_str_eq(choice->validation.enums[0].text, "3");
    ck_assert(!choice->validation.enums[0].is_string);
    unload(&in);
}

TEST(kind_has_names_scope_and_all_verbs)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "typedef struct things_v1_spec {\n    int32_t x;\n} things_v1_spec;\n"
                          "// +genclient\n// +kubebuilder:subresource:status\n"
                          "// +kubebuilder:resource:shortName=as;app,categories=all\n"
                          "// +kubebuilder:metadata:annotations=\"b=2, and more\"\n"
                          "// +kubebuilder:metadata:annotations=\"a=1\",labels=\"l=3\"\n"
                          "typedef struct things_v1_app_service {\n" KIND
                          "    things_v1_spec status;\n} things_v1_app_service;\n");
    const model_resource *made = resource_of(&in);
    ck_assert_str_eq(made->kind, "AppService");
    ck_assert_str_eq(made->list_kind, "AppServiceList");
    ck_assert_str_eq(made->singular, "appservice");
    ck_assert_str_eq(made->plural, "appservices");
    ck_assert_str_eq(made->c_list, "things_v1_app_service_list");
    ck_assert_str_eq(made->c_plural, "things_v1_app_services");
    ck_assert(made->namespaced && made->has_status && made->status_subresource);
    ck_assert(find_field(made->record, "status")->status);
    ck_assert_uint_eq(made->verbs, MODEL_ALL_VERBS & ~SCALE_VERBS);
    ck_assert_uint_eq(made->short_names.len, 2);
    ck_assert_str_eq(made->short_names.items[1], "app");
    ck_assert_str_eq(made->categories.items[0], "all");
    ck_assert_uint_eq(made->annotations.len, 2);
    ck_assert_str_eq(made->annotations.items[0].key, "a");
    ck_assert_str_eq(made->annotations.items[1].value, "2, and more");
    ck_assert_str_eq(made->labels.items[0].value, "3");
    unload(&in);
}

TEST(markers_change_names_and_verbs)
{
    static const struct {
        const char *markers;
        const char *kind;
        const char *plural;
        const char *c_plural;
        bool namespaced;
        unsigned verbs;
    } cases[] = {
        {"", "Thing", "things", "things_v1_things", true,
         MODEL_ALL_VERBS & ~(STATUS_VERBS | SCALE_VERBS)},
        {"// +kind=HTTPThing\n// +resourceName=stuff\n", "HTTPThing", "stuff", "things_v1_things",
         true, MODEL_ALL_VERBS & ~(STATUS_VERBS | SCALE_VERBS)},
        {"// +kubebuilder:resource:path=stuff,scope=Cluster\n// +cPlural=all_things\n"
         "// +genclient:readonly\n",
         "Thing", "stuff", "things_v1_all_things", false,
         MODEL_GET | MODEL_LIST_VERB | MODEL_WATCH},
        {"// +genclient:nonNamespaced\n// +genclient:noVerbs\n", "Thing", "things",
         "things_v1_things", false, 0},
        {"// +genclient:onlyVerbs=create,deleteCollection\n", "Thing", "things", "things_v1_things",
         true, MODEL_CREATE | MODEL_DELETE_COLLECTION},
        {"// +resourceName=thing\n// +genclient:skipVerbs=apply,patch,watch\n", "Thing", "thing",
         "things_v1_thing", true,
         MODEL_CREATE | MODEL_UPDATE | MODEL_DELETE | MODEL_DELETE_COLLECTION | MODEL_GET |
             MODEL_LIST_VERB},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const model_resource *made;
        char text[1024];
        loaded in;
        snprintf(text, sizeof text,
                 "%s// +genclient\n%stypedef struct things_v1_thing {\n%s} things_v1_thing;\n",
                 HEADER_TOP, cases[i].markers, KIND);
        in = load_text("things/v1/types.h", text);
        made = resource_of(&in);
        ck_assert_str_eq(made->kind, cases[i].kind);
        ck_assert_str_eq(made->plural, cases[i].plural);
        ck_assert_str_eq(made->c_plural, cases[i].c_plural);
        ck_assert_int_eq(made->namespaced, cases[i].namespaced);
        ck_assert_uint_eq(made->verbs, cases[i].verbs);
        unload(&in);
    }
}

TEST(group_and_version_come_from_the_directory)
{
    loaded in = load_text("apps.example.com/v1beta2/types.h",
                          "#include <kube/meta.h>\ntypedef struct apps_example_com_v1beta2_x {\n"
                          "    int32_t x;\n} apps_example_com_v1beta2_x;\n");
    const model_package *package;
    find_struct(&in, "apps_example_com_v1beta2_x");
    package = in.model->packages[0];
    ck_assert_str_eq(package->group, "apps.example.com");
    ck_assert_str_eq(package->version, "v1beta2");
    ck_assert_str_eq(package->header, "apps.example.com/v1beta2/types.h");
    ck_assert_str_eq(package->include, "apps.example.com/v1beta2/types.h");
    ck_assert_str_eq(package->root, ".");
    unload(&in);

    in = load_text("things/latest/types.h", "#include <kube/meta.h>\n");
    ck_assert_str_eq(in.messages, "things/latest/types.h: error: 'latest' is not an API version: "
                                  "it is v<N>, v<N>alpha<M> or v<N>beta<M>\n"
                                  "note: a header of structs that several APIs share has "
                                  "'// +prefix=…' at its top\n");
    unload(&in);
}

TEST(a_header_of_shared_structs_is_found_where_its_users_include_it)
{
    static const struct {
        const char *path;
        const char *markers;
        const char *include;
        const char *root;
    } cases[] = {
        {"apis/shared/types.h", "// +prefix=lib\n", "shared/types.h", "apis"},
        {"shared/types.h", "// +prefix=lib\n", "shared/types.h", "."},
        {"apis/shop/v1/common.h", "// +prefix=lib\n", "shop/v1/common.h", "apis"},
        {"lib/shapes.h", "", "lib/shapes.h", "."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        const model_package *package;
        loaded in;
        snprintf(text, sizeof text,
                 "%s#include <kube/meta.h>\n"
                 "typedef struct lib_point {\n    int32_t x;\n} lib_point;\n",
                 cases[i].markers);
        in = load_text(cases[i].path, text);
        find_struct(&in, "lib_point");
        package = in.model->packages[0];
        ck_assert_ptr_null(package->group);
        ck_assert_str_eq(package->include, cases[i].include);
        ck_assert_str_eq(package->root, cases[i].root);
        ck_assert_str_eq(package->prefix, "lib");
        unload(&in);
    }
}

TEST(an_enum_leaves_out_the_names_of_a_longer_prefix)
{
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "#define X_PHASE_READY \"Ready\"\n"
                                     "#define X_PHASE_REASON_TIRED \"Tired\"\n"
                                     "#define X_PHASE_REASON \"Reason\"\n"
                                     "#define X_PHASE_REASONS_NONE \"None\"\n"
                                     "typedef struct things_v1_x {\n"
                                     "    // +enum=X_PHASE\n    const char *phase;\n"
                                     "    // +enum=X_PHASE_REASON\n    const char *reason;\n"
                                     "} things_v1_x;\n");
    const model_struct *of = find_struct(&in, "things_v1_x");
    const model_validation *phase = &find_field(of, "phase")->validation;
    const model_validation *reason = &find_field(of, "reason")->validation;
    ck_assert_uint_eq(phase->enum_len, 3);
    ck_assert_str_eq(phase->enums[0].text, "None");
    ck_assert_str_eq(phase->enums[1].text, "Ready");
    ck_assert_str_eq(phase->enums[2].text, "Reason");
    ck_assert_uint_eq(reason->enum_len, 1);
    ck_assert_str_eq(reason->enums[0].text, "Tired");
    unload(&in);
}

TEST(library_header_has_no_group)
{
    loaded in =
        load_text("lib/shapes.h", "// +prefix=lib\n#include <kube/meta.h>\n"
                                  "typedef struct lib_point {\n    int32_t x;\n} lib_point;\n");
    const model_package *package;
    find_struct(&in, "lib_point");
    package = in.model->packages[0];
    ck_assert_ptr_null(package->group);
    ck_assert_ptr_null(package->version);
    ck_assert_str_eq(package->include, "lib/shapes.h");
    unload(&in);
}

TEST(meta_header_of_the_runtime_is_an_input)
{
    const char *root = getenv("KUBEGEN_SOURCE_DIR");
    char path[512];
    const char *inputs[] = {path};
    diag *to = diag_new();
    model *made;
    ck_assert_ptr_nonnull(root);
    snprintf(path, sizeof path, "%s/runtime/include/kube/meta.h", root);
    made = model_load(inputs, 1, NULL, to);
    if (!made)
        diag_print(to, stderr, false);
    ck_assert_ptr_nonnull(made);
    ck_assert_str_eq(made->packages[0]->include, "kube/meta.h");
    ck_assert_str_eq(made->packages[0]->prefix, "kube");
    for (size_t i = 0; i < made->packages[0]->struct_len; i++)
        ck_assert_str_ne(made->packages[0]->structs[i]->name, "kube_object");
    model_free(made);
    diag_free(to);
}

TEST(inputs_are_read_once_and_dependencies_listed)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "#include <core/v1/types.h>\n"
                          "typedef struct things_v1_x {\n    int32_t x;\n} things_v1_x;\n");
    static const char *const inputs[] = {"things/v1", "./things/v1/", "things/v1/types.h"};
    model *again = model_load(inputs, 3, NULL, in.diag);
    const model_texts *files;
    bool has_core = false;
    ck_assert_ptr_nonnull(again);
    ck_assert_uint_eq(again->package_len, 1);
    files = &again->packages[0]->inputs;
    for (size_t i = 0; i < files->len; i++) {
        ck_assert_ptr_null(strstr(files->items[i], "stdint.h"));
        has_core |= strstr(files->items[i], "core/v1/types.h") != NULL;
        ck_assert(i == 0 || strcmp(files->items[i - 1], files->items[i]) < 0);
    }
    ck_assert(has_core);
    model_free(again);
    unload(&in);
}

/* A project that has the runtime in a directory of its own, loaded by the name @dir. */
static void check_runtime_below(const char *dir)
{
    const char *source = getenv("KUBEGEN_SOURCE_DIR");
    char command[512];
    char include[256];
    const char *inputs[] = {"things/v1"};
    const char *dirs[] = {include};
    const model_options options = {dirs, 1};
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "// +genclient\ntypedef struct things_v1_thing {\n" KIND
                                     "    kube_condition last;\n} things_v1_thing;\n");
    model *again;
    char *list = strdup(getenv("KUBEGEN_INCLUDE"));
    snprintf(command, sizeof command, "mkdir -p kubegen && cp -r '%s/runtime/include' kubegen",
             source ? source : ".");
    ck_assert_int_eq(system(command), 0);
    unsetenv("KUBEGEN_INCLUDE");
    snprintf(include, sizeof include, "%s/kubegen/include", *dir ? dir : in.dir);
    again = model_load(inputs, 1, &options, in.diag);
    if (!again)
        diag_print(in.diag, stderr, false);
    ck_assert_ptr_nonnull(again);
    ck_assert_str_eq(again->packages[0]->foreign[0]->include, "kube/meta.h");
    model_free(again);
    snprintf(command, sizeof command, "%s/things/v1", in.dir);
    inputs[0] = command; /* the same by its absolute path */
    again = model_load(inputs, 1, &options, in.diag);
    ck_assert_ptr_nonnull(again);
    ck_assert_str_eq(again->packages[0]->foreign[0]->include, "kube/meta.h");
    model_free(again);
    setenv("KUBEGEN_INCLUDE", list, 1);
    free(list);
    unload(&in);
}

TEST(runtime_may_lie_below_the_root_of_the_api)
{
    check_runtime_below("");
    check_runtime_below(".");
    check_runtime_below("things/..");
}

TEST(struct_may_stand_on_one_line)
{
    loaded in = load_text("things/v1/types.h", HEADER_TOP
                          "// +genclient\ntypedef struct things_v1_thing { kube_object base; "
                          "kube_object_meta metadata; int32_t x; } things_v1_thing;\n");
    ck_assert_str_eq(resource_of(&in)->kind, "Thing");
    ck_assert_str_eq(find_field(find_struct(&in, "things_v1_thing"), "x")->doc, "");
    unload(&in);
}

TEST(missing_header_is_named)
{
    loaded in = load_text("things/v1/types.h", NULL);
    ck_assert_ptr_null(in.model);
    ck_assert_str_eq(in.messages,
                     "things/v1: error: cannot read this file: No such file or directory\n"
                     "note: the directory of an API is <group>/<version> and holds a types.h\n");
    unload(&in);
}

TEST(patterns_are_those_of_the_server)
{
    static const char *const good[] = {
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        "(?i)^a$",
        "^(?:a|b)+?$",
        "^(?P<name>\\d+)\\.$",
        "^\\p{L}\\pN\\x{1F}[\\x{0}-\\x{1F}]$",
        "^[^]\\]a-]*$",
        "[[:alpha:]]{2,3}?",
        "^*",
        "{",
        "a{,3}",
        "(?<name>a)",
        "\\Q(\\C{99999999999}\\E",
        "[\\]({99999999999}]",
        "",
    };
    static const char *const bad[] = {
        "(a", "[a",  "a)\\",  "*(",  "a{3,2}",   "(?=a)", "(?<!a)b",        "\\",
        "a)", "\\1", "[z-a]", "a**", "\\p{Foo}", "\\C",   "a{99999999999}", "(?<1>a)",
    };
    arena *scratch = arena_new();
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const char *error = pattern_error(scratch, good[i]);
        ck_assert_msg(error == NULL, "%s: %s", good[i], error);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(pattern_error(scratch, bad[i]) != NULL, "%s", bad[i]);
    ck_assert(pattern_excludes("(?i)^x$", "\u00e9"));
    ck_assert(!pattern_excludes("^.{2}\\PL$", "\u00e9\u00e91"));
    arena_free(scratch);
}
