/* SPDX-License-Identifier: Apache-2.0 */
#include "import_write.h"

#include "front/literal.h"
#include "front/markers.h"
#include "front/model.h"
#include "front/names.h"
#include "front/pattern.h"
#include "import_names.h"
#include "import_schema.h"
#include "support/path.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100 };

typedef struct writer {
    importer *im;
    str *out;
} writer;

/* ---- comments ------------------------------------------------------------------------------ */

/* One word of a comment. It may neither end the comment nor look like a marker. */
static void put_word(writer *w, const char *word, size_t len, bool at_start)
{
    if (at_start && *word == '+')
        str_add_char(w->out, '\'');
    for (size_t i = 0; i < len; i++) {
        str_add_char(w->out, word[i]);
        if (word[i] == '*' && i + 1 < len && word[i + 1] == '/')
            str_add_char(w->out, ' ');
        if (word[i] == '/' && i + 1 < len && word[i + 1] == '*')
            str_add_char(w->out, ' ');
    }
    if (at_start && *word == '+')
        str_add_char(w->out, '\'');
}

/* A paragraph, broken at blanks. */
static void put_paragraph(writer *w, const char *indent, const char *text, size_t len)
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

static void put_doc(writer *w, const char *indent, const char *doc)
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

/* Whether the structs of a list have the member @key, and it can tell them apart. */
static bool has_key(writer *w, const json_value *schema, const import_shape *list,
                    const json_value *key)
{
    const char *name;
    if (json_kind_of(key) != JSON_STRING || !list->holds_structs)
        return false;
    if (!list->record) { /* another header's: what the document says of it must do */
        schema = import_resolve(w->im, schema, "", &name);
        schema = import_resolve(w->im, json_get(schema, "items"), "", &name);
        return json_get(json_get(schema, "properties"), json_text(key)) != NULL;
    }
    for (size_t i = 0; i < list->record->fields.len; i++)
        if (strcmp(list->record->fields.items[i].json, json_text(key)) == 0)
            return list->record->fields.items[i].shape.is_scalar;
    return false;
}

static void put_list_markers(writer *w, const json_value *schema, const import_shape *list)
{
    const char *type =
        choice(schema, "x-kubernetes-list-type", marker_specs[MARKER_LIST_TYPE].choices);
    const json_value *keys = json_first(json_get(schema, "x-kubernetes-list-map-keys"));
    const json_value *patch_key = json_get(schema, "x-kubernetes-patch-merge-key");
    bool by_key = type && strcmp(type, "map") == 0;
    bool has_all = keys != NULL;
    for (const json_value *key = keys; key; key = json_next(key))
        has_all = has_all && has_key(w, schema, list, key);
    if (type && (!by_key || has_all))
        str_printf(w->out, "    // +listType=%s\n", type);
    for (const json_value *key = keys; key && by_key && has_all; key = json_next(key))
        str_printf(w->out, "    // +listMapKey=%s\n", json_text(key));
    if (has_key(w, schema, list, patch_key))
        str_printf(w->out, "    // +patchMergeKey=%s\n", json_text(patch_key));
}

static void put_merge_markers(writer *w, const json_value *schema, const import_shape *shape)
{
    static const char *const strategies[] = {
        "merge", "replace", "retainKeys", "merge,retainKeys", "replace,retainKeys", NULL};
    const char *map_type = map_type_of(schema);
    const char *strategy = choice(schema, "x-kubernetes-patch-strategy", strategies);
    if (shape->is_list)
        put_list_markers(w, schema, shape);
    if (map_type && (shape->is_map || shape->is_struct))
        str_printf(w->out, "    // +%s=%s\n", shape->is_map ? "mapType" : "structType", map_type);
    if (strategy && (shape->is_list || shape->is_map || shape->is_struct))
        str_printf(w->out, "    // +patchStrategy=%s\n", strategy);
}

static void put_bound(writer *w, const import_field *field, const json_value *schema,
                      const char *key, const char *exclusive, const char *name)
{
    const json_value *bound = json_get(schema, key);
    if (json_kind_of(bound) == JSON_NUMBER && !json_is_true(json_get(schema, exclusive)) &&
        (strstr(field->shape.c_type, "double") || literal_is_whole(json_text(bound))))
        str_printf(w->out, "    // +kubebuilder:validation:%s=%s\n", name, json_text(bound));
}

static void put_length(writer *w, const json_value *schema, const char *key, const char *name)
{
    const char *text = json_text(json_get(schema, key));
    if (text && *text && text[strspn(text, "0123456789")] == '\0')
        str_printf(w->out, "    // +kubebuilder:validation:%s=%s\n", name, text);
}

