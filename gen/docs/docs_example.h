/* SPDX-License-Identifier: Apache-2.0 */
/* docs_example() makes an object of a Kind that its CRD's schema accepts. */
#ifndef KUBEGEN_DOCS_EXAMPLE_H
#define KUBEGEN_DOCS_EXAMPLE_H

#include "front/model.h"
#include "support/json_value.h"

/*
 * Returns the object, which the caller frees: required members, and others that have an example, a
 * default or an enum. Values are the member's example, else its default, else one that is made up
 * and that the schema takes. Where none is found, and so nothing is right, a remark in YAML stands.
 * What a CEL rule wants cannot be made up.
 */
json_value *docs_example(const model_package *package, const model_resource *resource,
                         const json_value *schema);

#endif /* KUBEGEN_DOCS_EXAMPLE_H */
