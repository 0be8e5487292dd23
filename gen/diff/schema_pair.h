/* SPDX-License-Identifier: Apache-2.0 */
/* A schema_pair is a node of two schemas that stand at the same path: as it was, and as it is. */
#ifndef KUBEGEN_DIFF_SCHEMA_PAIR_H
#define KUBEGEN_DIFF_SCHEMA_PAIR_H

#include "change.h"
#include "support/place.h"

typedef struct comparison {
    change_list *out;
    const place_list *was_places;
    const place_list *is_places;
} comparison;

typedef struct schema_pair {
    const comparison *in;
    const json_value *was;
    const json_value *is;
    subject about;
} schema_pair;

/* Returns the pair that stands at @path below @of, with the places of its own where it has some. */
schema_pair schema_pair_at(const schema_pair *of, const json_value *was, const json_value *is,
                           const char *path);
/* Adds a change of the keyword @key, with its places where the sources tell them. */
__attribute__((format(printf, 4, 5))) void
schema_pair_tell(const schema_pair *of, rule_id rule, const char *key, const char *format, ...);
/* Returns JSON of a value for a message, which is not too long. */
const char *schema_pair_text(const schema_pair *of, const json_value *value);
/* Says whether two schemas accept and prune the same: titles and descriptions do not count. */
bool schema_pair_is_same(const json_value *was, const json_value *is);

#endif /* KUBEGEN_DIFF_SCHEMA_PAIR_H */
