/* SPDX-License-Identifier: Apache-2.0 */
#include "event.h"

#include "extent.h"

static const struct {
    const char *name;
    kube_watch_event_type type;
} types[] = {
    {"ADDED", KUBE_WATCH_ADDED},     {"MODIFIED", KUBE_WATCH_MODIFIED},
    {"DELETED", KUBE_WATCH_DELETED}, {"BOOKMARK", KUBE_WATCH_BOOKMARK},
    {"ERROR", KUBE_WATCH_ERROR},
};

bool kube__event_type_of(const kube__event_text *event, kube_watch_event_type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, event->type) == 0) {
            *type = types[i].type;
            return true;
        }
    }
    return false;
}

/* The string at p as it is written; the known types need no escapes. */
static kube__lex read_type(kube__lexer *lexer, kube__event_text *event)
{
    if (*lexer->p != '"')
        return kube__lex_unexpected(lexer, "expected a string");
    const char *start = lexer->p + 1;
    kube__lex got = kube__lex_skip(lexer);
    if (got)
        return got;
    size_t len = (size_t)(lexer->p - 1 - start);
    if (len >= sizeof event->type)
        len = sizeof event->type - 1;
    memcpy(event->type, start, len);
    event->type[len] = '\0';
    return KUBE__LEX_OK;
}

/* The object at p is bad: its error is kept, and its end found by its brackets. */
static kube__lex pass_bad_object(kube__decoder *d, kube__lexer *lexer, uint64_t offset,
                                 kube__event_text *event)
{
    offset += (uint64_t)(d->lexer.p - event->object);
    kube__decoder_error(d, KUBE__LEX_VALUE, "object", offset, &event->bad);
    kube__extent extent = {0};
    lexer->p = kube__extent_find(&extent, event->object, lexer->end);
    if (!lexer->p) {
        lexer->p = lexer->end;
        return KUBE__LEX_MORE;
    }
    return KUBE__LEX_OK;
}

static kube__lex read_object(kube__decoder *d, kube__lexer *lexer, uint64_t offset,
                             kube__event_text *event)
{
    event->object = lexer->p;
    kube_watch_event_type type;
    kube__lex got;
    if (kube__event_type_of(event, &type) && type == KUBE_WATCH_ERROR) {
        got = kube__lex_skip(lexer);
    } else {
        /* Without a type yet it may be a Status: it is then read again, from its text. */
        event->decoded = kube__decoder_read(d, lexer->p, lexer->end);
        if (event->decoded == KUBE__LEX_VALUE) {
            got = pass_bad_object(d, lexer, offset, event);
        } else {
            got = event->decoded;
            lexer->p = d->lexer.p;
            lexer->what = d->lexer.what;
            lexer->found = d->lexer.found;
        }
    }
    event->object_len = (size_t)(lexer->p - event->object);
    return got;
}

static kube__lex read_member(kube__decoder *d, kube__lexer *lexer, const char *start,
                             uint64_t offset, kube__event_text *event)
{
    const char *key = lexer->p;
    if (*key != '"')
        return kube__lex_broken(lexer, "expected a member name");
    kube__lex got = kube__lex_skip(lexer);
    if (got)
        return got;
    size_t len = (size_t)(lexer->p - key);
    kube__lex_space(lexer);
    if (*lexer->p != ':')
        return kube__lex_broken(lexer, "expected ':'");
    lexer->p++;
    kube__lex_space(lexer);
    if (len == 6 && memcmp(key, "\"type\"", len) == 0)
        return read_type(lexer, event);
    if (len == 8 && memcmp(key, "\"object\"", len) == 0)
        return read_object(d, lexer, offset + (uint64_t)(lexer->p - start), event);
    return kube__lex_skip(lexer);
}

static kube__lex read_members(kube__decoder *d, kube__lexer *lexer, uint64_t offset,
                              kube__event_text *event)
{
    const char *start = lexer->p;
    if (*lexer->p != '{')
        return kube__lex_unexpected(lexer, "expected an event");
    lexer->p++;
    kube__lex_space(lexer);
    if (*lexer->p == '}') {
        lexer->p++;
        return KUBE__LEX_OK;
    }
    for (;;) {
        kube__lex got = read_member(d, lexer, start, offset, event);
        if (got)
            return got;
        kube__lex_space(lexer);
        if (*lexer->p == '}')
            break;
        if (*lexer->p != ',')
            return kube__lex_broken(lexer, "expected ',' or '}'");
        lexer->p++;
        kube__lex_space(lexer);
    }
    lexer->p++;
    return KUBE__LEX_OK;
}

kube__lex kube__event_read(kube__decoder *d, const char *p, const char *end, uint64_t offset,
                           kube__event_text *event)
{
    event->type[0] = '\0';
    event->object = NULL;
    event->object_len = 0;
    event->decoded = KUBE__LEX_VALUE;
    d->path[0] = '\0';
    kube__lexer lexer = {.p = p, .end = end};
    kube__lex got = read_members(d, &lexer, offset, event);
    d->lexer.p = lexer.p;
    d->lexer.end = end;
    d->lexer.what = lexer.what;
    d->lexer.found = lexer.found;
    return got;
}
