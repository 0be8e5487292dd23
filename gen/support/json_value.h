/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A json_value is a tree of JSON values whose order is kept. Templates are filled from it, and CRDs
 * are built of it. If out of memory, the process ends (support/xalloc.h).
 */
#ifndef KUBEGEN_JSON_VALUE_H
#define KUBEGEN_JSON_VALUE_H

#include "str.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct json_value json_value;

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
} json_kind;

json_value *json_object(void);
json_value *json_array(void);
json_value *json_string(const char *text);
json_value *json_bool(bool value);
json_value *json_null(void);
/* A number as JSON spells it, kept digit by digit. */
json_value *json_number(const char *text);
/* Returns a copy of the whole tree, which belongs to nobody. */
json_value *json_copy(const json_value *value);
void json_free(json_value *value);
/* Returns NULL if @text is not JSON; @fault, which may be NULL, gets the byte that is wrong. */
json_value *json_parse(const char *text, size_t *fault);
/*
 * Says what forbids to read @len bytes from somebody else, or returns NULL: bytes that are not
 * UTF-8, characters that C text cannot hold, or more values than a document has. @fault gets the
 * place. Whether it is JSON is left to json_parse().
 */
const char *json_refuse(const char *text, size_t len, size_t *fault);

/* Adds a member or an element, which then belongs to its parent, and returns it. */
json_value *json_set(json_value *object, const char *key, json_value *value);
json_value *json_push(json_value *array, json_value *value);
/* The same, but a member of this name gives up its place. */
json_value *json_put(json_value *object, const char *key, json_value *value);
/* Removes the member @key, if there is one. */
void json_drop(json_value *object, const char *key);
/*
 * Changes @object as a JSON merge patch says (RFC 7386): an object is merged into an object, null
 * removes a member, and any other value takes the place of what was there.
 */
void json_merge(json_value *object, const json_value *patch);
/* Shorthands. A NULL text adds nothing. */
void json_set_text(json_value *object, const char *key, const char *text);
/* Adds a list of strings, unless @len is 0. */
void json_set_texts(json_value *object, const char *key, const char *const *texts, size_t len);
void json_set_flag(json_value *object, const char *key, bool value);
void json_set_count(json_value *object, const char *key, size_t count);
__attribute__((format(printf, 3, 4))) void json_set_format(json_value *object, const char *key,
                                                           const char *format, ...);

/* Appends @value as JSON, without blanks. */
void json_print(const json_value *value, str *out);
/* Says whether two values are equal, in whatever order their members are; NULL equals NULL. */
bool json_equal(const json_value *a, const json_value *b);

json_kind json_kind_of(const json_value *value);
/* Returns the member @key, or NULL if there is no such member or @value is not an object. */
const json_value *json_get(const json_value *value, const char *key);
/* The same, to change it. */
json_value *json_at(json_value *value, const char *key);
bool json_is_true(const json_value *value);
/* Returns the text of a string or a number, NULL for other kinds. */
const char *json_text(const json_value *value);
/* Say whether this is the text of @value, or of an element of @list. */
bool json_is_text(const json_value *value, const char *text);
bool json_has_text(const json_value *list, const char *text);
/* These walk through members or elements in order and return NULL at the end. */
const json_value *json_first(const json_value *value);
const json_value *json_next(const json_value *value);
/* Returns the name that a member has in its object. */
const char *json_key(const json_value *value);

/* A value may carry a number, 0 at first: see support/place.h. */
void json_set_mark(json_value *value, int mark);
int json_mark(const json_value *value);

#endif /* KUBEGEN_JSON_VALUE_H */
