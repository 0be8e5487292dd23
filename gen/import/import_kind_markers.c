/* SPDX-License-Identifier: Apache-2.0 */
#include "import_kind_markers.h"

#include "crd/crd_check.h"
#include "crd_read.h"
#include "front/markers.h"
#include "front/names.h"
#include "import_schema.h"

#include <string.h>

/* Returns NULL also for a text that no marker can say: one with hidden characters. */
static const char *text_of(const json_value *object, const char *key)
{
    const json_value *value = json_get(object, key);
    bool is_text = json_kind_of(value) == JSON_STRING || json_kind_of(value) == JSON_NUMBER;
    return is_text && import_can_quote(json_text(value)) ? json_text(value) : NULL;
}

/* Returns what a column says under @key, or NULL if it is no word that the marker takes there. */
static const char *word_of(const json_value *column, const char *key)
{
    const marker_arg_spec *arg = marker_specs[MARKER_PRINT_COLUMN].args;
    const char *text = text_of(column, key);
    while (strcmp(arg->name, key) != 0)
        arg++;
    return text && str_is_one_of(text, arg->choices) ? text : NULL;
}

/* Leaves out what no server takes as a name. */
static void put_names(str *out, const char *name, const json_value *list)
{
    bool is_first = true;
    for (const json_value *at = json_first(list); at; at = json_next(at)) {
        if (json_kind_of(at) != JSON_STRING || !names_is_label(json_text(at)))
            continue;
        if (is_first)
            str_printf(out, "%s%s=", out->len ? "," : "", name);
        str_printf(out, "%s%s", is_first ? "" : ";", json_text(at));
        is_first = false;
    }
}

static void put_args(import_writer *w, const char *name, str *args)
{
    if (args->len)
        import_put_marker(w, "", "%s:%s", name, str_text(args));
    str_free(args);
}

static void put_names_of(import_writer *w, const import_struct *kind)
{
    arena *in = w->im->arena;
    const json_value *names = json_get(kind->crd->spec, "names");
    const char *lower = names_lower(in, kind->kind);
    const char *singular = text_of(names, "singular");
    str args = {0};
    if (strcmp(kind->crd->plural, names_plural(in, lower)) != 0)
        import_put_marker(w, "", "resourceName=%s", kind->crd->plural);
    if (kind->c_plural)
        import_put_marker(w, "", "cPlural=%s", kind->c_plural);
    if (singular && strcmp(singular, lower) != 0 && names_is_label(singular))
        import_put_arg(&args, "singular", singular, false);
    put_names(&args, "shortName", json_get(names, "shortNames"));
    put_names(&args, "categories", json_get(names, "categories"));
    put_args(w, "kubebuilder:resource", &args);
}

/*
 * Those that say something to a server, and not to the program that wrote the document. What a
 * server does not take is a template of a chart that was not filled in.
 */
static void put_metadata(import_writer *w, const import_struct *kind, const char *key)
{
    static const char *const left[] = {"controller-gen.kubebuilder.io/version",
                                       "kubectl.kubernetes.io/last-applied-configuration", NULL};
    const json_value *at = json_first(json_get(kind->crd->metadata, key));
    for (; at; at = json_next(at)) {
        str args = {0};
        str pair = {0};
        if (json_kind_of(at) != JSON_STRING || str_is_one_of(json_key(at), left) ||
            !crd_is_label_key(json_key(at)) || !import_can_quote(json_text(at)) ||
            (strcmp(key, "labels") == 0 && !crd_is_label_value(json_text(at))))
            continue;
        str_printf(&pair, "%s=%s", json_key(at), json_text(at));
        import_put_arg(&args, key, str_text(&pair), true);
        put_args(w, "kubebuilder:metadata", &args);
        str_free(&pair);
    }
}

/* Whether a path such as .spec.ports[0].name leads to what the schema names, as far as it can be
 * seen; `generate` refuses the others. */
