/* SPDX-License-Identifier: Apache-2.0 */
#include "import_write.h"

#include "front/literal.h"
#include "front/markers.h"
#include "front/model.h"
#include "front/names.h"
#include "front/pattern.h"
#include "import_exact.h"
#include "import_kind_markers.h"
#include "import_marker.h"
#include "import_names.h"
#include "import_schema.h"
#include "import_shape.h"
#include "support/c_text.h"
#include "support/path.h"

#include <stdlib.h>
#include <string.h>

#define INDENT "    "

enum { WIDTH = 100, KEYS_MAX = 64, HEADER_MAX = 64 << 20 };

/* ---- what comes from the document ---------------------------------------------------------- */

/* Returns a name that may be written. */
static const char *name_of(import_writer *w, const char *name)
{
    if (!c_text_is_name(name))
        import_fail(w->im, "%s: this is not a name in C: %s", w->path, name);
    return name;
}

/* ---- comments ------------------------------------------------------------------------------ */

/* One word of a comment, which may not look like a marker. */
static void put_word(import_writer *w, const char *word, size_t len, bool at_start)
{
    const char *quote = at_start && *word == '+' ? "'" : "";
    str_add(w->out, quote);
    c_text_comment(w->out, word, len);
    str_add(w->out, quote);
}

/* A paragraph, broken at blanks. */
static void put_paragraph(import_writer *w, const char *indent, const char *text, size_t len)
{
    size_t column = 0; /* nothing is written yet */
    const char *end = text + len;
    while (text < end) {
        const char *word = text;
        size_t word_len;
        while (text < end && !strchr(" \t\r", *text))
            text++;
        word_len = (size_t)(text - word);
        while (text < end && strchr(" \t\r", *text))
            text++;
        if (word_len == 0)
            continue;
        if (column == 0 || column + 1 + word_len > WIDTH) {
            str_printf(w->out, "%s%s * ", column == 0 ? "" : "\n", indent);
            column = strlen(indent) + 3;
            put_word(w, word, word_len, true);
        } else {
            str_add_char(w->out, ' ');
            put_word(w, word, word_len, false);
            column++;
        }
        column += word_len;
    }
    str_add(w->out, column == 0 ? "" : "\n");
}

static void put_doc(import_writer *w, const char *indent, const char *doc)
{
    bool blank = false;
    if (!doc || !*doc)
        return;
    if (!strpbrk(doc, "\n\r\t") && strlen(indent) + strlen("/**  */") + strlen(doc) <= WIDTH) {
        str_printf(w->out, "%s/** ", indent);
        put_word(w, doc, strlen(doc), true);
        str_add(w->out, " */\n");
        return;
    }
    str_printf(w->out, "%s/**\n", indent);
    while (*doc) {
        size_t len = strcspn(doc, "\n");
        if (strspn(doc, " \t\r") >= len) {
            blank = true;
        } else {
            str_printf(w->out, "%s", blank ? indent : "");
            str_add(w->out, blank ? " *\n" : "");
            blank = false;
            put_paragraph(w, indent, doc, len);
        }
        doc += len + (doc[len] == '\n');
    }
    str_printf(w->out, "%s */\n", indent);
}

/* ---- markers of a member ------------------------------------------------------------------- */

/* Strings of which a cluster has few. */
static bool is_interned(const import_field *field)
{
    static const char *const names[] = {"apiVersion", "kind", "apiGroup", "namespace", NULL};
    return field->shape.is_string && (field->enum_prefix || str_is_one_of(field->json, names));
}

/* The text of a keyword if it is one of @choices; NULL otherwise. */
static const char *choice(const json_value *schema, const char *key, const char *const *choices)
{
    const json_value *value = json_get(schema, key);
    return json_kind_of(value) == JSON_STRING && str_is_one_of(json_text(value), choices)
               ? json_text(value)
               : NULL;
}

static const char *map_type_of(const json_value *schema)
{
    return choice(schema, "x-kubernetes-map-type", marker_specs[MARKER_MAP_TYPE].choices);
}

