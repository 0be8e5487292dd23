/* SPDX-License-Identifier: Apache-2.0 */
#include "decode_text.h"
#include "object/block/node.h"
#include "object/block/value.h"

/* Notes where it failed, while the frames still stand. */
static kube__lex failed(kube__decoder *d, kube__lex got)
{
    if (!d->failed && got != KUBE__LEX_MORE) {
        d->failed = true;
        kube__frame_path(d->frame, d->path, sizeof d->path);
    }
    return got;
}

/* Whether the value at p may be read: deeper ones are lost, and end with kube__lose_value(). */
static inline bool enter(kube__decoder *d)
{
    if (KUBE__UNLIKELY(d->lexer.depth >= KUBE__LEX_DEPTH))
        return false;
    d->lexer.depth++;
    d->lexer.p++;
    kube__lex_space(&d->lexer);
    return true;
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
        return kube__no_room(d);
    return KUBE__LEX_OK;
}

/* A map that comes again, without entries. */
static kube__lex add_nothing(kube__decoder *d, kube__slot slot)
{
    if (!kube__load_pointer(kube__slot_at(&d->builder, slot)))
        return set_empty(d, slot);
    leave(d);
    return KUBE__LEX_OK;
}

/* Behind an element or member: *@more unless @close follows. Blanks may be behind the comma. */
static inline kube__lex next_element(kube__decoder *d, char close, bool *more)
{
    const char *p = d->lexer.p;
    if (KUBE__UNLIKELY((unsigned char)*p <= ' '))
        p = d->lexer.p = kube__lex_blanks(p);
    if (*p == ',') {
        d->lexer.p = p + 1;
        *more = true;
        return KUBE__LEX_OK;
    }
    if (KUBE__UNLIKELY(*p != close))
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
    if (KUBE__UNLIKELY(!enter(d)))
        return kube__lose_value(d);
    if (*d->lexer.p == ']')
        return set_empty(d, slot);
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_LIST};
    d->frame = &frame;
    uint32_t start = d->builder.top[KUBE__AREA_FINAL];
    bool more;
    do {
        kube__slot element;
        if (!kube__builder_alloc(&d->builder, KUBE__AREA_FINAL, sizeof(char *), &element))
            return failed(d, kube__no_room(d));
        kube__lex_space(&d->lexer);
        kube__lex got = KUBE__UNLIKELY(*d->lexer.p == 'n')
                            ? kube__decode_null(d, KUBE_KIND_STRING, element)
                            : kube__decode_string(d, flags, element);
        if (got == KUBE__LEX_OK) {
            frame.index++;
            got = next_element(d, ']', &more);
        }
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
    } while (more);
    d->frame = frame.up;
    kube__builder_set_len(&d->builder, slot, frame.index);
    if (!kube__builder_point_at_struct(&d->builder, slot, start))
        return kube__no_room(d);
    return KUBE__LEX_OK;
}

/* `"key":` of a map into the word at @slot; always shared: keys repeat from object to object. */
static inline __attribute__((always_inline)) kube__lex decode_key(kube__decoder *d, kube__slot slot,
                                                                  const char **key)
{
    uint32_t len;
    kube__lex_space(&d->lexer);
    kube__lex got = kube__read_text(d, &len, "expected a key");
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    kube__lex_space(&d->lexer);
    if (KUBE__UNLIKELY(*d->lexer.p != ':'))
        return kube__lex_broken(&d->lexer, "expected ':'");
    d->lexer.p++;
    kube__lex_space(&d->lexer);
    *key = NULL;
    const char *text = d->builder.text + d->builder.text_len;
    got = d->pool ? kube__share_text(d, slot, len, key) : kube__keep_text(d, slot, len);
    if (!*key)
        *key = text;
    return got;
}

static inline bool is_before(const char *a, const char *b)
{
    return *a != *b ? (unsigned char)*a < (unsigned char)*b : strcmp(a, b) < 0;
}

