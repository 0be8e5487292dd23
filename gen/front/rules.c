/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_read() reads the markers that say what the limits of validation.c do not: what the JSON is,
 * expressions of CEL, what documents show, and parts of a schema as they stand.
 */
#include "build.h"
#include "literal.h"
#include "schema/cel.h"
#include "schema/keywords.h"
#include "support/ascii.h"

#include <string.h>

/* ---- what the JSON is ---------------------------------------------------------------------- */

/* The types that the JSON of a member may have, by its type in C; the first is its own. */
static const char *const *json_types(const model_type *type)
{
    static const char *const string[] = {"string", NULL};
    static const char *const boolean[] = {"boolean", NULL};
    static const char *const integer[] = {"integer", "number", NULL};
    static const char *const number[] = {"number", NULL};
    static const char *const either[] = {"string", "integer", NULL};
    static const char *const array[] = {"array", NULL};
    static const char *const object[] = {"object", NULL};
    if (model_is_integer(type))
        return integer;
    if (model_is_list(type))
        return array;
    switch (type->kind) {
    case MODEL_RAW_JSON:
        return NULL;
    case MODEL_BOOL:
    case MODEL_OPT_BOOL:
        return boolean;
    case MODEL_DOUBLE:
    case MODEL_OPT_DOUBLE:
        return number;
    case MODEL_QUANTITY:
    case MODEL_INT_OR_STRING:
        return either;
    default:
        return model_is_map(type) || model_is_struct(type) ? object : string;
    }
}

static void read_type(builder *b, const attached *above, model_field *field)
{
    const marker *read = attached_find(above, MARKER_TYPE_NAME);
    const char *const *types = json_types(&field->type);
    const char *own = types ? types[0] : NULL;
    if (!read)
        return;
    while (types && *types && strcmp(*types, read->values[0].text) != 0)
        types++;
    if (own && !*types)
        diag_error(b->to, read->values[0].loc,
                   "the JSON of '%s', which has type '%s', is never of type '%s'", field->name,
                   field->type.c_name, read->values[0].text);
    else
        field->validation.type = read->values[0].text;
}

static bool is_text(const char *type)
{
    return type && strcmp(type, "string") == 0;
}

/* Says whether the schema has one type, which is that of objects, or none but says nothing else. */
static bool is_object(const model_field *field)
{
    const char *type = field->validation.type;
    return model_is_struct(&field->type) || model_is_map(&field->type) ||
           (field->type.kind == MODEL_RAW_JSON && !field->validation.int_or_string &&
            (!type || strcmp(type, "object") == 0));
}

static void read_flags(builder *b, const attached *above, model_field *field)
{
    const model_type *type = &field->type;
    model_validation *made = &field->validation;
    bool raw = type->kind == MODEL_RAW_JSON;
    const marker *either =
        member_marker(b, above, MARKER_INT_OR_STRING, field,
                      raw || type->kind == MODEL_INT_OR_STRING || type->kind == MODEL_QUANTITY,
                      "kube_int_or_string and kube_raw_json");
    made->int_or_string = either != NULL;
    if (either && made->type)
        diag_error(b->to, either->loc,
                   "'+%s' and '+kubebuilder:validation:Type' exclude each other",
                   either->spec->name);
    made->preserve =
        member_marker(b, above, MARKER_PRESERVE, field, is_object(field) || model_is_list(type),
                      "structs, maps, lists and kube_raw_json") != NULL;
    made->embedded = member_marker(b, above, MARKER_EMBEDDED, field, is_object(field),
                                   "structs, maps and kube_raw_json") != NULL;
}

void rules_read_types(builder *b, const attached *above, model_field *field)
{
    read_type(b, above, field);
    read_flags(b, above, field);
}

bool rules_is_text(const model_field *field)
{
    switch (field->type.kind) {
    case MODEL_STRING:
    case MODEL_INT_OR_STRING:
    case MODEL_BYTES:
        return true;
    default:
        return is_text(field->validation.type) || field->validation.int_or_string;
    }
}

bool rules_is_raw(const model_field *field, const char *type)
{
    const char *is = field->validation.type;
    return field->type.kind == MODEL_RAW_JSON && is && strcmp(is, type) == 0;
}

/* ---- CEL ----------------------------------------------------------------------------------- */

static const char *arg_text(const marker *read, const char *name)
{
    const marker_arg *arg = marker_find_arg(read, name);
    return arg ? arg->values[0].text : NULL;
}

/* Returns where the argument's value is. */
static diag_loc arg_place(const marker *read, const char *name)
{
    const marker_arg *arg = marker_find_arg(read, name);
    return arg ? arg->values[0].loc : read->loc;
}

