/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "scalar.h"
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    MAX_DEPTH = 200,
    MAX_COPIED = 1 << 20, /* nodes of aliases: a small text can ask for many */
    MAX_TAGS = 100,       /* %TAG lines of a document: libyaml compares each with all others */
    PIECE = 1 << 10,      /* bytes of the text that libyaml gets at once */
};

typedef struct anchor {
    const char *name;
    const kube__json *value;
} anchor;

static bool is_named(const void *item, const void *name)
{
    return strcmp(((const anchor *)item)->name, name) == 0;
}

/* Where a value stands, for the path of a repeated key. */
typedef struct place {
    const struct place *parent;
    const char *key; /* NULL = element @index of a list */
    size_t index;
    int depth;
} place;

struct kube__api_yaml {
    yaml_parser_t parser;
    const char *text; /* that the parser has not read yet */
    size_t len;
    bool ended;
    bool has_many_tags;
    /* of the document at hand */
    kube_ctx *ctx;
    const char **fault;
    kube__json_duplicate *duplicate;
    void *arg;
    kube__api_table anchors; /* the latest of each name */
    size_t copied;
};

/* ---- faults --------------------------------------------------------------------------------- */

KUBE_PRINTF(3, 4)
static kube__json *fail_at(kube__api_yaml *yaml, size_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *what = kube__api_vtext(yaml->ctx, format, args);
    va_end(args);
    if (yaml->fault && !*yaml->fault && what)
        *yaml->fault = kube__api_text(yaml->ctx, "yaml: line %zu: %s", line + 1, what);
    yaml->ended = true;
    return NULL;
}

static void refuse_tags(kube__api_yaml *yaml, size_t line)
{
    fail_at(yaml, line, "a document has at most %d %%TAG directives", MAX_TAGS);
}

/* False at a fault. Otherwise @event is to be deleted. */
static bool next_event(kube__api_yaml *yaml, yaml_event_t *event)
{
    const yaml_parser_t *parser = &yaml->parser;
    if (yaml_parser_parse(&yaml->parser, event))
        return true;
    if (yaml->has_many_tags)
        refuse_tags(yaml, parser->mark.line);
    else if (parser->error == YAML_MEMORY_ERROR)
        kube__ctx_fail(yaml->ctx, 0);
    else
        fail_at(yaml, parser->problem_mark.line, "%s",
                parser->problem ? parser->problem : "control characters are not allowed");
    return false;
}

/* ---- aliases -------------------------------------------------------------------------------- */

static void set_anchor(kube__api_yaml *yaml, const yaml_char_t *name, const kube__json *value)
{
    if (!name)
        return;
    uint64_t hash = kube__hash_text(0, (const char *)name);
    anchor *a = kube__api_table_find(&yaml->anchors, hash, is_named, name);
    if (!a) {
        a = kube_ctx_alloc(yaml->ctx, sizeof *a);
        char *copy = kube_ctx_strdup(yaml->ctx, (const char *)name);
        if (!a || !copy)
            return;
        a->name = copy;
        kube__api_table_add(&yaml->anchors, hash, a);
    }
    a->value = value;
}

/* Counts the nodes of a value that stands at @depth; *@deepest grows to where the last one is. */
static size_t count_nodes(const kube__json *value, int depth, int *deepest)
{
    size_t count = 1;
    if (depth > *deepest)
        *deepest = depth;
    if (kube__json_is(value, KUBE__JSON_ARRAY) || kube__json_is(value, KUBE__JSON_OBJECT))
        KUBE__JSON_EACH (child, value)
            count += count_nodes(child, depth + 1, deepest);
    return count;
}

static kube__json *too_deep(kube__api_yaml *yaml, size_t line)
{
    return fail_at(yaml, line, "nested deeper than %d", MAX_DEPTH);
}

static kube__json *read_alias(kube__api_yaml *yaml, const yaml_event_t *event, const place *at)
{
    const char *name = (const char *)event->data.alias.anchor;
    size_t line = event->start_mark.line;
    const anchor *a =
        kube__api_table_find(&yaml->anchors, kube__hash_text(0, name), is_named, name);
    int deepest = 0;
    if (!a)
        return fail_at(yaml, line, "unknown anchor '%s' referenced", name);
    yaml->copied += count_nodes(a->value, at->depth, &deepest);
    if (deepest > MAX_DEPTH)
        return too_deep(yaml, line);
    if (yaml->copied > MAX_COPIED)
        return fail_at(yaml, line, "document contains excessive aliasing");
    return kube__json_copy(yaml->ctx, a->value);
}

/* ---- values --------------------------------------------------------------------------------- */

static bool has_tag(const yaml_event_t *event, const char *tag)
{
    return event->data.scalar.tag && strcmp((const char *)event->data.scalar.tag, tag) == 0;
}