static kube__lex decode_value(kube__decoder *d, kube__node *node, unsigned index, unsigned kind,
                              unsigned flags, kube__slot slot);
static kube__lex decode_again(kube__decoder *d, kube__node *node, unsigned index, unsigned kind,
                              unsigned flags, kube__slot slot);

/*
 * Entries of @stride bytes in @area: the final one for strings, as of a string list, else that for
 * elements. @node is NULL for a map of strings, and then @flags are its field's. @again, when the
 * map came before: these entries are added.
 */
static inline __attribute__((always_inline)) kube__lex
decode_entries(kube__decoder *d, kube__node *node, unsigned flags, unsigned area, uint32_t stride,
               kube__slot slot, bool again)
{
    if (KUBE__UNLIKELY(*d->lexer.p != '{'))
        return kube__lex_unexpected(&d->lexer, "expected an object");
    if (KUBE__UNLIKELY(!enter(d)))
        return kube__lose_value(d);
    if (*d->lexer.p == '}')
        return again ? add_nothing(d, slot) : set_empty(d, slot);
    kube__span old = {NULL, 0};
    if (again && !kube__take_list(d, slot, true, &old))
        return kube__no_room(d);
    kube__mark mark = kube__builder_mark(&d->builder, area);
    if (again && old.len > 0 && !kube__reopen_list(d, old, area, stride))
        return kube__no_room(d);
    uint32_t count = (uint32_t)old.len;
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_MAP};
    d->frame = &frame;
    const char *last = NULL;
    bool sorted = count == 0;
    bool more;
    do {
        kube__lex got;
        kube__slot entry;
        frame.key = NULL;
        if (!kube__builder_alloc(&d->builder, area, stride, &entry))
            return failed(d, kube__no_room(d));
        got = decode_key(d, entry, &frame.key);
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
        kube__slot value = entry + (KUBE__MAP_VALUE_OFFSET << 1);
        sorted = sorted && (!last || is_before(last, frame.key));
        last = frame.key;
        count++;
        if (KUBE__UNLIKELY(*d->lexer.p == 'n'))
            got = kube__decode_null(d, node ? node->element_kind : KUBE_KIND_STRING, value);
        else
            got = node ? decode_value(d, node, 0, node->element_kind, node->element_flags, value)
                       : kube__decode_string(d, flags, value);
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
        return kube__no_room(d);
    if (area == KUBE__AREA_ELEMENTS) {
        if (kube__builder_finish_list(&d->builder, slot, mark, count))
            return KUBE__LEX_OK;
    } else {
        kube__builder_set_len(&d->builder, slot, count);
        if (kube__builder_point_at_struct(&d->builder, slot, mark.top))
            return KUBE__LEX_OK;
    }
    return kube__no_room(d);
}

static kube__lex decode_string_map(kube__decoder *d, unsigned flags, kube__slot slot)
{
    return decode_entries(d, NULL, flags, KUBE__AREA_FINAL, sizeof(kube_string_map_entry), slot,
                          false);
}

static kube__lex decode_map(kube__decoder *d, kube__node *node, kube__slot slot)
{
    return decode_entries(d, node, 0, KUBE__AREA_ELEMENTS, node->size, slot, false);
}

static __attribute__((cold, noinline)) kube__lex
decode_map_again(kube__decoder *d, kube__node *node, unsigned flags, kube__slot slot)
{
    return decode_entries(d, node, flags, node ? KUBE__AREA_ELEMENTS : KUBE__AREA_FINAL,
                          node ? node->size : sizeof(kube_string_map_entry), slot, true);
}