static void put_list_markers(import_writer *w, const json_value *schema, const import_shape *list)
{
    const char *type =
        choice(schema, "x-kubernetes-list-type", marker_specs[MARKER_LIST_TYPE].choices);
    const json_value *keys = json_first(json_get(schema, "x-kubernetes-list-map-keys"));
    const json_value *patch_key = json_get(schema, "x-kubernetes-patch-merge-key");
    bool by_key = type && strcmp(type, "map") == 0;
    bool has_all = keys != NULL;
    size_t count = 0;
    text_map put = {0};
    for (const json_value *key = keys; key; key = json_next(key))
        has_all = has_all && count++ < KEYS_MAX && import_has_key(w, schema, list, key);
    if (type && (!by_key || has_all))
        import_put_marker(w, INDENT, "listType=%s", type);
    for (const json_value *key = keys; key && by_key && has_all; key = json_next(key)) {
        if (text_map_add(&put, w->im->arena, json_text(key))) /* a document may name it twice */
            import_put_marker(w, INDENT, "listMapKey=%s", json_text(key));
    }
    if (import_has_key(w, schema, list, patch_key))
        import_put_marker(w, INDENT, "patchMergeKey=%s", json_text(patch_key));
}

static void put_merge_markers(import_writer *w, const json_value *schema, const import_shape *shape)
{
    static const char *const strategies[] = {
        "merge", "replace", "retainKeys", "merge,retainKeys", "replace,retainKeys", NULL};
    const char *map_type = map_type_of(schema);
    const char *strategy = choice(schema, "x-kubernetes-patch-strategy", strategies);
    if (shape->is_list)
        put_list_markers(w, schema, shape);
    if (map_type && (shape->is_map || shape->is_struct))
        import_put_marker(w, INDENT, "%s=%s", shape->is_map ? "mapType" : "structType", map_type);
    if (strategy && (shape->is_list || shape->is_map || shape->is_struct))
        import_put_marker(w, INDENT, "patchStrategy=%s", strategy);
}

/* Returns the text of a number that a marker of the member can hold, or NULL. */
static const char *number_of(const import_field *field, const json_value *schema, const char *key)
{
    const json_value *number = json_get(schema, key);
    const char *text = json_text(number);
    bool is_double = strstr(field->shape.c_type, "double") != NULL;
    return json_kind_of(number) == JSON_NUMBER &&
                   (is_double ? literal_is_number(text) : literal_is_whole(text))
               ? text
               : NULL;
}

/* Returns the text of a number that counts something, or NULL. */
static const char *count_of(const json_value *schema, const char *key)
{
    const json_value *count = json_get(schema, key);
    const char *text = json_text(count);
    return json_kind_of(count) == JSON_NUMBER && text[strspn(text, "0123456789")] == '\0' ? text
                                                                                          : NULL;
}

/* Bounds that allow no value are left out, as `generate` refuses them. */
static bool put_range(import_writer *w, const char *least, const char *most, const char *of)
{
    if (least && most && strtod(least, NULL) > strtod(most, NULL))
        return false;
    if (least)
        import_put_marker(w, INDENT, "kubebuilder:validation:Min%s=%s", of, least);
    if (most)
        import_put_marker(w, INDENT, "kubebuilder:validation:Max%s=%s", of, most);
    return true;
}

static void put_counts(import_writer *w, const json_value *schema, const char *what)
{
    put_range(w, count_of(schema, arena_printf(w->im->arena, "min%s", what)),
              count_of(schema, arena_printf(w->im->arena, "max%s", what)), what);
}

