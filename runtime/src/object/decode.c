/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"

#include "base64.h"
#include "frame.h"
#include "value.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DUPLICATES = 64 }; /* in an object: each costs a walk over what has been read */

static kube__lex no_room(kube__decoder *d)
{
    if (!d->builder.too_large)
        return KUBE__LEX_NO_MEMORY;
    return kube__lex_refuse(&d->lexer, d->lexer.p, "object too large in memory");
}

/* ---- scalars: p is at the value, which is not null -------------------------------------------- */

/* The string at p as text behind the builder's, which is not advanced. */
static inline kube__lex read_text(kube__decoder *d, uint32_t *len, const char *what)
{
    *len = 0;
    if (KUBE__UNLIKELY(*d->lexer.p != '"'))
        return kube__lex_unexpected(&d->lexer, what);
    return kube__lex_string(&d->lexer, d->builder.text + d->builder.text_len, len);
}

/* Makes the word at @slot point at the @len bytes of text behind the builder's. */
static inline kube__lex keep_text(kube__decoder *d, kube__slot slot, uint32_t len)
{
    if (KUBE__UNLIKELY(!kube__builder_point_at_text(&d->builder, slot, d->builder.text_len)))
        return no_room(d);
    d->builder.text_len += len + 1;
    return KUBE__LEX_OK;
}

/* The same through the pool; @interned (may be NULL) gets its copy, or NULL when it has none. */
static inline kube__lex share_text(kube__decoder *d, kube__slot slot, uint32_t len,
                                   const char **interned)
{
    const char *shared =
        kube__pool_intern(d->pool, d->builder.text + d->builder.text_len, len);
    *interned = shared;
    if (KUBE__UNLIKELY(!shared))
        return keep_text(d, slot, len);
    d->pool_used = true;
    kube__builder_set_pointer(&d->builder, slot, shared);
    return KUBE__LEX_OK;
}

static inline kube__lex decode_string(kube__decoder *d, unsigned flags, kube__slot slot)
{
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a string");
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    const char *unused;
    if (flags & KUBE_FIELD_INTERN && d->pool)
        return share_text(d, slot, len, &unused);
    return keep_text(d, slot, len);
}

static kube__lex decode_int32(kube__decoder *d, int32_t *out)
{
    const char *start = d->lexer.p;
    int64_t value = 0;
    kube__lex got = kube__lex_int64(&d->lexer, &value);
    if (got)
        return got;
    if (value < INT32_MIN || value > INT32_MAX)
        return kube__lex_refuse(&d->lexer, start, "integer does not fit in 32 bits");
    *out = (int32_t)value;
    return KUBE__LEX_OK;
}

static kube__lex decode_time(kube__decoder *d, char *at)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a string");
    if (got)
        return got;
    kube_time time;
    if (!kube_time_parse(d->builder.text + d->builder.text_len, len, &time))
        return kube__lex_refuse(&d->lexer, start, "not an RFC 3339 time");
    memcpy(at, &time, sizeof time);
    return KUBE__LEX_OK;
}

static kube__lex decode_micro_time(kube__decoder *d, char *at)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a string");
    if (got)
        return got;
    kube_micro_time time;
    if (!kube_micro_time_parse(d->builder.text + d->builder.text_len, len, &time))
        return kube__lex_refuse(&d->lexer, start, "not an RFC 3339 time");
    memcpy(at, &time, sizeof time);
    return KUBE__LEX_OK;
}

static kube__lex decode_duration(kube__decoder *d, char *at)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a string");
    if (got)
        return got;
    kube_duration duration;
    if (!kube_duration_parse(d->builder.text + d->builder.text_len, len, &duration))
        return kube__lex_refuse(&d->lexer, start, "not a duration");
    memcpy(at, &duration, sizeof duration);
    return KUBE__LEX_OK;
}

/* Puts the source text from @start to p behind the builder's text. */
static uint32_t copy_source(kube__decoder *d, const char *start)
{
    uint32_t len = (uint32_t)(d->lexer.p - start);
    char *text = d->builder.text + d->builder.text_len;
    memcpy(text, start, len);
    text[len] = '\0';
    return len;
}

static kube__lex decode_quantity(kube__decoder *d, unsigned flags, kube__slot slot)
{
    const char *start = d->lexer.p;
    if (*start != '-' && (*start < '0' || *start > '9')) {
        if (*start != '"')
            return kube__lex_unexpected(&d->lexer, "expected a quantity");
        return decode_string(d, flags, slot);
    }
    kube__lex got = kube__lex_number(&d->lexer);
    return got ? got : keep_text(d, slot, copy_source(d, start));
}

