/* SPDX-License-Identifier: Apache-2.0 */
#include "import_names.h"

#include "front/names.h"
#include "support/ascii.h"
#include "support/str.h"

#include <string.h>

/* Types that every API uses. All lie below io.k8s.apimachinery.pkg. */
static const struct {
    const char *schema;
    const char *c_type;
    bool is_struct;
} known[] = {
    {"api.resource.Quantity", "kube_quantity", false},
    {"apis.meta.v1.Condition", "kube_condition", true},
    {"apis.meta.v1.Duration", "kube_duration", false},
    {"apis.meta.v1.FieldSelectorRequirement", "kube_field_selector_requirement", true},
    {"apis.meta.v1.FieldsV1", "kube_raw_json", false},
    {"apis.meta.v1.LabelSelector", "kube_label_selector", true},
    {"apis.meta.v1.LabelSelectorRequirement", "kube_label_selector_requirement", true},
    {"apis.meta.v1.ListMeta", "kube_list_meta", true},
    {"apis.meta.v1.ManagedFieldsEntry", "kube_managed_fields_entry", true},
    {"apis.meta.v1.MicroTime", "kube_micro_time", false},
    {"apis.meta.v1.ObjectMeta", "kube_object_meta", true},
    {"apis.meta.v1.OwnerReference", "kube_owner_reference", true},
    {"apis.meta.v1.Patch", "kube_raw_json", false},
    {"apis.meta.v1.Time", "kube_time", false},
    {"runtime.RawExtension", "kube_raw_json", false},
    {"util.intstr.IntOrString", "kube_int_or_string", false},
};

static const char known_root[] = "io.k8s.apimachinery.pkg.";

const char *import_known_schema(arena *in, const char *c_type)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].is_struct && strcmp(known[i].c_type, c_type) == 0)
            return arena_printf(in, "%s%s", known_root, known[i].schema);
    return NULL;
}

const char *import_known(const char *schema_name, bool *is_struct)
{
    *is_struct = false;
    if (!str_has_prefix(schema_name, known_root))
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].schema, schema_name + sizeof known_root - 1) == 0) {
            *is_struct = known[i].is_struct;
            return known[i].c_type;
        }
    }
    return NULL;
}

bool import_is_builtin(const char *schema_name)
{
    return str_has_prefix(schema_name, "io.k8s.api.") ||
           str_has_prefix(schema_name, "io.k8s.apimachinery.") ||
           str_has_prefix(schema_name, "io.k8s.apiextensions-apiserver.") ||
           str_has_prefix(schema_name, "io.k8s.kube-aggregator.");
}

const char *import_package(arena *in, const char *schema_name)
{
    const char *dot = strrchr(schema_name, '.');
    return dot ? arena_strndup(in, schema_name, (size_t)(dot - schema_name)) : "";
}

const char *import_last(const char *schema_name)
{
    const char *dot = strrchr(schema_name, '.');
    return dot ? dot + 1 : schema_name;
}

const char *import_shared_dir(arena *in, const char *schema_name)
{
    static const char root[] = "io.k8s.api.";
    const char *rest = schema_name + sizeof root - 1;
    const char *version;
    const char *end;
    if (!str_has_prefix(schema_name, root))
        return NULL;
    version = strchr(rest, '.');
    end = version ? strchr(version + 1, '.') : NULL;
    if (!end || strchr(end + 1, '.'))
        return NULL;
    /* It becomes a path. */
    rest = arena_strndup(in, rest, (size_t)(version - rest));
    version = arena_strndup(in, version + 1, (size_t)(end - version - 1));
    return names_is_label(rest) && names_is_version(version)
               ? arena_printf(in, "%s/%s", rest, version)
               : NULL;
}

const char *import_snake(arena *in, const char *text)
{
    str plain = {0};
    const char *made;
    /* What is neither letter nor digit separates words. */
    for (const char *at = text; *at; at++) {
        if (ascii_is_alnum(*at))
            str_add_char(&plain, *at);
        else if (plain.len && plain.data[plain.len - 1] != '_')
            str_add_char(&plain, '_');
    }
    while (plain.len && plain.data[plain.len - 1] == '_')
        plain.data[--plain.len] = '\0';
    made = names_snake(in, str_text(&plain));
    if (!*made || ascii_is_digit(*made))
        made = arena_printf(in, "x_%s", made);
    str_free(&plain);
    return made;
}

const char *import_field_name(arena *in, const char *json)
{
    const char *name = import_snake(in, json);
    /* kube_extra and kube_object have these names. */
    if (names_is_reserved(name) || strcmp(name, "extra") == 0 || strcmp(name, "base") == 0)
        return arena_printf(in, "%s_", name);
    return name;
}

const char *import_singular(arena *in, const char *plural)
{
    size_t len = strlen(plural);
    if (len > 4 && str_has_suffix(plural, "ies"))
        return arena_printf(in, "%.*sy", (int)(len - 3), plural);
    if (str_has_suffix(plural, "sses") || str_has_suffix(plural, "xes") ||
        str_has_suffix(plural, "ches") || str_has_suffix(plural, "shes"))
        return arena_strndup(in, plural, len - 2);
    if (str_has_suffix(plural, "aliases") || str_has_suffix(plural, "statuses"))
        return arena_strndup(in, plural, len - 2);
    if (len > 2 && plural[len - 1] == 's' && plural[len - 2] != 's' && plural[len - 2] != 'u')
        return arena_strndup(in, plural, len - 1);
    return plural;
}
