/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes members that need more than a field's value: unknown ones, and those that come twice. */
#include "decode_text.h"
#include "object/block/node.h"

#include <stdlib.h>

enum { MAX_DUPLICATES = 64 }; /* in an object: each costs a walk over what has been read */

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

kube__lex kube__finish_extra(kube__decoder *d, const kube__node *node, kube__slot at, size_t start)
{
    uint32_t len = (uint32_t)(d->extra_len - start);
    char *text = d->builder.text + d->builder.text_len;
    memcpy(text, d->extra + start, len);
    text[len] = '\0';
    d->extra_len = start;
    kube__slot slot = at + ((uint32_t)node->extra_offset << 1);
    kube__builder_set_len(&d->builder, slot, len);
    return kube__keep_text(d, slot, len);
}

static bool is_key(const kube__frame *frame, const char *name)
{
    return frame->key && frame->key_len == strlen(name) &&
           memcmp(frame->key, name, frame->key_len) == 0;
}

/* The member of the innermost frame is dropped; @known, when it is its node's known unknown one. */
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
    if (*value == 'n')
        return KUBE__LEX_OK; /* absent, so nothing is lost */
    if (node->extra_offset == KUBE_NO_EXTRA) {
        note_loss(d, known);
        return KUBE__LEX_OK;
    }
    return keep_member(d, extra_start, key, key_len, value, (size_t)(d->lexer.p - value));
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

kube__lex kube__forget_value(kube__decoder *d, const kube__node *node, unsigned index,
                             kube__slot slot)
{
    uint32_t size = value_size(node, index);
    const char *at = kube__slot_at(&d->builder, slot);
    uint32_t zeros = 0;
    while (zeros < size && !at[zeros])
        zeros++;
    if (zeros == size)
        return KUBE__LEX_OK;
    if (++d->duplicates > MAX_DUPLICATES)
        return kube__lex_refuse(&d->lexer, d->lexer.p, "too many duplicate members");
    kube__builder_forget(&d->builder, slot, size);
    return KUBE__LEX_OK;
}