static kube__lex decode_int_or_string(kube__decoder *d, unsigned flags, kube__slot slot)
{
    kube_int_or_string value = {NULL, 0, true};
    kube__lex got;
    if (*d->lexer.p != '"') {
        got = decode_int32(d, &value.number);
        if (got == KUBE__LEX_OK)
            memcpy(kube__slot_at(&d->builder, slot), &value, sizeof value);
        return got;
    }
    memcpy(kube__slot_at(&d->builder, slot), &value, sizeof value);
    return decode_string(d, flags, slot);
}

static kube__lex decode_bytes(kube__decoder *d, kube__slot slot)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a base64 string");
    if (got)
        return got;
    uint32_t decoded;
    if (!kube__base64_decode(d->builder.text + d->builder.text_len, len, &decoded))
        return kube__lex_refuse(&d->lexer, start, "not base64");
    kube__builder_set_len(&d->builder, slot, decoded);
    return keep_text(d, slot, decoded);
}

/* Whether the value at p is one read before, byte for byte; then p moves behind it. */
static const kube__recent_raw *find_recent(kube__decoder *d)
{
    size_t left = (size_t)(d->lexer.end - d->lexer.p);
    unsigned guess = d->recent[d->recent_last].next;
    for (unsigned i = 0; i < d->recent_count; i++) {
        unsigned at = (guess + i) % d->recent_count;
        const kube__recent_raw *recent = &d->recent[at];
        if (left > recent->len && d->lexer.depth <= recent->depth &&
            memcmp(d->lexer.p, recent->text, recent->len) == 0) {
            d->recent[d->recent_last].next = at;
            d->recent_last = at;
            d->lexer.p += recent->len;
            return recent;
        }
    }
    return NULL;
}

static void remember_raw(kube__decoder *d, const char *text, uint32_t len)
{
    unsigned at = d->recent_count;
    if (at < KUBE__RECENT_RAWS)
        d->recent_count++;
    else
        at = (d->recent_last + 1) % KUBE__RECENT_RAWS;
    d->recent[at] = (kube__recent_raw){text, len, d->lexer.depth, 0};
    d->recent[d->recent_last].next = at;
    d->recent_last = at;
}

static kube__lex decode_raw(kube__decoder *d, unsigned flags, kube__slot slot)
{
    const char *start = d->lexer.p;
    bool share = flags & KUBE_FIELD_INTERN && d->pool;
    /* A number or literal may go on behind the text that it begins with. */
    bool closed = *start == '{' || *start == '[';
    const kube__recent_raw *recent = share && closed && d->recent_count ? find_recent(d) : NULL;
    if (recent) {
        d->pool_used = true;
        kube__builder_set_pointer(&d->builder, slot, recent->text);
        kube__builder_set_len(&d->builder, slot, recent->len);
        return KUBE__LEX_OK;
    }
    kube__lex got = kube__lex_skip(&d->lexer);
    if (got)
        return got;
    uint32_t len = copy_source(d, start);
    kube__builder_set_len(&d->builder, slot, len);
    if (!share)
        return keep_text(d, slot, len);
    const char *interned;
    got = share_text(d, slot, len, &interned);
    if (got == KUBE__LEX_OK && interned && closed)
        remember_raw(d, interned, len);
    return got;
}

/* apiVersion or kind of the root: nothing to keep, but it must be the type's. */
static kube__lex check_type(kube__decoder *d, const char *name, const char *wanted)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a string");
    if (got)
        return got;
    const char *text = d->builder.text + d->builder.text_len;
    if (strcmp(text, wanted) == 0)
        return KUBE__LEX_OK;
    snprintf(d->detail, sizeof d->detail, "expected %s %.60s, found %.60s", name, wanted, text);
    return kube__lex_refuse(&d->lexer, start, d->detail);
}

/* ---- containers ------------------------------------------------------------------------------- */

/* Notes where it failed, while the frames still stand. */
static kube__lex failed(kube__decoder *d, kube__lex got)
{
    if (!d->failed && got != KUBE__LEX_MORE) {
        d->failed = true;
        kube__frame_path(d->frame, d->path, sizeof d->path);
    }
    return got;
}

static inline kube__lex enter(kube__decoder *d)
{
    if (KUBE__UNLIKELY(d->lexer.depth >= KUBE__LEX_DEPTH))
        return kube__lex_refuse(&d->lexer, d->lexer.p, "nested deeper than 200");
    d->lexer.depth++;
    d->lexer.p++;
    kube__lex_space(&d->lexer);
    return KUBE__LEX_OK;
}