static bool is_blank(const char *text)
{
    return text && text[strspn(text, " \t\n")] == '\0';
}

/* What servers refuse of a rule and can be seen without reading its expressions. */
static void check_cel(builder *b, const marker *read, const model_cel *made)
{
    bool lines = strchr(made->rule, '\n') != NULL;
    if (is_blank(made->rule))
        diag_error(b->to, arg_place(read, "rule"), "the rule is empty");
    if (is_blank(made->message))
        diag_error(b->to, arg_place(read, "message"),
                   "the message is empty: write one, or leave it out");
    else if (made->message && strchr(made->message, '\n'))
        diag_error(b->to, arg_place(read, "message"),
                   "a message is one line of text, without line breaks");
    if (lines && !made->message)
        diag_error(b->to, read->loc, "a rule of several lines needs a message=\"…\"");
    if (is_blank(made->message_expression))
        diag_error(b->to, arg_place(read, "messageExpression"), "the expression is empty");
    if (made->field_path && made->field_path[0] != '.' && made->field_path[0] != '[')
        diag_error(b->to, arg_place(read, "fieldPath"), "a fieldPath begins with '.' or '[': '.%s'",
                   made->field_path);
    if (made->optional_old_self && !strstr(made->rule, "oldSelf"))
        diag_error(b->to, arg_place(read, "optionalOldSelf"),
                   "optionalOldSelf is for rules that use oldSelf");
}

typedef VEC(model_cel) cel_vec;

static void add_cel(cel_vec *out, cel_rule rule)
{
    *VEC_ADD(out) = (model_cel){.rule = rule.rule, .message = rule.message};
}

static void read_cel(builder *b, const attached *above, model_validation *made)
{
    static const cel_rule immutable = {"self == oldSelf", "field is immutable"};
    cel_vec rules = {0};
    for (size_t i = 0; i < above->len; i++) {
        const marker *read = &above->markers[i];
        model_cel *rule;
        if (read->id != MARKER_X_VALIDATION)
            continue;
        rule = VEC_ADD(&rules);
        rule->rule = arg_text(read, "rule");
        rule->message = arg_text(read, "message");
        rule->message_expression = arg_text(read, "messageExpression");
        rule->reason = arg_text(read, "reason");
        rule->field_path = arg_text(read, "fieldPath");
        rule->optional_old_self = arg_text(read, "optionalOldSelf");
        check_cel(b, read, rule);
    }
    if (attached_find(above, MARKER_IMMUTABLE))
        add_cel(&rules, immutable);
    made->cel_len = rules.len;
    made->cel = VEC_KEEP(b->in, &rules);
}

static bool says_what_it_is(const model_validation *rules)
{
    return rules->type || rules->int_or_string || rules->embedded || rules->patch;
}

/* Servers know no type for it, and so no value: that of a struct with a patch may be there. */
static bool is_unseen(const model_field *field)
{
    const model_alias *alias = field->schemaless ? NULL : field->type.alias;
    bool is_said = says_what_it_is(&field->validation);
    for (; alias && !is_said; alias = alias->of.alias)
        is_said = says_what_it_is(&alias->validation);
    return (field->type.kind == MODEL_RAW_JSON || field->schemaless) && !is_said;
}

static void check_seen(builder *b, const attached *above, const model_field *field)
{
    const marker *read = attached_find(above, MARKER_X_VALIDATION);
    read = read ? read : attached_find(above, MARKER_IMMUTABLE);
    if (read && is_unseen(field))
        diag_error(b->to, read->loc,
                   "rules of CEL do not see '%s', which may be any JSON: say what it is with "
                   "'+kubebuilder:validation:Type'",
                   field->name);
}

/* ---- which members are set ----------------------------------------------------------------- */

static void read_choices(builder *b, const attached *above, marker_id id, cel_choice choice,
                         model_struct *made, cel_vec *out)
{
    for (size_t i = 0; i < above->len; i++) {
        const marker *read = &above->markers[i];
        const char **names;
        if (read->id != id)
            continue;
        names = arena_alloc(b->in, read->value_len * sizeof *names);
        for (size_t n = 0; n < read->value_len; n++) {
            const marker_value *value = &read->values[n];
            names[n] = value->text;
            made->chosen[made->chosen_len++] = (model_key){value->text, value->loc};
        }
        add_cel(out, cel_choose(b->in, choice, names, read->value_len));
    }
}

