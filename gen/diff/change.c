/* SPDX-License-Identifier: Apache-2.0 */
#include "change.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void change_list_free(change_list *list)
{
    free(list->found.items);
    arena_free(list->in);
    *list = (change_list){0};
}

void change_add(change_list *to, rule_id rule, const subject *about, const char *format, ...)
{
    change *added = VEC_ADD(&to->found);
    va_list args;
    added->rule = rule;
    added->subject = arena_printf(to->in, "%s%s", about->name, about->path);
    added->path = added->subject + strlen(about->name);
    added->was = about->was;
    added->is = about->is;
    va_start(args, format);
    added->message = arena_vprintf(to->in, format, args);
    va_end(args);
}

/* Whether @text is @len bytes of @pattern, in which '*' stands for anything. Each '*' takes as
 * little as it can: the last one is all that may have to take more. */
static bool matches(const char *text, const char *pattern, size_t len)
{
    const char *end = pattern + len;
    const char *star = NULL;
    const char *from = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            from = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

bool change_is_pattern(const char *pattern)
{
    size_t len = strcspn(pattern, ":");
    if (strcmp(pattern + len, ":") == 0)
        return false;
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (matches(change_rules[i].name, pattern, len))
            return true;
    return false;
}

bool change_allow(change_list *in, const char *pattern)
{
    size_t len = strcspn(pattern, ":");
    const char *path = pattern[len] ? pattern + len + 1 : "*";
    bool any = false;
    for (size_t i = 0; i < in->found.len; i++) {
        change *one = &in->found.items[i];
        if (!matches(change_rules[one->rule].name, pattern, len) ||
            (!matches(one->path, path, strlen(path)) && !matches(one->subject, path, strlen(path))))
            continue;
        one->allowed = true;
        any = true;
    }
    return any;
}

size_t change_count(const change_list *in, severity breaks, bool allowed)
{
    size_t count = 0;
    for (size_t i = 0; i < in->found.len; i++)
        count += change_rules[in->found.items[i].rule].breaks == breaks &&
                 in->found.items[i].allowed == allowed;
    return count;
}
