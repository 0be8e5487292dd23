/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which object a text is that does not decode: its metadata is looked for in the text.
 * Also checks the names of those that do. */
#ifndef KUBE_OBJECT_BAD_OBJECT_H
#define KUBE_OBJECT_BAD_OBJECT_H

#include "stream.h"

/* Fills the key from the text of an object, which may end anywhere and be anything, but is followed
 * by KUBE__LEX_PADDING. Returns false if it has not the whole of its metadata, or no name in it
 * that an object can have. */
bool kube__bad_object_find(const char *text, const char *end, kube__bad_object *bad);

/* Fills the reason from @err, whose paths begin with @where, such as "items[3]". */
void kube__bad_object_explain(kube__bad_object *bad, const kube_error *err, const char *where);

/* Checks the name and the namespace of an object: NULL, or what is wrong with *@member. Only a
 * @named one must have a name: what is created for its answer alone, such as a TokenReview, has
 * none. */
const char *kube__names_flaw(const kube_object_meta *meta, bool named, const char **member);
/* Says so; the object stands at the path @where, "" = nowhere. Returns KUBE_ERR_UNDECODABLE. */
kube_code kube__names_refuse(const char *where, const char *member, const char *flaw,
                             kube_error *err);

#endif /* KUBE_OBJECT_BAD_OBJECT_H */
