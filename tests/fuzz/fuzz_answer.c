/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the header lines of an answer, and as the value of a Warning header. */
#include "fuzz.h"
#include "net/client/warning.h"
#include "net/transport/http_head.h"

#include <stdlib.h>
#include <string.h>

static void see_warning(void *arg, const char *text)
{
    bool *seen = arg;
    must(!text[strcspn(text, "\r\n")], "a warning of several lines");
    *seen = true;
}

static void take_value(void *arg, const char *value)
{
    kube__warning_parse(value, see_warning, arg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *text = (const char *)data;
    kube__http_head head = {0};
    bool warned = false;
    while (len) {
        const char *end = memchr(text, '\n', len);
        size_t line = end ? (size_t)(end - text) + 1 : len;
        kube__http_head_read(&head, text, line, take_value, &warned);
        text += line;
        len -= line;
    }
    must(strlen(head.content_type) < sizeof head.content_type, "a content type without an end");
    must(!head.has_retry_after || head.retry_after_ms >= 0, "a time to wait that is past");
    count_input("heads", *head.content_type || head.has_retry_after || head.gzip);
    count_input("warnings", warned);
    return 0;
}
