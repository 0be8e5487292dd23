/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Go's decoder says of a document that does not fit its structs: the first thing wrong, in
 * the order of the document.
 */
#include "apiserver/value/go_type.h"
#include "apiserver/value/quote.h"
#include "base/ascii.h"
#include "base/text.h"
#include "schema.h"

#include <kube/quantity.h>
#include <string.h>

typedef struct place {
    const char *structure; /* "DeploymentSpec"; NULL = in no struct yet */
    const char *path;      /* "spec.replicas" */
    const char *type;      /* the Go type of the value when it has a name; NULL = plain */
} place;

static const char *check(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *value,
                         place at);

/* ---- names ---------------------------------------------------------------------------------- */

static const char *go_type(kube_ctx *ctx, const kube__api_schema *schema)
{
    const char *below;
    if (schema->go_type)
        return schema->go_type;
    switch (schema->type) {
    case KUBE__TYPE_STRING:
        return schema->format && strcmp(schema->format, "byte") == 0 ? "[]uint8" : "string";
    case KUBE__TYPE_INTEGER:
        return schema->format ? schema->format : "int64";
    case KUBE__TYPE_NUMBER:
        return "float64";
    case KUBE__TYPE_BOOLEAN:
        return "bool";
    case KUBE__TYPE_ARRAY:
        below = schema->items ? go_type(ctx, schema->items) : "string";
        return kube__api_text(ctx, "[]%s", below);
    case KUBE__TYPE_OBJECT:
        below = schema->additional ? go_type(ctx, schema->additional) : "string";
        return kube__api_text(ctx, "map[string]%s", below);
    default:
        return "string";
    }
}

static const char *mismatch(kube_ctx *ctx, const kube__json *value, place at, const char *type,
                            bool wants_number)
{
    const char *found = wants_number && value->kind == KUBE__JSON_NUMBER
                            ? kube__api_text(ctx, "number %s", value->text)
                            : kube__json_kind_name(value);
    return at.structure
               ? kube__api_text(ctx,
                                "json: cannot unmarshal %s into Go struct field %s.%s of type %s",
                                found, at.structure, at.path, type)
               : kube__api_text(ctx, "json: cannot unmarshal %s into Go value of type %s", found,
                                type);
}

/* ---- types that read themselves ------------------------------------------------------------- */

static const char *check_quantity(const kube__json *value)
{
    if ((value->kind == KUBE__JSON_STRING || value->kind == KUBE__JSON_NUMBER) &&
        kube_quantity_is_valid((kube_quantity){.text = value->text}))
        return NULL;
    return "quantities must match the regular expression "
           "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
}

/* One piece of the layout: its name in Go, digits, and the largest value. */
static const struct piece {
    const char *name;
    int digits; /* 0 = the text itself */
    int least;
    int most;
    const char *what;
} pieces[] = {
    {"2006", 4, 0, 9999, "year"}, {"-", 0, 0, 0, NULL},       {"01", 2, 1, 12, "month"},
    {"-", 0, 0, 0, NULL},         {"02", 2, 1, 31, "day"},    {"T", 0, 0, 0, NULL},
    {"15", 2, 0, 23, "hour"},     {":", 0, 0, 0, NULL},       {"04", 2, 0, 59, "minute"},
    {":", 0, 0, 0, NULL},         {"05", 2, 0, 59, "second"},
};

static const char *cannot_parse(kube_ctx *ctx, const char *text, const char *layout,
                                const char *rest, const char *piece)
{
    return kube__api_text(ctx, "parsing time %s as \"%s\": cannot parse %s as \"%s\"",
                          kube__api_quote(ctx, text), layout, kube__api_quote(ctx, rest), piece);
}

static bool has_zone(const char *text)
{
    if (strcmp(text, "Z") == 0)
        return true;
    return strlen(text) == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':' &&
           kube__is_digit(text[1]) && kube__is_digit(text[2]) && kube__is_digit(text[4]) &&
           kube__is_digit(text[5]);
}

static const char *check_time(kube_ctx *ctx, const char *text, bool micro)
{
    const char *layout = micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    const char *at = text;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const struct piece *piece = &pieces[i];
        int value = 0;
        int digits = 0;
        if (!piece->digits && *at++ != piece->name[0])
            return cannot_parse(ctx, text, layout, at - 1, piece->name);
        for (; digits < piece->digits && kube__is_digit(at[digits]); digits++)
            value = value * 10 + (at[digits] - '0');
        if (digits < piece->digits)
            return cannot_parse(ctx, text, layout, at, piece->name);
        at += digits;
        if (piece->digits && (value < piece->least || value > piece->most)) {
            return kube__api_text(ctx, "parsing time %s: %s out of range",
                                  kube__api_quote(ctx, text), piece->what);
        }
    }
    if (*at == '.' || *at == ',') {
        size_t digits = strspn(at + 1, "0123456789");
        at += digits ? digits + 1 : 0;
    } else if (micro) {
        return cannot_parse(ctx, text, layout, at, ".000000");
    }
    return has_zone(at) ? NULL : cannot_parse(ctx, text, layout, at, "Z07:00");
}

