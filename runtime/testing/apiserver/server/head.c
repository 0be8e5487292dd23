/* SPDX-License-Identifier: Apache-2.0 */
#include "head.h"

#include "base/ascii.h"

#include <string.h>
#include <strings.h>

enum { MAX_CHUNK_LINE = 4096, MAX_SIZE_DIGITS = 16, FREE_OVERHEAD = 16 << 10 };

/* ---- characters ----------------------------------------------------------------------------- */

static bool is_token(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!text[i] || (!kube__is_alnum(text[i]) && !strchr("!#$%&'*+-.^_`|~", text[i])))
            return false;
    return len > 0;
}

/* Bytes from 0x80 on may be anything. */
static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

static bool is_value(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (is_control(text[i]) && text[i] != '\t')
            return false;
    return true;
}

static bool is_host(const char *text)
{
    for (; *text; text++)
        if (!kube__is_alnum(*text) && !strchr("!$%&()*+,-.:;=[]'_~", *text))
            return false;
    return true;
}

static bool is_lws(char c)
{
    return c == ' ' || c == '\t';
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* What is left of a head; changed while it is read. */
typedef struct reader {
    kube_ctx *ctx;
    char *at;
    char *end;
    const char *why;
    int status;
} reader;

static bool refuse(reader *r, int status, const char *why)
{
    r->status = status;
    r->why = why;
    return false;
}

/* The next line without its end. */
static char *take_line(reader *r, size_t *len)
{
    char *line = r->at;
    char *end = memchr(line, '\n', (size_t)(r->end - line));
    r->at = end ? end + 1 : r->end;
    *len = (size_t)((end ? end : r->end) - line);
    if (*len && line[*len - 1] == '\r')
        --*len;
    return line;
}

/* The same with the lines that continue it, which come closer. */
static char *take_folded(reader *r, size_t *len)
{
    char *line = take_line(r, len);
    while (r->at < r->end && is_lws(*r->at) && *len) {
        size_t more;
        char *next = take_line(r, &more);
        while (*len && is_lws(line[*len - 1]))
            --*len;
        while (more && is_lws(*next))
            next++, more--;
        line[(*len)++] = ' ';
        memmove(line + *len, next, more);
        *len += more;
    }
    return line;
}

size_t kube__api_head_end(const char *text, size_t len, size_t *seen)
{
    const char *end = text + len;
    const char *at = text + *seen;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        const char *next = at + 1;
        if (next < end && *next == '\r')
            next++;
        if (next == end) {
            *seen = (size_t)(at - text);
            return 0;
        }
        if (*next == '\n')
            return (size_t)(next + 1 - text);
        at++;
    }
    *seen = len;
    return 0;
}

/* ---- the request line ----------------------------------------------------------------------- */

/* "HTTP/1.1" and nothing else. */
static bool read_version(reader *r, const char *text, size_t len, kube__api_head *out)
{
    if (len != strlen("HTTP/1.1") || memcmp(text, "HTTP/", 5) != 0 || !kube__is_digit(text[5]) ||
        text[6] != '.' || !kube__is_digit(text[7]))
        return refuse(r, 400, "malformed HTTP version");
    if (text[5] != '1')
        return refuse(r, 505, "unsupported protocol version");
    out->is_1_0 = text[7] == '0';
    return true;
}

/* The escapes of a path, or of anything up to @stop. */
static bool has_good_escapes(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '%')
            continue;
        if (i + 2 >= len || kube__hex_digit(text[i + 1]) < 0 || kube__hex_digit(text[i + 2]) < 0)
            return false;
        i += 2;
    }
    return true;
}

/* user@host:port of an absolute target. */
static bool is_authority(const char *text, size_t len)
{
    const char *at = memrchr(text, '@', len);
    const char *host = at ? at + 1 : text;
    size_t host_len = len - (size_t)(host - text);
    const char *bracket = memrchr(host, ']', host_len);
    const char *from = bracket ? bracket : host;
    const char *colon = memrchr(from, ':', (size_t)(text + len - from));
    if (memchr(host, '[', host_len) ? *host != '[' || !bracket : bracket != NULL)
        return false;
    if (bracket && bracket + 1 < text + len && bracket[1] != ':')
        return false;
    for (const char *p = colon ? colon + 1 : text + len; p < text + len; p++)
        if (!kube__is_digit(*p))
            return false;
    for (const char *p = text; p < text + len; p++)
        if (strchr(" \"\\^`{|}", *p) || (*p == '%' && p >= host))
            return false;
    return true;
}

