/* SPDX-License-Identifier: Apache-2.0 */
/* build_package() makes the model of one header from its declarations and their markers. */
#include "build.h"

#include "names.h"
#include "support/path.h"
#include "support/str.h"
#include "support/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- the header's own markers -------------------------------------------------------------- */

static void check_group(builder *b, diag_loc loc)
{
    const char *group = b->package->group;
    if (*group == '\0' || names_is_group(group))
        return;
    diag_error(b->to, loc,
               "'%s' is not an API group: it takes lower-case letters, digits, '-' and dots",
               group);
    if (loc.line == 0)
        diag_note(b->to, (diag_loc){0}, "set it with '// +groupName=…' at the top of the header");
}

static void check_version(builder *b, diag_loc loc)
{
    if (!names_is_version(b->package->version))
        diag_error(b->to, loc,
                   "'%s' is not an API version: it is v<N>, v<N>alpha<M> or v<N>beta<M>",
                   b->package->version);
    if (!names_is_version(b->package->version) && loc.line == 0)
        diag_note(b->to, (diag_loc){0},
                  "a header of structs that several APIs share has '// +prefix=…' at its top");
}

static void check_deepcopy(builder *b, const attached *above)
{
    const marker *read = attached_find(above, MARKER_DEEPCOPY);
    if (read && strcmp(read->values[0].text, "false") == 0)
        diag_error(b->to, read->values[0].loc,
                   "every struct has a deep copy: remove '+k8s:deepcopy-gen=false'");
}

static void check_optional(builder *b, const attached *above)
{
    const marker *optional = attached_find(above, MARKER_OPTIONAL);
    const marker *required = attached_find(above, MARKER_REQUIRED);
    required = required ? required : attached_find(above, MARKER_K8S_REQUIRED);
    if (optional && required)
        diag_error(b->to, required->loc, "'+%s' and '+%s' exclude each other", required->spec->name,
                   optional->spec->name);
}

/* Generated code names the header in comments and directives. */
static void check_dirs(builder *b)
{
    const char *name = b->package->include;
    for (const char *at = name; *at; at += strspn(at, "/")) {
        size_t len = strcspn(at, "/");
        if (!names_is_dir(arena_strndup(b->in, at, len)))
            diag_error(b->to, (diag_loc){b->package->header, 0, 0},
                       "a path of headers takes letters, digits, '-', '_' and dots: '%s'", name);
        at += len;
    }
}

/* "kube" of kube/meta.h, "shop_v1" of shop/v1/common.h. */
static const char *library_prefix(arena *in, const char *include)
{
    const char *dir = path_parent(in, include);
    return names_is_version(path_last(dir))
               ? names_prefix(in, path_last(path_parent(in, dir)), path_last(dir))
               : path_last(dir);
}

static void read_header(builder *b)
{
    model_package *package = b->package;
    attached header = annotations_of(b, b->unit->main)->header;
    diag_loc whole = {package->header, 0, 0};
    diag_loc group_loc = whole;
    diag_loc version_loc = whole;
    diag_loc prefix_loc = whole;
    const char *group = attached_value(&header, MARKER_GROUP_NAME, &group_loc);
    const char *version = attached_value(&header, MARKER_VERSION_NAME, &version_loc);
    const char *prefix = attached_value(&header, MARKER_PREFIX, &prefix_loc);
    check_deepcopy(b, &header);
    check_optional(b, &header);
    package->skipped = attached_find(&header, MARKER_SKIP) != NULL;
    if (package->version) {
        const char *dir = package->version;
        package->group = group ? group : package->group_dir;
        package->version = version ? version : dir;
        package->prefix = prefix ? prefix : names_prefix(b->in, package->group_dir, dir);
        check_group(b, group_loc);
        check_version(b, version_loc);
    } else {
        package->prefix = prefix ? prefix : library_prefix(b->in, package->include);
        if (group)
            diag_error(b->to, group_loc, "the header of an API must be <group>/<version>/types.h");
    }
    check_dirs(b);
    if (!names_is_prefix(package->prefix))
        diag_error(b->to, prefix_loc,
                   "no name in snake_case begins with '%s': set another prefix with '// +prefix=…' "
                   "at the top of the header",
                   package->prefix);
}