static void put_numbers(import_writer *w, const import_field *field, const json_value *schema)
{
    const char *least = number_of(field, schema, "minimum");
    const char *most = number_of(field, schema, "maximum");
    const char *divisor = number_of(field, schema, "multipleOf");
    bool not_least = least && json_is_true(json_get(schema, "exclusiveMinimum"));
    bool not_most = most && json_is_true(json_get(schema, "exclusiveMaximum"));
    bool is_point = least && most && strtod(least, NULL) == strtod(most, NULL);
    if (is_point && (not_least || not_most))
        return;
    if (put_range(w, least, most, "imum")) {
        if (not_least)
            import_put_marker(w, INDENT, "kubebuilder:validation:ExclusiveMinimum=true");
        if (not_most)
            import_put_marker(w, INDENT, "kubebuilder:validation:ExclusiveMaximum=true");
    }
    if (divisor && strtod(divisor, NULL) > 0)
        import_put_marker(w, INDENT, "kubebuilder:validation:MultipleOf=%s", divisor);
}

static void put_validation(import_writer *w, const import_field *field, const json_value *schema)
{
    const json_value *pattern = json_get(schema, "pattern");
    if (field->shape.is_number)
        put_numbers(w, field, schema);
    if (field->shape.is_list)
        put_counts(w, schema, "Items");
    if (field->shape.is_map || field->shape.is_struct)
        put_counts(w, schema, "Properties");
    if (!field->shape.is_string)
        return;
    put_counts(w, schema, "Length");
    if (json_kind_of(pattern) == JSON_STRING && c_text_is_line(json_text(pattern)) &&
        !strchr(json_text(pattern), '`') && !pattern_error(w->im->arena, json_text(pattern)))
        import_put_marker(w, INDENT, "kubebuilder:validation:Pattern=`%s`", json_text(pattern));
}

/* Whether a value is of the type of a member. */
static bool can_hold(const import_shape *shape, const json_value *value)
{
    json_kind kind = json_kind_of(value);
    if (shape->is_list)
        return kind == JSON_ARRAY;
    if (shape->is_map || shape->is_struct)
        return kind == JSON_OBJECT;
    if (shape->is_number)
        return kind == JSON_NUMBER &&
               (strstr(shape->c_type, "double") || literal_is_whole(json_text(value)));
    if (shape->is_scalar && !shape->is_string)
        return kind == JSON_BOOL;
    if (strcmp(shape->c_type, "kube_raw_json") == 0)
        return kind != JSON_NULL;
    if (strcmp(shape->c_type, "kube_int_or_string") == 0 && kind == JSON_NUMBER)
        return literal_is_whole(json_text(value));
    return kind == JSON_STRING;
}

static bool is_zero(const json_value *value)
{
    switch (json_kind_of(value)) {
    case JSON_BOOL:
        return !json_is_true(value);
    case JSON_NUMBER:
        return strtod(json_text(value), NULL) == 0;
    case JSON_STRING:
        return !*json_text(value);
    default:
        return json_first(value) == NULL;
    }
}

/*
 * Documents made of Go types have the zero as the default of each member that Go has by value: {}
 * of a struct, which has a schema of its own there, and 0 or "" of a required scalar. No server
 * sets these.
 */
static void put_default(import_writer *w, const import_field *field, bool is_named)
{
    const json_value *initial = json_get(field->schema, "default");
    bool is_of_go = field->shape.is_struct ? is_named : field->is_builtin && field->is_required;
    str text = {0};
    if (!initial || !can_hold(&field->shape, initial) || (is_of_go && is_zero(initial)))
        return;
    import_json_text(&text, initial);
    import_put_marker(w, INDENT, "default=%s", str_text(&text));
    str_free(&text);
}

/* What a server requires, and what C's type does not say. */
static void put_presence(import_writer *w, const import_field *field)
{
    const import_shape *shape = &field->shape;
    if (field->is_metadata)
        return;
    if (!field->is_required && !shape->can_be_absent && !shape->is_pointer)
        import_put_marker(w, INDENT, "optional");
    if (!field->is_required && shape->is_struct && !shape->is_pointer)
        import_put_marker(w, INDENT, "kubegen:sendEmpty");
    if (field->is_required && (shape->can_be_absent || shape->is_pointer))
        import_put_marker(w, INDENT, "required");
}

