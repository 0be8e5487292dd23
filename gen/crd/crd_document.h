/* SPDX-License-Identifier: Apache-2.0 */
/* A crd_document is the CustomResourceDefinition of all versions of a Kind. */
#ifndef KUBEGEN_CRD_DOCUMENT_H
#define KUBEGEN_CRD_DOCUMENT_H

#include "crd_options.h"
#include "front/model.h"
#include "support/output.h"
#include "support/place.h"

typedef struct crd_document {
    const model_package *package; /* of the first version */
    const model_resource *resource;
    json_value *value;
} crd_document;

typedef VEC(crd_document) crd_list;

/*
 * Appends the CRD of each Kind of @input. @places, which may be NULL, gets where versions, members,
 * columns and the like are declared. Errors go to @to.
 */
void crd_build(const model *input, place_list *places, crd_list *out, diag *to);
void crd_list_free(crd_list *list);
/* Plans DIR/<group>_<plural>.yaml for each Kind of @input. Errors go to @to. */
void crd_plan(const model *input, const crd_options *options, const char *dir, output_set *files,
              diag *to);

#endif /* KUBEGEN_CRD_DOCUMENT_H */