/* ---- structs ------------------------------------------------------------------------------- */

/* Whether a top-level struct is one of the model: data, well named. */
static bool is_data(builder *b, const parse_record *record)
{
    const char *name = record->typedef_name;
    if (!name && record->tag[0] == '\0')
        return false; /* it declares nothing; the compiler has warned */
    if (shape_is_container(record) || b->is_entry[record->index])
        return false;
    if (!name) {
        diag_error(b->to, record->loc, "'struct %s' has no typedef: 'typedef struct %s {…} %s;'",
                   record->tag, record->tag, record->tag);
        return false;
    }
    if (!b->package->version &&
        (strcmp(name, "kube_object") == 0 || strcmp(name, "kube_object_list") == 0))
        return false; /* what every Kind begins with is the runtime's own */
    if (strcmp(record->tag, name) != 0) {
        diag_error(b->to, record->loc,
                   "the struct's tag is not its name: 'typedef struct %s {…} "
                   "%s;'",
                   name, name);
        return false;
    }
    check_type_name(b, name, record->loc);
    return true;
}

/* ---- members ------------------------------------------------------------------------------- */

static bool check_field_name(builder *b, const parse_field *field)
{
    const char *name = field->name;
    if (*name == '\0') {
        diag_error(b->to, field->loc,
                   "this member has no name: define an inner struct before this one, and "
                   "give the member a name");
        return false;
    }
    if (field->is_bit_field) {
        diag_error(b->to, field->loc,
                   "'%s' is a bit-field, which has no address: use 'bool' or 'int32_t'", name);
        return false;
    }
    if (field->is_deprecated)
        diag_error(b->to, field->loc,
                   "generated code uses all members, and compilers would warn of '%s': say in its "
                   "comment that it is deprecated",
                   name);
    if (field->is_laid_out)
        diag_error(b->to, field->loc,
                   "'%s' is aligned or packed by hand, and objects are not allocated so: remove "
                   "'_Alignas' or the attribute",
                   name);
    if (names_is_reserved(name))
        diag_error(b->to, field->loc,
                   "'%s' is a reserved word or a macro in C or C++: name the member '%s_'", name,
                   name);
    else if (!names_is_snake(name) && !names_is_snake(names_tidy(b->in, name)))
        diag_error(b->to, field->loc,
                   "'%s' is not in snake_case, which takes a to z, digits and '_'", name);
    else if (!names_is_snake(name))
        diag_error(b->to, field->loc, "'%s' is not in snake_case: name the member '%s'", name,
                   names_is_snake(names_snake(b->in, name)) ? names_snake(b->in, name)
                                                            : names_tidy(b->in, name));
    return true;
}

static const char *json_name(builder *b, const attached *above, const model_field *field)
{
    const marker *read = attached_find(above, MARKER_JSON);
    const char *name = read ? read->values[0].text : names_json(b->in, field->name);
    diag_loc loc = read ? read->values[0].loc : field->loc;
    if (strcmp(name, "-") == 0)
        diag_error(b->to, loc,
                   "every member of the struct is in the JSON: remove what must not be sent");
    else if (strlen(name) > NAMES_JSON_MAX)
        diag_error(b->to, loc, "the JSON name is longer than %d bytes", NAMES_JSON_MAX);
    if (!utf8_is_plain(name) || strpbrk(name, " \"\\"))
        diag_error(b->to, loc,
                   "a JSON name cannot have blanks, quotes, backslashes or hidden characters");
    return name;
}

