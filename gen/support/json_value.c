/* SPDX-License-Identifier: Apache-2.0 */
/* No other file of gen knows cJSON: a json_value is a cJSON node. */
#include "json_value.h"

#include "utf8.h"
#include "xalloc.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_VALUES_MAX = 1000000 };

static json_value *checked(cJSON *node)
{
    return xchecked(node);
}

static const cJSON *node_of(const json_value *value)
{
    return (const cJSON *)value;
}

json_value *json_object(void)
{
    return checked(cJSON_CreateObject());
}

json_value *json_array(void)
{
    return checked(cJSON_CreateArray());
}

json_value *json_string(const char *text)
{
    return checked(cJSON_CreateString(text));
}

json_value *json_bool(bool value)
{
    return checked(cJSON_CreateBool(value));
}

json_value *json_null(void)
{
    return checked(cJSON_CreateNull());
}

json_value *json_number(const char *text)
{
    return checked(cJSON_CreateRaw(text));
}

json_value *json_copy(const json_value *value)
{
    return checked(cJSON_Duplicate(node_of(value), true));
}

void json_free(json_value *value)
{
    cJSON_Delete((cJSON *)value);
}

/* cJSON reads numbers as doubles; their text is put in their place so that all are alike. The
 * integer, which it sets for some, is the mark. */
static void numbers_to_text(cJSON *node)
{
    for (; node; node = node->next) {
        node->valueint = 0;
        if (cJSON_IsNumber(node)) {
            char *text = cJSON_PrintUnformatted(node);
            node->type = cJSON_Raw;
            node->valuestring = xchecked(text);
        }
        numbers_to_text(node->child);
    }
}

const char *json_refuse(const char *text, size_t len, size_t *fault)
{
    size_t values = 0;
    bool quoted = false;
    size_t step;
    for (size_t at = 0; at < len; at += step) {
        step = text[at] ? utf8_len(text + at) : 0;
        *fault = at;
        if (step == 0)
            return text[at] ? "not UTF-8" : "a zero byte";
        if (text[at] == '"')
            quoted = !quoted;
        else if (quoted && strncmp(text + at, "\\u0000", 6) == 0)
            return "a string with U+0000, which text in C cannot hold";
        else if (quoted && text[at] == '\\' && at + 1 < len && text[at + 1] != '\0')
            step = 1 + (utf8_len(text + at + 1) == 1);
        else if (!quoted && strchr(",[{", text[at]) && ++values > JSON_VALUES_MAX)
            return "more than a million values";
    }
    return NULL;
}

json_value *json_parse(const char *text, size_t *fault)
{
    const char *end = text;
    cJSON *node = cJSON_ParseWithOpts(text, &end, true);
    if (fault)
        *fault = (size_t)(end - text);
    numbers_to_text(node);
    return (json_value *)node;
}

json_value *json_set(json_value *object, const char *key, json_value *value)
{
    cJSON *node = (cJSON *)value;
    checked(cJSON_AddItemToObject((cJSON *)object, key, node) ? node : NULL);
    return value;
}

json_value *json_put(json_value *object, const char *key, json_value *value)
{
    if (!json_get(object, key))
        return json_set(object, key, value);
    cJSON_ReplaceItemInObjectCaseSensitive((cJSON *)object, key, (cJSON *)value);
    return value;
}

void json_drop(json_value *object, const char *key)
{
    cJSON_DeleteItemFromObjectCaseSensitive((cJSON *)object, key);
}

void json_merge(json_value *object, const json_value *patch)
{
    for (const json_value *at = json_first(patch); at; at = json_next(at)) {
        json_value *before = json_at(object, json_key(at));
        if (json_kind_of(at) == JSON_NULL) {
            json_drop(object, json_key(at));
        } else if (json_kind_of(at) != JSON_OBJECT) {
            json_put(object, json_key(at), json_copy(at));
        } else {
            if (json_kind_of(before) != JSON_OBJECT)
                before = json_put(object, json_key(at), json_object());
            json_merge(before, at);
        }
    }
}

json_value *json_push(json_value *array, json_value *value)
{
    cJSON *node = (cJSON *)value;
    checked(cJSON_AddItemToArray((cJSON *)array, node) ? node : NULL);
    return value;
}

void json_set_text(json_value *object, const char *key, const char *text)
{
    if (text)
        json_set(object, key, json_string(text));
}

void json_set_texts(json_value *object, const char *key, const char *const *texts, size_t len)
{
    json_value *list = len ? json_set(object, key, json_array()) : NULL;
    for (size_t i = 0; i < len; i++)
        json_push(list, json_string(texts[i]));
}

void json_set_flag(json_value *object, const char *key, bool value)
{
    json_set(object, key, json_bool(value));
}

void json_set_count(json_value *object, const char *key, size_t count)
{
    str text = {0};
    str_printf(&text, "%zu", count);
    json_set(object, key, json_number(str_text(&text)));
    str_free(&text);
}

void json_set_format(json_value *object, const char *key, const char *format, ...)
{
    va_list args;
    str text = {0};
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    json_set_text(object, key, str_text(&text));
    str_free(&text);
}

void json_print(const json_value *value, str *out)
{
    char *text = xchecked(cJSON_PrintUnformatted(node_of(value)));
    str_add(out, text);
    cJSON_free(text);
}

bool json_equal(const json_value *a, const json_value *b)
{
    return a == b || (a && b && cJSON_Compare(node_of(a), node_of(b), true));
}

json_kind json_kind_of(const json_value *value)
{
    const cJSON *node = node_of(value);
    if (cJSON_IsBool(node))
        return JSON_BOOL;
    if (cJSON_IsRaw(node))
        return JSON_NUMBER;
    if (cJSON_IsString(node))
        return JSON_STRING;
    if (cJSON_IsArray(node))
        return JSON_ARRAY;
    return cJSON_IsObject(node) ? JSON_OBJECT : JSON_NULL;
}

const json_value *json_get(const json_value *value, const char *key)
{
    if (json_kind_of(value) != JSON_OBJECT)
        return NULL;
    return (const json_value *)cJSON_GetObjectItemCaseSensitive(node_of(value), key);
}

json_value *json_at(json_value *value, const char *key)
{
    return (json_value *)cJSON_GetObjectItemCaseSensitive((cJSON *)value, key);
}

bool json_is_true(const json_value *value)
{
    return cJSON_IsTrue(node_of(value));
}

const char *json_text(const json_value *value)
{
    return value ? node_of(value)->valuestring : NULL;
}

bool json_is_text(const json_value *value, const char *text)
{
    const char *is = json_text(value);
    return is && strcmp(is, text) == 0;
}

bool json_has_text(const json_value *list, const char *text)
{
    const json_value *one = json_first(list);
    while (one && !json_is_text(one, text))
        one = json_next(one);
    return one != NULL;
}

const json_value *json_first(const json_value *value)
{
    return value ? (const json_value *)node_of(value)->child : NULL;
}

const json_value *json_next(const json_value *value)
{
    return (const json_value *)node_of(value)->next;
}

const char *json_key(const json_value *value)
{
    return node_of(value)->string;
}

void json_set_mark(json_value *value, int mark)
{
    ((cJSON *)value)->valueint = mark;
}

int json_mark(const json_value *value)
{
    return node_of(value)->valueint;
}
