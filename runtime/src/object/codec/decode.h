/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder turns JSON text into a block in one pass, driven by tables. It guesses the name of
 * the next member from what followed the last time, so that it usually finds it by comparing 32
 * bytes, whatever order the server writes members in.
 */
#ifndef KUBE_OBJECT_DECODE_H
#define KUBE_OBJECT_DECODE_H

#include "object/block/builder.h"
#include "object/block/pool.h"

typedef struct kube__node kube__node;
typedef struct kube__frame kube__frame;

enum { KUBE__RECENT_RAWS = 8, KUBE__PATH_MAX = 256 };

/* A raw value read before and interned: the same text needs no second check. */
typedef struct kube__recent_raw {
    const char *text;
    uint32_t len;
    unsigned depth; /* at which it was found not to nest too deep */
    unsigned next;  /* the one that came after it last time */
} kube__recent_raw;

typedef struct kube__decoder {
    kube__lexer lexer;
    const char *start; /* of the object's text */
    kube__builder builder;
    const kube_type *type;
    size_t api_version_len;
    size_t kind_len;
    kube__pool *pool; /* NULL = no interning */
    bool pool_used;   /* by the object being read */
    bool drop_managed_fields;
    bool failed;        /* path says where */
    size_t reopen_left; /* what lists and maps that come again may cost yet */
    uint32_t flags;     /* KUBE__BLOCK_PARTIAL… */
    kube__node *nodes;
    kube__node *root;
    const kube__frame *frame; /* the innermost */
    const kube__frame *root_frame;
    char *extra; /* unknown members that are kept, of all structs being read, as a stack */
    size_t extra_len;
    size_t extra_size;
    kube__recent_raw recent[KUBE__RECENT_RAWS];
    unsigned recent_count;
    unsigned recent_last;
    bool lost_known;           /* lost is the path of the root's known unknown member */
    char lost[KUBE__PATH_MAX]; /* the first lost path */
    char path[KUBE__PATH_MAX]; /* of the error */
    char detail[160];          /* an error message that had to be put together */
} kube__decoder;

/* Takes no memory yet. @pool NULL = nothing is interned. */
void kube__decoder_init(kube__decoder *decoder, const kube_type *type, bool drop_managed_fields,
                        kube__pool *pool);
void kube__decoder_fini(kube__decoder *decoder);
/* Interns into another pool from now on. */
void kube__decoder_set_pool(kube__decoder *decoder, kube__pool *pool);
size_t kube__decoder_memory(const kube__decoder *decoder);

/* Reads the object at @p; lexer.p is then behind it, or at the error. Padding follows @end. */
kube__lex kube__decoder_read(kube__decoder *decoder, const char *p, const char *end);
/* Returns the object that was read, with one reference; its block is not sealed. Returns NULL if
 * out of memory. */
kube_object *kube__decoder_take(kube__decoder *decoder);

/* Reads a struct of another schema at @p. It is found by kube__decoder_struct(), its words not
 * relocated: for the few structs that are read where they lie. */
kube__lex kube__decoder_read_struct(kube__decoder *decoder, const kube_schema *schema,
                                    const char *p, const char *end);
const void *kube__decoder_struct(const kube__decoder *decoder);
/* The string whose word is at @word of that struct, NULL when it is absent. */
const char *kube__decoder_text(const kube__decoder *decoder, const char *const *word);

/* Fills @err from the failure @got of a read. @prefix stands before the path, @offset is that of
 * lexer.p in the document. */
kube_code kube__decoder_error(const kube__decoder *decoder, kube__lex got, const char *prefix,
                              uint64_t offset, kube_error *err);

#endif /* KUBE_OBJECT_DECODE_H */
