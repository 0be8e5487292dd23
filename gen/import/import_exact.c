/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `kubegen crd` would say of the type in C alone is taken from what the schema says; the rest
 * is written as a change of the one into the other.
 */
#include "import_exact.h"

#include "crd/crd_schema.h"
#include "crd_read.h"
#include "front/literal.h"
#include "front/markers.h"
#include "front/pattern.h"
#include "import_schema.h"
#include "schema/keywords.h"
#include "support/c_text.h"

#include <stdlib.h>
#include <string.h>

#define INDENT "    "

/* ---- the schema of a type ------------------------------------------------------------------ */

static model_kind kind_of(const char *c_type)
{
    static const struct {
        const char *c_type;
        model_kind kind;
    } kinds[] = {
        {"const char *", MODEL_STRING},
        {"bool", MODEL_BOOL},
        {"int32_t", MODEL_INT32},
        {"int64_t", MODEL_INT64},
        {"double", MODEL_DOUBLE},
        {"kube_opt_bool", MODEL_OPT_BOOL},
        {"kube_opt_int32", MODEL_OPT_INT32},
        {"kube_opt_int64", MODEL_OPT_INT64},
        {"kube_opt_double", MODEL_OPT_DOUBLE},
        {"kube_time", MODEL_TIME},
        {"kube_micro_time", MODEL_MICRO_TIME},
        {"kube_duration", MODEL_DURATION},
        {"kube_quantity", MODEL_QUANTITY},
        {"kube_int_or_string", MODEL_INT_OR_STRING},
        {"kube_bytes", MODEL_BYTES},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].c_type, c_type) == 0)
            return kinds[i].kind;
    return MODEL_RAW_JSON;
}

/* What the CRD would say of a value of this shape; a struct is a reference in @schema. */
static json_value *schema_of(const import_shape *shape, const json_value *schema)
{
    json_value *made = json_object();
    const json_value *ref = json_get(schema, "$ref");
    if (shape->is_struct) {
        if (ref)
            json_set(made, "$ref", json_copy(ref));
    } else if (shape->is_list || shape->is_map) {
        const char *keyword = shape->is_list ? "items" : "additionalProperties";
        model_kind inner = kind_of(shape->inner->c_type);
        json_value *held = schema_of(shape->inner, json_get(schema, keyword));
        if (inner >= MODEL_OPT_BOOL && inner <= MODEL_OPT_DOUBLE)
            json_set_flag(held, "nullable", true);
        json_set_text(made, "type", shape->is_list ? "array" : "object");
        json_set(made, keyword, held);
    } else {
        json_free(made);
        made = crd_scalar_schema(kind_of(shape->c_type));
    }
    return made;
}

/* ---- the rest ------------------------------------------------------------------------------ */

static bool is_ignored(const char *keyword)
{
    return strcmp(keyword, "description") == 0 || strcmp(keyword, import_name_keyword) == 0;
}

/* Returns the change (RFC 7386) that makes @to of @from. */
static json_value *change(const json_value *from, const json_value *to)
{
    json_value *made = json_object();
    for (const json_value *at = json_first(from); at; at = json_next(at))
        if (!json_get(to, json_key(at)))
            json_set(made, json_key(at), json_null());
    for (const json_value *at = json_first(to); at; at = json_next(at)) {
        const json_value *before = json_get(from, json_key(at));
        bool both = json_kind_of(before) == JSON_OBJECT && json_kind_of(at) == JSON_OBJECT;
        if (is_ignored(json_key(at)) || (before && literal_equal(before, at)))
            continue;
        json_set(made, json_key(at), both ? change(before, at) : json_copy(at));
        if (both && !json_first(json_get(made, json_key(at))))
            json_drop(made, json_key(at));
    }
    return made;
}

/* JSON that may stand in a comment: without trigraphs. */
static void put_line(str *out, const json_value *value)
{
    str text = {0};
    import_json_text(&text, value);
    for (const char *at = str_text(&text); *at; at++) {
        bool is_mark = at[0] == '?' && at[1] == '?';
        str_add(out, is_mark ? "\\u003f" : "");
        if (!is_mark)
            str_add_char(out, *at);
    }
    str_free(&text);
}

/* What is above a member is indented. */
static const char *indent_of(const import_writer *w)
{
    return w->in_struct ? INDENT : "";
}

static void put_json(import_writer *w, const char *name, const json_value *value)
{
    str text = {0};
    put_line(&text, value);
    import_put_marker(w, indent_of(w), "%s=%s", name, str_text(&text));
    str_free(&text);
}

/* ---- markers that have a name -------------------------------------------------------------- */

