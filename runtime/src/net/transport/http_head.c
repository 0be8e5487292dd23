/* SPDX-License-Identifier: Apache-2.0 */
#include "http_head.h"

#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_named(const char *line, size_t name_len, const char *name)
{
    return name_len == strlen(name) && !strncasecmp(line, name, name_len);
}

/* Only whole seconds; a date is not understood (REQ-4). */
static void read_retry_after(kube__http_head *head, const char *value)
{
    size_t len = strlen(value);
    if (len > 0 && len < 10 && strspn(value, "0123456789") == len) {
        head->has_retry_after = true;
        head->retry_after_ms = strtol(value, NULL, 10) * KUBE__MS_PER_S;
    }
}

void kube__http_head_read(kube__http_head *head, const char *line, size_t len,
                          void (*warning)(void *arg, const char *value), void *arg)
{
    const char *colon = memchr(line, ':', len);
    const char *end = line + len;
    const char *from;
    char value[2048];
    size_t name_len;
    if (!colon)
        return;
    name_len = (size_t)(colon - line);
    for (from = colon + 1; from < end && (*from == ' ' || *from == '\t');)
        from++;
    while (end > from && strchr(" \t\r\n", end[-1]))
        end--;
    snprintf(value, sizeof(value), "%.*s",
             (int)((size_t)(end - from) < sizeof(value) ? (size_t)(end - from) : sizeof(value) - 1),
             from);
    if (is_named(line, name_len, "Content-Type"))
        snprintf(head->content_type, sizeof head->content_type, "%.127s", value);
    else if (is_named(line, name_len, "Content-Encoding"))
        head->gzip = strcasecmp(value, "gzip") == 0 || strcasecmp(value, "x-gzip") == 0;
    else if (is_named(line, name_len, "Retry-After"))
        read_retry_after(head, value);
    else if (is_named(line, name_len, "Warning") && warning)
        warning(arg, value);
}
