/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_write() writes JSON values as YAML in block style; members keep their order. */
#ifndef KUBEGEN_YAML_H
#define KUBEGEN_YAML_H

#include "json_value.h"
#include "str.h"

/*
 * Appends @value, an object or an array that is not empty. Strings are quoted when a YAML 1.1 or
 * 1.2 reader could take them for something else; several lines become a literal block.
 */
void yaml_write(const json_value *value, str *out);

#endif /* KUBEGEN_YAML_H */
