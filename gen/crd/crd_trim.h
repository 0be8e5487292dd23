/* SPDX-License-Identifier: Apache-2.0 */
/* crd_trim() shortens the descriptions of a schema. */
#ifndef KUBEGEN_CRD_TRIM_H
#define KUBEGEN_CRD_TRIM_H

#include "support/json_value.h"

/*
 * Returns a copy of @schema whose descriptions have at most @max bytes: the sentences that fit, or
 * else the words that fit and "...". With 0 it has none.
 */
json_value *crd_trim(const json_value *schema, size_t max);

#endif /* KUBEGEN_CRD_TRIM_H */
