/* SPDX-License-Identifier: Apache-2.0 */
/* crd_plan() makes a CustomResourceDefinition of all versions of a Kind. */
#ifndef KUBEGEN_CRD_DOCUMENT_H
#define KUBEGEN_CRD_DOCUMENT_H

#include "front/model.h"
#include "support/output.h"

/* Plans DIR/<group>_<plural>.yaml for each Kind of @input. Errors go to @to. */
void crd_plan(const model *input, const char *dir, output_set *files, diag *to);

#endif /* KUBEGEN_CRD_DOCUMENT_H */