static const char *check_bytes(kube_ctx *ctx, const char *text)
{
    size_t len = 0;
    size_t at = 0;
    for (; text[at]; at++) {
        if (text[at] == '\n' || text[at] == '\r')
            continue;
        if (!kube__is_alnum(text[at]) && text[at] != '+' && text[at] != '/')
            break;
        len++;
    }
    size_t padding = strspn(text + at, "=\r\n");
    bool is_padded = strspn(text + at, "=") == (4 - len % 4) % 4;
    if (!text[at + padding] && is_padded && len % 4 != 1)
        return NULL;
    /* Where a group of four is not full, Go names its first byte. */
    size_t byte = text[at] ? at : at - len % 4;
    return kube__api_text(ctx, "illegal base64 data at input byte %zu", byte);
}

/* ---- values --------------------------------------------------------------------------------- */

static const char *check_integer(kube_ctx *ctx, const kube__api_schema *schema,
                                 const kube__json *value, place at)
{
    int64_t number;
    bool is_int32 = !schema->format || strcmp(schema->format, "int64") != 0;
    bool fits = kube__json_to_int(value, &number) &&
                (!is_int32 || (number >= INT32_MIN && number <= INT32_MAX));
    if (fits)
        return NULL;
    return mismatch(ctx, value, at, is_int32 ? "int32" : "int64", value->kind == KUBE__JSON_NUMBER);
}

static const char *check_string(kube_ctx *ctx, const kube__api_schema *schema,
                                const kube__json *value, place at)
{
    const char *format = schema->format ? schema->format : "";
    bool is_bytes = strcmp(format, "byte") == 0;
    if (strcmp(format, "quantity") == 0)
        return check_quantity(value);
    if (value->kind != KUBE__JSON_STRING)
        return mismatch(ctx, value, at, at.type ? at.type : is_bytes ? "[]uint8" : "string", false);
    if (is_bytes)
        return check_bytes(ctx, value->text);
    if (strcmp(format, "date-time") == 0)
        return check_time(ctx, value->text,
                          schema->go_type && strcmp(schema->go_type, "v1.MicroTime") == 0);
    return NULL;
}

static const char *check_object(kube_ctx *ctx, const kube__api_schema *schema,
                                const kube__json *value, place at)
{
    if (value->kind != KUBE__JSON_OBJECT)
        return mismatch(ctx, value, at, at.type ? at.type : go_type(ctx, schema), false);
    const char *structure = schema->go_type ? strchr(schema->go_type, '.') + 1 : at.structure;
    KUBE__JSON_EACH (member, value) {
        const kube__api_schema *known = kube__api_schema_member(schema, member->key);
        if (!known)
            continue;
        place below = {.structure = structure, .path = at.path};
        if (known != schema->additional || schema->go_type) {
            const char *embedded = structure ? kube__api_go_embedded(structure, member->key) : NULL;
            below.type = structure ? kube__api_go_field(ctx, structure, member->key) : NULL;
            below.path =
                kube__api_text(ctx, "%s%s%s%s%s", at.path, at.path[0] ? "." : "",
                               kube__text_or_empty(embedded), embedded ? "." : "", member->key);
        }
        const char *fault = below.path ? check(ctx, known, member, below) : "";
        if (fault)
            return fault;
    }
    return NULL;
}

static const char *check_array(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *value, place at)
{
    if (value->kind != KUBE__JSON_ARRAY)
        return mismatch(ctx, value, at, at.type ? at.type : go_type(ctx, schema), false);
    if (at.type)
        at.type = strncmp(at.type, "[]", 2) == 0 ? at.type + 2 : NULL;
    KUBE__JSON_EACH (item, value) {
        const char *fault = schema->items ? check(ctx, schema->items, item, at) : NULL;
        if (fault)
            return fault;
    }
    return NULL;
}

/* JSONSchemaPropsOrArray and the like: a schema, several, or something else. */
static const char *check_schema(kube_ctx *ctx, const kube__api_schema *schema,
                                const kube__json *value, place at)
{
    at.type = NULL;
    if (value->kind == KUBE__JSON_OBJECT)
        return schema->items ? check_object(ctx, schema->items, value, at) : NULL;
    if (kube__text_ends_with(schema->go_type, "JSONSchemaPropsOrBool"))
        return value->kind == KUBE__JSON_BOOL ? NULL : "boolean or JSON schema expected";
    if (value->kind != KUBE__JSON_ARRAY)
        return NULL;
    KUBE__JSON_EACH (item, value) {
        const char *fault =
            item->kind == KUBE__JSON_OBJECT ? check_schema(ctx, schema, item, at) : NULL;
        if (fault)
            return fault;
    }
    return NULL;
}

