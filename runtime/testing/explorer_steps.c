/* SPDX-License-Identifier: Apache-2.0 */
/* The list of steps that a schedule took. */
#include "base/memory.h"
#include "explorer_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kube_code kube__explorer_no_memory(kube_error *err)
{
    return kube__no_memory(err, "the explorer");
}

/* The URL in messages has a port of its own in every run: it is no part of the schedule. */
static void hide_url(const kube_explorer *x, char *text)
{
    const char *url = x->server ? kube_apiserver_url(x->server) : NULL;
    char *found;
    while (url && (found = strstr(text, url))) {
        const char *rest = found + strlen(url);
        memmove(found, rest, strlen(rest) + 1);
    }
}

/* A step that cannot be kept costs only the explanation. */
void kube__explorer_step(kube_explorer *x, const char *format, ...)
{
    char text[512];
    va_list args;
    char *copy;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hide_url(x, text);
    if (x->step_count == x->step_capacity) {
        size_t capacity = x->step_capacity ? 2 * x->step_capacity : 64;
        char **steps = realloc(x->steps, capacity * sizeof *steps);
        if (!steps)
            return;
        x->steps = steps;
        x->step_capacity = capacity;
    }
    copy = strdup(text);
    if (copy)
        x->steps[x->step_count++] = copy;
}

void kube_explorer_note(kube_explorer *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(x->note, sizeof x->note, format, args);
    va_end(args);
}
