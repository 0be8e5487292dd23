/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes members that need more than a field's value: unknown ones, and those that come twice. */
#include "decode_text.h"
#include "object/block/node.h"

#include <stdlib.h>

enum { SORT_COST = 16 }; /* of an entry of a map that comes again */

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

static bool is_key(const kube__frame *frame, const char *name)
{
    return frame->key && frame->key_len == strlen(name) &&
           memcmp(frame->key, name, frame->key_len) == 0;
}

/* @known, when it is the node's known unknown member that is lost. */
static void note_loss(kube__decoder *d, bool known)
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
    known = known && d->frame == root;
    if (!known || !d->lost_known)
        kube__frame_path(d->frame, d->lost, sizeof d->lost);
    d->lost_known = known;
}

void kube__note_loss(kube__decoder *d)
{
    note_loss(d, false);
}

kube__lex kube__lose_value(kube__decoder *d)
{
    note_loss(d, false);
    return kube__lex_skip(&d->lexer);
}

kube__lex kube__decode_null(kube__decoder *d, unsigned kind, kube__slot slot)
{
    if (kind == KUBE_KIND_RAW_JSON)
        return kube__decode_raw(d, 0, slot);
    kube__lex got = kube__lex_null(&d->lexer);
    bool is_string = kind == KUBE_KIND_STRING;
    if (got || !(is_string || kind == KUBE_KIND_STRUCT || kube__kind_in(KUBE__KINDS_SCALAR, kind)))
        return got;
    note_loss(d, false);
    d->builder.text[d->builder.text_len] = '\0';
    return is_string ? kube__keep_text(d, slot, 0) : KUBE__LEX_OK;
}

/* The next object is likely to have it too: then it need not be looked for among the fields. */
static void remember_unknown(kube__node *node, const char *key, size_t len)
{
    memcpy(node->unknown.key, key, len);
    node->unknown.key_mask = (uint32_t)((UINT64_C(1) << len) - 1);
    node->unknown.key_len = (uint8_t)len;
}

/* `"key":` at p; @len is that of the key with its quotes, @is_known whether it is the node's
 * known one. */
static kube__lex read_unknown_key(kube__decoder *d, kube__node *node, size_t *len, bool *is_known)
{
    const char *key = d->lexer.p;
    const kube_field *known = &node->unknown;
    *is_known = known->key_len && memcmp(key, known->key, known->key_len) == 0;
    if (*is_known) {
        d->lexer.p += known->key_len;
        *len = known->key_len - 1u;
        return KUBE__LEX_OK;
    }
    kube__lex got = kube__lex_skip(&d->lexer);
    if (got)
        return got;
    *len = (size_t)(d->lexer.p - key);
    bool plain = *d->lexer.p == ':' && *len < KUBE_FIELD_KEY_SIZE;
    kube__lex_space(&d->lexer);
    if (*d->lexer.p != ':')
        return kube__lex_broken(&d->lexer, "expected ':'");
    d->lexer.p++;
    if (plain && !known->key_len)
        remember_unknown(node, key, *len + 1);
    return KUBE__LEX_OK;
}

kube__lex kube__decode_unknown(kube__decoder *d, kube__node *node, kube__frame *frame,
                               size_t extra_start)
{
    const char *key = d->lexer.p;
    size_t key_len;
    bool known;
    kube__lex got = read_unknown_key(d, node, &key_len, &known);
    if (got)
        return got;
    frame->key = key + 1;
    frame->key_len = key_len - 2;
    kube__lex_space(&d->lexer);
    const char *value = d->lexer.p;
    got = kube__lex_skip(&d->lexer);
    if (got)
        return got;
    if (node->extra_offset == KUBE_NO_EXTRA) {
        note_loss(d, known);
        return KUBE__LEX_OK;
    }
    return keep_member(d, extra_start, key, key_len, value, (size_t)(d->lexer.p - value));
}

/* Whether what has @len elements or bytes may be read a second time; that walks over the
 * relocations, too. */
static bool may_reopen(kube__decoder *d, size_t len)
{
    size_t cost = len + d->builder.reloc_count[KUBE__AREA_FINAL] +
                  d->builder.reloc_count[KUBE__AREA_ELEMENTS];
    if (cost <= d->reopen_left) {
        d->reopen_left -= cost;
        return true;
    }
    note_loss(d, false);
    return false;
}

/* Puts the @len bytes of @text behind the members that the struct has kept already. They go where
 * structs are, since the text has no room for the old ones a second time. */
static bool join_extra(kube__decoder *d, kube__slot slot, kube__span old, const char *text,
                       uint32_t len)
{
    uint32_t old_len = (uint32_t)old.len;
    bool is_text = kube__builder_is_text(&d->builder, slot);
    kube__slot place;
    if (!kube__builder_alloc(&d->builder, KUBE__AREA_FINAL, old_len + 1 + len + 1, &place))
        return false;
    const char *from = is_text ? d->builder.text - 1 : d->builder.area[KUBE__AREA_FINAL];
    char *to = kube__slot_at(&d->builder, place);
    memcpy(to, from + (uintptr_t)old.items, old_len);
    to[old_len] = ',';
    memcpy(to + old_len + 1, text, len);
    if (!kube__builder_forget(&d->builder, slot, sizeof old, true))
        return false;
    kube__builder_set_len(&d->builder, slot, (size_t)old_len + 1 + len);
    return kube__builder_point_at_struct(&d->builder, slot, place >> 1);
}

kube__lex kube__finish_extra(kube__decoder *d, const kube__node *node, kube__slot at, size_t start)
{
    kube__slot slot = at + ((uint32_t)node->extra_offset << 1);
    uint32_t len = (uint32_t)(d->extra_len - start);
    d->extra_len = start;
    kube__span old = kube__load_span(kube__slot_at(&d->builder, slot));
    if (KUBE__UNLIKELY(old.items != NULL)) {
        if (may_reopen(d, old.len))
            return join_extra(d, slot, old, d->extra + start, len) ? KUBE__LEX_OK
                                                                   : kube__no_room(d);
        if (!kube__builder_forget(&d->builder, slot, sizeof old, true))
            return kube__no_room(d);
    }
    char *text = d->builder.text + d->builder.text_len;
    memcpy(text, d->extra + start, len);
    text[len] = '\0';
    kube__builder_set_len(&d->builder, slot, len);
    return kube__keep_text(d, slot, len);
}

bool kube__forget_value(kube__decoder *d, unsigned kind, kube__slot slot)
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
    bool is_pointer = kube__kind_in(KUBE__KINDS_POINTER | 1 << KUBE_KIND_INT_OR_STRING, kind);
    return kube__builder_forget(&d->builder, slot, kind < sizeof sizes ? sizes[kind] : 0,
                                is_pointer);
}

bool kube__take_list(kube__decoder *d, kube__slot slot, bool is_map, kube__span *old)
{
    *old = kube__load_span(kube__slot_at(&d->builder, slot));
    if (old->len > 0 &&
        !may_reopen(d, SORT_COST * old->len + (is_map ? (size_t)(d->lexer.p - d->start) : 0)))
        old->len = 0;
    return kube__builder_forget(&d->builder, slot, sizeof *old, true);
}

bool kube__reopen_list(kube__decoder *d, kube__span old, unsigned area, uint32_t stride)
{
    return kube__builder_reopen(&d->builder, (uint32_t)(uintptr_t)old.items,
                                (uint32_t)old.len * stride, area);
}
