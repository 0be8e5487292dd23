/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crd_flat_add() writes what a CRD says so that equal ones are the same text: a line for each
 * member, without descriptions and without what has no effect, such as an order or a default's own
 * value.
 */
#ifndef KUBEGEN_CRD_FLAT_H
#define KUBEGEN_CRD_FLAT_H

#include "import/crd_read.h"
#include "support/str.h"

void crd_flat_add(const crd_version *version, str *out);

#endif /* KUBEGEN_CRD_FLAT_H */
