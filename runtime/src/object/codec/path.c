/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks up paths: in structs by the tables, in raw JSON and extra members by their text. The value
 * is encoded, so it reads as it would be sent.
 */
#include "base/ascii.h"
#include "base/ctx.h"
#include "encode.h"
#include "object/json/raw.h"

typedef enum step_kind {
    STEP_NAME,   /* .name, or a name at the start */
    STEP_QUOTED, /* ['name']: a backslash takes the next character as it is */
    STEP_INDEX,  /* [0] */
    STEP_END,
    STEP_MALFORMED,
} step_kind;

typedef struct step {
    step_kind kind;
    const char *name;
    size_t len;
    size_t index;
} step;

static const char *read_quoted(const char *p, step *out)
{
    char quote = *p++;
    out->name = p;
    while (*p && *p != quote)
        p += *p == '\\' && p[1] ? 2 : 1;
    if (!*p)
        return NULL;
    out->len = (size_t)(p - out->name);
    out->kind = STEP_QUOTED;
    return p + 1;
}

static const char *read_index(const char *p, step *out)
{
    if (!kube__is_digit(*p))
        return NULL;
    for (out->index = 0; kube__is_digit(*p); p++) {
        if (out->index > UINT32_MAX)
            return NULL;
        out->index = out->index * 10 + (size_t)(*p - '0');
    }
    out->kind = STEP_INDEX;
    return p;
}

/* Reads the step at @p and returns what follows it. */
static const char *read_step(const char *p, bool is_first, step *out)
{
    if (!*p && !is_first) {
        out->kind = STEP_END;
        return p;
    }
    out->kind = STEP_MALFORMED;
    if (*p == '[') {
        const char *end =
            p[1] == '\'' || p[1] == '"' ? read_quoted(p + 1, out) : read_index(p + 1, out);
        if (end && *end == ']')
            return end + 1;
        out->kind = STEP_MALFORMED;
        return p;
    }
    if (!is_first && *p++ != '.')
        return p;
    out->len = strcspn(p, ".[]'\"");
    if (out->len == 0 || (p[out->len] && p[out->len] != '.' && p[out->len] != '['))
        return p;
    out->name = p;
    out->kind = STEP_NAME;
    return p + out->len;
}

static bool is_well_formed(const char *path)
{
    step s = {STEP_NAME, NULL, 0, 0};
    for (bool is_first = true; s.kind < STEP_END; is_first = false)
        path = read_step(path, is_first, &s);
    return s.kind == STEP_END;
}

static bool step_is(const step *s, const char *name, size_t len)
{
    if (s->kind == STEP_NAME)
        return s->len == len && memcmp(s->name, name, len) == 0;
    if (s->kind != STEP_QUOTED)
        return false;
    const char *p = s->name;
    const char *end = p + s->len;
    for (; p < end && len > 0; p++, name++, len--) {
        p += *p == '\\' && end - p > 1;
        if (*p != *name)
            return false;
    }
    return p == end && len == 0;
}

/* The same for a name as JSON text has it, escapes and all. */
static bool step_is_raw(const step *s, const char *name, size_t len)
{
    if (s->kind == STEP_INDEX || !memchr(name, '\\', len))
        return step_is(s, name, len);
    const char *end = name + len;
    const char *p = s->name;
    const char *p_end = p + s->len;
    while (name < end) {
        char text[8];
        size_t text_len = kube__raw_read_char(&name, end, text);
        for (size_t i = 0; i < text_len; i++, p++) {
            if (s->kind == STEP_QUOTED && p_end - p > 1 && *p == '\\')
                p++;
            if (p >= p_end || *p != text[i])
                return false;
        }
    }
    return p == p_end;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* Of several the last one counts. */
static bool find_member(kube_raw_json members, const step *s, kube_raw_json *out)
{
    const char *at = members.text;
    kube__member member;
    bool found = false;
    while (kube__raw_next_member(&at, members.text + members.len, &member)) {
        if (step_is_raw(s, member.key, member.key_len)) {
            out->text = member.value;
            out->len = member.value_len;
            found = true;
        }
    }
    return found;
}

static bool find_element(kube_raw_json elements, size_t index, kube_raw_json *out)
{
    const char *at = elements.text;
    const char *end = at + elements.len;
    for (size_t i = 0; kube__raw_next_element(&at, end, &out->text, &out->len); i++)
        if (i == index)
            return true;
    return false;
}

/* Follows the rest of a path from @raw, which becomes the value found. */
static bool follow_raw(const char *path, kube_raw_json *raw)
{
    kube_raw_json inside;
    step s;
    for (;;) {
        path = read_step(path, false, &s);
        if (s.kind == STEP_END)
            return true;
        if (s.kind == STEP_INDEX) {
            if (!kube__raw_inside(raw->text, raw->len, '[', &inside.text, &inside.len) ||
                !find_element(inside, s.index, raw))
                return false;
        } else {
            if (!kube__raw_inside(raw->text, raw->len, '{', &inside.text, &inside.len) ||
                !find_member(inside, &s, raw))
                return false;
        }
    }
}

/* ---- typed values -------------------------------------------------------------------------- */

typedef struct place {
    unsigned kind;
    const kube_schema *sub;
    const char *at;
    kube_raw_json raw; /* when .text is set the value is this text */
} place;

static bool enter_field(place *p, const kube_schema *schema, const step *s)
{
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        if (!step_is(s, kube__field_key(schema, field) + 1, (size_t)field->key_len - 3))
            continue;
        p->at += field->offset;
        p->kind = field->kind;
        p->sub = kube__field_sub(schema, field);
        return kube__value_is_present(p->kind, field->flags, p->sub, p->at);
    }
    kube__span extra = kube__load_extra(schema, p->at);
    kube_raw_json members = {extra.items, extra.len};
    return extra.len > 0 && kube__raw_is_members(members.text, members.len, KUBE__RAW_DEPTH) &&
           find_member(members, s, &p->raw);
}