static inline void leave(kube__decoder *d)
{
    d->lexer.p++;
    d->lexer.depth--;
}

/* An empty list or map differs from an absent one: it points at something. */
static kube__lex set_empty(kube__decoder *d, kube__slot slot)
{
    leave(d);
    if (!kube__builder_point_at_struct(&d->builder, slot, d->builder.top[KUBE__AREA_FINAL]))
        return no_room(d);
    return KUBE__LEX_OK;
}

/* Behind an element or entry: KUBE__LEX_OK with *@more unless @close follows. */
static inline kube__lex next_element(kube__decoder *d, char close, bool *more)
{
    kube__lex_space(&d->lexer);
    if (*d->lexer.p == ',') {
        d->lexer.p++;
        kube__lex_space(&d->lexer);
        *more = true;
        return KUBE__LEX_OK;
    }
    if (KUBE__UNLIKELY(*d->lexer.p != close))
        return kube__lex_broken(&d->lexer,
                                close == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
    leave(d);
    *more = false;
    return KUBE__LEX_OK;
}

/* Strings need no second area: nothing else is put behind them before the list ends. */
static kube__lex decode_string_list(kube__decoder *d, unsigned flags, kube__slot slot)
{
    if (KUBE__UNLIKELY(*d->lexer.p != '['))
        return kube__lex_unexpected(&d->lexer, "expected a list");
    kube__lex got = enter(d);
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    if (*d->lexer.p == ']')
        return set_empty(d, slot);
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_LIST};
    d->frame = &frame;
    uint32_t start = d->builder.top[KUBE__AREA_FINAL];
    bool more;
    do {
        kube__slot element;
        if (!kube__builder_alloc(&d->builder, KUBE__AREA_FINAL, sizeof(char *), &element))
            return failed(d, no_room(d));
        got = decode_string(d, flags, element);
        if (got == KUBE__LEX_OK) {
            frame.index++;
            got = next_element(d, ']', &more);
        }
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
    } while (more);
    d->frame = frame.up;
    kube__builder_set_len(&d->builder, slot, frame.index);
    return kube__builder_point_at_struct(&d->builder, slot, start) ? KUBE__LEX_OK : no_room(d);
}

/* `"key":` of a map into the word at @slot; always shared: keys repeat from object to object. */
static inline kube__lex decode_key(kube__decoder *d, kube__slot slot, const char **key)
{
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a key");
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    kube__lex_space(&d->lexer);
    if (KUBE__UNLIKELY(*d->lexer.p != ':'))
        return kube__lex_broken(&d->lexer, "expected ':'");
    d->lexer.p++;
    kube__lex_space(&d->lexer);
    *key = NULL;
    const char *text = d->builder.text + d->builder.text_len;
    got = d->pool ? share_text(d, slot, len, key) : keep_text(d, slot, len);
    if (!*key)
        *key = text;
    return got;
}

/* `"key":null` is an entry that is absent. */
static kube__lex drop_entry(kube__decoder *d, unsigned area, kube__slot entry, kube__mark before,
                            uint32_t stride)
{
    memset(kube__slot_at(&d->builder, entry), 0, stride);
    d->builder.top[area] = before.top;
    d->builder.reloc_count[area] = before.reloc_count;
    return kube__lex_null(&d->lexer);
}

static inline bool is_before(const char *a, const char *b)
{
    return *a != *b ? (unsigned char)*a < (unsigned char)*b : strcmp(a, b) < 0;
}

static kube__lex decode_value(kube__decoder *d, kube__node *node, unsigned index, unsigned kind,
                              unsigned flags, kube__slot slot);

/*
 * Entries of @stride bytes in @area: the final one for strings, as of a string list, else that for
 * elements. @node is NULL for a map of strings, and then @flags are its field's.
 */
