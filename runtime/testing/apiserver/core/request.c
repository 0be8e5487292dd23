/* SPDX-License-Identifier: Apache-2.0 */
/* What a request target means: by the rules of the real server's RequestInfo. */
#include "request.h"

#include "base/ascii.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

/* ---- looking things up ---------------------------------------------------------------------- */

static const char *find(kube__api_pairs pairs, const char *name)
{
    for (size_t i = 0; i < pairs.len; i++)
        if (strcmp(pairs.items[i].key, name) == 0)
            return pairs.items[i].value;
    return NULL;
}

const char *kube__api_query(const kube__api_request *request, const char *name)
{
    return kube__text_or_empty(find(request->query, name));
}

bool kube__api_query_is_true(const kube__api_request *request, const char *name)
{
    /* As the real one converts a query to bool: "?watch" and "?watch=yes" are true. */
    const char *value = find(request->query, name);
    return value && strcmp(value, "0") != 0 && strcasecmp(value, "false") != 0;
}

const char *kube__api_header(const kube__api_request *request, const char *lower_name)
{
    return kube__text_or_empty(find(request->headers, lower_name));
}

/* ---- escapes -------------------------------------------------------------------------------- */

/* Undoes percent escapes; in a query '+' is a blank. NULL for a malformed escape and for an escaped
 * NUL, which no C string can hold, and if out of memory. */
static char *decode(kube_ctx *ctx, const char *text, size_t len, bool in_query)
{
    char *decoded = kube_ctx_strndup(ctx, text, len);
    char *out = decoded;
    if (!decoded)
        return NULL;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '%') {
            int high = i + 1 < len ? kube__hex_digit(text[i + 1]) : -1;
            int low = i + 2 < len ? kube__hex_digit(text[i + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0)
                return NULL;
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && in_query) {
            c = ' ';
        }
        *out++ = c;
    }
    *out = '\0';
    return decoded;
}

/* Malformed pairs, and those with a semicolon, are left out, as Go leaves them out. */
static void parse_query(kube__api_request *request)
{
    const char *text = request->query_text;
    size_t max = 1;
    size_t count = 0;
    for (const char *p = text; *p; p++)
        max += *p == '&';
    kube__api_pair *pairs = kube_ctx_alloc_array(request->ctx, max, sizeof *pairs);
    if (!pairs)
        return;
    while (*text) {
        size_t len = strcspn(text, "&");
        size_t key_len = strcspn(text, "=&");
        size_t value_at = key_len < len ? key_len + 1 : len;
        if (len && !memchr(text, ';', len)) {
            pairs[count].key = decode(request->ctx, text, key_len, true);
            pairs[count].value = decode(request->ctx, text + value_at, len - value_at, true);
            count += pairs[count].key && pairs[count].value;
        }
        text += len;
        text += *text == '&';
    }
    request->query = (kube__api_pairs){pairs, count};
}

/* ---- paths ---------------------------------------------------------------------------------- */

typedef struct segments {
    char **items;
    size_t len;
} segments;

/* Cuts @path, which it changes, at its slashes; those at both ends do not count. */
static segments split(kube_ctx *ctx, char *path)
{
    segments s = {NULL, 0};
    size_t len;
    path += strspn(path, "/");
    len = strlen(path);
    while (len && path[len - 1] == '/')
        path[--len] = '\0';
    if (!len)
        return s;
    size_t max = 1;
    for (const char *p = path; *p; p++)
        max += *p == '/';
    s.items = kube_ctx_alloc_array(ctx, max, sizeof *s.items);
    while (s.items && path) {
        s.items[s.len++] = path;
        path = strchr(path, '/');
        if (path)
            *path++ = '\0';
    }
    return s;
}

static const char *verb_of_method(kube__api_request *request)
{
    static const struct {
        const char *method;
        const char *verb;
    } verbs[] = {
        {"GET", "get"},    {"HEAD", "get"},    {"POST", "create"},
        {"PUT", "update"}, {"PATCH", "patch"}, {"DELETE", "delete"},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(request->method, verbs[i].method) == 0)
            return verbs[i].verb;
    return kube__api_lower(request->ctx, request->method);
}