static bool read_target(reader *r, const char *text, size_t len, const char *method)
{
    size_t path = 0;
    for (size_t i = 0; i < len; i++)
        if (is_control(text[i]))
            return refuse(r, 400, "invalid control character in URL");
    if (len == 1 && *text == '*')
        return true;
    if (*text != '/' && strcmp(method, "CONNECT") == 0)
        return is_authority(text, len) || refuse(r, 400, "invalid target");
    if (*text != '/') { /* scheme:…, where the scheme is a letter and more */
        while (path < len && (kube__is_alnum(text[path]) || strchr("+-.", text[path])))
            path++;
        if (!path || !kube__is_letter(*text) || path == len || text[path] != ':')
            return refuse(r, 400, "invalid URI for request");
        path++;
        if (len - path >= 2 && text[path] == '/' && text[path + 1] == '/') {
            size_t authority = strcspn(text + path + 2, "/?");
            if (!is_authority(text + path + 2, authority))
                return refuse(r, 400, "invalid host");
            path += 2 + authority;
        }
    }
    return has_good_escapes(text + path, strcspn(text + path, "?")) ||
           refuse(r, 400, "invalid URL escape");
}

static bool read_request_line(reader *r, kube__api_head *out)
{
    size_t len;
    char *line = take_line(r, &len);
    char *target = memchr(line, ' ', len);
    char *version = target ? memchr(target + 1, ' ', len - (size_t)(target + 1 - line)) : NULL;
    if (!version)
        return refuse(r, 400, "malformed HTTP request");
    *target++ = '\0';
    *version++ = '\0';
    out->method = line;
    out->target = target;
    if (!is_token(line, (size_t)(target - 1 - line)))
        return refuse(r, 400, "invalid method");
    if (!read_version(r, version, (size_t)(line + len - version), out))
        return false;
    return read_target(r, target, (size_t)(version - 1 - target), line);
}

/* ---- headers -------------------------------------------------------------------------------- */

/* A line "name: value"; false if it is none. */
static bool read_header(char *line, size_t len, kube__api_pair *out)
{
    char *colon = memchr(line, ':', len);
    char *value;
    if (!colon || !is_token(line, (size_t)(colon - line)))
        return false;
    value = colon + 1;
    len -= (size_t)(value - line);
    while (len && is_lws(*value))
        value++, len--;
    while (len && is_lws(value[len - 1]))
        len--;
    if (!is_value(value, len))
        return false;
    *colon = '\0';
    value[len] = '\0';
    *out = (kube__api_pair){kube__lower(line), value};
    return true;
}

static bool read_headers(reader *r, kube__api_head *out)
{
    size_t max = 1;
    size_t len;
    for (const char *p = r->at; (p = memchr(p, '\n', (size_t)(r->end - p))); p++)
        max++;
    kube__api_pair *items = kube_ctx_alloc_array(r->ctx, max, sizeof *items);
    if (!items)
        return refuse(r, 500, "out of memory");
    out->headers.items = items;
    if (r->at < r->end && is_lws(*r->at))
        return refuse(r, 400, "malformed MIME header initial line");
    for (;;) {
        char *line = take_folded(r, &len);
        if (!len)
            return true;
        if (!read_header(line, len, &items[out->headers.len++]))
            return refuse(r, 400, "malformed MIME header line");
    }
}

/* How many headers of a name there are; *@value is the first one's. */
static size_t find(const kube__api_head *head, const char *name, const char **value)
{
    size_t count = 0;
    for (size_t i = head->headers.len; i-- > 0;) {
        if (strcmp(head->headers.items[i].key, name) != 0)
            continue;
        *value = head->headers.items[i].value;
        count++;
    }
    return count;
}

