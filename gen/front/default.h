/* SPDX-License-Identifier: Apache-2.0 */
/* A server sets the default of a member that is left out. */
#ifndef KUBEGEN_DEFAULT_H
#define KUBEGEN_DEFAULT_H

#include "model.h"
#include "support/json_value.h"

/* Returns the default of a member as JSON, which the caller frees, or NULL if it has no default. */
json_value *default_value(const model_field *field);

#endif /* KUBEGEN_DEFAULT_H */
