/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_schema.h"

#include "crd_places.h"
#include "crd_rules.h"
#include "front/default.h"
#include "support/str.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MAX = 100000, DEPTH_MAX = 200, LINE_LEN = 100 };

typedef struct step {
    const model_struct *record;
    const model_field *field; /* of it, the one that is being described */
} step;

typedef struct schema_builder {
    VEC(step) path; /* from the Kind down to here */
    diag *messages;
    const crd_options *options;
    place_list *places;
    size_t members; /* described so far, with what belongs to them */
    bool failed;
    bool is_shallow; /* structs in the first one have no members */
} schema_builder;

static void describe_type(schema_builder *b, json_value *schema, const model_type *type);

/* A resource.Quantity, as controller-gen describes it. */
static const char quantity_pattern[] =
    "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|"
    "([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";
/* What Go's time.ParseDuration() takes. controller-gen lets anything in, which no reader takes. */
static const char duration_pattern[] =
    "^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\xC2\xB5s|\xCE\xBCs|ms|s|m|h))+)$";

static void add_int_or_string(json_value *schema)
{
    json_value *any = json_set(schema, "anyOf", json_array());
    json_set_text(json_push(any, json_object()), "type", "integer");
    json_set_text(json_push(any, json_object()), "type", "string");
}

/* Kinds whose schema is a type, and perhaps a format; in the order of model_kind. */
static const struct {
    const char *type;
    const char *format;
} scalars[] = {
    [MODEL_STRING] = {"string", NULL},
    [MODEL_BOOL] = {"boolean", NULL},
    [MODEL_INT32] = {"integer", "int32"},
    [MODEL_INT64] = {"integer", "int64"},
    [MODEL_DOUBLE] = {"number", NULL},
    [MODEL_OPT_BOOL] = {"boolean", NULL},
    [MODEL_OPT_INT32] = {"integer", "int32"},
    [MODEL_OPT_INT64] = {"integer", "int64"},
    [MODEL_OPT_DOUBLE] = {"number", NULL},
    [MODEL_TIME] = {"string", "date-time"},
    [MODEL_MICRO_TIME] = {"string", "date-time"},
    [MODEL_BYTES] = {"string", "byte"},
};

static void add_merge(json_value *schema, const model_merge *merge)
{
    json_value *keys;
    if (merge->list_type)
        json_put(schema, "x-kubernetes-list-type", json_string(merge->list_type));
    if (merge->map_type)
        json_put(schema, "x-kubernetes-map-type", json_string(merge->map_type));
    if (!merge->key_len)
        return;
    keys = json_put(schema, "x-kubernetes-list-map-keys", json_array());
    for (size_t i = 0; i < merge->key_len; i++)
        json_push(keys, json_string(merge->keys[i].json));
}

/* Whether @record is being described already: then it holds itself, and has no finite schema. */
static bool is_recursive(schema_builder *b, const model_struct *record)
{
    str cycle = {0};
    size_t start = 0;
    while (start < b->path.len && b->path.items[start].record != record)
        start++;
    if (start == b->path.len)
        return false;
    for (size_t i = start; i < b->path.len; i++)
        str_printf(&cycle, "%s.%s -> ", b->path.items[i].record->name,
                   b->path.items[i].field->name);
    diag_error(b->messages, b->path.items[b->path.len - 1].field->loc,
               "a CRD cannot describe a type that holds itself: %s%s", str_text(&cycle),
               record->name);
    str_free(&cycle);
    return true;
}

/* What a text and rules count for. */
static size_t weight_of(const char *doc, const model_validation *rules)
{
    size_t weight = strlen(doc) / LINE_LEN + rules->enum_len + rules->cel_len;
    for (size_t i = 0; i < rules->cel_len; i++)
        weight += strlen(rules->cel[i].rule) / LINE_LEN;
    weight += rules->patch ? strlen(rules->patch) / LINE_LEN : 0;
    return weight + (rules->items ? weight_of("", rules->items) : 0);
}