/* Whether one of a list's words, in any header of that name, is @word. */
static bool has_word(const kube__api_head *head, const char *name, const char *word)
{
    for (size_t i = 0; i < head->headers.len; i++) {
        const char *at = head->headers.items[i].value;
        if (strcmp(head->headers.items[i].key, name) != 0)
            continue;
        while (*at) {
            at += strspn(at, ", \t");
            size_t len = strcspn(at, ", \t");
            if (len == strlen(word) && strncasecmp(at, word, len) == 0)
                return true;
            at += len;
        }
    }
    return false;
}

static bool check_host(reader *r, const kube__api_head *head)
{
    const char *host = "";
    size_t count = find(head, "host", &host);
    if (!count && !head->is_1_0 && strcmp(head->method, "CONNECT") != 0)
        return refuse(r, 400, "missing required Host header");
    if (count > 1)
        return refuse(r, 400, "too many Host headers");
    return is_host(host) || refuse(r, 400, "malformed Host header");
}

static bool read_transfer_encoding(reader *r, kube__api_head *head)
{
    const char *coding = "";
    size_t count = find(head, "transfer-encoding", &coding);
    if (!count || head->is_1_0)
        return true;
    if (count > 1 || strcasecmp(coding, "chunked") != 0)
        return refuse(r, 501, "unsupported transfer encoding");
    head->chunked = true;
    return true;
}

static bool read_length(reader *r, kube__api_head *head)
{
    const char *first = "";
    uint64_t length = 0;
    if (!find(head, "content-length", &first))
        return true;
    for (size_t i = 0; i < head->headers.len; i++)
        if (strcmp(head->headers.items[i].key, "content-length") == 0 &&
            strcmp(head->headers.items[i].value, first) != 0)
            return refuse(r, 400, "multiple Content-Length headers");
    for (const char *p = first; *p || p == first; p++) {
        if (!kube__is_digit(*p) || length > (INT64_MAX - (uint64_t)(*p - '0')) / 10)
            return refuse(r, 400, "bad Content-Length");
        length = length * 10 + (uint64_t)(*p - '0');
    }
    head->length = head->chunked ? 0 : length;
    return true;
}

/* Expect may ask for one thing only. */
static bool read_expectation(reader *r, kube__api_head *head)
{
    const char *expected = "";
    if (!find(head, "expect", &expected) || !*expected)
        return true;
    if (!has_word(head, "expect", "100-continue"))
        return refuse(r, 417, "unknown expectation");
    head->wants_continue = !head->is_1_0 && (head->chunked || head->length);
    return true;
}

static bool read_all(reader *r, kube__api_head *out)
{
    if (!read_request_line(r, out) || !read_headers(r, out) || !check_host(r, out) ||
        !read_transfer_encoding(r, out) || !read_length(r, out) || !read_expectation(r, out))
        return false;
    out->keep_alive = out->is_1_0 ? has_word(out, "connection", "keep-alive")
                                  : !has_word(out, "connection", "close");
    return true;
}

int kube__api_head_read(kube_ctx *ctx, const char *text, size_t len, kube__api_head *out,
                        const char **why)
{
    char *copy = kube_ctx_alloc(ctx, len + 1);
    reader r = {.ctx = ctx, .at = copy, .end = copy + len};
    *out = (kube__api_head){0};
    *why = "out of memory";
    if (!copy)
        return 500;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (read_all(&r, out))
        return 0;
    *why = r.why;
    return r.status;
}

/* ---- bodies in chunks ----------------------------------------------------------------------- */

/* The digits of a line, which may end with blanks or an extension. */
static bool read_size(const char *line, size_t len, uint64_t *size)
{
    const char *extension;
    while (len && kube__is_blank(line[len - 1]))
        len--;
    extension = memchr(line, ';', len);
    if (extension)
        len = (size_t)(extension - line);
    *size = 0;
    for (size_t i = 0; i < len; i++) {
        int digit = kube__hex_digit(line[i]);
        if (digit < 0)
            return false;
        *size = *size << 4 | (unsigned)digit;
    }
    return len > 0 && len <= MAX_SIZE_DIGITS;
}