/* Markers that only a JSON member of its own can have. */
static void check_no_member(builder *b, const attached *above, const model_field *field)
{
    if (above->item_len > 0)
        diag_error(b->to, above->items[0].loc,
                   "'+%s' has no meaning for '%s', which is not a JSON member",
                   above->items[0].spec->name, field->name);
    for (size_t i = 0; i < above->len; i++) {
        const marker *read = &above->markers[i];
        if (read->id == MARKER_OPTIONAL || read->id == MARKER_INLINE)
            continue;
        diag_error(b->to, read->loc, "'+%s' has no meaning for '%s', which is not a JSON member",
                   read->spec->name, field->name);
    }
}

static void read_flags(builder *b, const annotations *of, const attached *above, model_field *field)
{
    const model_type *type = &field->type;
    bool texts = type->kind == MODEL_STRING || type->kind == MODEL_STRING_LIST ||
                 type->kind == MODEL_STRING_MAP || type->kind == MODEL_RAW_JSON;
    check_optional(b, above);
    field->optional = attached_find(above, MARKER_OPTIONAL) != NULL;
    field->required = attached_find(above, MARKER_REQUIRED) != NULL ||
                      attached_find(above, MARKER_K8S_REQUIRED) != NULL;
    field->unrequired = attached_find(&of->header, MARKER_OPTIONAL) != NULL;
    field->nullable = attached_find(above, MARKER_NULLABLE) != NULL;
    field->schemaless = attached_find(above, MARKER_SCHEMALESS) != NULL;
    field->immutable = attached_find(above, MARKER_IMMUTABLE) != NULL;
    field->intern = member_marker(b, above, MARKER_INTERN, field, texts, "strings") != NULL;
    field->server_set = attached_find(above, MARKER_SERVER_SET) != NULL;
    field->send_empty = member_marker(b, above, MARKER_SEND_EMPTY, field,
                                      type->kind == MODEL_STRUCT, "structs by value") != NULL;
    if (field->send_empty && !field->optional)
        diag_error(b->to, attached_find(above, MARKER_SEND_EMPTY)->loc,
                   "'+kubegen:sendEmpty' needs '+optional': any other struct is sent anyway");
    field->managed_fields = member_marker(b, above, MARKER_MANAGED_FIELDS, field,
                                          type->kind == MODEL_LIST, "a list") != NULL;
}

/* Fills what the markers say; false when the member cannot be in the model. */
static bool read_role(builder *b, const attached *above, const parse_field *from,
                      model_field *field)
{
    const marker *inlined = attached_find(above, MARKER_INLINE);
    if (shape_is_base(from->type) || shape_is_extra(from->type)) {
        field->role = shape_is_base(from->type) ? MODEL_BASE : MODEL_EXTRA;
        check_no_member(b, above, field);
        if (inlined)
            diag_error(b->to, inlined->loc,
                       "'+inline' cannot stand above a 'kube_object' or a 'kube_extra'");
        return true;
    }
    if (!shape_read(b, from, &field->type))
        return false;
    if (inlined && field->type.kind != MODEL_STRUCT) {
        diag_error(b->to, inlined->loc,
                   "'+inline' is for members that are structs by value, and '%s' has type '%s%s'",
                   field->name, field->type.c_name,
                   field->type.kind == MODEL_STRUCT_PTR ? " *" : "");
    } else if (inlined) {
        field->role = MODEL_INLINE;
        check_no_member(b, above, field);
    }
    return true;
}

/* Keeps where the markers are, for whoever tells about what they say. */
static void keep_notes(builder *b, const attached *above, model_field *field)
{
    field->notes = arena_alloc(b->in, above->len * sizeof *field->notes);
    for (size_t i = 0; i < above->len; i++)
        field->notes[i] = (model_note){above->markers[i].spec->name, above->markers[i].loc};
    field->note_len = above->len;
}