/* A struct is described wherever it is used: a few that use each other twice make millions. */
static bool is_too_large(schema_builder *b, const model_field *field)
{
    b->members += 1 + weight_of(field->doc, &field->validation);
    if (b->failed || (b->members <= MEMBERS_MAX && b->path.len <= DEPTH_MAX))
        return b->failed;
    b->failed = true;
    diag_error(b->messages, field->loc,
               "the schema of '%s' has more than %d members, enum values and lines of text, or is "
               "nested deeper than %d",
               b->path.items[0].record->name, MEMBERS_MAX, DEPTH_MAX);
    return true;
}

/* Whether the type has a schema of its own, beside which the member's rules hold. */
static bool is_named(const model_type *type)
{
    switch (type->kind) {
    case MODEL_TIME:
    case MODEL_MICRO_TIME:
    case MODEL_DURATION:
    case MODEL_QUANTITY:
    case MODEL_INT_OR_STRING:
    case MODEL_RAW_JSON:
        return true;
    default:
        return type->alias != NULL || model_is_struct(type);
    }
}

/* Adds the rules of a member or a typedef to the schema of its type, and those of its elements. */
static void add_rules(json_value *schema, const model_validation *rules, const model_type *type)
{
    model_type element = model_element(type);
    /* The form that kubegen gives a duration is the type's own, not its author's. */
    if (type->kind == MODEL_DURATION && !type->alias && rules->pattern)
        json_drop(schema, "pattern");
    crd_rules_add(schema, rules, is_named(type));
    if (rules->items)
        add_rules(json_at(schema, "items"), rules->items, &element);
}

static void describe_member(schema_builder *b, json_value *properties, const model_field *field)
{
    json_value *schema = json_set(properties, field->json, json_object());
    json_value *initial;
    place_set(b->places, schema, field->loc);
    if (*field->doc)
        json_set_text(schema, "description", field->doc);
    json_set_text(schema, "x-kubernetes-map-type", field->merge.map_type);
    b->path.items[b->path.len - 1].field = field;
    if (!field->schemaless)
        describe_type(b, schema, &field->type);
    if (field->nullable)
        json_set_flag(schema, "nullable", true);
    add_rules(schema, &field->validation, &field->type);
    initial = default_value(field);
    if (initial)
        json_set(schema, "default", initial);
    add_merge(schema, &field->merge);
    crd_rules_patch(schema, &field->validation);
    crd_places_set(b->places, schema, field);
}

/* Whether it is a Kind, of whatever header. */
static bool has_base(const model_struct *record)
{
    return record->field_len > 0 && record->fields[0].role == MODEL_BASE;
}

/* What `kube_object base` stands for. */
static void describe_base(json_value *properties)
{
    json_value *member = json_set(properties, "apiVersion", json_object());
    json_set_text(member, "description", "Group and version of this object's schema.");
    json_set_text(member, "type", "string");
    member = json_set(properties, "kind", json_object());
    json_set_text(member, "description", "Which resource this object is.");
    json_set_text(member, "type", "string");
}

static void describe_members(schema_builder *b, json_value *schema, const model_struct *record)
{
    json_value *properties;
    json_value *required = NULL;
    step *here;
    if (record->member_len == 0 && !has_base(record))
        return; /* Go's struct{} */
    properties = json_set(schema, "properties", json_object());
    here = VEC_ADD(&b->path);
    here->record = record;
    if (has_base(record))
        describe_base(properties);
    for (size_t i = 0; i < record->member_len; i++) {
        const model_field *field = record->members[i].field;
        if (b->path.len == 1 && strcmp(field->json, "metadata") == 0) {
            /* Servers refuse to be told more about it. */
            json_set_text(json_set(properties, "metadata", json_object()), "type", "object");
            continue;
        }
        if (is_too_large(b, field))
            break;
        describe_member(b, properties, field);
    }
    for (size_t i = 0; i < record->member_len; i++) {
        const model_field *field = record->members[i].field;
        if (!model_is_required(field) || (has_base(record) && strcmp(field->json, "metadata") == 0))
            continue;
        if (!required)
            required = json_set(schema, "required", json_array());
        json_push(required, json_string(field->json));
    }
    b->path.len--;
}

