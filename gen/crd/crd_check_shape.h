/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBEGEN_CRD_CHECK_SHAPE_H
#define KUBEGEN_CRD_CHECK_SHAPE_H

#include "support/diag.h"
#include "support/json_value.h"

/* Reports keywords of one schema that do not go with each other, or have values of no meaning. */
void crd_check_shape(const json_value *schema, diag_loc loc, diag *to);

#endif /* KUBEGEN_CRD_CHECK_SHAPE_H */