/* Markers of a member; what stands above a struct of one line is the struct's. */
static attached above_field(annotations *of, const parse_record *record, const parse_field *field)
{
    return attach_field(of, field->first_line > record->first_line ? field->first_line : 0);
}

/* Returns false if the member was refused. */
static bool read_field(builder *b, annotations *of, const parse_record *record,
                       const parse_field *from, model_field *field)
{
    attached above = above_field(of, record, from);
    field->name = from->name;
    field->loc = from->loc;
    field->doc = above.doc;
    keep_notes(b, &above, field);
    if (!read_role(b, &above, from, field)) {
        field->type = (model_type){0};
        return false;
    }
    if (field->role == MODEL_MEMBER) {
        field->json = json_name(b, &above, field);
        read_flags(b, of, &above, field);
        validation_read(b, of, &above, field);
        default_read(b, &above, field);
        merge_read(b, &above, field);
    } else {
        field->optional = attached_find(&above, MARKER_OPTIONAL) != NULL;
    }
    return true;
}

static void read_fields(builder *b, built_struct *built)
{
    annotations *of = annotations_of(b, built->record->file);
    model_struct *made = built->made;
    made->fields = arena_alloc(b->in, built->record->field_len * sizeof *made->fields);
    for (size_t i = 0; i < built->record->field_len; i++) {
        const parse_field *from = &built->record->fields[i];
        if (!check_field_name(b, from)) {
            above_field(of, built->record, from); /* its markers are not lost */
            made->incomplete = true;
        } else if (!read_field(b, of, built->record, from, &made->fields[made->field_len++])) {
            made->incomplete = true;
        }
    }
}

/* Generated code allocates structs as their members' types want it. */
static void check_layout(builder *b, const parse_record *record)
{
    const char *name = record->typedef_name;
    check_alignment(b, name ? text_map_get(&b->unit->typedef_names, name) : NULL);
    bool has_reason = false; /* which has been told */
    for (size_t i = 0; i < record->field_len; i++)
        has_reason |= record->fields[i].is_laid_out;
    if (record->is_defined && !has_reason && record->align != record->usual_align)
        diag_error(
            b->to, record->loc,
            "'%s' is aligned or packed by hand, and objects are not allocated so: remove the "
            "attribute or '#pragma pack'",
            record->typedef_name);
}

static void read_struct(builder *b, built_struct *built)
{
    annotations *of = annotations_of(b, built->record->file);
    built->above = attach_type(of, built->record->first_line, MARKER_TYPE);
    built->made->doc = built->above.doc;
    check_layout(b, built->record);
    check_deepcopy(b, &built->above);
    merge_read_struct(&built->above, built->made);
    validation_read_struct(b, of, &built->above, built->made);
    read_fields(b, built);
    rules_read_struct(b, &built->above, built->made);
}

/* Reads the rules of typedefs that no member has. */
static void read_typedefs(builder *b)
{
    for (size_t i = 0; i < b->unit->typedef_len; i++) {
        const parse_typedef *from = b->unit->typedefs[i];
        const parse_field as_member = {.name = from->name, .loc = from->loc, .type = from->type};
        model_type ignored;
        if (alias_is_unused(b, from) && !shape_read(b, &as_member, &ignored))
            /* Its markers are not lost. */
            attach_type(annotations_of(b, from->file), from->first_line, MARKER_TYPEDEF);
    }
}

/* ---- the package --------------------------------------------------------------------------- */

static int compare_structs(const void *left, const void *right)
{
    return strcmp((*(const model_struct *const *)left)->name,
                  (*(const model_struct *const *)right)->name);
}

static int compare_resources(const void *left, const void *right)
{
    return strcmp((*(const model_resource *const *)left)->kind,
                  (*(const model_resource *const *)right)->kind);
}