void rules_read_struct(builder *b, const attached *above, model_struct *made)
{
    cel_vec rules = {0};
    size_t named = 0;
    for (size_t i = 0; i < made->field_len; i++) {
        const model_field *field = &made->fields[i];
        if (field->immutable && !model_is_required(field))
            add_cel(&rules, cel_stays(b->in, field->json));
    }
    for (size_t i = 0; i < made->validation.cel_len; i++)
        *VEC_ADD(&rules) = made->validation.cel[i];
    for (size_t i = 0; i < above->len; i++)
        named += above->markers[i].value_len;
    made->chosen = arena_alloc(b->in, (named + 1) * sizeof *made->chosen);
    read_choices(b, above, MARKER_AT_MOST_ONE_OF, CEL_AT_MOST_ONE, made, &rules);
    read_choices(b, above, MARKER_EXACTLY_ONE_OF, CEL_EXACTLY_ONE, made, &rules);
    read_choices(b, above, MARKER_AT_LEAST_ONE_OF, CEL_AT_LEAST_ONE, made, &rules);
    made->validation.cel_len = rules.len;
    made->validation.cel = VEC_KEEP(b->in, &rules);
}

/* A member that the CRD requires, or that C always sends, leaves nothing to choose. */
void rules_check(builder *b, const model_struct *of)
{
    static const char names[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/";
    for (size_t i = 0; i < of->chosen_len; i++) {
        const model_key *key = &of->chosen[i];
        const model_field *member = model_find_member(of, key->json);
        if (!member)
            member_report_missing(b, of, key->json, key->loc);
        else if (model_is_required(member))
            diag_error(b->to, key->loc,
                       "'%s' is required, so it cannot be one of several to choose from: it needs "
                       "'+optional'",
                       key->json);
        else if (key->json[strspn(key->json, names)] || ascii_is_digit(key->json[0]))
            diag_error(b->to, key->loc, "CEL has no name for '%s': write a rule without it",
                       key->json);
        else if (is_unseen(member))
            diag_error(b->to, key->loc,
                       "rules of CEL do not see '%s', which may be any JSON: say what it is with "
                       "'+kubebuilder:validation:Type'",
                       key->json);
    }
}

/* ---- documents, and parts of a schema ------------------------------------------------------ */

static const char *value_of(const attached *above, marker_id id)
{
    diag_loc ignored;
    return attached_value(above, id, &ignored);
}

static void read_docs(const attached *above, model_validation *made)
{
    const marker *docs = attached_find(above, MARKER_EXTERNAL_DOCS);
    made->title = value_of(above, MARKER_TITLE);
    made->example = value_of(above, MARKER_EXAMPLE);
    made->docs_url = docs ? arg_text(docs, "url") : NULL;
    made->docs_description = docs ? arg_text(docs, "description") : NULL;
}

static void read_patch(builder *b, const attached *above, model_validation *made)
{
    const marker *read = attached_find(above, MARKER_SCHEMA);
    const char *why = NULL;
    size_t fault;
    json_value *patch;
    if (!read)
        return;
    patch = literal_parse_json(read->values[0].text, &fault, &why);
    why = keywords_check(b->in, patch);
    if (why)
        diag_error(b->to, read->values[0].loc, "%s", why);
    json_free(patch);
    made->patch = read->values[0].text;
}

/* What is required by k8s:required must not be empty, unless the author says what is the least. */
static void require_some(const attached *above, model_field *field)
{
    model_validation *made = &field->validation;
    const model_type *type = &field->type;
    const char **least = NULL;
    if (!attached_find(above, MARKER_K8S_REQUIRED))
        return;
    if (type->kind == MODEL_STRING || type->kind == MODEL_BYTES)
        least = &made->min_length;
    else if (model_is_list(type))
        least = &made->min_items;
    else if (model_is_map(type) || model_is_struct(type))
        least = &made->min_properties;
    if (least && !*least)
        *least = "1";
}

/* Servers want to know the type of everything, unless they are to keep what they do not know. */
static void check_schemaless(builder *b, const attached *above, const model_field *field)
{
    const marker *read = attached_find(above, MARKER_SCHEMALESS);
    const model_validation *made = &field->validation;
    if (read && !made->type && !made->int_or_string && !made->preserve && !made->patch)
        diag_error(b->to, read->loc,
                   "the CRD would say nothing about '%s', which servers refuse: add "
                   "'+kubebuilder:pruning:PreserveUnknownFields' or '+kubebuilder:validation:Type'",
                   field->name);
}

void rules_read(builder *b, const attached *above, model_field *field)
{
    model_validation *made = &field->validation;
    read_cel(b, above, made);
    read_docs(above, made);
    read_patch(b, above, made);
    check_seen(b, above, field);
    check_schemaless(b, above, field);
    require_some(above, field);
}
