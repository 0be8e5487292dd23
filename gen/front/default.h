/* SPDX-License-Identifier: Apache-2.0 */
/* What the server puts where a member is left out. */
#ifndef KUBEGEN_DEFAULT_H
#define KUBEGEN_DEFAULT_H

#include "model.h"
#include "support/json_value.h"

/* The default of a member as JSON; NULL = it has none. The caller frees it. */
json_value *default_value(const model_field *field);

#endif /* KUBEGEN_DEFAULT_H */
