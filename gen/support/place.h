/* SPDX-License-Identifier: Apache-2.0 */
/* A place_list says where in a source the values of a JSON tree come from. */
#ifndef KUBEGEN_PLACE_H
#define KUBEGEN_PLACE_H

#include "diag.h"
#include "json_value.h"
#include "vec.h"

typedef VEC(diag_loc) place_list;

/* Sets the place of a value, by its mark. The file's name is not copied. @list may be NULL. */
void place_set(place_list *list, json_value *value, diag_loc loc);
/* Returns the place of a value; one without a file if @value is NULL or none was set. */
diag_loc place_of(const place_list *list, const json_value *value);

#endif /* KUBEGEN_PLACE_H */