static inline __attribute__((always_inline)) kube__lex
decode_entries(kube__decoder *d, kube__node *node, unsigned flags, unsigned area, uint32_t stride,
               kube__slot slot)
{
    if (KUBE__UNLIKELY(*d->lexer.p != '{'))
        return kube__lex_unexpected(&d->lexer, "expected an object");
    kube__lex got = enter(d);
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    if (*d->lexer.p == '}')
        return set_empty(d, slot);
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_MAP};
    d->frame = &frame;
    kube__mark mark = kube__builder_mark(&d->builder, area);
    const char *last = NULL;
    uint32_t count = 0;
    bool sorted = true;
    bool more;
    do {
        kube__mark before = kube__builder_mark(&d->builder, area);
        kube__slot entry;
        frame.key = NULL;
        if (!kube__builder_alloc(&d->builder, area, stride, &entry))
            return failed(d, no_room(d));
        got = decode_key(d, entry, &frame.key);
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
        kube__slot value = entry + (KUBE__MAP_VALUE_OFFSET << 1);
        if (KUBE__UNLIKELY(*d->lexer.p == 'n') &&
            !(node && node->element_kind == KUBE_KIND_RAW_JSON)) {
            got = drop_entry(d, area, entry, before, stride);
        } else {
            sorted = sorted && (!last || is_before(last, frame.key));
            last = frame.key;
            count++;
            got = node ? decode_value(d, node, 0, node->element_kind, node->element_flags, value)
                       : decode_string(d, flags, value);
        }
        if (KUBE__LIKELY(got == KUBE__LEX_OK)) {
            frame.key = NULL;
            got = next_element(d, '}', &more);
        }
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
    } while (more);
    d->frame = frame.up;
    if (KUBE__UNLIKELY(!sorted) &&
        !kube__builder_sort_entries(&d->builder, area, mark, stride, &count))
        return no_room(d);
    if (area == KUBE__AREA_ELEMENTS) {
        if (kube__builder_finish_list(&d->builder, slot, mark, count))
            return KUBE__LEX_OK;
    } else {
        kube__builder_set_len(&d->builder, slot, count);
        if (kube__builder_point_at_struct(&d->builder, slot, mark.top))
            return KUBE__LEX_OK;
    }
    return no_room(d);
}

static kube__lex decode_string_map(kube__decoder *d, unsigned flags, kube__slot slot)
{
    return decode_entries(d, NULL, flags, KUBE__AREA_FINAL, sizeof(kube_string_map_entry), slot);
}

static kube__lex decode_map(kube__decoder *d, kube__node *node, kube__slot slot)
{
    return decode_entries(d, node, 0, KUBE__AREA_ELEMENTS, node->size, slot);
}

static kube__lex decode_list(kube__decoder *d, kube__node *node, kube__slot slot)
{
    if (KUBE__UNLIKELY(*d->lexer.p != '['))
        return kube__lex_unexpected(&d->lexer, "expected a list");
    kube__lex got = enter(d);
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    if (*d->lexer.p == ']')
        return set_empty(d, slot);
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_LIST};
    d->frame = &frame;
    kube__mark mark = kube__builder_mark(&d->builder, KUBE__AREA_ELEMENTS);
    bool more;
    do {
        kube__slot element;
        if (!kube__builder_alloc(&d->builder, KUBE__AREA_ELEMENTS, node->size, &element))
            return failed(d, no_room(d));
        if (KUBE__UNLIKELY(*d->lexer.p == 'n') && node->element_kind != KUBE_KIND_RAW_JSON)
            got = kube__lex_refuse(&d->lexer, d->lexer.p, "null in a list");
        else
            got = decode_value(d, node, 0, node->element_kind, node->element_flags, element);
        if (KUBE__LIKELY(got == KUBE__LEX_OK)) {
            frame.index++;
            got = next_element(d, ']', &more);
        }
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
    } while (more);
    d->frame = frame.up;
    if (!kube__builder_finish_list(&d->builder, slot, mark, frame.index))
        return no_room(d);
    return KUBE__LEX_OK;
}

/* ---- members of structs ----------------------------------------------------------------------- */

static bool grow_extra(kube__decoder *d, size_t need)
{
    size_t size = d->extra_size ? d->extra_size : 1024;
    while (size < need)
        size *= 2;
    char *grown = realloc(d->extra, size);
    if (!grown)
        return false;
    d->extra = grown;
    d->extra_size = size;
    return true;
}

/* Adds `"key":value` to what the innermost struct keeps, from @start on. */
static kube__lex keep_member(kube__decoder *d, size_t start, const char *key, size_t key_len,
                             const char *value, size_t value_len)
{
    size_t need = d->extra_len + 1 + key_len + 1 + value_len;
    if (need > d->extra_size && !grow_extra(d, need))
        return KUBE__LEX_NO_MEMORY;
    char *to = d->extra + d->extra_len;
    if (d->extra_len > start)
        *to++ = ',';
    memcpy(to, key, key_len);
    to += key_len;
    *to++ = ':';
    memcpy(to, value, value_len);
    d->extra_len = (size_t)(to - d->extra) + value_len;
    return KUBE__LEX_OK;
}

