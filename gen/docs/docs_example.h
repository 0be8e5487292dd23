/* SPDX-License-Identifier: Apache-2.0 */
/* docs_example() makes an object of a Kind that its CRD's schema accepts. */
#ifndef KUBEGEN_DOCS_EXAMPLE_H
#define KUBEGEN_DOCS_EXAMPLE_H

#include "front/model.h"
#include "support/json_value.h"

/*
 * Returns the object, which the caller frees: required members, and others that have an example, a
 * default or an enum. Values are the member's example, default or first enum value; otherwise they
 * are made up within the limits. What a CEL rule wants cannot be made up.
 */
json_value *docs_example(const model_package *package, const model_resource *resource,
                         const json_value *schema);

#endif /* KUBEGEN_DOCS_EXAMPLE_H */