/* @again, when the list came before: elements are read into those that were there, as Go does. */
static inline __attribute__((always_inline)) kube__lex
decode_elements(kube__decoder *d, kube__node *node, kube__slot slot, bool again)
{
    if (KUBE__UNLIKELY(*d->lexer.p != '['))
        return kube__lex_unexpected(&d->lexer, "expected a list");
    if (KUBE__UNLIKELY(!enter(d)))
        return kube__lose_value(d);
    kube__span old = {NULL, 0};
    if (again && !kube__take_list(d, slot, false, &old))
        return kube__no_room(d);
    if (*d->lexer.p == ']')
        return set_empty(d, slot);
    kube__mark mark = kube__builder_mark(&d->builder, KUBE__AREA_ELEMENTS);
    if (again && old.len > 0 && !kube__reopen_list(d, old, KUBE__AREA_ELEMENTS, node->size))
        return kube__no_room(d);
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_LIST};
    d->frame = &frame;
    bool more;
    do {
        kube__lex got;
        kube__slot element = (mark.top + frame.index * node->size) << 1 | KUBE__AREA_ELEMENTS;
        if ((!again || frame.index >= old.len) &&
            !kube__builder_alloc(&d->builder, KUBE__AREA_ELEMENTS, node->size, &element))
            return failed(d, kube__no_room(d));
        kube__lex_space(&d->lexer);
        if (again && frame.index < old.len)
            got = decode_again(d, node, 0, node->element_kind, node->element_flags, element);
        else if (KUBE__UNLIKELY(*d->lexer.p == 'n'))
            got = kube__decode_null(d, node->element_kind, element);
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
    if (again && frame.index < old.len)
        kube__builder_cut(&d->builder, KUBE__AREA_ELEMENTS, mark,
                          mark.top + frame.index * node->size);
    if (!kube__builder_finish_list(&d->builder, slot, mark, frame.index))
        return kube__no_room(d);
    return KUBE__LEX_OK;
}

static kube__lex decode_list(kube__decoder *d, kube__node *node, kube__slot slot)
{
    return decode_elements(d, node, slot, false);
}

