/* SPDX-License-Identifier: Apache-2.0 */
/* These functions turn schemas of CRDs into those of an OpenAPI document, which name their structs.
 */
#ifndef KUBEGEN_CRD_CONVERT_H
#define KUBEGEN_CRD_CONVERT_H

#include "crd_types.h"

/*
 * Returns a copy of a Kind's schema without apiVersion and kind, with a `metadata` that says
 * nothing and, if @needs_status, a `status`; without descriptions unless @docs.
 */
json_value *crd_simplify(const json_value *schema, bool needs_status, bool docs);
/* Returns the schema of a Kind, or of a struct, with references in the places of other structs.
 * @places are where it is; @given is the part of the file of names. */
json_value *crd_convert(const crd_types *types, const json_value *schema,
                        const crd_place *const *places, size_t place_len, const json_value *given);

#endif /* KUBEGEN_CRD_CONVERT_H */
