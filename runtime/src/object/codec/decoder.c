/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and frees decoders, makes their results and errors, and implements kube_decode(). */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "decode_text.h"
#include "object/block/node.h"

#include <inttypes.h>
#include <kube/codec.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEPT_EXTRA = 1 << 20 };

void kube__decoder_init(kube__decoder *decoder, const kube_type *type, bool drop_managed_fields,
                        kube__pool *pool)
{
    memset(decoder, 0, sizeof *decoder);
    decoder->type = type;
    decoder->api_version_len = strlen(type->api_version);
    decoder->kind_len = strlen(type->kind);
    decoder->drop_managed_fields = drop_managed_fields;
    decoder->pool = pool;
}

void kube__decoder_fini(kube__decoder *decoder)
{
    kube__builder_fini(&decoder->builder);
    kube__nodes_free(decoder->nodes);
    decoder->nodes = NULL;
    decoder->root = NULL;
    free(decoder->extra);
    decoder->extra = NULL;
    decoder->extra_size = 0;
}

void kube__decoder_set_pool(kube__decoder *decoder, kube__pool *pool)
{
    decoder->pool = pool;
    decoder->recent_count = 0;
    decoder->recent_last = 0;
}

size_t kube__decoder_memory(const kube__decoder *decoder)
{
    return sizeof *decoder + kube__builder_memory(&decoder->builder) +
           kube__nodes_memory(decoder->nodes) + decoder->extra_size;
}

kube_object *kube__decoder_take(kube__decoder *decoder)
{
    size_t lost_len = decoder->flags & KUBE__BLOCK_PARTIAL ? strlen(decoder->lost) + 1 : 0;
    struct kube_block *block = kube__builder_make_block(&decoder->builder, decoder->lost, lost_len);
    if (!block)
        return NULL;
    block->flags = decoder->flags;
    if (decoder->pool_used)
        block->pool = kube__pool_ref(decoder->pool);
    kube_object *object = (kube_object *)(void *)kube__block_structs(block);
    object->type = decoder->type;
    object->block = block;
    return object;
}

const void *kube__decoder_struct(const kube__decoder *decoder)
{
    return decoder->builder.area[KUBE__AREA_FINAL];
}

const char *kube__decoder_text(const kube__decoder *decoder, const char *const *word)
{
    uint64_t offset;
    memcpy(&offset, word, sizeof offset);
    return offset ? decoder->builder.text + offset - 1 : NULL;
}

kube_code kube__decoder_error(const kube__decoder *decoder, kube__lex got, const char *prefix,
                              uint64_t offset, kube_error *err)
{
    if (got == KUBE__LEX_NO_MEMORY)
        return kube__no_memory(err, "decoding");
    char path[KUBE__PATH_MAX + 64];
    const char *dot = *prefix && *decoder->path && *decoder->path != '[' ? "." : "";
    snprintf(path, sizeof path, "%s%s%s", prefix, dot, decoder->path);
    const char *colon = *path ? ": " : "";
    const kube__lexer *lexer = &decoder->lexer;
    if (got == KUBE__LEX_MORE)
        kube_error_set(err, KUBE_ERR_DECODE, "%s%stext ends in the middle (offset %" PRIu64 ")",
                       path, colon, offset);
    else if (lexer->found)
        kube_error_set(err, KUBE_ERR_DECODE, "%s%s%s, found %s (offset %" PRIu64 ")", path, colon,
                       lexer->what, lexer->found, offset);
    else
        kube_error_set(err, KUBE_ERR_DECODE, "%s%s%s (offset %" PRIu64 ")", path, colon,
                       lexer->what, offset);
    if (err) {
        size_t len = kube__utf8_cut(path, strlen(path), sizeof err->field - 1);
        memcpy(err->field, path, len);
        err->field[len] = '\0';
    }
    return KUBE_ERR_DECODE;
}

/* Decodes the whole of a padded text. */
static kube_code decode_padded(kube__decoder *decoder, const char *text, size_t len,
                               kube_object **out, kube_error *err)
{
    kube__lex got = kube__decoder_read(decoder, text, text + len);
    if (got == KUBE__LEX_OK) {
        decoder->lexer.p = kube__lex_blanks(decoder->lexer.p);
        if (decoder->lexer.p < decoder->lexer.end)
            got = kube__lex_broken(&decoder->lexer, "text after the object");
    }
    if (got == KUBE__LEX_MORE)
        decoder->lexer.p = decoder->lexer.end;
    if (got != KUBE__LEX_OK)
        return kube__decoder_error(decoder, got, "", (uint64_t)(decoder->lexer.p - text), err);
    *out = kube__decoder_take(decoder);
    if (!*out)
        return kube__no_memory(err, "decoding");
    return KUBE_OK;
}

kube_code kube_decode(kube_ctx *ctx, const kube_type *type, const char *json, size_t len, void *out,
                      kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    kube__object_out(out, NULL);
    if (rc)
        return rc;
    if (len >= UINT32_MAX - KUBE__LEX_PADDING)
        return kube_error_set(err, KUBE_ERR_DECODE, "text of %zu bytes is too large", len);
    kube__decoder decoder;
    kube__decoder_init(&decoder, type, false, NULL);
    kube_object *object = NULL;
    char *padded = malloc(len + KUBE__LEX_PADDING);
    if (!padded) {
        rc = kube__no_memory(err, "decoding");
        goto out;
    }
    if (len)
        memcpy(padded, json, len);
    memset(padded + len, 0, KUBE__LEX_PADDING);
    rc = decode_padded(&decoder, padded, len, &object, err);
    if (rc == KUBE_OK)
        rc = kube_object_keep(ctx, object, err);
    if (rc == KUBE_OK)
        kube__object_out(out, object);
out:
    kube_object_unref(object);
    free(padded);
    kube__decoder_fini(&decoder);
    return rc;
}