static kube__json *read_scalar(kube__api_yaml *yaml, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t len = event->data.scalar.length;
    size_t line = event->start_mark.line;
    bool plain = event->data.scalar.plain_implicit;
    kube__json *value;
    if (memchr(text, '\0', len))
        return fail_at(yaml, line, "a string cannot hold U+0000");
    if (has_tag(event, YAML_INT_TAG) || has_tag(event, YAML_FLOAT_TAG) ||
        has_tag(event, YAML_BOOL_TAG) || has_tag(event, YAML_NULL_TAG))
        plain = true;
    else if (event->data.scalar.tag && !has_tag(event, YAML_STR_TAG) && !has_tag(event, "!"))
        return fail_at(yaml, line, "tag %s has no meaning in JSON", event->data.scalar.tag);
    if (!plain)
        return kube__json_string_len(yaml->ctx, text, len);
    value = kube__api_plain_scalar(yaml->ctx, text, len);
    if (!value && !kube_ctx_failed(yaml->ctx))
        return fail_at(yaml, line, "JSON has no number %s", text);
    return value;
}

static kube__json *read_value(kube__api_yaml *yaml, const yaml_event_t *event, const place *at);

static kube__json *read_sequence(kube__api_yaml *yaml, kube__json *array, const place *at)
{
    place here = {.parent = at, .depth = at->depth + 1};
    yaml_event_t event;
    for (;; here.index++) {
        if (!next_event(yaml, &event))
            return NULL;
        bool ended = event.type == YAML_SEQUENCE_END_EVENT;
        kube__json *item = ended ? NULL : read_value(yaml, &event, &here);
        yaml_event_delete(&event);
        if (ended)
            return array;
        if (!item)
            return NULL;
        kube__json_append(array, item);
    }
}

/* A key as text: JSON has no others. Returns NULL if it is no scalar or if out of memory. */
static const char *key_text(kube__api_yaml *yaml, const kube__json *key, size_t line)
{
    if (!key)
        return NULL;
    switch (key->kind) {
    case KUBE__JSON_STRING:
    case KUBE__JSON_NUMBER:
        return key->text;
    case KUBE__JSON_BOOL:
        return key->boolean ? "true" : "false";
    default:
        fail_at(yaml, line, "a key is a scalar that is not null");
        return NULL;
    }
}

/* "spec.ports[0]"; "" for the document itself. */
static const char *path_of(kube_ctx *ctx, const place *at)
{
    if (!at->parent)
        return "";
    const char *above = path_of(ctx, at->parent);
    if (!at->key)
        return kube__api_text(ctx, "%s[%zu]", above, at->index);
    return kube__api_text(ctx, "%s%s%s", above, *above ? "." : "", at->key);
}

static void tell_duplicate(kube__api_yaml *yaml, const place *at, const char *key)
{
    const char *path = yaml->duplicate ? path_of(yaml->ctx, at) : NULL;
    if (path)
        yaml->duplicate(yaml->arg, path, key);
}

static bool no_map(kube__api_yaml *yaml, size_t line)
{
    fail_at(yaml, line, "map merge requires map or sequence of maps as the value");
    return false;
}

static bool merge_map(kube__api_yaml *yaml, kube__json *object, const kube__json *from, size_t line)
{
    if (!kube__json_is(from, KUBE__JSON_OBJECT))
        return no_map(yaml, line);
    KUBE__JSON_EACH (member, from) {
        kube__json_set(yaml->ctx, object, member->key, kube__json_copy(yaml->ctx, member));
    }
    return true;
}

/* "<<": as go-yaml has it, members take the place of those above them; of several maps, those of
 * the first win. */
static bool merge(kube__api_yaml *yaml, kube__json *object, const kube__json *from, size_t line)
{
    if (!kube__json_is(from, KUBE__JSON_ARRAY))
        return merge_map(yaml, object, from, line);
    for (const kube__json *one = from->last; one; one = one->previous)
        if (!merge_map(yaml, object, one, line))
            return false;
    return true;
}

/* Reads the value that follows @key, and sets or merges it. */
static bool read_member(kube__api_yaml *yaml, kube__json *object, const char *key, bool is_merge,
                        const place *at)
{
    place here = {.parent = at, .key = key, .depth = at->depth + 1};
    yaml_event_t event;
    if (!next_event(yaml, &event))
        return false;
    size_t line = event.start_mark.line;
    kube__json *value = read_value(yaml, &event, &here);
    yaml_event_delete(&event);
    if (!value)
        return false;
    if (is_merge)
        return merge(yaml, object, value, line);
    if (kube__json_get(object, key))
        tell_duplicate(yaml, at, key);
    kube__json_set(yaml->ctx, object, key, value);
    return true;
}

static bool is_merge_key(const yaml_event_t *event)
{
    return event->type == YAML_SCALAR_EVENT && event->data.scalar.plain_implicit &&
           strcmp((const char *)event->data.scalar.value, "<<") == 0;
}

static kube__json *read_mapping(kube__api_yaml *yaml, kube__json *object, const place *at)
{
    /* A key may be a collection in YAML, so it counts as one level. */
    const place below = {.parent = at, .key = "", .depth = at->depth + 1};
    yaml_event_t event;
    for (;;) {
        if (!next_event(yaml, &event))
            return NULL;
        bool ended = event.type == YAML_MAPPING_END_EVENT;
        bool merges = is_merge_key(&event);
        size_t line = event.start_mark.line;
        const char *key = ended ? NULL : key_text(yaml, read_value(yaml, &event, &below), line);
        yaml_event_delete(&event);
        if (ended)
            return object;
        if (!key || !read_member(yaml, object, key, merges, at))
            return NULL;
    }
}