static bool leads_somewhere(const json_value *root, const char *path)
{
    const json_value *schema = root;
    if (strstr(path, "[\"")) /* names need single quotes there */
        return false;
    while (*path && !strpbrk(path, "\\?*'\"") && strncmp(path, ".metadata", 9) != 0) {
        size_t len = strcspn(path + 1, ".[");
        const json_value *properties = json_get(schema, "properties");
        const json_value *inner = json_get(schema, "items");
        const char *type = text_of(schema, "type");
        if (*path == '[' && !inner)
            return !type || strcmp(type, "array") == 0;
        if (*path == '.' && !json_first(properties))
            return schema != root && (!type || strcmp(type, "object") == 0);
        for (const json_value *at = json_first(properties); at; at = json_next(at))
            if (*path == '.' && strlen(json_key(at)) == len &&
                strncmp(json_key(at), path + 1, len) == 0)
                inner = at;
        if (!inner || json_kind_of(inner) != JSON_OBJECT)
            return false;
        schema = inner;
        path += 1 + len;
    }
    return true;
}

/* Whether a path of members below one of @roots leads to what a scale needs, as `generate` sees it:
 * it may be in a map, or in what the schema leaves open. */
static bool is_scale_path(arena *in, const import_struct *kind, const char *path,
                          const char *const *roots, bool is_number)
{
    const json_value *schema = kind->crd->schema;
    const char *root = path && *path == '.' ? strchr(path + 1, '.') : NULL;
    const char *type;
    if (!root || !str_is_one_of(arena_strndup(in, path + 1, (size_t)(root - path - 1)), roots))
        return false;
    if (str_has_prefix(path, ".status.") && !json_get(json_get(schema, "properties"), "status"))
        return json_get(json_get(kind->schema, "properties"), "status") !=
               NULL; /* then it is open */
    while (*path) {
        size_t len = strcspn(path + 1, ".");
        bool is_struct = import_properties(schema) != NULL;
        const json_value *values = json_get(schema, "additionalProperties");
        const json_value *part =
            json_get(json_get(schema, "properties"), arena_strndup(in, path + 1, len));
        bool is_map = !is_struct && json_kind_of(values) == JSON_OBJECT && json_first(values);
        type = text_of(schema, "type");
        if (!part && json_is_true(json_get(schema, "x-kubernetes-preserve-unknown-fields")))
            return true;
        if (!is_struct && !is_map)
            return !type || strcmp(type, "object") == 0;
        schema = is_map ? values : part;
        if (!schema || !len)
            return false;
        path += 1 + len;
    }
    type = text_of(schema, "type");
    if (!type)
        return !json_is_true(json_get(schema, "x-kubernetes-int-or-string")) &&
               !import_properties(schema);
    return is_number ? strcmp(type, "integer") == 0 || strcmp(type, "number") == 0
                     : strcmp(type, "string") == 0 && !text_of(schema, "format");
}

/* Notes what the markers cannot say, for the import's warning. */
__attribute__((format(printf, 2, 3))) static void lose(import_writer *w, const char *format, ...)
{
    va_list args;
    str *lost = &w->im->lost;
    va_start(args, format);
    str_add(lost, lost->len ? ", " : "");
    str_vprintf(lost, format, args);
    va_end(args);
}

static bool is_path(const import_struct *kind, const json_value *object, const char *key)
{
    const char *path = text_of(object, key);
    return path && leads_somewhere(kind->crd->schema, path);
}

static void put_scale(import_writer *w, const import_struct *kind, const json_value *scale)
{
    static const char *const in_spec[] = {"spec", NULL};
    static const char *const in_status[] = {"status", NULL};
    static const char *const in_both[] = {"spec", "status", NULL};
    arena *in = w->im->arena;
    const char *spec = text_of(scale, "specReplicasPath");
    const char *status = text_of(scale, "statusReplicasPath");
    const char *selector = text_of(scale, "labelSelectorPath");
    str args = {0};
    if (!is_scale_path(in, kind, spec, in_spec, true) ||
        !is_scale_path(in, kind, status, in_status, true)) {
        lose(w, "the scale subresource (no number is at '%s' or at '%s')", spec ? spec : "",
             status ? status : "");
        return;
    }
    if (selector && !is_scale_path(in, kind, selector, in_both, false)) {
        lose(w, "the selector of the scale subresource (no string is at '%s')", selector);
        selector = NULL;
    }
    import_put_arg(&args, "specpath", spec, true);
    import_put_arg(&args, "statuspath", status, true);
    import_put_arg(&args, "selectorpath", selector, true);
    put_args(w, "kubebuilder:subresource:scale", &args);
}