/* A keyword whose value is written behind a marker as it is. */
static void put_plain(import_writer *w, json_value *rest, const char *keyword, const char *name)
{
    const json_value *value = json_get(rest, keyword);
    if (json_kind_of(value) != JSON_STRING && json_kind_of(value) != JSON_NUMBER)
        return;
    import_put_marker(w, indent_of(w), "%s=%s", name, json_text(value));
    json_drop(rest, keyword);
}

static bool is_count(const json_value *value)
{
    const char *text = json_kind_of(value) == JSON_NUMBER ? json_text(value) : "";
    size_t len = strspn(text, "0123456789");
    return len > 0 && len < 16 && !text[len] && (len == 1 || *text != '0');
}

/* Both bounds, or none if they allow nothing: `generate` refuses that. */
static void put_counts(import_writer *w, json_value *rest, const char *of, const char *name)
{
    arena *in = w->im->arena;
    const char *low = arena_printf(in, "min%s", of);
    const char *high = arena_printf(in, "max%s", of);
    const json_value *least = json_get(rest, low);
    const json_value *most = json_get(rest, high);
    if ((least && !is_count(least)) || (most && !is_count(most)) ||
        (least && most && strtod(json_text(least), NULL) > strtod(json_text(most), NULL)))
        return;
    put_plain(w, rest, low, arena_printf(in, "kubebuilder:validation:Min%s", name));
    put_plain(w, rest, high, arena_printf(in, "kubebuilder:validation:Max%s", name));
}

static bool is_bound(const json_value *value, bool is_whole)
{
    return !value ||
           (json_kind_of(value) == JSON_NUMBER &&
            (is_whole ? literal_is_whole(json_text(value)) : literal_is_number(json_text(value))));
}

static void put_flag(import_writer *w, json_value *rest, const char *keyword, const char *name)
{
    if (!json_is_true(json_get(rest, keyword)))
        return;
    import_put_marker(w, indent_of(w), "%s", name);
    json_drop(rest, keyword);
}

static void put_bounds(import_writer *w, json_value *rest, bool is_whole)
{
    const json_value *least = json_get(rest, "minimum");
    const json_value *most = json_get(rest, "maximum");
    if (!is_bound(least, is_whole) || !is_bound(most, is_whole) ||
        (least && most && strtod(json_text(least), NULL) > strtod(json_text(most), NULL)))
        return;
    if (least)
        put_flag(w, rest, "exclusiveMinimum", "kubebuilder:validation:ExclusiveMinimum=true");
    if (most)
        put_flag(w, rest, "exclusiveMaximum", "kubebuilder:validation:ExclusiveMaximum=true");
    put_plain(w, rest, "minimum", "kubebuilder:validation:Minimum");
    put_plain(w, rest, "maximum", "kubebuilder:validation:Maximum");
}

static void put_pattern(import_writer *w, json_value *rest)
{
    const json_value *pattern = json_get(rest, "pattern");
    const char *text = json_text(pattern);
    if (json_kind_of(pattern) != JSON_STRING || !*text || !c_text_is_line(text) ||
        strchr(text, '`') || pattern_error(w->im->arena, text))
        return;
    import_put_marker(w, indent_of(w), "kubebuilder:validation:Pattern=`%s`", text);
    json_drop(rest, "pattern");
}

static void put_list(import_writer *w, json_value *rest, const import_field *field)
{
    const json_value *type = json_get(rest, "x-kubernetes-list-type");
    const json_value *keys = json_get(rest, "x-kubernetes-list-map-keys");
    bool by_key = json_kind_of(type) == JSON_STRING && strcmp(json_text(type), "map") == 0;
    text_map known = {0};
    if (json_kind_of(type) != JSON_STRING ||
        !str_is_one_of(json_text(type), marker_specs[MARKER_LIST_TYPE].choices) ||
        by_key != (json_first(keys) != NULL))
        return;
    for (const json_value *key = json_first(keys); key; key = json_next(key))
        if (!import_has_key(w, field->schema, &field->shape, key) ||
            !text_map_add(&known, w->im->arena, json_text(key)))
            return;
    put_plain(w, rest, "x-kubernetes-list-type", "listType");
    for (const json_value *key = json_first(keys); key; key = json_next(key))
        import_put_marker(w, indent_of(w), "listMapKey=%s", json_text(key));
    if (keys)
        json_drop(rest, "x-kubernetes-list-map-keys");
}

