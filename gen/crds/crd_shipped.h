/* SPDX-License-Identifier: Apache-2.0 */
/* crd_shipped_load() reads the headers of the built-in APIs, whose structs CRDs repeat. */
#ifndef KUBEGEN_CRD_SHIPPED_H
#define KUBEGEN_CRD_SHIPPED_H

#include "crd_types.h"
#include "front/load.h"

typedef VEC(crd_shipped) crd_shipped_list;

/* Finds the headers where includes are looked for; those that are not there are passed over. */
void crd_shipped_load(arena *in, const model_options *options, crd_shipped_list *out);
void crd_shipped_free(crd_shipped_list *list);

#endif /* KUBEGEN_CRD_SHIPPED_H */