static void put_subresources(import_writer *w, const import_struct *kind)
{
    const json_value *parts = json_get(kind->crd->node, "subresources");
    const json_value *scale = json_get(parts, "scale");
    bool has_status = json_get(json_get(kind->schema, "properties"), "status") != NULL;
    if (json_get(parts, "status"))
        import_put_marker(w, "", "kubebuilder:subresource:status");
    else if (has_status)
        import_put_marker(w, "", "genclient:noStatus");
    if (scale)
        put_scale(w, kind, scale);
}

static void put_columns(import_writer *w, const import_struct *kind)
{
    const json_value *at = json_first(json_get(kind->crd->node, "additionalPrinterColumns"));
    for (; at; at = json_next(at)) {
        const json_value *priority = json_get(at, "priority");
        const char *type = word_of(at, "type");
        str args = {0};
        if (!text_of(at, "name") || !type || !is_path(kind, at, "jsonPath")) {
            lose(w, "the column '%s'", text_of(at, "name") ? text_of(at, "name") : "");
            continue;
        }
        import_put_arg(&args, "name", text_of(at, "name"), true);
        import_put_arg(&args, "type", type, false);
        import_put_arg(&args, "JSONPath", text_of(at, "jsonPath"), true);
        import_put_arg(&args, "format", word_of(at, "format"), true);
        if (json_kind_of(priority) == JSON_NUMBER && strcmp(json_text(priority), "0") != 0)
            import_put_arg(&args, "priority", json_text(priority), false);
        import_put_arg(&args, "description", text_of(at, "description"), true);
        put_args(w, "kubebuilder:printcolumn", &args);
    }
    at = json_first(json_get(kind->crd->node, "selectableFields"));
    for (; at; at = json_next(at)) {
        str args = {0};
        import_put_arg(&args, "JSONPath", text_of(at, "jsonPath"), true);
        put_args(w, "kubebuilder:selectablefield", &args);
    }
}

static void put_version(import_writer *w, const import_struct *kind)
{
    const json_value *node = kind->crd->node;
    const char *warning = text_of(node, "deprecationWarning");
    str args = {0};
    if (json_is_true(json_get(node, "storage")) &&
        json_next(json_first(json_get(kind->crd->spec, "versions"))))
        import_put_marker(w, "", "kubebuilder:storageversion");
    if (!json_is_true(json_get(node, "served")))
        import_put_marker(w, "", "kubebuilder:unservedversion");
    import_put_arg(&args, "warning", warning, true);
    if (json_is_true(json_get(node, "deprecated")))
        import_put_marker(w, "", "kubebuilder:deprecatedversion%s%s", warning ? ":" : "",
                          str_text(&args));
    str_free(&args);
}

void import_put_crd_markers(import_writer *w, const import_struct *kind)
{
    const char *snake = kind->name + strlen(w->im->prefix) + 1;
    import_put_marker(w, "", "genclient");
    if (strcmp(names_kind(w->im->arena, snake), kind->kind) != 0)
        import_put_marker(w, "", "kind=%s", kind->kind);
    if (!kind->crd->namespaced)
        import_put_marker(w, "", "genclient:nonNamespaced");
    put_names_of(w, kind);
    put_metadata(w, kind, "annotations");
    put_metadata(w, kind, "labels");
    put_version(w, kind);
    put_subresources(w, kind);
    put_columns(w, kind);
}