static kube__api_chunk_end read_chunk_line(kube__api_chunks *chunks, const char *text, size_t len,
                                           size_t *taken)
{
    const char *end = memchr(text, '\n', len);
    size_t line = (size_t)(end ? end - text : 0);
    if (!end)
        return len > MAX_CHUNK_LINE ? KUBE__CHUNK_BAD : KUBE__CHUNK_MORE;
    *taken = line + 1;
    /* Only heads may end their lines with a bare LF. */
    if (line > MAX_CHUNK_LINE || memchr(text, '\r', line + 1) != end - 1 ||
        !read_size(text, line - 1, &chunks->left))
        return KUBE__CHUNK_BAD;
    /* Chunks of a byte with long extensions cost much and bring little. */
    chunks->overhead += *taken;
    if (chunks->left < SIZE_MAX / 4 && chunks->overhead > 16 + 2 * chunks->left)
        chunks->overhead -= 16 + 2 * (size_t)chunks->left;
    else
        chunks->overhead = 0;
    if (chunks->overhead > FREE_OVERHEAD)
        return KUBE__CHUNK_BAD;
    chunks->state = chunks->left ? KUBE__CHUNK_DATA : KUBE__CHUNK_TRAILER;
    chunks->seen = 0;
    return KUBE__CHUNK_PART;
}

static bool has_bare_lf(const char *text, size_t len)
{
    const char *end = text + len;
    for (const char *lf = text; (lf = memchr(lf, '\n', (size_t)(end - lf))); lf++)
        if (lf == text || lf[-1] != '\r')
            return true;
    return false;
}

/* Lines as of a head, up to an empty one, but none may end with a bare LF. */
static kube__api_chunk_end read_trailer(kube__api_chunks *chunks, const char *text, size_t len,
                                        size_t *taken)
{
    if (len < 2)
        return KUBE__CHUNK_MORE;
    *taken = 2;
    if (memcmp(text, "\r\n", 2) == 0)
        return KUBE__CHUNK_LAST;
    *taken = kube__api_head_end(text, len, &chunks->seen);
    if (!*taken)
        return len > MAX_CHUNK_LINE ? KUBE__CHUNK_BAD : KUBE__CHUNK_MORE;
    if (has_bare_lf(text, *taken))
        return KUBE__CHUNK_BAD;
    kube_ctx *ctx = kube_ctx_new();
    char *copy = ctx ? kube_ctx_alloc(ctx, *taken) : NULL;
    reader r = {.ctx = ctx, .at = copy, .end = copy + *taken};
    kube__api_head head = {0};
    if (copy)
        memcpy(copy, text, *taken);
    bool good = copy && read_headers(&r, &head);
    kube_ctx_free(ctx);
    return good ? KUBE__CHUNK_LAST : KUBE__CHUNK_BAD;
}

kube__api_chunk_end kube__api_chunks_read(kube__api_chunks *chunks, const char *text, size_t len,
                                          size_t *taken, size_t *part)
{
    *taken = 0;
    *part = 0;
    switch (chunks->state) {
    case KUBE__CHUNK_SIZE:
        return read_chunk_line(chunks, text, len, taken);
    case KUBE__CHUNK_DATA:
        if (!len)
            return KUBE__CHUNK_MORE;
        *part = len < chunks->left ? len : (size_t)chunks->left;
        *taken = *part;
        chunks->left -= *part;
        if (!chunks->left)
            chunks->state = KUBE__CHUNK_LINE_END;
        return KUBE__CHUNK_PART;
    case KUBE__CHUNK_LINE_END:
        if (len < 2)
            return KUBE__CHUNK_MORE;
        *taken = 2;
        chunks->state = KUBE__CHUNK_SIZE;
        return memcmp(text, "\r\n", 2) == 0 ? KUBE__CHUNK_PART : KUBE__CHUNK_BAD;
    default:
        return read_trailer(chunks, text, len, taken);
    }
}
