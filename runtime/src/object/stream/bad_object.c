/* SPDX-License-Identifier: Apache-2.0 */
#include "bad_object.h"

#include "base/text.h"
#include "base/utf8.h"
#include "object/json/lexer.h"

/* Moves from the bracket of an object, or from behind a value, to the next value. */
static bool next_member(kube__lexer *lexer, char before, const char **key, size_t *len)
{
    kube__lex_space(lexer);
    if (*lexer->p != before)
        return false;
    lexer->p++;
    kube__lex_space(lexer);
    if (*lexer->p != '"')
        return false;
    *key = lexer->p + 1;
    if (kube__lex_skip(lexer))
        return false;
    *len = (size_t)(lexer->p - 1 - *key);
    kube__lex_space(lexer);
    if (*lexer->p != ':')
        return false;
    lexer->p++;
    kube__lex_space(lexer);
    return true;
}

/* Names need no escapes. One that does not fit is not a name. */
static bool read_name(kube__lexer *lexer, char *out, size_t size)
{
    const char *start = lexer->p + 1;
    size_t len;
    if (*lexer->p != '"' || kube__lex_skip(lexer))
        return false;
    len = (size_t)(lexer->p - 1 - start);
    if (len >= size || memchr(start, '\\', len))
        return false;
    memcpy(out, start, len);
    out[len] = '\0';
    return true;
}

static bool is_key(const char *key, size_t len, const char *wanted)
{
    return len == strlen(wanted) && memcmp(key, wanted, len) == 0;
}

static bool read_metadata(kube__lexer *lexer, kube__bad_object *bad)
{
    const char *key;
    size_t len;
    for (char before = '{'; next_member(lexer, before, &key, &len); before = ',') {
        bool read = is_key(key, len, "name") ? read_name(lexer, bad->name, sizeof bad->name)
                    : is_key(key, len, "namespace")
                        ? read_name(lexer, bad->namespace_, sizeof bad->namespace_)
                        : kube__lex_skip(lexer) == KUBE__LEX_OK;
        if (!read)
            return false;
    }
    return *lexer->p == '}' && !kube__name_flaw(bad->name) &&
           (!*bad->namespace_ || !kube__name_flaw(bad->namespace_));
}

bool kube__bad_object_find(const char *text, const char *end, kube__bad_object *bad)
{
    kube__lexer lexer = {.p = text, .end = end};
    const char *key;
    size_t len;
    bad->namespace_[0] = '\0';
    bad->name[0] = '\0';
    for (char before = '{'; next_member(&lexer, before, &key, &len); before = ',') {
        if (is_key(key, len, "metadata"))
            return read_metadata(&lexer, bad);
        if (kube__lex_skip(&lexer))
            return false;
    }
    return false;
}

/* What is behind @where and what joins it to the rest, cut at a character. */
static void keep(char *to, size_t size, const char *text, const char *where)
{
    size_t len;
    if (*where && kube__text_starts_with(text, where)) {
        text += strlen(where);
        text += *text == '.';
        text += kube__text_starts_with(text, ": ") ? 2 : 0;
    }
    len = kube__utf8_cut(text, strlen(text), size - 1);
    memcpy(to, text, len);
    to[len] = '\0';
}

void kube__bad_object_explain(kube__bad_object *bad, const kube_error *err, const char *where)
{
    char *offset;
    keep(bad->field, sizeof bad->field, err->field, where);
    keep(bad->reason, sizeof bad->reason, err->message, where);
    offset = strstr(bad->reason, " (offset "); /* in the answer: it says nothing later */
    if (offset)
        *offset = '\0';
}

const char *kube__names_flaw(const kube_object_meta *meta, bool named, const char **member)
{
    const char *name = kube__text_or_empty(meta->name);
    const char *flaw = named || *name ? kube__name_flaw(name) : NULL;
    *member = flaw ? "metadata.name" : "metadata.namespace";
    if (!flaw && meta->namespace_ && *meta->namespace_)
        flaw = kube__name_flaw(meta->namespace_);
    return flaw;
}

kube_code kube__names_refuse(const char *where, const char *member, const char *flaw,
                             kube_error *err)
{
    const char *dot = *where ? "." : "";
    kube_error_set(err, KUBE_ERR_UNDECODABLE, "%s%s%s: no object can have a name that %s", where,
                   dot, member, flaw);
    if (err) /* up to the colon */
        memcpy(err->field, err->message, strlen(where) + strlen(dot) + strlen(member));
    return KUBE_ERR_UNDECODABLE;
}
