/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_read() reads YAML, and JSON, which is YAML, into JSON values. */
#ifndef KUBEGEN_YAML_READ_H
#define KUBEGEN_YAML_READ_H

#include "json_value.h"
#include "place.h"

typedef VEC(json_value *) json_list;

/*
 * Appends the documents of @text to @out, which the caller empties with json_list_free(); empty
 * ones are left out. What is read as what follows sigs.k8s.io/yaml, as kubectl does. @places, which
 * may be NULL, gets the place of each value: of a member, where its name stands. @file is what
 * places and errors name, and has to live as long as they do. Returns false after an error.
 */
bool yaml_read(const char *file, const char *text, size_t len, place_list *places, json_list *out,
               diag *to);
void json_list_free(json_list *list);

#endif /* KUBEGEN_YAML_READ_H */
