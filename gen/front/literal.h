/* SPDX-License-Identifier: Apache-2.0 */
/* Values of any type in a marker: JSON, or the loose form that needs fewer quotes. */
#ifndef KUBEGEN_LITERAL_H
#define KUBEGEN_LITERAL_H

#include "support/json_value.h"

/* Whether @text is a number as JSON has it. */
bool literal_is_number(const char *text);
/* Whether it is one without a fraction and an exponent. */
bool literal_is_whole(const char *text);

/*
 * Reads all of @text. @loose: true, 3, word, "text", `text`, a;b, {a, b}, {key: value}; otherwise
 * JSON. Numbers keep their digits. NULL after an error: @why says what is wrong at byte @fault.
 */
json_value *literal_parse(const char *text, bool loose, size_t *fault, const char **why);

/* Same values in the same order; members of objects in any. */
bool literal_equal(const json_value *a, const json_value *b);

#endif /* KUBEGEN_LITERAL_H */
