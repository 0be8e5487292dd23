/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which object a text is that does not decode: its metadata is looked for in the text. */
#ifndef KUBE_OBJECT_BAD_OBJECT_H
#define KUBE_OBJECT_BAD_OBJECT_H

#include "stream.h"

/* Fills the key from the text of an object, which may end anywhere and be anything, but is followed
 * by KUBE__LEX_PADDING. Returns false if it has no name, or not the whole of its metadata. */
bool kube__bad_object_find(const char *text, const char *end, kube__bad_object *bad);

#endif /* KUBE_OBJECT_BAD_OBJECT_H */
