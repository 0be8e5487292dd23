/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_trim.h"

#include "support/ascii.h"
#include "support/str.h"
#include "support/utf8.h"

#include <string.h>

static bool ends_sentence(char c)
{
    return c == '.' || c == '!' || c == '?';
}

/* Returns the index of the last byte before @len, but not the first, that fits; 0 if there is none.
 */
static size_t last_of(const char *text, size_t len, bool (*fits)(char c))
{
    while (len > 1 && !fits(text[len - 1]))
        len--;
    return len > 1 ? len - 1 : 0;
}

/* Cuts like controller-gen, but never inside of a character. */
static void set_description(json_value *schema, const char *text, size_t max)
{
    str cut = {0};
    size_t end;
    if (strlen(text) <= max) {
        json_set_text(schema, "description", text);
        return;
    }
    if (max == 0)
        return;
    if ((end = last_of(text, max, ends_sentence)) > 0) {
        str_add_len(&cut, text, end + 1);
    } else {
        end = last_of(text, max, ascii_is_space);
        for (end = end ? end : max; utf8_continues(text[end]);)
            end--;
        str_add_len(&cut, text, end);
        str_add(&cut, "...");
    }
    json_set_text(schema, "description", str_text(&cut));
    str_free(&cut);
}

/* A list of schemas, or schemas by name. */
static json_value *trim_all(const json_value *schemas, size_t max)
{
    bool is_list = json_kind_of(schemas) == JSON_ARRAY;
    json_value *made = is_list ? json_array() : json_object();
    for (const json_value *at = json_first(schemas); at; at = json_next(at)) {
        if (is_list)
            json_push(made, crd_trim(at, max));
        else
            json_set(made, json_key(at), crd_trim(at, max));
    }
    return made;
}

json_value *crd_trim(const json_value *schema, size_t max)
{
    static const char *const schemas[] = {"items", "additionalProperties", "not", NULL};
    static const char *const groups[] = {"properties", "allOf", "anyOf", "oneOf", NULL};
    json_value *made;
    if (json_kind_of(schema) != JSON_OBJECT)
        return json_copy(schema);
    made = json_object();
    for (const json_value *at = json_first(schema); at; at = json_next(at)) {
        const char *key = json_key(at);
        if (strcmp(key, "description") == 0)
            set_description(made, json_text(at), max);
        else if (str_is_one_of(key, schemas))
            json_set(made, key, crd_trim(at, max));
        else if (str_is_one_of(key, groups))
            json_set(made, key, trim_all(at, max));
        else
            json_set(made, key, json_copy(at));
    }
    return made;
}