static void list_structs(builder *b, size_t own)
{
    model_package *package = b->package;
    size_t all = b->structs.len;
    package->structs = arena_alloc(b->in, own * sizeof *package->structs);
    package->foreign = arena_alloc(b->in, (all - own) * sizeof *package->foreign);
    for (size_t i = 0; i < own; i++)
        package->structs[package->struct_len++] = b->structs.items[i]->made;
    for (size_t i = own; i < all; i++)
        package->foreign[package->foreign_len++] = b->structs.items[i]->made;
    if (package->foreign_len > 1)
        qsort(package->foreign, package->foreign_len, sizeof *package->foreign, compare_structs);
}

static void list_inputs(builder *b)
{
    model_texts *inputs = &b->package->inputs;
    inputs->items = arena_alloc(b->in, b->unit->file_len * sizeof *inputs->items);
    for (size_t i = 0; i < b->unit->file_len; i++) {
        if (!b->unit->files[i]->is_system)
            inputs->items[inputs->len++] = b->unit->files[i]->path;
    }
    if (inputs->len > 1)
        qsort(inputs->items, inputs->len, sizeof *inputs->items, str_compare);
}

static void list_resources(builder *b)
{
    model_package *package = b->package;
    size_t size = b->resources.len * sizeof *b->resources.items;
    package->resources = arena_copy(b->in, b->resources.items, size);
    package->resource_len = b->resources.len;
    if (package->resource_len > 1)
        qsort(package->resources, package->resource_len, sizeof *package->resources,
              compare_resources);
}

typedef VEC(const model_container *) container_vec;

/* What is inside comes first. */
static void add_container(builder *b, text_map *known, container_vec *out,
                          const model_container *added)
{
    if (!text_map_add(known, b->in, added->name))
        return;
    if (added->element.container)
        add_container(b, known, out, added->element.container);
    *VEC_ADD(out) = added;
}

static void list_containers(builder *b)
{
    model_package *package = b->package;
    container_vec found = {0};
    text_map known = {0};
    for (size_t i = 0; i < package->struct_len; i++) {
        const model_struct *of = package->structs[i];
        for (size_t m = 0; m < of->member_len; m++) {
            if (of->members[m].field->type.container)
                add_container(b, &known, &found, of->members[m].field->type.container);
        }
    }
    package->containers = VEC_KEEP(b->in, &found);
    package->container_len = found.len;
}

/* Every struct that the compiler saw may have markers; report those that nobody asked for. */
static void report_lost(builder *b)
{
    attach_body *bodies = arena_alloc(b->in, b->unit->record_len * sizeof *bodies);
    for (size_t i = 0; i < b->unit->record_len; i++)
        bodies[i] = (attach_body){b->unit->records[i]->first_line, b->unit->records[i]->last_line};
    attach_report_lost(annotations_of(b, b->unit->main), bodies, b->unit->record_len);
}

void build_package(builder *b)
{
    size_t own;
    b->files = arena_alloc(b->in, b->unit->file_len * sizeof *b->files);
    b->conditions = arena_alloc(b->in, b->unit->file_len * sizeof *b->conditions);
    b->by_record = arena_alloc(b->in, (b->unit->known_len + 1) * sizeof *b->by_record);
    b->is_entry = arena_alloc(b->in, b->unit->known_len + 1);
    shape_note_entries(b);
    read_header(b);
    for (size_t i = 0; i < b->unit->record_len; i++) {
        if (is_data(b, b->unit->records[i]))
            shape_struct(b, b->unit->records[i]);
    }
    own = b->structs.len;
    /* Members may bring in structs of other headers, which are read in their turn. */
    for (size_t i = 0; i < b->structs.len; i++)
        read_struct(b, b->structs.items[i]);
    for (size_t i = 0; i < own; i++)
        kind_read(b, b->structs.items[i]);
    read_typedefs(b);
    methods_read(b);
    report_lost(b);
    directive_check(b);
    directive_list_declared(b);
    list_structs(b, own);
    list_resources(b);
    list_inputs(b);
    check_package(b);
    list_containers(b);
}
