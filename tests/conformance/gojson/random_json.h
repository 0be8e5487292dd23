/* SPDX-License-Identifier: Apache-2.0 */
/* Random JSON along the tables of a type: objects that are mostly right, and wrong on purpose. */
#ifndef TESTS_GOJSON_RANDOM_JSON_H
#define TESTS_GOJSON_RANDOM_JSON_H

#include "base/buffer.h"

#include <kube/object.h>

typedef struct random_json {
    kube__buffer *out;
    uint64_t state;  /* of kube__random_next() */
    unsigned wrong;  /* one value in this many is of a wrong type or null; 0 = none */
    unsigned chance; /* of 8 members, how many are there */
    unsigned depth;
} random_json;

/* Appends one object of the type. The same state makes the same text. */
void random_json_object(random_json *r, const kube_type *type);

#endif /* TESTS_GOJSON_RANDOM_JSON_H */