/* Defaults of strings, numbers and booleans; what is made of members stays as it is. */
static void put_default(import_writer *w, json_value *rest, const import_shape *shape)
{
    const json_value *value = json_get(rest, "default");
    json_kind kind = json_kind_of(value);
    bool fits = (shape->is_string && kind == JSON_STRING) ||
                (shape->is_number && kind == JSON_NUMBER) ||
                (shape->is_scalar && !shape->is_string && !shape->is_number && kind == JSON_BOOL);
    if (!value || !fits)
        return;
    put_json(w, "default", value);
    json_drop(rest, "default");
}

/* ---- rules of CEL -------------------------------------------------------------------------- */

static const char cel_keyword[] = "x-kubernetes-validations";
static const struct {
    const char *name;
    bool is_flag;
} cel_members[] = {
    {"rule", false},   {"message", false},   {"messageExpression", false},
    {"reason", false}, {"fieldPath", false}, {"optionalOldSelf", true},
};
enum { CEL_MEMBERS = sizeof cel_members / sizeof *cel_members };

/* Whether a marker can say the rule: only what has a name there, and a rule that it takes. */
static bool is_cel(const json_value *rule)
{
    size_t known = 0;
    size_t all = 0;
    for (const json_value *at = json_first(rule); at; at = json_next(at))
        all++;
    for (size_t i = 0; i < CEL_MEMBERS; i++) {
        const json_value *at = json_get(rule, cel_members[i].name);
        if (!at)
            continue;
        known++;
        if (json_kind_of(at) != (cel_members[i].is_flag ? JSON_BOOL : JSON_STRING) ||
            (!cel_members[i].is_flag && !import_can_quote(json_text(at))))
            return false;
    }
    if (json_get(rule, "reason") &&
        !str_is_one_of(json_text(json_get(rule, "reason")), marker_cel_reasons))
        return false;
    return known == all && json_get(rule, "rule") &&
           (!json_get(rule, "message") || !strchr(json_text(json_get(rule, "message")), '\n')) &&
           (!strchr(json_text(json_get(rule, "rule")), '\n') || json_get(rule, "message")) &&
           (!json_get(rule, "optionalOldSelf") ||
            strstr(json_text(json_get(rule, "rule")), "oldSelf"));
}

static void put_rule(import_writer *w, const json_value *rule)
{
    str args = {0};
    for (size_t i = 0; i < CEL_MEMBERS; i++) {
        const json_value *at = json_get(rule, cel_members[i].name);
        if (at && cel_members[i].is_flag)
            import_put_arg(&args, cel_members[i].name, json_is_true(at) ? "true" : "false", false);
        else if (at)
            import_put_arg(&args, cel_members[i].name, json_text(at), true);
    }
    import_put_marker(w, indent_of(w), "kubebuilder:validation:XValidation:%s", str_text(&args));
    str_free(&args);
}

bool import_put_rules(import_writer *w, const json_value *schema, bool in_struct)
{
    const json_value *rules = json_get(schema, cel_keyword);
    if (json_kind_of(rules) != JSON_ARRAY)
        return false;
    for (const json_value *at = json_first(rules); at; at = json_next(at))
        if (!is_cel(at))
            return false;
    w->in_struct = in_struct;
    for (const json_value *at = json_first(rules); at; at = json_next(at))
        put_rule(w, at);
    return json_first(rules) != NULL;
}

static void put_rules(import_writer *w, json_value *rest)
{
    if (import_put_rules(w, rest, w->in_struct))
        json_drop(rest, cel_keyword);
}

/* ---- together ------------------------------------------------------------------------------ */

static void put_merge(import_writer *w, json_value *rest, const char *name)
{
    const json_value *type = json_get(rest, "x-kubernetes-map-type");
    if (json_kind_of(type) == JSON_STRING &&
        str_is_one_of(json_text(type), marker_specs[MARKER_MAP_TYPE].choices))
        put_plain(w, rest, "x-kubernetes-map-type", name);
}

/* What raw JSON is, of which the CRD would only say that its members are kept. */
static void put_raw(import_writer *w, json_value *rest)
{
    static const char preserve[] = "x-kubernetes-preserve-unknown-fields";
    const json_value *kept = json_get(rest, preserve);
    const json_value *type = json_get(rest, "type");
    bool is_object = json_kind_of(type) == JSON_STRING && strcmp(json_text(type), "object") == 0;
    if (!is_object)
        return;
    if (kept && json_kind_of(kept) == JSON_NULL) {
        import_put_marker(w, indent_of(w), "kubebuilder:validation:Schemaless");
        json_drop(rest, preserve);
    }
    put_flag(w, rest, "x-kubernetes-embedded-resource", "kubebuilder:validation:EmbeddedResource");
    put_plain(w, rest, "type", "kubebuilder:validation:Type");
}

