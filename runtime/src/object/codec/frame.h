/* SPDX-License-Identifier: Apache-2.0 */
/* The position of a decoder, as a chain of frames on the C stack. It is read only to make a path
 * for an error. */
#ifndef KUBE_OBJECT_FRAME_H
#define KUBE_OBJECT_FRAME_H

#include "object/block/node.h"

typedef enum kube__frame_shape {
    KUBE__FRAME_STRUCT,
    KUBE__FRAME_LIST,
    KUBE__FRAME_MAP,
} kube__frame_shape;

typedef struct kube__frame {
    const struct kube__frame *up;
    kube__frame_shape shape;
    uint32_t index;          /* of a list's element */
    const kube__node *node;  /* of a struct, while field is set */
    const kube_field *field; /* of a struct; NULL before one is found, and in an unknown member */
    const char *key;         /* of a map's entry, or an unknown member; NULL = none yet */
    size_t key_len;          /* of an unknown member, as written; a map's ends in NUL */
} kube__frame;

/* `"name":` of a node's field, whole also when it is longer than the table's 32 bytes. */
static inline const char *kube__node_key(const kube__node *node, const kube_field *field)
{
    return field->key_len > KUBE_FIELD_KEY_SIZE ? node->schema->long_keys[field - node->fields]
                                                : field->key;
}

/* The path down to @frame, such as spec.ports[0].labels['a.b/c']; cut when it is too long. */
void kube__frame_path(const kube__frame *frame, char *path, size_t size);

#endif /* KUBE_OBJECT_FRAME_H */