static void put_markers(import_writer *w, const import_field *field)
{
    const char *name = NULL;
    const json_value *resolved = import_resolve(w->im, field->schema, w->path, &name);
    put_presence(w, field);
    if (field->is_nullable && !w->im->is_exact)
        import_put_marker(w, INDENT, "nullable");
    if (strcmp(names_json(w->im->arena, field->name), field->json) != 0)
        import_put_marker(w, INDENT, "json=%s", field->json);
    if (field->enum_prefix && !field->is_open_enum)
        import_put_marker(w, INDENT, "enum=%s", field->enum_prefix);
    if (is_interned(field))
        import_put_marker(w, INDENT, "kubegen:intern");
    if (w->im->is_exact) {
        import_put_exact(w, field);
        return;
    }
    put_merge_markers(w, field->schema, &field->shape);
    put_validation(w, field, resolved);
    /* A struct's own rules stand above it. */
    if (!field->shape.is_struct || field->schema != resolved)
        import_put_rules(w, field->schema, true);
    put_default(w, field, name != NULL);
}

/* ---- structs ------------------------------------------------------------------------------- */

/* On two lines where one would be too long. */
static void put_define(import_writer *w, const char *prefix, const import_value *value)
{
    const char *name = arena_printf(w->im->arena, "%s_%s", prefix, value->define);
    size_t width = strlen("#define  \"\"") + strlen(name) + strlen(value->text);
    if (!text_map_add(&w->defines, w->im->arena, name))
        import_fail(w->im, "%s: two values of enums would be %s", w->path, name);
    str_printf(w->out, "#define %s%s", name_of(w, name), width > WIDTH ? " \\\n    " : " ");
    str_printf(w->out, "\"%s\"\n", value->text); /* c_text_is_line() */
}

static void put_defines(import_writer *w, const import_struct *record)
{
    for (size_t i = 0; i < record->fields.len; i++) {
        const import_field *field = &record->fields.items[i];
        for (size_t v = 0; field->enum_prefix && v < field->values.len; v++)
            put_define(w, field->enum_prefix, &field->values.items[v]);
        str_add(w->out, field->enum_prefix ? "\n" : "");
    }
}

static void put_verbs(import_writer *w, const import_struct *kind, bool has_status)
{
    const unsigned status = MODEL_UPDATE_STATUS | MODEL_APPLY_STATUS;
    const unsigned scale = MODEL_GET_SCALE | MODEL_UPDATE_SCALE; /* nothing says its paths */
    const unsigned all = MODEL_ALL_VERBS & ~scale;
    unsigned usual = has_status && kind->has_status_path ? all : all & ~status;
    unsigned missing = usual & ~kind->verbs;
    unsigned listed = usual & kind->verbs;
    unsigned count = 0;
    str names = {0};
    if (!missing)
        return;
    if (!listed) {
        import_put_marker(w, "", "genclient:noVerbs");
        return;
    }
    for (unsigned bits = listed; bits; bits &= bits - 1)
        count++;
    if (count > 3)
        listed = missing;
    for (size_t i = 0; model_verb_names[i]; i++)
        if (listed & 1U << i)
            str_printf(&names, "%s%s", names.len ? "," : "", model_verb_names[i]);
    import_put_marker(w, "", "genclient:%s=%s", count > 3 ? "skipVerbs" : "onlyVerbs",
                      str_text(&names));
    str_free(&names);
}

static void put_kind_markers(import_writer *w, const import_struct *kind)
{
    arena *in = w->im->arena;
    const char *lower = names_lower(in, kind->kind);
    const char *snake = kind->name + strlen(w->im->prefix) + 1;
    bool has_status = json_get(json_get(kind->schema, "properties"), "status") != NULL;
    import_put_marker(w, "", "genclient");
    if (strcmp(names_kind(in, snake), kind->kind) != 0)
        import_put_marker(w, "", "kind=%s", kind->kind);
    if (!kind->namespaced)
        import_put_marker(w, "", "genclient:nonNamespaced");
    if (has_status && !kind->has_status_path)
        import_put_marker(w, "", "genclient:noStatus");
    put_verbs(w, kind, has_status);
    if (kind->plural && strcmp(kind->plural, names_plural(in, lower)) != 0)
        import_put_marker(w, "", "resourceName=%s", kind->plural);
    if (kind->plural && strcmp(kind->plural, lower) == 0)
        import_put_marker(w, "", "cPlural=%s_objects", snake);
    if (has_status && kind->has_status_path && kind->has_paths)
        import_put_marker(w, "", "kubebuilder:subresource:status");
}