/* What people write of the metadata of objects that are made from a Kind, as controller-gen has it.
 */
static void describe_metadata(json_value *schema)
{
    static const struct {
        const char *name;
        const char *type;
        const char *inner; /* where it says that what is in it are strings */
    } members[] = {
        {"annotations", "object", "additionalProperties"},
        {"finalizers", "array", "items"},
        {"labels", "object", "additionalProperties"},
        {"name", "string", NULL},
        {"namespace", "string", NULL},
    };
    json_value *properties = json_set(schema, "properties", json_object());
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_value *member = json_set(properties, members[i].name, json_object());
        json_set_text(member, "type", members[i].type);
        if (members[i].inner)
            json_set_text(json_set(member, members[i].inner, json_object()), "type", "string");
    }
}

static void add_struct_rules(json_value *schema, const model_struct *record);

/* Those of a struct as a member has it: a typedef adds its own. */
static void add_inlined(json_value *schema, const model_type *type)
{
    const model_alias *alias = type->alias;
    const model_validation *rules = alias ? &alias->validation : &type->record->validation;
    const char *map_type = alias ? alias->merge.map_type : type->record->map_type;
    if (!json_get(schema, "x-kubernetes-map-type")) /* what is further out goes before */
        json_set_text(schema, "x-kubernetes-map-type", map_type);
    if (alias) {
        add_inlined(schema, &alias->of);
        crd_rules_add(schema, rules, true);
    } else {
        add_struct_rules(schema, type->record);
    }
}

static void add_inline_rules(json_value *schema, const model_struct *record)
{
    for (size_t i = 0; i < record->field_len; i++) {
        if (record->fields[i].role == MODEL_INLINE)
            add_inlined(schema, &record->fields[i].type);
    }
}

/* Adds what structs inside of one another say in JSON, the outer ones first. */
static void patch_inlined(json_value *schema, const model_struct *record)
{
    for (size_t i = 0; i < record->field_len; i++) {
        const model_type *type = &record->fields[i].type;
        if (record->fields[i].role != MODEL_INLINE)
            continue;
        for (const model_alias *alias = type->alias; alias; alias = alias->of.alias)
            crd_rules_patch_inlined(schema, &alias->validation);
        crd_rules_patch_inlined(schema, &type->record->validation);
        patch_inlined(schema, type->record);
    }
}

/* Those of a struct, and of structs whose members are its own: they hold for the whole of it. */
static void add_struct_rules(json_value *schema, const model_struct *record)
{
    add_inline_rules(schema, record);
    crd_rules_add(schema, &record->validation, true);
}

static void describe_record(schema_builder *b, json_value *schema, const model_struct *record)
{
    bool is_metadata = strcmp(record->name, "kube_object_meta") == 0;
    bool is_root;
    if (!json_get(schema, "description") && *record->doc && !is_metadata)
        json_set_text(schema, "description", record->doc);
    json_set_text(schema, "type", "object");
    b->members += weight_of(record->doc, &record->validation);
    /* Servers know the metadata of objects; deeper down it has no members, as in controller-gen. */
    if (is_metadata && b->options->embedded_meta)
        describe_metadata(schema);
    if (is_metadata)
        return;
    if (!json_get(schema, "x-kubernetes-map-type")) /* the member's own goes before */
        json_set_text(schema, "x-kubernetes-map-type", record->map_type);
    if ((b->is_shallow && b->path.len) || is_recursive(b, record))
        return;
    is_root = b->path.len == 0;
    describe_members(b, schema, record);
    /* controller-gen has rules of inlined structs in another order at the root: readers see it. */
    if (is_root) {
        crd_rules_add(schema, &record->validation, true);
        add_inline_rules(schema, record);
    } else {
        add_struct_rules(schema, record);
    }
    crd_rules_patch(schema, &record->validation);
    patch_inlined(schema, record);
}