static kube__json *read_value(kube__api_yaml *yaml, const yaml_event_t *event, const place *at)
{
    size_t line = event->start_mark.line;
    kube__json *value;
    if (at->depth > MAX_DEPTH)
        return too_deep(yaml, line);
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return read_alias(yaml, event, at);
    case YAML_SCALAR_EVENT:
        value = read_scalar(yaml, event);
        set_anchor(yaml, event->data.scalar.anchor, value);
        return value;
    case YAML_SEQUENCE_START_EVENT:
        value = kube__json_array(yaml->ctx);
        value = value ? read_sequence(yaml, value, at) : NULL;
        set_anchor(yaml, event->data.sequence_start.anchor, value);
        return value;
    case YAML_MAPPING_START_EVENT:
        value = kube__json_object(yaml->ctx);
        value = value ? read_mapping(yaml, value, at) : NULL;
        set_anchor(yaml, event->data.mapping_start.anchor, value);
        return value;
    default:
        return fail_at(yaml, line, "a value was expected");
    }
}

/* ---- documents ------------------------------------------------------------------------------ */

/* libyaml asks for more. While it reads a document's directives it returns to us only so: it gets
 * so little at once that it cannot read many more than are allowed. */
static int give_piece(void *arg, unsigned char *out, size_t size, size_t *given)
{
    kube__api_yaml *yaml = arg;
    const yaml_parser_t *parser = &yaml->parser;
    size_t len = yaml->len < size ? yaml->len : size;
    yaml->has_many_tags = parser->tag_directives.top - parser->tag_directives.start > MAX_TAGS + 2;
    if (len > PIECE)
        len = PIECE;
    if (len)
        memcpy(out, yaml->text, len);
    yaml->text += len;
    yaml->len -= len;
    *given = len;
    return !yaml->has_many_tags;
}

kube__api_yaml *kube__api_yaml_new(const char *text, size_t len)
{
    kube__api_yaml *yaml = calloc(1, sizeof *yaml);
    if (!yaml)
        return NULL;
    if (!yaml_parser_initialize(&yaml->parser)) {
        free(yaml);
        return NULL;
    }
    yaml->text = text;
    yaml->len = len;
    yaml_parser_set_input(&yaml->parser, give_piece, yaml);
    return yaml;
}

void kube__api_yaml_free(kube__api_yaml *yaml)
{
    if (!yaml)
        return;
    yaml_parser_delete(&yaml->parser);
    free(yaml);
}

/* Skips to the next document's beginning; false at the end. */
static bool find_document(kube__api_yaml *yaml)
{
    while (!yaml->ended) {
        yaml_event_t event;
        if (!next_event(yaml, &event))
            break;
        yaml_event_type_t type = event.type;
        size_t line = event.start_mark.line;
        bool has_many_tags = type == YAML_DOCUMENT_START_EVENT &&
                             event.data.document_start.tag_directives.end -
                                     event.data.document_start.tag_directives.start >
                                 MAX_TAGS;
        yaml_event_delete(&event);
        if (has_many_tags)
            refuse_tags(yaml, line);
        else if (type == YAML_DOCUMENT_START_EVENT)
            return true;
        yaml->ended = type == YAML_STREAM_END_EVENT;
    }
    yaml->ended = true;
    return false;
}

kube__json *kube__api_yaml_next(kube__api_yaml *yaml, kube_ctx *ctx, size_t *line,
                                const char **fault, kube__json_duplicate *duplicate, void *arg)
{
    const place root = {0};
    yaml_event_t event;
    yaml->ctx = ctx;
    yaml->fault = fault;
    yaml->duplicate = duplicate;
    yaml->arg = arg;
    yaml->anchors = (kube__api_table){.ctx = ctx};
    yaml->copied = 0;
    if (fault)
        *fault = NULL;
    if (!find_document(yaml) || !next_event(yaml, &event))
        return NULL;
    *line = event.start_mark.line + 1;
    kube__json *value = read_value(yaml, &event, &root);
    yaml_event_delete(&event);
    return value;
}

kube__json *kube__api_yaml_parse(kube_ctx *ctx, const char *text, size_t len, const char **fault,
                                 kube__json_duplicate *duplicate, void *arg)
{
    kube__api_yaml *yaml = kube__api_yaml_new(text, len);
    const char *why = NULL;
    kube__json *value = NULL;
    size_t line;
    if (yaml)
        value = kube__api_yaml_next(yaml, ctx, &line, &why, duplicate, arg);
    else
        kube__ctx_fail(ctx, 0);
    if (!value && !why && !kube_ctx_failed(ctx))
        value = kube__json_null(ctx);
    if (fault)
        *fault = why;
    kube__api_yaml_free(yaml);
    return value;
}