/* What the struct at @at has kept becomes its kube_extra. */
static kube__lex finish_extra(kube__decoder *d, const kube__node *node, kube__slot at, size_t start)
{
    uint32_t len = (uint32_t)(d->extra_len - start);
    char *text = d->builder.text + d->builder.text_len;
    memcpy(text, d->extra + start, len);
    text[len] = '\0';
    d->extra_len = start;
    kube__slot slot = at + ((uint32_t)node->extra_offset << 1);
    kube__builder_set_len(&d->builder, slot, len);
    return keep_text(d, slot, len);
}

static bool is_key(const kube__frame *frame, const char *name)
{
    return frame->key && frame->key_len == strlen(name) &&
           memcmp(frame->key, name, frame->key_len) == 0;
}

/* The member of the innermost frame is dropped. */
static void note_loss(kube__decoder *d)
{
    const kube__frame *root = d->root_frame;
    bool is_status = root->field ? root->field->flags & KUBE_FIELD_STATUS ||
                                       (d->type && root->field->kind == KUBE_KIND_STRUCT &&
                                        root->field->offset == d->type->metadata_offset)
                                 : is_key(root, "status") || is_key(root, "metadata");
    if (is_status)
        d->flags |= KUBE__BLOCK_PARTIAL_STATUS;
    if (d->flags & KUBE__BLOCK_PARTIAL)
        return;
    d->flags |= KUBE__BLOCK_PARTIAL;
    kube__frame_path(d->frame, d->lost, sizeof d->lost);
}

/* A member that the header does not name, p at its key. */
static kube__lex decode_unknown(kube__decoder *d, const kube__node *node, kube__frame *frame,
                                size_t extra_start)
{
    const char *key = d->lexer.p;
    kube__lex got = kube__lex_skip(&d->lexer);
    if (got)
        return got;
    const char *key_end = d->lexer.p;
    kube__lex_space(&d->lexer);
    if (*d->lexer.p != ':')
        return kube__lex_broken(&d->lexer, "expected ':'");
    d->lexer.p++;
    kube__lex_space(&d->lexer);
    frame->key = key + 1;
    frame->key_len = (size_t)(key_end - key) - 2;
    const char *value = d->lexer.p;
    got = kube__lex_skip(&d->lexer);
    if (got)
        return got;
    if (*value == 'n')
        return KUBE__LEX_OK; /* absent, so nothing is lost */
    if (node->extra_offset == KUBE_NO_EXTRA) {
        note_loss(d);
        return KUBE__LEX_OK;
    }
    return keep_member(d, extra_start, key, (size_t)(key_end - key), value,
                       (size_t)(d->lexer.p - value));
}

static uint32_t value_size(const kube__node *node, unsigned index)
{
    static const uint8_t sizes[] = {
        [KUBE_KIND_STRING] = sizeof(char *),
        [KUBE_KIND_BOOL] = sizeof(bool),
        [KUBE_KIND_INT32] = sizeof(int32_t),
        [KUBE_KIND_INT64] = sizeof(int64_t),
        [KUBE_KIND_DOUBLE] = sizeof(double),
        [KUBE_KIND_OPT_BOOL] = sizeof(kube_opt_bool),
        [KUBE_KIND_OPT_INT32] = sizeof(kube_opt_int32),
        [KUBE_KIND_OPT_INT64] = sizeof(kube_opt_int64),
        [KUBE_KIND_OPT_DOUBLE] = sizeof(kube_opt_double),
        [KUBE_KIND_TIME] = sizeof(kube_time),
        [KUBE_KIND_MICRO_TIME] = sizeof(kube_micro_time),
        [KUBE_KIND_DURATION] = sizeof(kube_duration),
        [KUBE_KIND_QUANTITY] = sizeof(kube_quantity),
        [KUBE_KIND_INT_OR_STRING] = sizeof(kube_int_or_string),
        [KUBE_KIND_BYTES] = sizeof(kube_bytes),
        [KUBE_KIND_RAW_JSON] = sizeof(kube_raw_json),
        [KUBE_KIND_STRUCT_PTR] = sizeof(void *),
        [KUBE_KIND_LIST] = sizeof(kube_string_list),
        [KUBE_KIND_MAP] = sizeof(kube_string_map),
        [KUBE_KIND_STRING_LIST] = sizeof(kube_string_list),
        [KUBE_KIND_STRING_MAP] = sizeof(kube_string_map),
    };
    unsigned kind = node->fields[index].kind;
    if (kind == KUBE_KIND_STRUCT)
        return node->schema->subs[node->fields[index].sub]->size;
    return kind < sizeof sizes ? sizes[kind] : 0;
}