/* What no marker has a name for. */
static void put_rest(import_writer *w, const json_value *rest)
{
    if (json_first(rest))
        put_json(w, "kubegen:schema", rest);
}

void import_put_exact(import_writer *w, const import_field *field)
{
    const import_shape *shape = &field->shape;
    json_value *plain;
    json_value *rest;
    if (field->is_metadata) /* a Kind says it */
        return;
    w->in_struct = true;
    plain = schema_of(shape, field->schema);
    rest = change(plain, field->schema);
    put_flag(w, rest, "nullable", "nullable");
    if (field->enum_prefix)
        json_drop(rest, "enum");
    if (shape->is_number)
        put_bounds(w, rest, !strstr(shape->c_type, "double"));
    if (shape->is_string) {
        put_counts(w, rest, "Length", "Length");
        put_pattern(w, rest);
    }
    if (shape->is_list) {
        put_counts(w, rest, "Items", "Items");
        put_list(w, rest, field);
    }
    if (shape->is_map) {
        put_counts(w, rest, "Properties", "Properties");
        put_merge(w, rest, "mapType");
    }
    if (kind_of(shape->c_type) == MODEL_RAW_JSON && !shape->is_struct && !shape->is_list &&
        !shape->is_map)
        put_raw(w, rest);
    put_default(w, rest, shape);
    put_rules(w, rest);
    put_rest(w, rest);
    json_free(rest);
    json_free(plain);
}

/* ---- structs ------------------------------------------------------------------------------- */

/* What the CRD says of a struct by its members alone. */
static json_value *schema_of_struct(const import_struct *record, const json_value *like)
{
    json_value *made = json_object();
    json_value *properties;
    json_value *required = NULL;
    json_set_text(made, "type", "object");
    properties = json_set(made, "properties", json_object());
    for (size_t i = 0; i < record->fields.len; i++) {
        const import_field *field = &record->fields.items[i];
        const json_value *same = json_get(json_get(like, "properties"), field->json);
        json_set(properties, field->json, same ? json_copy(same) : json_object());
        if (!field->is_required || field->is_metadata)
            continue;
        required = required ? required : json_set(made, "required", json_array());
        json_push(required, json_string(field->json));
    }
    return made;
}

static bool has_text(const json_value *list, const char *text)
{
    for (const json_value *at = json_first(list); at; at = json_next(at))
        if (json_kind_of(at) == JSON_STRING && strcmp(json_text(at), text) == 0)
            return true;
    return false;
}

/* Whether all that one list of names has is in the other. */
static bool holds(const json_value *list, const json_value *other)
{
    for (const json_value *at = json_first(other); at; at = json_next(at))
        if (json_kind_of(at) != JSON_STRING || !has_text(list, json_text(at)))
            return false;
    return true;
}

/* Of a Kind: what was taken out of its schema, or put in, to make a Kind of it in C. */
static void restore_kind(importer *im, const import_struct *kind, json_value *to)
{
    json_value *properties = (json_value *)json_get(to, "properties");
    const json_value *before = json_get(kind->crd->schema, "properties");
    const json_value *metadata = json_get(before, "metadata");
    if (!json_get(before, "status"))
        json_drop(properties, "status");
    if (metadata && !keywords_check(im->arena, metadata))
        json_put(properties, "metadata", json_copy(metadata));
}

void import_put_exact_struct(import_writer *w, const import_struct *record)
{
    json_value *to = json_copy(record->schema);
    json_value *plain;
    json_value *rest;
    const json_value *required;
    w->in_struct = false;
    if (record->crd)
        restore_kind(w->im, record, to);
    plain = schema_of_struct(record, to);
    if (record->crd)
        json_set_text(
            json_put((json_value *)json_get(plain, "properties"), "metadata", json_object()),
            "type", "object");
    required = json_get(to, "required");
    if (required && holds(required, json_get(plain, "required")) &&
        holds(json_get(plain, "required"), required))
        json_put(to, "required", json_copy(json_get(plain, "required")));
    for (const json_value *at = json_first(to); at;) {
        const json_value *next = json_next(at);
        if (import_is_members(json_key(at)) && !record->crd)
            json_drop(to, json_key(at)); /* the members say it */
        at = next;
    }
    rest = change(plain, to);
    put_merge(w, rest, "structType");
    put_counts(w, rest, "Properties", "Properties");
    put_flag(w, rest, "x-kubernetes-preserve-unknown-fields",
             "kubebuilder:pruning:PreserveUnknownFields");
    put_rules(w, rest);
    put_rest(w, rest);
    json_free(rest);
    json_free(plain);
    json_free(to);
}