static void put_member(import_writer *w, const import_field *field)
{
    const import_shape *shape = &field->shape;
    const char *end = shape->c_type + strlen(shape->c_type) - 1;
    const char *between = shape->is_pointer ? " *" : *end == '*' ? "" : " ";
    size_t width = strlen("    ;") + strlen(shape->c_type) + strlen(between) + strlen(field->name);
    put_doc(w, "    ", field->doc);
    put_markers(w, field);
    if (width > WIDTH)
        between = shape->is_pointer ? "\n        *" : "\n        ";
    str_printf(w->out, INDENT "%s%s%s;\n", shape->c_type, between, name_of(w, field->name));
}

/* The lists and maps of @record, or of the runtime's types. */
static void put_containers(import_writer *w, const import_struct *record, bool is_forward)
{
    const import_container *items = record ? record->containers.items : w->im->containers.items;
    size_t len = record ? record->containers.len : w->im->containers.len;
    for (size_t i = 0; i < len; i++) {
        bool is_own = record && strcmp(items[i].element, record->name) == 0;
        str_printf(w->out, "KUBE_%s_%s(%s);\n",
                   is_forward && items[i].is_map && is_own ? "FORWARD" : "DECLARE",
                   items[i].is_map ? "MAP" : "LIST", name_of(w, items[i].element));
    }
}

/* The entries of maps that were declared before their values. */
static void put_entries(import_writer *w, const import_struct *record)
{
    for (size_t i = 0; i < record->containers.len; i++) {
        const import_container *made = &record->containers.items[i];
        if (made->is_map && strcmp(made->element, record->name) == 0)
            str_printf(w->out, "KUBE_DECLARE_MAP_ENTRY(%s);\n", name_of(w, made->element));
    }
}

static void put_struct(import_writer *w, const import_struct *record)
{
    str_add_char(w->out, '\n');
    w->path = record->path;
    put_defines(w, record);
    put_doc(w, "", record->doc);
    if (record->crd)
        import_put_crd_markers(w, record);
    else if (record->kind)
        put_kind_markers(w, record);
    if (w->im->is_exact)
        import_put_exact_struct(w, record);
    else if (map_type_of(record->schema))
        import_put_marker(w, "", "structType=%s", map_type_of(record->schema));
    if (!w->im->is_exact)
        import_put_rules(w, record->schema, false);
    str_printf(w->out, "%sstruct %s {\n", record->recursive ? "" : "typedef ",
               name_of(w, record->name));
    if (record->kind)
        str_add(w->out, "    kube_object base;\n");
    for (size_t i = 0; i < record->fields.len && w->out->len <= HEADER_MAX; i++)
        put_member(w, &record->fields.items[i]);
    if (w->out->len > HEADER_MAX)
        import_fail(w->im, "%s: the header would be larger than %d MiB", w->path, HEADER_MAX >> 20);
    str_add(w->out, "    kube_extra extra;\n}");
    if (!record->recursive)
        str_printf(w->out, " %s", record->name);
    str_add(w->out, ";\n");
    if (record->recursive)
        put_entries(w, record);
    else
        put_containers(w, record, false);
}

/* ---- the header ---------------------------------------------------------------------------- */

/* Whether one of the sorted @prefixes begins with @prefix and "_". */
static bool begins_another(const text_list *prefixes, const char *prefix)
{
    size_t len = strlen(prefix);
    size_t low = 0;
    size_t high = prefixes->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(prefixes->items[middle], prefix, len);
        if (order < 0 || (order == 0 && (unsigned char)prefixes->items[middle][len] < '_'))
            low = middle + 1;
        else
            high = middle;
    }
    return low < prefixes->len && strncmp(prefixes->items[low], prefix, len) == 0 &&
           prefixes->items[low][len] == '_';
}

