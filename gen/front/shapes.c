/* SPDX-License-Identifier: Apache-2.0 */
/* shape_read() maps types of C to the shapes of docs/mapping.md; it refuses all others with advice.
 */
#include "build.h"
#include "names.h"
#include "support/path.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

typedef struct named_kind {
    const char *name;
    model_kind kind;
    bool has_absent; /* its zero is "absent", so a pointer to it says nothing more */
} named_kind;

/* The types that are known by name; sugar around them does not matter. */
static const named_kind named_kinds[] = {
    {"int32_t", MODEL_INT32, false},
    {"int64_t", MODEL_INT64, false},
    {"kube_opt_bool", MODEL_OPT_BOOL, true},
    {"kube_opt_int32", MODEL_OPT_INT32, true},
    {"kube_opt_int64", MODEL_OPT_INT64, true},
    {"kube_opt_double", MODEL_OPT_DOUBLE, true},
    {"kube_time", MODEL_TIME, true},
    {"kube_micro_time", MODEL_MICRO_TIME, true},
    {"kube_duration", MODEL_DURATION, true},
    {"kube_quantity", MODEL_QUANTITY, true},
    {"kube_int_or_string", MODEL_INT_OR_STRING, true},
    {"kube_bytes", MODEL_BYTES, true},
    {"kube_raw_json", MODEL_RAW_JSON, true},
};

/* The member that is being read, and the list or map inside which its type is looked at. */
typedef struct shape_reader {
    builder *b;
    const parse_field *field;
    const char *container; /* NULL = the member itself */
} shape_reader;

static bool read_value(shape_reader *r, const parse_type *type, model_type *out);

static bool has_alias(const parse_type *type, const char *name)
{
    for (size_t i = 0; i < type->alias_len; i++) {
        if (strcmp(type->aliases[i], name) == 0)
            return true;
    }
    return false;
}

static const named_kind *find_named(const parse_type *type)
{
    for (size_t i = 0; i < sizeof named_kinds / sizeof *named_kinds; i++) {
        if (has_alias(type, named_kinds[i].name))
            return &named_kinds[i];
    }
    return NULL;
}

bool shape_is_base(const parse_type *type)
{
    return type->kind == PARSE_STRUCT && has_alias(type, "kube_object");
}

bool shape_is_extra(const parse_type *type)
{
    return type->kind == PARSE_STRUCT && has_alias(type, "kube_extra");
}

/* ---- refusals ------------------------------------------------------------------------------ */

/* Reports a type. Returns false, for the caller to return. @advice follows a colon. */
static bool refuse(shape_reader *r, const parse_type *type, const char *advice)
{
    if (r->container)
        diag_error(r->b->to, r->field->loc, "unsupported type '%s' in '%s': %s", type->spelling,
                   r->container, advice);
    else
        diag_error(r->b->to, r->field->loc, "unsupported type '%s': %s", type->spelling, advice);
    return false;
}