static const char *check(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *value,
                         place at)
{
    if (value->kind == KUBE__JSON_NULL || (schema->builtin && schema->preserve_unknown))
        return NULL;
    if (schema->silent)
        return check_schema(ctx, schema, value, at);
    switch (schema->type) {
    case KUBE__TYPE_OBJECT:
        return check_object(ctx, schema, value, at);
    case KUBE__TYPE_ARRAY:
        return check_array(ctx, schema, value, at);
    case KUBE__TYPE_STRING:
        return check_string(ctx, schema, value, at);
    case KUBE__TYPE_INTEGER:
        return check_integer(ctx, schema, value, at);
    case KUBE__TYPE_INT_OR_STRING:
        return value->kind == KUBE__JSON_STRING ? NULL : check_integer(ctx, schema, value, at);
    case KUBE__TYPE_NUMBER:
        return value->kind == KUBE__JSON_NUMBER
                   ? NULL
                   : mismatch(ctx, value, at, at.type ? at.type : "float64", false);
    case KUBE__TYPE_BOOLEAN:
        return value->kind == KUBE__JSON_BOOL
                   ? NULL
                   : mismatch(ctx, value, at, at.type ? at.type : "bool", false);
    case KUBE__TYPE_ANY:
        break;
    }
    return NULL;
}

/* ---- custom resources ----------------------------------------------------------------------- */

static const char *check_embedded(kube_ctx *ctx, const kube__api_schema *schema,
                                  const kube__json *value, const char *path);

static const char *check_type_meta(kube_ctx *ctx, const kube__api_schema *schema,
                                   const kube__json *object, const char *path)
{
    static const char *const texts[] = {"apiVersion", "kind"};
    const char *fault;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const kube__json *value = kube__json_get(object, texts[i]);
        if (!value || value->kind == KUBE__JSON_STRING)
            continue;
        const char *text = kube__json_text(ctx, value, NULL);
        return kube__api_text(ctx, "%s.%s: Invalid value: %s: must be a string", path, texts[i],
                              text);
    }
    const kube__json *metadata = kube__json_get(object, "metadata");
    const kube__api_schema *known = kube__api_schema_member(schema, "metadata");
    if (!metadata || !known || !known->builtin)
        return NULL;
    fault = check(ctx, known, metadata, (place){.path = ""});
    if (!fault)
        return NULL;
    const char *text = kube__json_text(ctx, metadata, NULL);
    return kube__api_text(ctx, "%s.metadata: Invalid value: %s: %s", path, text, fault);
}

static const char *check_embedded_below(kube_ctx *ctx, const kube__api_schema *schema,
                                        const kube__json *value, const char *path)
{
    size_t index = 0;
    KUBE__JSON_EACH (child, value) {
        const char *below;
        const kube__api_schema *known = schema->items;
        if (value->kind == KUBE__JSON_ARRAY) {
            below = kube__api_text(ctx, "%s[%zu]", path, index++);
        } else {
            known = kube__api_schema_member(schema, child->key);
            below = known && known == schema->additional
                        ? kube__api_text(ctx, "%s[%s]", path, child->key)
                        : kube__api_text(ctx, "%s%s%s", path, path[0] ? "." : "", child->key);
        }
        const char *fault = known && below ? check_embedded(ctx, known, child, below) : NULL;
        if (fault)
            return fault;
    }
    return NULL;
}

static const char *check_embedded(kube_ctx *ctx, const kube__api_schema *schema,
                                  const kube__json *value, const char *path)
{
    if (schema->builtin || (value->kind != KUBE__JSON_OBJECT && value->kind != KUBE__JSON_ARRAY))
        return NULL;
    const char *fault = NULL;
    if (schema->embedded_resource && value->kind == KUBE__JSON_OBJECT)
        fault = check_type_meta(ctx, schema, value, path);
    return fault ? fault : check_embedded_below(ctx, schema, value, path);
}

/* Of a custom resource only metadata is a Go struct. */
static const char *check_custom(kube_ctx *ctx, const kube__api_schema *schema,
                                const kube__json *object)
{
    const kube__json *metadata = kube__json_get(object, "metadata");
    const kube__api_schema *known = kube__api_schema_member(schema, "metadata");
    const char *fault = metadata && known ? check(ctx, known, metadata, (place){.path = ""}) : NULL;
    return fault ? fault : check_embedded_below(ctx, schema, object, "");
}

kube__api_failure *kube__api_schema_check_types(kube_ctx *ctx, const kube__api_schema *schema,
                                                const kube__json *object, const char *kind)
{
    if (!schema || !object)
        return NULL;
    const char *fault = schema->builtin ? check(ctx, schema, object, (place){.path = ""})
                                        : check_custom(ctx, schema, object);
    if (!fault)
        return NULL;
    const char *version = kube__json_string_at(object, "apiVersion");
    const char *slash = strrchr(version, '/');
    return kube__api_bad_request(ctx, "%s in version %s cannot be handled as a %s: %s", kind,
                                 kube__api_quote(ctx, slash ? slash + 1 : version), kind, fault);
}