/*
 * A member that may have come before: the last one wins, and nothing of the first remains. That it
 * has not come is likely too, in structs of more than 64 fields.
 */
static kube__lex forget_value(kube__decoder *d, kube__node *node, unsigned index, kube__slot slot)
{
    uint32_t size = value_size(node, index);
    const char *at = kube__slot_at(&d->builder, slot);
    uint32_t zeros = 0;
    while (zeros < size && !at[zeros])
        zeros++;
    if (zeros == size)
        return KUBE__LEX_OK;
    if (++d->duplicates > MAX_DUPLICATES)
        return kube__lex_refuse(&d->lexer, d->lexer.p, "too many members that come twice");
    kube__builder_forget(&d->builder, slot, size);
    return KUBE__LEX_OK;
}

#ifdef __SSE2__
static inline bool is_key_of(const kube_field *field, const char *p)
{
    const char *key = field->key;
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)key);
    __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(key + 16));
    uint32_t equal = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, x)) |
                     (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(b, y)) << 16;
    return (equal & field->key_mask) == field->key_mask;
}
#else
static inline bool is_key_of(const kube_field *field, const char *p)
{
    size_t len = field->key_len < KUBE_FIELD_KEY_SIZE ? field->key_len : KUBE_FIELD_KEY_SIZE;
    return memcmp(field->key, p, len) == 0;
}
#endif

/* Whether the member at p, `"name":` without blanks, is the field's. */
static inline bool is_member(const kube__node *node, unsigned index, const char *p)
{
    const kube_field *field = &node->fields[index];
    if (!is_key_of(field, p))
        return false;
    /* What is behind the first 32 bytes may be behind the padding too: up to the first that
     * differs, which is no later than a NUL. */
    return KUBE__LIKELY(field->key_len <= KUBE_FIELD_KEY_SIZE) ||
           strncmp(p + KUBE_FIELD_KEY_SIZE, kube__node_key(node, field) + KUBE_FIELD_KEY_SIZE,
                   field->key_len - KUBE_FIELD_KEY_SIZE) == 0;
}

static unsigned find_plain(const kube__node *node, const char *p)
{
    for (unsigned i = 0; i < node->count; i++) {
        if (is_member(node, i, p))
            return i;
    }
    return node->count;
}

/*
 * The field whose member is at p, node->count when there is none: then p stays. The name may be
 * spelled with escapes and have blanks behind it.
 */
static kube__lex find_field(kube__decoder *d, const kube__node *node, unsigned *index)
{
    *index = find_plain(node, d->lexer.p);
    if (*index < node->count) {
        d->lexer.p += node->fields[*index].key_len;
        return KUBE__LEX_OK;
    }
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = read_text(d, &len, "expected a member name");
    if (got)
        return got;
    const char *name = d->builder.text + d->builder.text_len;
    for (unsigned i = 0; i < node->count; i++) {
        if (node->fields[i].key_len != len + 3 || memcmp(kube__node_key(node, &node->fields[i]) + 1, name, len) != 0)
            continue;
        kube__lex_space(&d->lexer);
        if (*d->lexer.p != ':')
            return kube__lex_broken(&d->lexer, "expected ':'");
        d->lexer.p++;
        *index = i;
        return KUBE__LEX_OK;
    }
    d->lexer.p = start;
    return KUBE__LEX_OK;
}

static kube__lex decode_struct(kube__decoder *d, kube__node *node, kube__slot at);

static kube__lex decode_struct_ptr(kube__decoder *d, kube__node *node, kube__slot slot)
{
    kube__slot place;
    if (!kube__builder_alloc(&d->builder, KUBE__AREA_FINAL, node->size, &place) ||
        !kube__builder_point_at_struct(&d->builder, slot, place >> 1))
        return no_room(d);
    return decode_struct(d, node, place);
}