static void put_validation(writer *w, const import_field *field, const json_value *schema)
{
    const char *pattern = json_text(json_get(schema, "pattern"));
    if (field->shape.is_number) {
        put_bound(w, field, schema, "minimum", "exclusiveMinimum", "Minimum");
        put_bound(w, field, schema, "maximum", "exclusiveMaximum", "Maximum");
    }
    if (!field->shape.is_string)
        return;
    put_length(w, schema, "minLength", "MinLength");
    put_length(w, schema, "maxLength", "MaxLength");
    if (pattern && !strpbrk(pattern, "`\r\n") && !pattern_error(w->im->arena, pattern))
        str_printf(w->out, "    // +kubebuilder:validation:Pattern=`%s`\n", pattern);
}

static void put_markers(writer *w, const import_field *field)
{
    const char *name = NULL;
    const json_value *resolved = import_resolve(w->im, field->schema, "", &name);
    if (!field->is_required && !field->shape.can_be_absent && !field->shape.is_struct &&
        !field->is_metadata)
        str_add(w->out, "    // +optional\n");
    if (strcmp(names_json(w->im->arena, field->name), field->json) != 0)
        str_printf(w->out, "    // +json=%s\n", field->json);
    if (field->enum_prefix)
        str_printf(w->out, "    // +enum=%s\n", field->enum_prefix);
    if (is_interned(field))
        str_add(w->out, "    // +kubegen:intern\n");
    put_merge_markers(w, field->schema, &field->shape);
    put_validation(w, field, resolved);
}

/* ---- structs ------------------------------------------------------------------------------- */

/* On two lines where one would be too long. */
static void put_define(writer *w, const char *prefix, const import_value *value)
{
    size_t width =
        strlen("#define _ \"\"") + strlen(prefix) + strlen(value->define) + strlen(value->text);
    str_printf(w->out, "#define %s_%s%s\"%s\"\n", prefix, value->define,
               width > WIDTH ? " \\\n    " : " ", value->text);
}

static void put_defines(writer *w, const import_struct *record)
{
    for (size_t i = 0; i < record->fields.len; i++) {
        const import_field *field = &record->fields.items[i];
        for (size_t v = 0; field->enum_prefix && v < field->values.len; v++)
            put_define(w, field->enum_prefix, &field->values.items[v]);
        str_add(w->out, field->enum_prefix ? "\n" : "");
    }
}

static void put_verbs(writer *w, const import_struct *kind, bool has_status)
{
    const unsigned status = MODEL_UPDATE_STATUS | MODEL_APPLY_STATUS;
    const unsigned scale = MODEL_GET_SCALE | MODEL_UPDATE_SCALE; /* nothing says its paths */
    const unsigned all = MODEL_ALL_VERBS & ~scale;
    unsigned usual = has_status && kind->has_status_path ? all : all & ~status;
    unsigned missing = usual & ~kind->verbs;
    unsigned listed = usual & kind->verbs;
    unsigned count = 0;
    const char *separator = "=";
    if (!missing)
        return;
    if (!listed) {
        str_add(w->out, "// +genclient:noVerbs\n");
        return;
    }
    for (unsigned bits = listed; bits; bits &= bits - 1)
        count++;
    if (count > 3)
        listed = missing;
    str_add(w->out, count > 3 ? "// +genclient:skipVerbs" : "// +genclient:onlyVerbs");
    for (size_t i = 0; model_verb_names[i]; i++) {
        if (!(listed & 1U << i))
            continue;
        str_printf(w->out, "%s%s", separator, model_verb_names[i]);
        separator = ",";
    }
    str_add(w->out, "\n");
}

static void put_kind_markers(writer *w, const import_struct *kind)
{
    arena *in = w->im->arena;
    const char *lower = names_lower(in, kind->kind);
    const char *snake = kind->name + strlen(w->im->prefix) + 1;
    bool has_status = json_get(json_get(kind->schema, "properties"), "status") != NULL;
    str_add(w->out, "// +genclient\n");
    if (strcmp(names_kind(in, snake), kind->kind) != 0)
        str_printf(w->out, "// +kind=%s\n", kind->kind);
    if (!kind->namespaced)
        str_add(w->out, "// +genclient:nonNamespaced\n");
    if (has_status && !kind->has_status_path)
        str_add(w->out, "// +genclient:noStatus\n");
    put_verbs(w, kind, has_status);
    if (kind->plural && strcmp(kind->plural, names_plural(in, lower)) != 0)
        str_printf(w->out, "// +resourceName=%s\n", kind->plural);
    if (kind->plural && strcmp(kind->plural, lower) == 0)
        str_printf(w->out, "// +cPlural=%s_objects\n", snake);
    if (has_status && kind->has_status_path && kind->has_paths)
        str_add(w->out, "// +kubebuilder:subresource:status\n");
}