static bool is_namespace_subresource(const char *text)
{
    return strcmp(text, "status") == 0 || strcmp(text, "finalize") == 0;
}

/* What follows the version: [namespaces/NS/] resource [/name [/subresource]]. */
static void understand_resource(kube__api_request *request, char *const *parts, size_t len)
{
    request->verb = verb_of_method(request);
    if (len > 1 && strcmp(parts[0], "watch") == 0) { /* the old form, /api/v1/watch/… */
        request->verb = "watch";
        parts++;
        len--;
    }
    if (len > 2 && strcmp(parts[0], "namespaces") == 0 && !is_namespace_subresource(parts[2])) {
        request->namespace_ = parts[1];
        parts += 2;
        len -= 2;
    }
    request->plural = parts[0];
    if (len > 1)
        request->name = parts[1];
    if (len > 2)
        request->subresource = parts[2];
    if (*request->name)
        return;
    if (strcmp(request->verb, "get") == 0)
        request->verb = kube__api_query_is_true(request, "watch") ? "watch" : "list";
    else if (strcmp(request->verb, "delete") == 0)
        request->verb = "deletecollection";
}

static void understand(kube__api_request *request, char *path)
{
    segments s = split(request->ctx, path);
    char *const *parts = s.items;
    bool grouped;

    request->verb = kube__api_lower(request->ctx, request->method);
    if (!s.len || (strcmp(parts[0], "api") != 0 && strcmp(parts[0], "apis") != 0))
        return;
    grouped = strcmp(parts[0], "apis") == 0;
    if (grouped && s.len > 1)
        request->group = parts[1];
    if (s.len > 1U + grouped)
        request->version = parts[1 + grouped];
    if (s.len <= 2U + grouped)
        return;
    request->is_resource = true;
    understand_resource(request, parts + 2 + grouped, s.len - 2 - grouped);
}

/* "scheme://host/path" is allowed for the sake of proxies: only the path counts. What has a scheme
 * and no path ("host:80") means "". Returns NULL for what is no target. */
static const char *path_of(const char *target)
{
    const char *at = target;
    if (*target == '/' || strcmp(target, "*") == 0)
        return target;
    while (kube__is_alnum(*at) || (*at && strchr("+-.", *at)))
        at++;
    if (*at != ':' || !kube__is_letter(*target))
        return NULL;
    at++;
    if (kube__text_starts_with(at, "//"))
        at += 2 + strcspn(at + 2, "/?");
    return *at == '/' ? at : at + strcspn(at, "?");
}

kube__api_failure *kube__api_request_parse(kube__api_request *request, const char *target)
{
    kube_ctx *ctx = request->ctx;
    const char *understood = path_of(target);
    if (understood)
        target = understood;
    size_t path_len = strcspn(target, "?");
    request->query_text = kube_ctx_strdup(ctx, target + path_len + (target[path_len] == '?'));
    request->verb = "";
    request->group = "";
    request->version = "";
    request->plural = "";
    request->subresource = "";
    request->namespace_ = "";
    request->name = "";
    char *path = decode(ctx, target, path_len, false);
    request->path = path ? kube_ctx_strdup(ctx, path) : "";
    if (!kube_ctx_failed(ctx))
        parse_query(request);
    if (kube_ctx_failed(ctx))
        return kube__api_fail_no_memory();
    request->verb = kube__api_lower(request->ctx, request->method);
    if (!understood || !path) {
        kube__api_failure *failure = kube__api_fail(ctx, 400, "BadRequest", "400 Bad Request");
        failure->plain_text = true;
        return failure;
    }
    understand(request, path);
    request->dry_run = strcmp(kube__api_query(request, "dryRun"), "All") == 0;
    return kube__api_check_memory(ctx);
}