/* Kinds that are rare enough to stand aside. */
static kube__lex decode_scalar(kube__decoder *d, unsigned kind, unsigned flags, kube__slot slot)
{
    char *at = kube__slot_at(&d->builder, slot);
    kube_opt_bool opt_bool = {true, false};
    kube_opt_int32 opt_int32 = {true, 0};
    kube_opt_int64 opt_int64 = {true, 0};
    kube_opt_double opt_double = {true, 0};
    kube__lex got;
    switch (kind) {
    case KUBE_KIND_BOOL:
        got = kube__lex_bool(&d->lexer, &opt_bool.value);
        memcpy(at, &opt_bool.value, sizeof opt_bool.value);
        return got;
    case KUBE_KIND_DOUBLE:
        got = kube__lex_double(&d->lexer, &opt_double.value);
        memcpy(at, &opt_double.value, sizeof opt_double.value);
        return got;
    case KUBE_KIND_OPT_BOOL:
        got = kube__lex_bool(&d->lexer, &opt_bool.value);
        memcpy(at, &opt_bool, sizeof opt_bool);
        return got;
    case KUBE_KIND_OPT_INT32:
        got = decode_int32(d, &opt_int32.value);
        memcpy(at, &opt_int32, sizeof opt_int32);
        return got;
    case KUBE_KIND_OPT_INT64:
        got = kube__lex_int64(&d->lexer, &opt_int64.value);
        memcpy(at, &opt_int64, sizeof opt_int64);
        return got;
    case KUBE_KIND_OPT_DOUBLE:
        got = kube__lex_double(&d->lexer, &opt_double.value);
        memcpy(at, &opt_double, sizeof opt_double);
        return got;
    case KUBE_KIND_MICRO_TIME: return decode_micro_time(d, at);
    case KUBE_KIND_DURATION: return decode_duration(d, at);
    case KUBE_KIND_QUANTITY: return decode_quantity(d, flags, slot);
    case KUBE_KIND_INT_OR_STRING: return decode_int_or_string(d, flags, slot);
    case KUBE_KIND_BYTES: return decode_bytes(d, slot);
    case KUBE__KIND_API_VERSION: return check_type(d, "apiVersion", d->type->api_version);
    case KUBE__KIND_KIND: return check_type(d, "kind", d->type->kind);
    default: return kube__lex_refuse(&d->lexer, d->lexer.p, "field of an unknown kind");
    }
}

/* The value at p, which is not null but for raw JSON, of a field of @node, or of its elements. */
static inline __attribute__((always_inline)) kube__lex
decode_value_inline(kube__decoder *d, kube__node *node, unsigned index, unsigned kind,
                    unsigned flags, kube__slot slot)
{
    int64_t int64 = 0;
    int32_t int32 = 0;
    kube__lex got;
    kube__node *child;
    switch (kind) {
    case KUBE_KIND_STRING: return decode_string(d, flags, slot);
    case KUBE_KIND_INT32:
        got = decode_int32(d, &int32);
        if (got == KUBE__LEX_OK)
            memcpy(kube__slot_at(&d->builder, slot), &int32, sizeof int32);
        return got;
    case KUBE_KIND_INT64:
        got = kube__lex_int64(&d->lexer, &int64);
        if (got == KUBE__LEX_OK)
            memcpy(kube__slot_at(&d->builder, slot), &int64, sizeof int64);
        return got;
    case KUBE_KIND_TIME: return decode_time(d, kube__slot_at(&d->builder, slot));
    case KUBE_KIND_RAW_JSON: return decode_raw(d, flags, slot);
    case KUBE_KIND_STRING_LIST: return decode_string_list(d, flags, slot);
    case KUBE_KIND_STRING_MAP: return decode_string_map(d, flags, slot);
    case KUBE_KIND_STRUCT:
    case KUBE_KIND_STRUCT_PTR:
    case KUBE_KIND_LIST:
    case KUBE_KIND_MAP:
        if (KUBE__UNLIKELY(flags & KUBE_FIELD_MANAGED) && d->drop_managed_fields)
            return kube__lex_skip(&d->lexer);
        child = kube__node_child(&d->nodes, node, index);
        if (KUBE__UNLIKELY(!child))
            return KUBE__LEX_NO_MEMORY;
        if (kind == KUBE_KIND_STRUCT)
            return decode_struct(d, child, slot);
        if (kind == KUBE_KIND_LIST)
            return decode_list(d, child, slot);
        if (kind == KUBE_KIND_MAP)
            return decode_map(d, child, slot);
        return decode_struct_ptr(d, child, slot);
    default: return decode_scalar(d, kind, flags, slot);
    }
}

static kube__lex decode_value(kube__decoder *d, kube__node *node, unsigned index, unsigned kind,
                              unsigned flags, kube__slot slot)
{
    return decode_value_inline(d, node, index, kind, flags, slot);
}