static void put_member(writer *w, const import_field *field)
{
    const import_shape *shape = &field->shape;
    const char *end = shape->c_type + strlen(shape->c_type) - 1;
    const char *between = shape->is_pointer ? " *" : *end == '*' ? "" : " ";
    size_t width = strlen("    ;") + strlen(shape->c_type) + strlen(between) + strlen(field->name);
    put_doc(w, "    ", field->doc);
    put_markers(w, field);
    if (width > WIDTH)
        between = shape->is_pointer ? "\n        *" : "\n        ";
    str_printf(w->out, "    %s%s%s;\n", shape->c_type, between, field->name);
}

static void put_containers(writer *w, const import_struct *record, bool is_forward)
{
    for (size_t i = 0; i < w->im->containers.len; i++) {
        const import_container *made = &w->im->containers.items[i];
        bool is_own = made->record && strcmp(made->element, made->record->name) == 0;
        if (made->record != record)
            continue;
        str_printf(w->out, "KUBE_%s_%s(%s);\n",
                   is_forward && made->is_map && is_own ? "FORWARD" : "DECLARE",
                   made->is_map ? "MAP" : "LIST", made->element);
    }
}

/* The entries of maps that were declared before their values. */
static void put_entries(writer *w, const import_struct *record)
{
    for (size_t i = 0; i < w->im->containers.len; i++) {
        const import_container *made = &w->im->containers.items[i];
        if (made->record == record && made->is_map && strcmp(made->element, record->name) == 0)
            str_printf(w->out, "KUBE_DECLARE_MAP_ENTRY(%s);\n", made->element);
    }
}

static void put_struct(writer *w, const import_struct *record)
{
    str_add_char(w->out, '\n');
    put_defines(w, record);
    put_doc(w, "", record->doc);
    if (map_type_of(record->schema))
        str_printf(w->out, "// +structType=%s\n", map_type_of(record->schema));
    if (record->kind)
        put_kind_markers(w, record);
    str_printf(w->out, "%sstruct %s {\n", record->recursive ? "" : "typedef ", record->name);
    if (record->kind)
        str_add(w->out, "    kube_object base;\n");
    for (size_t i = 0; i < record->fields.len; i++)
        put_member(w, &record->fields.items[i]);
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

/* `+enum=P` takes every #define that begins with P_, so no prefix may begin with another one. */
static void part_enums(importer *im)
{
    for (size_t i = 0; i < im->order.len; i++) {
        import_struct *record = im->order.items[i];
        for (size_t f = 0; f < record->fields.len; f++) {
            const char *prefix = record->fields.items[f].enum_prefix;
            bool clashes = false;
            for (size_t n = 0; prefix && n < im->order.len; n++)
                for (size_t m = 0; m < im->order.items[n]->fields.len; m++) {
                    const char *other = im->order.items[n]->fields.items[m].enum_prefix;
                    clashes |= other && other != prefix &&
                               str_has_prefix(other, arena_printf(im->arena, "%s_", prefix));
                }
            if (clashes)
                record->fields.items[f].enum_prefix = arena_printf(im->arena, "%s_VALUE", prefix);
        }
    }
}

static void put_title_of(writer *w, const import_struct *kind)
{
    str line = {0};
    str_add(&line, kind->kind);
    for (size_t i = 0; i < kind->subresources.len; i++)
        str_printf(&line, "%s%s", i ? ", " : ": subresources ", kind->subresources.items[i]);
    put_paragraph(w, "", str_text(&line), line.len);
    str_free(&line);
}

/* What is imported, and the subresources that it has. */
static void put_title(writer *w)
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

static void put_includes(writer *w)
{
    str_add(w->out, "\n");
    for (size_t i = 0; i < w->im->includes.len; i++)
        str_printf(w->out, "#include <%s>\n", w->im->includes.items[i]);
    str_add(w->out, "#include <kube/meta.h>\n");
}

static void put_forwards(writer *w)
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

void import_write(importer *im, str *out)
{
    writer w = {im, out};
    const char *guard = names_upper(im->arena, arena_printf(im->arena, "%s_types_h", im->prefix));
    text_list_sort(&im->includes);
    part_enums(im);
    put_title(&w);
    if (strcmp(im->options->group, im->group_dir) != 0)
        str_printf(out, "// +groupName=%s\n", im->options->group);
    if (strcmp(path_last(im->directory), im->options->version) != 0)
        str_printf(out, "// +versionName=%s\n", im->options->version);
    str_printf(out, "#ifndef %s\n#define %s\n", guard, guard);
    put_includes(&w);
    put_forwards(&w);
    for (size_t i = 0; i < im->order.len; i++)
        put_struct(&w, im->order.items[i]);
    str_printf(out, "\n#endif /* %s */\n", guard);
}
