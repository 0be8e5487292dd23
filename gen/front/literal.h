/* SPDX-License-Identifier: Apache-2.0 */
/* A marker's value of any type is written in JSON, or in a loose form that needs fewer quotes. */
#ifndef KUBEGEN_LITERAL_H
#define KUBEGEN_LITERAL_H

#include "support/json_value.h"

/* Says whether @text is a number as JSON has it. */
bool literal_is_number(const char *text);
/* Says whether it is one without a fraction and an exponent. */
bool literal_is_whole(const char *text);

/*
 * Makes a number of JSON of its text. An exponent goes, or gets a mantissa with a point: readers of
 * YAML 1.1 take 1e2 for a string.
 */
json_value *literal_number(const char *text);

/*
 * Reads all of @text. @loose: true, 3, word, "text", `text`, a;b, {a, b}, {key: value}; otherwise
 * JSON. Numbers are as literal_number() makes them. Returns NULL after an error: @why says what is
 * wrong at byte
 * @fault.
 */
json_value *literal_parse(const char *text, bool loose, size_t *fault, const char **why);
/* The same for JSON in which null is a value. */
json_value *literal_parse_json(const char *text, size_t *fault, const char **why);

/* Says whether the values are the same; members of objects may stand in any order. */
bool literal_equal(const json_value *a, const json_value *b);

#endif /* KUBEGEN_LITERAL_H */
