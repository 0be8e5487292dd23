/* SPDX-License-Identifier: Apache-2.0 */
/* crd_places_set() tells which marker a keyword of a member's schema comes from. */
#ifndef KUBEGEN_CRD_PLACES_H
#define KUBEGEN_CRD_PLACES_H

#include "front/model.h"
#include "support/place.h"

/* Sets the places of the keywords of @schema, as far as the member's own markers say them. */
void crd_places_set(place_list *places, json_value *schema, const model_field *field);

#endif /* KUBEGEN_CRD_PLACES_H */
