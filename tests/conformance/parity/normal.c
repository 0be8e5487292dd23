/* SPDX-License-Identifier: Apache-2.0 */
#include "normal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UID_LEN = 36, TIME_LEN = 19, SUFFIX_LEN = 5, TEXT_MAX = 64 << 20 };

static size_t uid_at(const char *text)
{
    for (size_t i = 0; i < UID_LEN; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
            return 0;
    }
    return UID_LEN;
}

/* RFC 3339 in UTC; *@fraction: with a part of seconds. */
static size_t time_at(const char *text, bool *fraction)
{
    static const char shape[] = "0000-00-00T00:00:00";
    size_t len = TIME_LEN;
    for (size_t i = 0; i < TIME_LEN; i++)
        if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i])
            return 0;
    *fraction = text[len] == '.';
    if (*fraction)
        len += 1 + strspn(text + len + 1, "0123456789");
    return text[len] == 'Z' ? len + 1 : 0;
}

static const char *name_of(parity_names *names, const char *text, size_t len)
{
    for (size_t i = 0; i < names->count; i++)
        if (strlen(names->from[i]) == len && strncmp(names->from[i], text, len) == 0)
            return names->to[i];
    return NULL;
}

static const char *give_name(parity_names *names, const char *text, size_t len, const char *kind,
                             size_t *number)
{
    const char *known = name_of(names, text, len);
    if (known)
        return known;
    known = kube_printf(names->ctx, "<%s %zu>", kind, ++*number);
    if (names->count < PARITY_NAMES_MAX) {
        names->from[names->count] = kube_ctx_strndup(names->ctx, text, len);
        names->to[names->count++] = known;
    }
    return known;
}

void parity_name_generated(parity_names *names, const char *name)
{
    give_name(names, name, strlen(name), "generated", &names->generated);
}

/* The length of a name given before that stands here. */
static size_t named_at(const parity_names *names, const char *text, const char **to)
{
    for (size_t i = 0; i < names->count; i++) {
        size_t len = strlen(names->from[i]);
        if (strncmp(text, names->from[i], len) == 0) {
            *to = names->to[i];
            return len;
        }
    }
    return 0;
}

/* What may differ after a word that always says the same thing. */
static size_t marked_at(const char *text, const char **to)
{
    static const struct {
        const char *mark;
        const char *characters;
        const char *to;
    } marks[] = {
        {"resourceVersion: \"", "0123456789", "resourceVersion: \"<version>"},
        {"X509SHA256=", "0123456789abcdef", "X509SHA256=<hash>"},
        {"JTI=", "0123456789abcdef-", "JTI=<id>"},
        {"kubegen-envtest", "", "kube-apiserver"}, /* which it is, see hack/envtest */
        {"admin-by-certificate", "", "cert"},
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t len = strlen(marks[i].mark);
        if (strncmp(text, marks[i].mark, len) == 0) {
            *to = marks[i].to;
            return len + strspn(text + len, marks[i].characters);
        }
    }
    return 0;
}

static size_t special_at(parity_names *names, const char *text, const char **to)
{
    size_t host = strlen(names->host);
    bool fraction = false;
    size_t len = uid_at(text);
    if (len > 0) {
        *to = give_name(names, text, len, "uid", &names->uids);
        return len;
    }
    len = time_at(text, &fraction);
    if (len > 0) {
        *to = fraction ? "<time with fraction>" : "<time>";
        return len;
    }
    len = marked_at(text, to);
    if (len > 0)
        return len;
    if (strncmp(text, names->host, host) == 0) {
        *to = "<host>";
        return host;
    }
    return named_at(names, text, to);
}

const char *parity_normal_text(parity_names *names, const char *text)
{
    kube__buffer out;
    const char *made;
    const char *to = NULL;
    if (!text)
        return NULL;
    kube__buffer_init(&out, TEXT_MAX);
    while (*text) {
        size_t len = special_at(names, text, &to);
        if (len > 0)
            kube__buffer_add_text(&out, to);
        else
            kube__buffer_add(&out, text, 1);
        text += len > 0 ? len : 1;
    }
    made = kube_ctx_strndup(names->ctx, out.data ? out.data : "", out.len);
    kube__buffer_fini(&out);
    return made;
}

static void rename_to(kube__json *value, const char *text)
{
    value->text = text;
    value->len = strlen(text);
}

static void note_version(parity_names *names, kube__json *value, const char *where, bool whole)
{
    char *end;
    long long number = strtoll(value->text, &end, 10);
    if (!*value->text || *end)
        return;
    if (names->version_count < PARITY_VERSIONS_MAX)
        names->versions[names->version_count++] = (parity_version){number, whole, where};
    rename_to(value, number == 0 ? "0" : "<version>");
}

/* "5m", "12s", "3d4h", "<unknown>" no. */
static bool is_age(const char *text)
{
    bool unit = false;
    if (!isdigit((unsigned char)*text))
        return false;
    while (*text) {
        size_t digits = strspn(text, "0123456789");
        unit = digits > 0 && strchr("smhdy", text[digits]) && text[digits];
        if (!unit)
            return false;
        text += digits + 1;
    }
    return unit;
}