static bool contains(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* Integers have two widths in JSON; unsigned 32 bits need the greater one. */
static const char *integer_name(const parse_type *type)
{
    const char *name = type->alias_len > 0 ? type->aliases[0] : type->spelling;
    if (strcmp(name, "unsigned char") == 0 || strcmp(name, "signed char") == 0 ||
        contains(name, "short") || contains(name, "16") || contains(name, "8"))
        return "int32_t";
    if (contains(name, "long") || contains(name, "unsigned") || contains(name, "uint") ||
        contains(name, "64") || contains(name, "size") || contains(name, "ptr") ||
        contains(name, "time") || contains(name, "max"))
        return "int64_t";
    return "int32_t";
}

static const char *scalar_name(const parse_type *type)
{
    const named_kind *named = find_named(type);
    if (named)
        return named->name;
    switch (type->kind) {
    case PARSE_BOOL:
        return "bool";
    case PARSE_DOUBLE:
    case PARSE_FLOAT:
        return "double";
    default:
        return integer_name(type);
    }
}

/* kube_opt_int32 for int32_t, and so on. */
static const char *optional_name(const char *scalar)
{
    return strcmp(scalar, "bool") == 0      ? "kube_opt_bool"
           : strcmp(scalar, "double") == 0  ? "kube_opt_double"
           : strcmp(scalar, "int64_t") == 0 ? "kube_opt_int64"
                                            : "kube_opt_int32";
}

static bool is_string(const parse_type *type)
{
    return type->kind == PARSE_POINTER && type->target->kind == PARSE_CHAR;
}

/* The list type for elements of this type. */
static const char *list_name(shape_reader *r, const parse_type *type)
{
    arena *in = r->b->in;
    if (is_string(type))
        return "kube_string_list";
    if (type->kind == PARSE_STRUCT && type->record->typedef_name)
        return arena_printf(in, "%s_list", type->record->typedef_name);
    if (type->kind == PARSE_POINTER)
        return list_name(r, type->target);
    return arena_printf(in, "%s_list", scalar_name(type));
}

static bool refuse_list_like(shape_reader *r, const parse_type *type, const parse_type *element)
{
    return refuse(r, type,
                  arena_printf(r->b->in, "for a list use '%s', which knows its length",
                               list_name(r, element)));
}

/* ---- pointers ------------------------------------------------------------------------------ */

static bool read_struct_pointer(shape_reader *r, const parse_type *type, model_type *out)
{
    const parse_type *target = type->target;
    const parse_record *record = target->record;
    const char *name = record->typedef_name;
    const named_kind *named = find_named(target);
    arena *in = r->b->in;
    if (named)
        return refuse(r, type,
                      arena_printf(in, "use '%s', which can be absent by itself", named->name));
    if (shape_is_extra(target) || shape_is_base(target))
        return read_value(r, target, out);
    if (!record->is_defined)
        return refuse(r, type, "the struct is not defined");
    if (shape_is_container(record))
        return refuse(r, type,
                      arena_printf(in, "use '%s': it is absent when its items are NULL",
                                   name ? name : target->spelling));
    if (target->is_const)
        return refuse(r, type, arena_printf(in, "use '%s *', without const", name ? name : "T"));
    if (r->container)
        return refuse(r, type,
                      arena_printf(in, "lists and maps hold the structs themselves: use '%s'",
                                   name ? name : "T"));
    return read_value(r, target, out) && (out->kind = MODEL_STRUCT_PTR, true);
}

static bool read_pointer(shape_reader *r, const parse_type *type, model_type *out)
{
    const parse_type *target = type->target;
    const char *scalar;
    switch (target->kind) {
    case PARSE_CHAR:
        if (!target->is_const)
            return refuse(r, type, "a string is a 'const char *'");
        *out = (model_type){.kind = MODEL_STRING, .c_name = "const char *"};
        return true;
    case PARSE_STRUCT:
        return read_struct_pointer(r, type, out);
    case PARSE_BOOL:
    case PARSE_DOUBLE:
    case PARSE_FLOAT:
    case PARSE_INTEGER:
        if (contains(target->spelling, "unsigned char") || contains(target->spelling, "uint8_t"))
            return refuse(r, type, "bytes are a 'kube_bytes', which knows its length");
        scalar = scalar_name(target);
        return refuse(
            r, type,
            arena_printf(r->b->in, "an optional '%s' is a '%s'", scalar, optional_name(scalar)));
    case PARSE_POINTER:
        return refuse_list_like(r, type, target);
    case PARSE_VOID:
        return refuse(r, type, "any JSON value is a 'kube_raw_json'");
    case PARSE_FUNCTION:
        return refuse(r, type, "a function is not data");
    case PARSE_ARRAY:
        return refuse_list_like(r, type, target->target);
    default:
        return read_value(r, target, out) && refuse(r, type, "use the value itself");
    }
}

/* ---- lists and maps ------------------------------------------------------------------------ */

static const parse_field *member(const parse_record *record, size_t at, const char *name)
{
    const parse_field *field = &record->fields[at];
    return strcmp(field->name, name) == 0 && !field->is_bit_field ? field : NULL;
}

bool shape_is_container(const parse_record *record)
{
    const parse_field *items;
    const parse_field *len;
    if (!record->is_defined || record->field_len != 2)
        return false;
    items = member(record, 0, "items");
    len = member(record, 1, "len");
    return items && len && items->type->kind == PARSE_POINTER && has_alias(len->type, "size_t");
}

/* Returns the value of a map's entry, or NULL if the elements are those of a list. */
static const parse_type *entry_value(arena *in, const char *map, const parse_type *element)
{
    const parse_record *record = element->record;
    const parse_field *key;
    const parse_field *value;
    if (element->kind != PARSE_STRUCT || !record->is_defined || record->field_len != 2 ||
        !record->typedef_name ||
        strcmp(record->typedef_name, arena_printf(in, "%s_entry", map)) != 0)
        return NULL;
    key = member(record, 0, "key");
    value = member(record, 1, "value");
    return key && value && is_string(key->type) ? value->type : NULL;
}

void shape_note_entries(builder *b)
{
    for (size_t i = 0; i < b->unit->record_len; i++) {
        const parse_record *map = b->unit->records[i];
        const parse_record *entry =
            shape_is_container(map) ? map->fields[0].type->target->record : NULL;
        if (entry && str_has_prefix(entry->tag, map->tag) &&
            strcmp(entry->tag + strlen(map->tag), "_entry") == 0)
            b->is_entry[entry->index] = true;
    }
}

/*
 * Containers come after those that they hold. Structs are only named here, so that a type that
 * contains itself ends.
 */
static bool read_container(shape_reader *r, const parse_type *type, model_type *out)
{
    const parse_record *record = type->record;
    const char *name = record->typedef_name ? record->typedef_name : record->tag;
    const parse_type *element = record->fields[0].type->target;
    const parse_type *value = entry_value(r->b->in, name, element);
    model_container **known =
        (model_container **)text_map_at(&r->b->container_names, r->b->in, name);
    model_container *made = *known;
    shape_reader inner = {r->b, r->field, name};
    *out = (model_type){.kind = value ? MODEL_MAP : MODEL_LIST, .c_name = name, .container = made};
    if (is_string(value ? value : element)) {
        if (!(value ? value : element)->target->is_const)
            return refuse(&inner, value ? value : element, "a string is a 'const char *'");
        out->kind = value ? MODEL_STRING_MAP : MODEL_STRING_LIST;
        out->text = alias_of(r->b, value ? value : element,
                             &(model_type){.kind = MODEL_STRING, .c_name = "const char *"});
        return true;
    }
    if (made)
        return true;
    made = arena_alloc(r->b->in, sizeof *made);
    made->name = name;
    made->entry = value ? element->record->typedef_name : NULL;
    made->kind = out->kind;
    made->include =
        record->file == r->b->unit->main ? r->b->package->include : record->file->include;
    if (!read_value(&inner, value ? value : element, &made->element))
        return false;
    out->container = *known = made;
    *VEC_ADD(&r->b->containers) = made;
    return true;
}

/* ---- structs ------------------------------------------------------------------------------- */

model_struct *shape_struct(builder *b, const parse_record *record)
{
    bool foreign = record->file != b->unit->main;
    built_struct *built = b->by_record[record->index];
    if (built)
        return built->made;
    built = b->by_record[record->index] = arena_alloc(b->in, sizeof *built);
    built->record = record;
    built->made = arena_alloc(b->in, sizeof *built->made);
    built->made->name = record->typedef_name;
    built->made->loc = record->loc;
    built->made->include = foreign ? record->file->include : b->package->include;
    built->made->foreign = foreign;
    *VEC_ADD(&b->structs) = built;
    return built->made;
}

/* ---- values -------------------------------------------------------------------------------- */

/*
 * Whether kubegen makes tables for a header: that of an API or of the runtime, or one of shared
 * structs, which its prefix marks.
 */
static bool has_tables(builder *b, const parse_file *file)
{
    const comments *read;
    const char *dir;
    if (!file || file->is_system)
        return false;
    if (file == b->unit->main || str_has_prefix(file->include, "kube/"))
        return true;
    read = annotations_of(b, file)->comments;
    dir = path_last(path_parent(b->in, file->path));
    if (comments_have_header_marker(read, "prefix"))
        return true;
    return strcmp(path_last(file->path), "types.h") == 0 &&
           (names_is_version(dir) || comments_have_header_marker(read, "versionName"));
}

/* Refuses a struct of a header that has no tables. */
static bool refuse_foreign(shape_reader *r, const parse_type *type)
{
    const parse_file *file = type->record->file;
    if (!file || file->is_system)
        return refuse(r, type, "it is not declared in an API header: define it in a types.h");
    return refuse(r, type,
                  arena_printf(r->b->in,
                               "its header '%s' is of no API: define it in a types.h, or write '// "
                               "+prefix=…' at the top of that header and give it to 'kubegen "
                               "generate', too",
                               file->include));
}

static bool read_struct(shape_reader *r, const parse_type *type, model_type *out)
{
    const parse_record *record = type->record;
    arena *in = r->b->in;
    if (shape_is_extra(type))
        return refuse(r, type, "it belongs in the struct whose unknown members it keeps");
    if (shape_is_base(type))
        return refuse(r, type, "it can only be the first member of a Kind");
    if (record->is_defined && shape_is_container(record))
        return read_container(r, type, out);
    if (!has_tables(r->b, record->file))
        return refuse_foreign(r, type);
    if (!record->typedef_name && record->tag[0] == '\0')
        return refuse(r, type,
                      arena_printf(in, "name the struct: 'typedef struct %s_… {…} %s_…;'",
                                   r->b->package->prefix, r->b->package->prefix));
    if (!record->typedef_name)
        return refuse(
            r, type,
            arena_printf(in, "define it as 'typedef struct %s {…} %s;'", record->tag, record->tag));
    if (strcmp(record->typedef_name, "kube_object_list") == 0)
        return refuse(r, type, "the list of a Kind is generated");
    *out = (model_type){
        .kind = MODEL_STRUCT,
        .c_name = record->typedef_name,
        .record = shape_struct(r->b, record),
    };
    return true;
}

static bool read_plain(shape_reader *r, const parse_type *type, model_type *out)
{
    const named_kind *named = find_named(type);
    if (type->is_volatile)
        return refuse(r, type, "'volatile' has no meaning for data");
    if (type->is_const)
        return refuse(r, type, "a const member could not be set: remove the const");
    if (named) {
        *out = (model_type){.kind = named->kind, .c_name = named->name};
        return true;
    }
    switch (type->kind) {
    case PARSE_BOOL:
        *out = (model_type){.kind = MODEL_BOOL, .c_name = "bool"};
        return true;
    case PARSE_DOUBLE:
        *out = (model_type){.kind = MODEL_DOUBLE, .c_name = "double"};
        return true;
    case PARSE_FLOAT:
        return refuse(r, type, "use 'double'");
    case PARSE_CHAR:
        return refuse(r, type, "use 'const char *' for text, 'int32_t' for a number");
    case PARSE_INTEGER:
        return refuse(r, type, arena_printf(r->b->in, "use '%s'", integer_name(type)));
    case PARSE_POINTER:
        return read_pointer(r, type, out);
    case PARSE_STRUCT:
        return read_struct(r, type, out);
    case PARSE_ARRAY:
        if (type->target->kind == PARSE_CHAR)
            return refuse(r, type, "a string is a 'const char *'");
        return refuse_list_like(r, type, type->target);
    case PARSE_UNION:
        return refuse(r, type, "use a struct with a pointer for each choice");
    case PARSE_ENUM:
        return refuse(r, type,
                      "use 'const char *' with '// +enum=PREFIX' and #defines of the values");
    default:
        return refuse(r, type,
                      type->is_far ? arena_printf(r->b->in, "it is behind more than %d typedefs",
                                                  PARSE_DEPTH_MAX)
                                   : "JSON has nothing like it");
    }
}

static bool read_value(shape_reader *r, const parse_type *type, model_type *out)
{
    if (!read_plain(r, type, out))
        return false;
    out->alias = alias_of(r->b, type, out);
    return true;
}

bool shape_read(builder *b, const parse_field *field, model_type *out)
{
    shape_reader r = {b, field, NULL};
    return read_value(&r, field->type, out);
}
