/* SPDX-License-Identifier: Apache-2.0 */
#include "url.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { URL_MAX_BYTES = 1 << 18 };

static bool is_unreserved(char c)
{
    return kube__is_alnum(c) || (c && strchr("-._~", c));
}

static void add_escaped(kube__buffer *url, const char *text, const char *also)
{
    for (; *text; text++) {
        if (is_unreserved(*text) || strchr(also, *text))
            kube__buffer_add(url, text, 1);
        else
            kube__buffer_printf(url, "%%%02X", (unsigned)(unsigned char)*text);
    }
}

/* A name or namespace as one segment of the path (REQ-1). */
static kube_code add_segment(kube__buffer *url, const char *what, const char *text, kube_error *err)
{
    const char *flaw = kube__name_flaw(text);
    if (flaw)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "\"%s\" cannot be a %s: it %s", text, what,
                              flaw);
    kube__buffer_add_text(url, "/");
    /* What a path segment may hold unescaped: RBAC names such as system:node have colons. */
    add_escaped(url, text, ":@!$&'()*+,;=");
    return KUBE_OK;
}

kube_code kube__url_start(kube__buffer *url, const kube_config *config, const kube__target *target,
                          kube_error *err)
{
    const kube_type *type = target->type;
    kube_code rc = KUBE_OK;
    kube__buffer_init(url, SIZE_MAX); /* so that a failure is want of memory */
    if (type->group && *type->group)
        kube__buffer_printf(url, "%s/apis/%s/%s", config->server, type->group, type->version);
    else
        kube__buffer_printf(url, "%s/api/%s", config->server, type->version);
    if (target->namespace_ && *target->namespace_) {
        kube__buffer_add_text(url, "/namespaces");
        rc = add_segment(url, "namespace", target->namespace_, err);
    }
    kube__buffer_printf(url, "/%s", type->resource);
    if (!rc && target->name)
        rc = add_segment(url, "resource name", target->name, err);
    if (!rc && target->subresource)
        rc = add_segment(url, "subresource", target->subresource, err);
    if (rc)
        kube__buffer_fini(url);
    return rc;
}

void kube__url_add(kube__buffer *url, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    kube__buffer_add_text(url, url->data && strchr(url->data, '?') ? "&" : "?");
    kube__buffer_add_text(url, name);
    kube__buffer_add_text(url, "=");
    add_escaped(url, value, "");
}

void kube__url_add_number(kube__buffer *url, const char *name, int64_t value)
{
    if (value) {
        char text[24];
        snprintf(text, sizeof(text), "%lld", (long long)value);
        kube__url_add(url, name, text);
    }
}

void kube__url_add_true(kube__buffer *url, const char *name, bool value)
{
    if (value)
        kube__url_add(url, name, "true");
}

void kube__url_add_timeout(kube__buffer *url, int64_t timeout_ms)
{
    if (timeout_ms > 0) {
        char text[32];
        snprintf(text, sizeof(text), "%lldms", (long long)timeout_ms);
        kube__url_add(url, "timeout", text);
    }
}

kube_code kube__url_check(const kube__buffer *url, kube_error *err)
{
    if (url->failed)
        return kube__no_memory(err, "a URL");
    if (url->len > URL_MAX_BYTES)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the URL of this request is too long");
    return KUBE_OK;
}

const char *kube__target_text(kube_ctx *ctx, const kube__target *target)
{
    const char *slash = target->subresource ? "/" : "";
    const char *subresource = target->subresource ? target->subresource : "";
    if (!target->name)
        return kube_printf(ctx, "%s%s%s", target->type->resource, slash, subresource);
    return kube_printf(ctx, "%s%s%s \"%s\"", target->type->resource, slash, subresource,
                       target->name);
}

static kube_code bad_server(const char *server, const char *why, kube_error *err)
{
    const char *at = strrchr(server, '@'); /* before it may stand a password */
    return kube_error_set(err, KUBE_ERR_CONFIG, "server \"%s\" is not usable: %s",
                          at ? at + 1 : server, why);
}

const char *kube__url_split_authority(kube_ctx *memory, const char *authority, const char **host,
                                      const char **port)
{
    bool brackets = *authority == '[';
    const char *begin = authority + brackets;
    size_t len = strcspn(begin, brackets ? "]" : ":");
    const char *rest = begin + len + brackets;
    char *end;
    *port = "";
    *host = kube_ctx_strndup(memory, begin, len);
    if (brackets && !begin[len])
        return "\"]\" is missing";
    if (*rest && *rest != ':')
        return "there is text after \"]\"";
    if (*rest && rest[1]) {
        long number = strtol(rest + 1, &end, 10);
        *port = rest + 1;
        if (!kube__is_digit(**port) || *end || number < 1 || number > 65535)
            return "the port is not a number from 1 to 65535";
    }
    return len ? NULL : "it has no host";
}

kube_code kube__url_parse_server(kube_config *config, const char *server, kube_error *err)
{
    const char *separator = strstr(server, "://");
    const char *authority = separator ? separator + 3 : server;
    size_t len = strlen(authority);
    const char *why;
    char *normal;
    for (const char *c = server; *c; c++) {
        if ((unsigned char)*c <= ' ' || *c == 0x7f || strchr("\"<>\\^`{|}", *c))
            return bad_server(server, "it contains a character that a URL cannot have", err);
    }
    if (strpbrk(server, "?#"))
        return bad_server(server, "it must not have a query or a fragment", err);
    if (separator && strncmp(server, "https://", 8) != 0 && strncmp(server, "http://", 7) != 0) {
        return bad_server(server, "it must begin with http:// or https://", err);
    }
    if (memchr(authority, '@', strcspn(authority, "/")))
        return kube_error_set(
            err, KUBE_ERR_CONFIG,
            "the server's URL must not contain credentials; put them into a user of a kubeconfig");
    config->https = !strncmp(server, "https://", 8);
    while (len > 0 && authority[len - 1] == '/')
        len--;
    normal = kube_ctx_strndup(config->memory, authority, len);
    config->authority = kube_ctx_strndup(config->memory, authority, strcspn(authority, "/"));
    config->server = kube_printf(config->memory, "%s://%s", config->https ? "https" : "http",
                                 kube__text_or_empty(normal));
    if (!config->server || !config->authority)
        return kube__ctx_check(config->memory, err);
    why =
        kube__url_split_authority(config->memory, config->authority, &config->host, &config->port);
    if (why)
        return bad_server(server, why, err);
    if (!*config->port)
        config->port = config->https ? "443" : "80";
    return kube__ctx_check(config->memory, err);
}