/* Manager, operation, subresource. */
static int compare_managers(const void *a, const void *b)
{
    static const char *const keys[] = {"manager", "operation", "subresource", "apiVersion"};
    const kube__json *x = *(kube__json *const *)a;
    const kube__json *y = *(kube__json *const *)b;
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof keys / sizeof *keys; i++)
        order = strcmp(kube__json_string_at(x, keys[i]), kube__json_string_at(y, keys[i]));
    return order;
}

static void sort(parity_names *names, kube__json *array, int (*compare)(const void *, const void *))
{
    size_t count = 0;
    kube__json **sorted;
    if (!kube__json_is(array, KUBE__JSON_ARRAY) || array->len < 2)
        return;
    sorted = kube_ctx_alloc_array(names->ctx, array->len, sizeof(kube__json *));
    while (sorted && array->first)
        sorted[count++] = kube__json_remove_item(array, 0);
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count; i++)
        kube__json_append(array, sorted[i]);
}

static void normalise_metadata(parity_names *names, const kube__json *object, kube__json *metadata,
                               const char *where)
{
    const char *base = kube__json_string_at(metadata, "generateName");
    kube__json *name = kube__json_get(metadata, "name");
    kube__json *token = kube__json_get(metadata, "continue");
    kube__json *version = kube__json_get(metadata, "resourceVersion");
    const char *kind = kube__json_string_at(object, "kind");
    size_t kind_len = strlen(kind);
    bool whole = kube__json_get(object, "items") || kube__json_get(object, "rows") ||
                 strcmp(kind, "Status") == 0 ||
                 (kind_len > 4 && strcmp(kind + kind_len - 4, "List") == 0) ||
                 !kube__json_get(metadata, "uid");
    if (*base && name && strncmp(name->text, base, strlen(base)) == 0 &&
        name->len == strlen(base) + SUFFIX_LEN)
        give_name(names, name->text, name->len, "generated", &names->generated);
    /* They are ordered by time, of which whole seconds count: a matter of luck. */
    sort(names, kube__json_get(metadata, "managedFields"), compare_managers);
    if (token && token->kind == KUBE__JSON_STRING && token->len > 0)
        rename_to(token, "<continue>");
    if (version && version->kind == KUBE__JSON_STRING)
        note_version(names, version, where, whole);
}

static int compare_causes(const void *a, const void *b)
{
    const kube__json *x = *(kube__json *const *)a;
    const kube__json *y = *(kube__json *const *)b;
    int order = strcmp(kube__json_string_at(x, "field"), kube__json_string_at(y, "field"));
    return order ? order
                 : strcmp(kube__json_string_at(x, "message"), kube__json_string_at(y, "message"));
}

/* A server goes through the members of an object in any order, so that several faults of a schema
 * are told in any order: in the list of causes, and once more in the message. */
static void sort_causes(parity_names *names, kube__json *status)
{
    kube__json *causes = kube__json_at(status, "details.causes");
    kube__json *message = kube__json_get(status, "message");
    const char *list = message ? strstr(kube__json_string_or(message, ""), "is invalid: [") : NULL;
    if (strcmp(kube__json_string_at(status, "reason"), "Conflict") == 0)
        sort(names, causes, compare_causes); /* by manager, these in any order */
    if (!list || !kube__json_is(causes, KUBE__JSON_ARRAY) || causes->len < 2)
        return;
    KUBE__JSON_EACH (cause, causes)
        if (!strstr(list, kube_printf(names->ctx, "%s: %s", kube__json_string_at(cause, "field"),
                                      kube__json_string_at(cause, "message"))))
            return;
    sort(names, causes, compare_causes);
    rename_to(message, kube_printf(names->ctx, "%.*sis invalid: <causes, %zu bytes>",
                                   (int)(list - message->text), message->text, strlen(list)));
}

static void normalise(parity_names *names, kube__json *value, const char *where, bool cells)
{
    kube__json *metadata = kube__json_get(value, "metadata");
    if (kube__json_is(metadata, KUBE__JSON_OBJECT))
        normalise_metadata(names, value, metadata, where);
    if (kube__json_is(value, KUBE__JSON_STRING)) {
        rename_to(value,
                  cells && is_age(value->text) ? "<age>" : parity_normal_text(names, value->text));
        return;
    }
    KUBE__JSON_EACH (child, value) {
        bool in_cells = cells || (child->key && strcmp(child->key, "cells") == 0);
        if (child->key)
            child->key = parity_normal_text(names, child->key);
        if (child->kind == KUBE__JSON_STRING && child->key &&
            (strcmp(child->key, "clusterIP") == 0) && strcmp(child->text, "None") != 0)
            rename_to(child, "<ip>");
        normalise(names, child, where, in_cells);
    }
}

void parity_normalise(parity_names *names, kube__json *body, const char *where)
{
    sort_causes(names, body);
    normalise(names, body, where, false);
}
