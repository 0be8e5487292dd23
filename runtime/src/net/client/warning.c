/* SPDX-License-Identifier: Apache-2.0 */
#include "warning.h"

#include <kube/log.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 10, MOST_TOLD = 64 };

/* Reads a quoted string that starts at the quote; NULL when it has no end. */
static const char *read_quoted(const char *at, char *out)
{
    size_t len = 0;
    for (at++; *at != '"'; at++) {
        if (*at == '\\' && at[1])
            at++;
        if (!*at)
            return NULL;
        /* A line of a log is a line. */
        out[len++] = (unsigned char)*at < ' ' ? ' ' : *at;
    }
    out[len] = '\0';
    return at + 1;
}

/* `299 agent "text" ["date"]`: gives the place after it, NULL when it is malformed. */
static const char *read_one(const char *at, char *text, bool *wanted)
{
    char *date = text + strlen(at) + 1;
    at += strspn(at, " \t,");
    if (strspn(at, "0123456789") != 3 || at[3] != ' ')
        return NULL;
    *wanted = !strncmp(at, "299", 3);
    at += 3 + strspn(at + 3, " ");
    at += strcspn(at, " ");
    at += strspn(at, " ");
    if (*at != '"')
        return NULL;
    at = read_quoted(at, text);
    if (at) {
        const char *next = at + strspn(at, " \t");
        at = *next == '"' ? read_quoted(next, date) : next;
    }
    return at;
}

void kube__warning_parse(const char *value, void (*found)(void *arg, const char *text), void *arg)
{
    /* Text and date, each no longer than the value. */
    char *text = malloc(2 * strlen(value) + 2);
    bool wanted = false;
    while (text && value && value[strspn(value, " \t,")]) {
        value = read_one(value, text, &wanted);
        if (value && wanted && *text)
            found(arg, text);
    }
    free(text);
}

void kube__warning_keep(kube__buffer *values, const char *value)
{
    size_t size = strlen(value) + 1;
    if (size <= MOST_BYTES - values->len)
        kube__buffer_add(values, value, size);
}

typedef struct teller {
    const kube_client *client;
    unsigned count;
} teller;

static void tell_one(void *arg, const char *text)
{
    teller *t = arg;
    if (t->count++ >= MOST_TOLD)
        return;
    if (t->client->on_warning)
        t->client->on_warning(t->client->on_warning_arg, text);
    else
        kube_log_warn("server: %s", text);
}

void kube__warning_tell(const kube_client *client, kube__buffer *values)
{
    teller t = {client, 0};
    for (size_t at = 0; !values->failed && at < values->len; at += strlen(values->data + at) + 1)
        kube__warning_parse(values->data + at, tell_one, &t);
    if (t.count > MOST_TOLD)
        kube_log_warn("server: and %u more warnings in one answer", t.count - MOST_TOLD);
    kube__buffer_fini(values);
}
