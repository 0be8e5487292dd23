/* SPDX-License-Identifier: Apache-2.0 */
#include "refusal.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static void check_stream(kube__exchange *x)
{
    const kube__connection *c = x->connection;
    if (c && c->leaving && x->stream > c->last_stream)
        x->refused = true;
}

static void take_goaway(kube__exchange *teller, uint32_t last_stream)
{
    kube__connection *c = teller->connection;
    if (!c)
        return;
    c->leaving = true;
    c->last_stream = last_stream;
    for (kube__exchange *x = teller->transport->running; x; x = x->next) {
        if (x->connection == c)
            check_stream(x);
    }
}

static void read_line(kube__exchange *x, const char *line)
{
    unsigned number;
    /* The words of libcurl 7.88 and of 8. */
    if (sscanf(line, "Using Stream ID: %u", &number) == 1 ||
        sscanf(line, "[HTTP/2] [%u] OPENED stream", &number) == 1) {
        x->stream = number;
        check_stream(x);
    } else if (sscanf(line, "recveived GOAWAY, error=%*u, last_stream=%u", &number) == 1 ||
               sscanf(line, "received GOAWAY, error=%*u, last_stream=%u", &number) == 1) {
        take_goaway(x, number);
    } else if (kube__text_starts_with(line, "REFUSED_STREAM,")) {
        x->refused = true;
    }
}

static int on_line(CURL *easy, curl_infotype type, char *data, size_t size, void *arg)
{
    char line[128];
    (void)easy;
    if (type == CURLINFO_TEXT) {
        snprintf(line, sizeof line, "%.*s", (int)(size < sizeof line ? size : sizeof line - 1),
                 data);
        read_line(arg, line);
    }
    return 0;
}

CURLcode kube__refusal_listen(CURL *easy, kube__exchange *x)
{
    CURLcode result = curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
    if (!result)
        result = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_line);
    if (!result)
        result = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, x);
    return result;
}