static const char *apart(importer *im, const text_list *prefixes, const char *prefix)
{
    if (!begins_another(prefixes, prefix))
        return prefix;
    prefix =
        text_map_unique(&im->enum_prefixes, im->arena, arena_printf(im->arena, "%s_VALUE", prefix));
    if (begins_another(prefixes, prefix))
        import_fail(im, "%s: the values of this enum would begin like those of another one",
                    prefix);
    return prefix;
}

/* `+enum=P` takes every #define that begins with P_, so no prefix may begin with another one. */
static void part_enums(importer *im)
{
    text_list prefixes = {0};
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < im->order.len; i++) {
            import_struct *record = im->order.items[i];
            for (size_t f = 0; f < record->fields.len; f++) {
                const char **prefix = &record->fields.items[f].enum_prefix;
                if (*prefix && pass == 0)
                    *VEC_ADD(&prefixes) = *prefix;
                else if (*prefix)
                    *prefix = apart(im, &prefixes, *prefix);
            }
        }
        text_list_sort(&prefixes);
    }
    free(prefixes.items);
}

static void put_title_of(import_writer *w, const import_struct *kind)
{
    str line = {0};
    str_add(&line, kind->kind);
    for (size_t i = 0; i < kind->subresources.len; i++)
        str_printf(&line, "%s%s", i ? ", " : ": subresources ", kind->subresources.items[i]);
    put_paragraph(w, "", str_text(&line), line.len);
    str_free(&line);
}

/* What is imported, and the subresources that it has. */
static void put_title(import_writer *w)
{
    const import_options *options = w->im->options;
    if (options->license)
        str_printf(w->out, "/* SPDX-License-Identifier: %s */\n", options->license);
    str_printf(w->out, "/*\n * %s%s%s, imported by kubegen.\n *\n", options->group,
               *options->group ? "/" : "", options->version);
    for (size_t i = 0; i < w->im->structs.len; i++) {
        const import_struct *kind = w->im->structs.items[i];
        if (!kind->kind)
            continue;
        put_title_of(w, kind);
    }
    str_add(w->out, " */\n");
}

static void put_includes(import_writer *w)
{
    str_add(w->out, "\n");
    for (size_t i = 0; i < w->im->includes.len; i++)
        str_printf(w->out, "#include <%s>\n", w->im->includes.items[i]);
    str_add(w->out, "#include <kube/meta.h>\n");
}

static void put_forwards(import_writer *w)
{
    size_t before = w->out->len;
    str_add(w->out, "\n");
    put_containers(w, NULL, false);
    for (size_t i = 0; i < w->im->order.len; i++) {
        const import_struct *record = w->im->order.items[i];
        if (!record->recursive)
            continue;
        str_printf(w->out, "typedef struct %s %s;\n", record->name, record->name);
        put_containers(w, record, true);
    }
    if (w->out->len == before + 1)
        w->out->data[--w->out->len] = '\0';
}

bool import_write(importer *im, str *out)
{
    import_writer w = {.im = im, .out = out, .path = "#"};
    const char *guard = names_upper(im->arena, arena_printf(im->arena, "%s_types_h", im->prefix));
    text_list_sort(&im->includes);
    part_enums(im);
    put_title(&w);
    if (strcmp(im->options->group, im->group_dir) != 0)
        import_put_marker(&w, "", "groupName=%s", im->options->group);
    if (strcmp(path_last(im->directory), im->options->version) != 0)
        import_put_marker(&w, "", "versionName=%s", im->options->version);
    str_printf(out, "#ifndef %s\n#define %s\n", name_of(&w, guard), guard);
    put_includes(&w);
    put_forwards(&w);
    for (size_t i = 0; i < im->order.len && im->error->len == 0; i++)
        put_struct(&w, im->order.items[i]);
    str_printf(out, "\n#endif /* %s */\n", guard);
    return im->error->len == 0;
}