/* The field whose member is at p, by the guess, else by looking; p moves behind `"name":`. */
static inline kube__lex next_field(kube__decoder *d, kube__node *node, unsigned previous,
                                   unsigned *index)
{
    unsigned guess = node->next[previous];
    *index = guess;
    if (KUBE__LIKELY(guess < node->count) && KUBE__LIKELY(is_member(node, guess, d->lexer.p))) {
        d->lexer.p += node->fields[guess].key_len;
        return KUBE__LEX_OK;
    }
    if (KUBE__UNLIKELY(*d->lexer.p != '"'))
        return kube__lex_broken(&d->lexer, "expected a member name");
    kube__lex got = find_field(d, node, index);
    if (got == KUBE__LEX_OK && *index < node->count)
        node->next[previous] = (uint16_t)*index;
    return got;
}

static kube__lex decode_member(kube__decoder *d, kube__node *node, unsigned index, uint64_t *seen,
                               kube__slot at)
{
    const kube_field *field = &node->fields[index];
    kube__slot slot = at + ((uint32_t)field->offset << 1);
    uint64_t bit = UINT64_C(1) << (index % 64);
    if (KUBE__UNLIKELY(*seen & bit) && field->kind < KUBE__KIND_API_VERSION) {
        kube__lex got = forget_value(d, node, index, slot);
        if (got)
            return got;
    }
    *seen |= bit;
    if (KUBE__UNLIKELY(*d->lexer.p == 'n'))
        return kube__lex_null(&d->lexer); /* absent */
    return decode_value_inline(d, node, index, field->kind, field->flags, slot);
}

static kube__lex decode_struct(kube__decoder *d, kube__node *node, kube__slot at)
{
    if (KUBE__UNLIKELY(*d->lexer.p != '{'))
        return kube__lex_unexpected(&d->lexer, "expected an object");
    kube__lex got = enter(d);
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    if (*d->lexer.p == '}') {
        leave(d);
        return KUBE__LEX_OK;
    }
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_STRUCT};
    if (!frame.up)
        d->root_frame = &frame;
    d->frame = &frame;
    size_t extra_start = d->extra_len;
    unsigned index = node->count; /* the guess for the first member is behind those of fields */
    uint64_t seen = 0;
    bool more;
    do {
        unsigned previous = index;
        frame.field = NULL;
        got = next_field(d, node, previous, &index);
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
        if (KUBE__LIKELY(index < node->count)) {
            kube__lex_space(&d->lexer);
            frame.field = &node->fields[index];
            frame.node = node;
            got = decode_member(d, node, index, &seen, at);
        } else {
            index = previous;
            got = decode_unknown(d, node, &frame, extra_start);
        }
        if (KUBE__LIKELY(got == KUBE__LEX_OK)) {
            frame.key = NULL;
            got = next_element(d, '}', &more);
        }
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
    } while (more);
    d->frame = frame.up;
    if (KUBE__UNLIKELY(d->extra_len > extra_start))
        return finish_extra(d, node, at, extra_start);
    return KUBE__LEX_OK;
}

/* Gets ready for another object of @node in the text from @p on. */
static kube__lex begin(kube__decoder *d, const kube__node *node, const char *p, const char *end)
{
    d->lexer = (kube__lexer){.p = kube__lex_blanks(p), .end = end};
    d->pool_used = false;
    d->failed = false;
    d->duplicates = 0;
    d->flags = 0;
    d->frame = NULL;
    d->extra_len = 0;
    d->path[0] = '\0';
    kube__slot root;
    if (!kube__builder_begin(&d->builder, (size_t)(end - p)) ||
        !kube__builder_alloc(&d->builder, KUBE__AREA_FINAL, node->size, &root))
        return no_room(d);
    return KUBE__LEX_OK;
}

kube__lex kube__decoder_read(kube__decoder *d, const char *p, const char *end)
{
    if (!d->root)
        d->root = kube__node_new(&d->nodes, d->type->schema, true);
    if (!d->root)
        return KUBE__LEX_NO_MEMORY;
    kube__lex got = begin(d, d->root, p, end);
    return got ? got : decode_struct(d, d->root, 0);
}

kube__lex kube__decoder_read_struct(kube__decoder *d, const kube_schema *schema, const char *p,
                                    const char *end)
{
    kube__node *node = kube__node_of(&d->nodes, schema);
    if (!node)
        return KUBE__LEX_NO_MEMORY;
    kube__lex got = begin(d, node, p, end);
    return got ? got : decode_struct(d, node, 0);
}