static __attribute__((cold, noinline)) kube__lex
decode_list_again(kube__decoder *d, kube__node *node, kube__slot slot)
{
    return decode_elements(d, node, slot, true);
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
static inline bool is_member(const kube__node *node, const kube_field *field, const char *p)
{
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
        if (is_member(node, &node->fields[i], p))
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
    kube__lex got = kube__read_text(d, &len, "expected a member name");
    if (got)
        return got;
    const char *name = d->builder.text + d->builder.text_len;
    for (unsigned i = 0; i < node->count; i++) {
        const kube_field *field = &node->fields[i];
        if (field->key_len != len + 3 || memcmp(kube__node_key(node, field) + 1, name, len) != 0)
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

/* @seen has a bit for each member that may have come before, by its index modulo 64. */
#define ALL_SEEN UINT64_MAX
static kube__lex decode_struct(kube__decoder *d, kube__node *node, kube__slot at, uint64_t seen);

static kube__lex decode_struct_ptr(kube__decoder *d, kube__node *node, kube__slot slot)
{
    kube__slot place;
    if (!kube__builder_alloc(&d->builder, KUBE__AREA_FINAL, node->size, &place) ||
        !kube__builder_point_at_struct(&d->builder, slot, place >> 1))
        return kube__no_room(d);
    return decode_struct(d, node, place, 0);
}

/* The value at p, which is not null but for raw JSON, of a field of @node, or of its elements. */
static inline __attribute__((always_inline)) kube__lex
decode_value_inline(kube__decoder *d, kube__node *node, unsigned index, unsigned kind,
                    unsigned flags, kube__slot slot)
{
    kube__node *child;
    switch (kind) {
    case KUBE_KIND_STRING:
        return kube__decode_string(d, flags, slot);
    case KUBE_KIND_TIME:
        return kube__decode_time(d, kube__slot_at(&d->builder, slot));
    case KUBE_KIND_RAW_JSON:
        return kube__decode_raw(d, flags, slot);
    case KUBE_KIND_STRING_LIST:
        return decode_string_list(d, flags, slot);
    case KUBE_KIND_STRING_MAP:
        return decode_string_map(d, flags, slot);
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
            return decode_struct(d, child, slot, 0);
        if (kind == KUBE_KIND_LIST)
            return decode_list(d, child, slot);
        if (kind == KUBE_KIND_MAP)
            return decode_map(d, child, slot);
        return decode_struct_ptr(d, child, slot);
    default:
        return kube__decode_scalar(d, kind, flags, slot);
    }
}

static kube__lex decode_value(kube__decoder *d, kube__node *node, unsigned index, unsigned kind,
                              unsigned flags, kube__slot slot)
{
    return decode_value_inline(d, node, index, kind, flags, slot);
}

/*
 * The value at p where there may be one already, which it joins as in Go: members and entries are
 * added, elements are read into those that were there. A null leaves what cannot be absent.
 */
static __attribute__((cold, noinline)) kube__lex decode_again(kube__decoder *d, kube__node *node,
                                                              unsigned index, unsigned kind,
                                                              unsigned flags, kube__slot slot)
{
    kube__lex_space(&d->lexer);
    bool is_null = *d->lexer.p == 'n';
    bool is_dropped = flags & KUBE_FIELD_MANAGED && d->drop_managed_fields;
    if (is_null && (kube__kind_in(KUBE__KINDS_SCALAR, kind) || kind == KUBE_KIND_STRING ||
                    kind == KUBE_KIND_STRUCT))
        return kube__lex_null(&d->lexer);
    if (!is_null && !is_dropped && kube__kind_in(KUBE__KINDS_WITH_SUB, kind)) {
        kube__node *child = kube__node_child(&d->nodes, node, index);
        if (!child)
            return KUBE__LEX_NO_MEMORY;
        if (kind == KUBE_KIND_STRUCT)
            return decode_struct(d, child, slot, ALL_SEEN);
        if (kind == KUBE_KIND_LIST)
            return decode_list_again(d, child, slot);
        if (kind == KUBE_KIND_MAP)
            return decode_map_again(d, child, 0, slot);
        uint64_t place = (uintptr_t)kube__load_pointer(kube__slot_at(&d->builder, slot));
        if (place)
            return decode_struct(d, child, (kube__slot)place << 1 | KUBE__AREA_FINAL, ALL_SEEN);
    }
    if (!is_null && kind == KUBE_KIND_STRING_MAP)
        return decode_map_again(d, NULL, flags, slot);
    if (!kube__forget_value(d, kind, slot))
        return kube__no_room(d);
    return is_null ? kube__lex_null(&d->lexer) : decode_value(d, node, index, kind, flags, slot);
}

/* As find_field(), when the guess was wrong; blanks may be at p. */
static __attribute__((noinline)) kube__lex find_next(kube__decoder *d, kube__node *node,
                                                     unsigned previous, unsigned *index)
{
    kube__lex_space(&d->lexer);
    if (KUBE__UNLIKELY(*d->lexer.p != '"'))
        return kube__lex_broken(&d->lexer, "expected a member name");
    if (node->unknown.key_len && is_key_of(&node->unknown, d->lexer.p)) {
        *index = node->count;
        return KUBE__LEX_OK;
    }
    kube__lex got = find_field(d, node, index);
    if (got == KUBE__LEX_OK && *index < node->count)
        node->next[previous] = (uint16_t)*index;
    return got;
}

static inline kube__lex decode_member(kube__decoder *d, kube__node *node, const kube_field *field,
                                      unsigned index, uint64_t *seen, kube__slot at)
{
    kube__slot slot = at + ((uint32_t)field->offset << 1);
    uint64_t bit = UINT64_C(1) << (index % 64);
    if (KUBE__UNLIKELY(*seen & bit) && field->kind < KUBE__KIND_API_VERSION)
        return decode_again(d, node, index, field->kind, field->flags, slot);
    *seen |= bit;
    kube__lex_space(&d->lexer);
    if (KUBE__UNLIKELY(*d->lexer.p == 'n'))
        return kube__lex_null(&d->lexer); /* absent */
    return decode_value_inline(d, node, index, field->kind, field->flags, slot);
}

static kube__lex decode_struct(kube__decoder *d, kube__node *node, kube__slot at, uint64_t seen)
{
    if (KUBE__UNLIKELY(*d->lexer.p != '{'))
        return kube__lex_unexpected(&d->lexer, "expected an object");
    if (KUBE__UNLIKELY(!enter(d)))
        return kube__lose_value(d);
    if (*d->lexer.p == '}') {
        leave(d);
        return KUBE__LEX_OK;
    }
    kube__frame frame = {.up = d->frame, .shape = KUBE__FRAME_STRUCT, .node = node};
    if (!frame.up)
        d->root_frame = &frame;
    d->frame = &frame;
    size_t extra_start = d->extra_len;
    unsigned index = node->count; /* the guess for the first member is behind those of fields */
    kube__lex got;
    bool more;
    do {
        unsigned previous = index;
        index = node->next[previous];
        const kube_field *field = &node->fields[index];
        if (KUBE__LIKELY(index < node->count) && KUBE__LIKELY(is_member(node, field, d->lexer.p))) {
            d->lexer.p += field->key_len;
        } else {
            frame.field = NULL;
            frame.key = NULL;
            got = find_next(d, node, previous, &index);
            if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
                return failed(d, got);
            field = &node->fields[index];
        }
        if (KUBE__LIKELY(index < node->count)) {
            frame.field = field;
            got = decode_member(d, node, field, index, &seen, at);
        } else {
            index = previous;
            got = kube__decode_unknown(d, node, &frame, extra_start);
        }
        if (KUBE__LIKELY(got == KUBE__LEX_OK))
            got = next_element(d, '}', &more);
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return failed(d, got);
    } while (more);
    d->frame = frame.up;
    if (KUBE__UNLIKELY(d->extra_len > extra_start))
        return kube__finish_extra(d, node, at, extra_start);
    return KUBE__LEX_OK;
}

/* Each list or map that comes again costs a walk over what has been read: all together are to cost
 * in proportion to the text. */
enum { REOPEN_COST = 65536, REOPEN_COST_OF_BYTE = 8 };

/* Gets ready for another object of @node in the text from @p on. */
static kube__lex begin(kube__decoder *d, const kube__node *node, const char *p, const char *end)
{
    d->lexer = (kube__lexer){.p = kube__lex_blanks(p), .end = end};
    d->start = p;
    d->pool_used = false;
    d->failed = false;
    d->reopen_left = REOPEN_COST + REOPEN_COST_OF_BYTE * (size_t)(end - p);
    d->flags = 0;
    d->frame = NULL;
    d->extra_len = 0;
    d->path[0] = '\0';
    kube__slot root;
    if (!kube__builder_begin(&d->builder, (size_t)(end - p)) ||
        !kube__builder_alloc(&d->builder, KUBE__AREA_FINAL, node->size, &root))
        return kube__no_room(d);
    return KUBE__LEX_OK;
}

kube__lex kube__decoder_read(kube__decoder *d, const char *p, const char *end)
{
    if (!d->root)
        d->root = kube__node_new(&d->nodes, d->type->schema, true);
    if (!d->root)
        return KUBE__LEX_NO_MEMORY;
    kube__lex got = begin(d, d->root, p, end);
    return got ? got : decode_struct(d, d->root, 0, 0);
}

kube__lex kube__decoder_read_struct(kube__decoder *d, const kube_schema *schema, const char *p,
                                    const char *end)
{
    kube__node *node = kube__node_of(&d->nodes, schema);
    if (!node)
        return KUBE__LEX_NO_MEMORY;
    kube__lex got = begin(d, node, p, end);
    return got ? got : decode_struct(d, node, 0, 0);
}