/* A list or a map, of which @inner is the keyword for what it holds. */
static void describe_items(schema_builder *b, json_value *schema, const model_type *type,
                           const char *name, const char *inner)
{
    model_type element = model_element(type);
    json_value *items;
    json_set_text(schema, "type", name);
    items = json_set(schema, inner, json_object());
    describe_type(b, items, &element);
    if (element.kind >= MODEL_OPT_BOOL && element.kind <= MODEL_OPT_DOUBLE)
        json_set_flag(items, "nullable", true); /* what makes it more than a plain scalar */
}

/* What a typedef stands for, and then the rules of its own. */
static void describe_alias(schema_builder *b, json_value *schema, const model_alias *alias)
{
    if (!json_get(schema, "description") && *alias->doc)
        json_set_text(schema, "description", alias->doc);
    b->members += weight_of(alias->doc, &alias->validation);
    describe_type(b, schema, &alias->of);
    add_rules(schema, &alias->validation, &alias->of);
    add_merge(schema, &alias->merge);
    crd_rules_patch(schema, &alias->validation);
}

/* A type that is no struct, list or map. */
static void describe_scalar(json_value *schema, model_kind kind)
{
    switch (kind) {
    case MODEL_RAW_JSON:
        json_set_flag(schema, "x-kubernetes-preserve-unknown-fields", true);
        break;
    case MODEL_DURATION:
        json_set_text(schema, "type", "string");
        json_set_text(schema, "pattern", duration_pattern);
        break;
    case MODEL_QUANTITY:
    case MODEL_INT_OR_STRING:
        add_int_or_string(schema);
        if (kind == MODEL_QUANTITY)
            json_set_text(schema, "pattern", quantity_pattern);
        json_set_flag(schema, "x-kubernetes-int-or-string", true);
        break;
    default:
        json_set_text(schema, "type", scalars[kind].type);
        json_set_text(schema, "format", scalars[kind].format);
        break;
    }
}

static void describe_type(schema_builder *b, json_value *schema, const model_type *type)
{
    if (type->alias) {
        describe_alias(b, schema, type->alias);
        return;
    }
    switch (type->kind) {
    case MODEL_STRUCT:
    case MODEL_STRUCT_PTR:
        describe_record(b, schema, type->record);
        break;
    case MODEL_LIST:
    case MODEL_STRING_LIST:
        describe_items(b, schema, type, "array", "items");
        break;
    case MODEL_MAP:
    case MODEL_STRING_MAP:
        describe_items(b, schema, type, "object", "additionalProperties");
        break;
    default:
        describe_scalar(schema, type->kind);
        break;
    }
}

json_value *crd_scalar_schema(model_kind kind)
{
    json_value *schema = json_object();
    describe_scalar(schema, kind);
    return schema;
}

json_value *crd_schema_of_struct(const model_struct *record, diag *messages)
{
    static const crd_options none;
    schema_builder b = {.messages = messages, .options = &none};
    json_value *schema = json_object();
    describe_record(&b, schema, record);
    free(b.path.items);
    return schema;
}

json_value *crd_schema(const model_resource *resource, const crd_options *options,
                       place_list *places, diag *messages)
{
    schema_builder b = {.messages = messages, .options = options, .places = places};
    json_value *schema = json_object();
    describe_record(&b, schema, resource->record);
    free(b.path.items);
    return schema;
}

json_value *crd_schema_outline(const model_struct *record, diag *messages)
{
    const crd_options options = {0};
    schema_builder b = {.messages = messages, .options = &options, .is_shallow = true};
    json_value *schema = json_object();
    describe_record(&b, schema, record);
    free(b.path.items);
    return schema;
}