static bool enter_items(place *p, const step *s)
{
    const kube_schema *schema = p->sub;
    kube__span span = kube__load_span(p->at);
    p->kind = schema->element_kind;
    p->sub = kube__element_sub(schema);
    if (schema->kind == KUBE_KIND_LIST) {
        if (s->kind != STEP_INDEX || s->index >= span.len)
            return false;
        p->at = span.items + s->index * schema->size;
        return kube__value_is_present(p->kind, 0, p->sub, p->at);
    }
    for (size_t i = 0; i < span.len; i++) {
        p->at = span.items + i * schema->size;
        const char *key = kube__entry_key(p->at);
        if (key && step_is(s, key, strlen(key))) {
            p->at += KUBE__MAP_VALUE_OFFSET;
            return kube__value_is_present(p->kind, 0, p->sub, p->at);
        }
    }
    return false;
}

static bool enter(place *p, const step *s)
{
    switch (p->kind) {
    case KUBE_KIND_STRUCT_PTR:
        p->at = kube__load_pointer(p->at);
        return enter_field(p, p->sub, s);
    case KUBE_KIND_STRUCT:
        return enter_field(p, p->sub, s);
    case KUBE_KIND_LIST:
    case KUBE_KIND_MAP:
    case KUBE_KIND_STRING_LIST:
    case KUBE_KIND_STRING_MAP:
        return enter_items(p, s);
    default:
        return false;
    }
}

/* Follows @path from the root; false when there is nothing. */
static bool follow(const char *path, place *p)
{
    step s;
    for (bool is_first = true;; is_first = false) {
        const char *rest = read_step(path, is_first, &s);
        if (s.kind == STEP_END)
            return true;
        if (p->kind == KUBE_KIND_RAW_JSON) {
            kube__span raw = kube__load_span(p->at);
            p->raw = (kube_raw_json){raw.items, raw.len};
            if (!kube__raw_is_value(raw.items, raw.len, KUBE__RAW_DEPTH))
                return false;
            return follow_raw(path, &p->raw);
        }
        if (!enter(p, &s))
            return false;
        if (p->raw.text)
            return follow_raw(rest, &p->raw);
        path = rest;
    }
}

/* apiVersion and kind are the type's, not members of the struct. */
static const char *type_member(const kube_type *type, const char *path)
{
    step name;
    step end;
    const char *rest = read_step(path, true, &name);
    read_step(rest, false, &end);
    if (end.kind != STEP_END)
        return NULL;
    if (step_is(&name, "apiVersion", 10))
        return type->api_version;
    return step_is(&name, "kind", 4) ? type->kind : NULL;
}

/* ---- results ------------------------------------------------------------------------------- */

static const char *copy_text(kube_ctx *ctx, const char *json, size_t len)
{
    if (len < 2 || json[0] != '"')
        return kube_ctx_strndup(ctx, json, len);
    char *text = kube_ctx_alloc(ctx, len); /* no escape is shorter than what it stands for */
    if (!text)
        return NULL;
    const char *p = json + 1;
    const char *end = json + len - 1;
    size_t used = 0;
    while (p < end) {
        char c[8];
        size_t c_len = kube__raw_read_char(&p, end, c);
        memcpy(text + used, c, c_len);
        used += c_len;
    }
    return text;
}

static kube_code copy_value(kube_ctx *ctx, const char *path, const place *p, const char **text,
                            kube_error *err)
{
    kube__encoder e;
    kube_code rc = KUBE_OK;
    if (p->raw.text) {
        *text = copy_text(ctx, p->raw.text, p->raw.len);
        goto out;
    }
    kube__encoder_init(&e, KUBE_ENCODE_PLAIN);
    if (kube__encode_value(&e, p->kind, p->sub, p->at, KUBE__MAX_DEPTH)) {
        *text = copy_text(ctx, e.w.start, kube__writer_len(&e.w));
    } else {
        kube__fault_in_path(&e, path);
        rc = kube__encoder_error(&e, err);
    }
    kube__encoder_fini(&e);
out:
    return rc ? rc : kube__ctx_check(ctx, err);
}

kube_code kube_path_get(kube_ctx *ctx, const kube_type *type, const kube_object *object,
                        const char *path, const char **text, kube_error *err)
{
    place p = {.kind = KUBE_KIND_STRUCT, .sub = type->schema, .at = (const char *)object};
    *text = NULL;
    if (kube_ctx_failed(ctx))
        return kube__ctx_check(ctx, err);
    if (!is_well_formed(path))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "malformed path %s", path);
    if (!object)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "cannot look up a path: there is no %s",
                              type->singular);
    const char *constant = type_member(type, path);
    if (constant) {
        *text = kube_ctx_strdup(ctx, constant);
        return kube__ctx_check(ctx, err);
    }
    if (!follow(path, &p))
        return kube_error_set(err, KUBE_ERR_NOT_FOUND, "%s has no %s", type->singular, path);
    return copy_value(ctx, path, &p, text, err);
}
