/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of print columns that kube-apiserver follows; errors/print_column_path.h has the others. */
#include "gen_kit.h"
#include "support/str.h"

/* A Kind with a column of @path. */
static loaded load_column(const char *path)
{
    str text = {0};
    loaded in;
    str_printf(&text,
               HEADER_TOP "typedef struct things_v1_free {\n"
                          "    int32_t known;\n"
                          "    kube_extra extra;\n"
                          "} things_v1_free;\n"
                          "// +kubebuilder:pruning:PreserveUnknownFields\n"
                          "typedef things_v1_free things_v1_kept;\n"
                          "// +kubebuilder:pruning:PreserveUnknownFields\n"
                          "typedef struct things_v1_open {\n"
                          "    int32_t known;\n"
                          "} things_v1_open;\n"
                          "KUBE_DECLARE_MAP(things_v1_free);\n"
                          "typedef struct things_v1_spec {\n"
                          "    int32_t size;\n"
                          "    kube_string_list names;\n"
                          "    kube_string_map notes;\n"
                          "    things_v1_free_map free_by_name;\n"
                          "    // +kubebuilder:pruning:PreserveUnknownFields\n"
                          "    things_v1_free open;\n"
                          "    things_v1_kept kept;\n"
                          "    things_v1_open *by_type;\n"
                          "    kube_condition_list conditions;\n"
                          "    kube_raw_json raw;\n"
                          "} things_v1_spec;\n"
                          "// +genclient\n"
                          "// +kubebuilder:printcolumn:name=C,type=string,JSONPath=`%s`\n"
                          "typedef struct things_v1_thing {\n"
                          "    kube_object base;\n"
                          "    kube_object_meta metadata;\n"
                          "    things_v1_spec spec;\n"
                          "} things_v1_thing;\n",
               path);
    in = load_text("things/v1/types.h", str_text(&text));
    str_free(&text);
    return in;
}

TEST(what_a_server_finds_passes)
{
    static const char *const paths[] = {
        ".",
        ".kind",
        ".apiVersion",
        ".spec",
        ".spec.size",
        ".spec['size']",
        ".spec.names[0]",
        ".spec.names[-1:]",
        ".spec.names[0,1]",
        ".spec.names[0:4:2]",
        ".spec.names[*]",
        ".spec.names.*",
        ".spec.notes.any",
        ".spec.notes.example\\.com/any",
        ".spec.notes['any']",
        ".spec.notes.*",
        ".spec.freeByName.any.known",
        ".spec.freeByName.*.known",
        ".spec.open.known",
        ".spec.open.unknown.deeper[0].still",
        ".spec.kept.unknown",
        ".spec.byType.unknown",
        ".spec.conditions[?(@.type==\"Ready\")].status",
        ".spec.conditions[?(@.type=='a]b')].status",
        ".spec.conditions[?( @.type != \"Ready\" )].status",
        ".spec.conditions[?(@['type']==\"Ready\")].status",
        ".spec.conditions[?(@.reason)].status",
        ".spec.conditions[*].lastTransitionTime",
        ".spec.raw.anything[3].at.all",
        ".spec['size','names']",
        ".metadata.name",
        ".metadata['name','namespace']",
        ".metadata.creationTimestamp",
        ".metadata.labels.app\\.kubernetes\\.io/name",
        ".metadata.annotations['plain']",
        ".metadata.ownerReferences[0].name",
        ".metadata.managedFields[0].manager",
        ".metadata.selfLink",
        "..known",
        ".spec..unknown",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        loaded in = load_column(paths[i]);
        ck_assert_msg(in.model != NULL, "%s: %s", paths[i], in.messages);
        ck_assert_str_eq(in.model->packages[0]->resources[0]->columns[0].json_path, paths[i]);
        unload(&in);
    }
}

TEST(error_points_at_the_member_that_is_not_there)
{
    loaded in = load_column(".spec.conditions[?(@.typ==\"Ready\")].status");
    ck_assert_ptr_null(in.model);
    ck_assert_ptr_nonnull(strstr(in.messages, "things/v1/types.h:28:79: error: 'kube_condition' "
                                              "has no member 'typ'; did you mean 'type'?\n"));
    unload(&in);
    /* A server prunes what a kube_extra would keep. */
    in = load_column(".spec.freeByName.any.unknown");
    ck_assert_ptr_null(in.model);
    ck_assert_ptr_nonnull(strstr(in.messages, "'things_v1_free' has no member 'unknown'"));
    unload(&in);
}

TEST(scale_path_is_no_more_than_members)
{
    loaded in = load_text("things/v1/types.h",
                          HEADER_TOP "typedef struct things_v1_part {\n"
                                     "    kube_string_map sizes;\n"
                                     "    kube_opt_int32 replicas;\n"
                                     "    kube_extra extra;\n"
                                     "} things_v1_part;\n"
                                     "// +genclient\n"
                                     "// +kubebuilder:subresource:scale:specpath=.spec.replicas.a,"
                                     "statuspath=\".status.replica\"\n"
                                     "typedef struct things_v1_thing {\n"
                                     "    kube_object base;\n"
                                     "    kube_object_meta metadata;\n"
                                     "    things_v1_part spec;\n"
                                     "    things_v1_part status;\n"
                                     "} things_v1_thing;\n");
    ck_assert_ptr_null(in.model);
    ck_assert_ptr_nonnull(strstr(in.messages, "'replicas' has type 'kube_opt_int32', which has "
                                              "no members\n"));
    ck_assert_ptr_nonnull(strstr(in.messages, ":10:81: error: 'things_v1_part' has no member "
                                              "'replica'; did you mean 'replicas'?\n"));
    unload(&in);
}

/* Servers look for the number in the object, whatever the schema says of it. */
TEST(scale_path_leads_through_what_is_open)
{
    static const char *const paths[][2] = {
        {".spec.parts.Worker.replicas", ".status.parts.Worker.replicas"},
        {".spec.raw.any.replicas", ".status.raw"},
        {".spec.open.unknown", ".status.share"},
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        str text = {0};
        loaded in;
        str_printf(&text,
                   HEADER_TOP "typedef struct things_v1_part {\n"
                              "    kube_opt_int32 replicas;\n"
                              "    kube_extra extra;\n"
                              "} things_v1_part;\n"
                              "KUBE_DECLARE_MAP(things_v1_part);\n"
                              "typedef struct things_v1_spec {\n"
                              "    things_v1_part_map parts;\n"
                              "    kube_raw_json raw;\n"
                              "    // +kubebuilder:pruning:PreserveUnknownFields\n"
                              "    things_v1_part open;\n"
                              "    kube_opt_double share;\n"
                              "    kube_extra extra;\n"
                              "} things_v1_spec;\n"
                              "// +genclient\n"
                              "// +kubebuilder:subresource:scale:specpath=%s,statuspath=%s\n"
                              "typedef struct things_v1_thing {\n"
                              "    kube_object base;\n"
                              "    kube_object_meta metadata;\n"
                              "    things_v1_spec spec;\n"
                              "    things_v1_spec status;\n"
                              "} things_v1_thing;\n",
                   paths[i][0], paths[i][1]);
        in = load_text("things/v1/types.h", str_text(&text));
        ck_assert_msg(in.model != NULL, "%s: %s", paths[i][0], in.messages);
        unload(&in);
        str_free(&text);
    }
}
