/* SPDX-License-Identifier: Apache-2.0 */
/* compare_crds() tells how the CustomResourceDefinitions of two states of an API differ. */
#ifndef KUBEGEN_DIFF_COMPARE_CRD_H
#define KUBEGEN_DIFF_COMPARE_CRD_H

#include "schema_pair.h"
#include "support/yaml_read.h"

/* The documents, each a CustomResourceDefinition of apiextensions.k8s.io/v1. */
void compare_crds(const comparison *in, const json_list *was, const json_list *is);

#endif /* KUBEGEN_DIFF_COMPARE_CRD_H */
