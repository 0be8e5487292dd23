/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes single values, for encode itself, path look-up and diff. */
#ifndef KUBE_OBJECT_ENCODE_H
#define KUBE_OBJECT_ENCODE_H

#include "object/block/value.h"
#include "object/json/writer.h"

#include <kube/codec.h>

typedef struct kube__encoder {
    kube__writer w;
    uint8_t skip;     /* flags of fields that this mode does not send */
    uint8_t optional; /* KUBE_FIELD_OPTIONAL where the mode treats every field as such */
    bool apply;
    const char *fault; /* what is wrong with the value that path names */
    bool path_is_cut;
    size_t path_at; /* path is written from its end, while the recursion returns */
    char path[120];
} kube__encoder;

void kube__encoder_init(kube__encoder *e, kube_encode_mode mode);
void kube__encoder_fini(kube__encoder *e);

/* All of these return false after a fault. @depth is what nesting is left. */
bool kube__encode_value(kube__encoder *e, unsigned kind, const kube_schema *sub, const void *at,
                        unsigned depth);
bool kube__encode_string(kube__encoder *e, const char *text);
/* `,"name":`: the comma before a struct's first member becomes its opening brace. */
bool kube__encode_key(kube__encoder *e, const kube_schema *schema, const kube_field *field);
/* Puts brackets around what was written since @start, each piece of it after a comma. */
bool kube__encode_close(kube__encoder *e, size_t start, char open, char close);

bool kube__encode_fault(kube__encoder *e, const char *fault);
/* Name the place of a fault from the inside out; they return false. */
bool kube__fault_in_field(kube__encoder *e, const kube_schema *schema, const kube_field *field);
bool kube__fault_in_key(kube__encoder *e, const char *key);
bool kube__fault_in_path(kube__encoder *e, const char *path);
/* The fault as an error. */
kube_code kube__encoder_error(const kube__encoder *e, kube_error *err);

#endif /* KUBE_OBJECT_ENCODE_H */
