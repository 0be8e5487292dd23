/* SPDX-License-Identifier: Apache-2.0 */
#include "proxy.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "url.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- addresses ----------------------------------------------------------------------------- */

typedef struct address {
    unsigned char bytes[16];
    unsigned bits; /* 32 or 128; 0 = it is a name */
} address;

static address parse_address(const char *text)
{
    address a = {.bits = 32};
    if (inet_pton(AF_INET, text, a.bytes) == 1)
        return a;
    a.bits = inet_pton(AF_INET6, text, a.bytes) == 1 ? 128 : 0;
    return a;
}

/* Whether the first @bits of both are equal. */
static bool is_within(const address *a, const address *network, unsigned bits)
{
    unsigned rest = bits % 8;
    unsigned mask = rest ? 0xffU << (8 - rest) & 0xff : 0;
    return a->bits && a->bits == network->bits && !memcmp(a->bytes, network->bytes, bits / 8) &&
           (!rest || ((a->bytes[bits / 8] ^ network->bytes[bits / 8]) & mask) == 0);
}

bool kube__proxy_is_loopback(const char *host)
{
    static const address v6 = {.bytes = {[15] = 1}, .bits = 128};
    static const address v4 = {.bytes = {127}, .bits = 32};
    address a = parse_address(host);
    return !strcasecmp(host, "localhost") || is_within(&a, &v4, 8) || is_within(&a, &v6, 128);
}

/* ---- NO_PROXY ------------------------------------------------------------------------------ */

static bool has_suffix(const char *text, const char *suffix)
{
    size_t len = strlen(text);
    size_t suffix_len = strlen(suffix);
    return len >= suffix_len && !strcasecmp(text + len - suffix_len, suffix);
}

/* "10.0.0.0/8" or "fd00::/8". */
static bool matches_network(char *pattern, const address *host)
{
    char *slash = strchr(pattern, '/');
    char *end = NULL;
    address network;
    unsigned long bits;
    if (!slash)
        return false;
    *slash = '\0';
    network = parse_address(pattern);
    bits = strtoul(slash + 1, &end, 10);
    return kube__is_digit(slash[1]) && !*end && bits <= network.bits &&
           is_within(host, &network, (unsigned)bits);
}

/* Cuts ":port" and the brackets off; returns the port, "" if there is none. */
static const char *split_pattern(char **pattern)
{
    char *colon = strrchr(*pattern, ':');
    const char *port = "";
    size_t len;
    if (colon && (colon == strchr(*pattern, ':') || (colon > *pattern && colon[-1] == ']'))) {
        port = colon + 1;
        *colon = '\0';
    }
    len = strlen(*pattern);
    if (len > 1 && **pattern == '[' && (*pattern)[len - 1] == ']') {
        (*pattern)[len - 1] = '\0';
        ++*pattern;
    }
    return port;
}

/* One pattern: "*", a network, or an address or a domain with or without a port. A domain that
 * begins with "." or "*." means its subdomains only, otherwise itself too. */
static bool matches(char *pattern, const kube_config *config)
{
    address host = parse_address(config->host);
    address wanted;
    const char *port;
    if (!strcmp(pattern, "*"))
        return true;
    if (strchr(pattern, '/'))
        return matches_network(pattern, &host);
    port = split_pattern(&pattern);
    if (*port && strcmp(port, config->port) != 0)
        return false;
    wanted = parse_address(pattern);
    if (wanted.bits)
        return is_within(&host, &wanted, wanted.bits);
    if (!strncmp(pattern, "*.", 2))
        pattern++;
    if (*pattern == '.')
        return has_suffix(config->host, pattern);
    if (!*pattern || !has_suffix(config->host, pattern))
        return false;
    return strlen(config->host) == strlen(pattern) ||
           config->host[strlen(config->host) - strlen(pattern) - 1] == '.';
}

static bool is_excepted(const kube_config *config, const char *list)
{
    static const char separators[] = ", \t";
    char *copy = kube_ctx_strdup(config->memory, list);
    char *rest = NULL;
    for (char *pattern = copy ? strtok_r(copy, separators, &rest) : NULL; pattern;
         pattern = strtok_r(NULL, separators, &rest)) {
        if (matches(pattern, config))
            return true;
    }
    return false;
}

/* ---- the URL ------------------------------------------------------------------------------- */

static const char *after_scheme(const char *url)
{
    static const char *const schemes[] = {"http://", "https://", "socks5://", "socks5h://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (!strncasecmp(url, schemes[i], strlen(schemes[i])))
            return url + strlen(schemes[i]);
    }
    return NULL;
}

/* @source: where it was found, for messages. */
static kube_code use_url(kube_config *config, const char *source, const char *url, kube_error *err)
{
    const char *authority = after_scheme(url);
    const char *at = strrchr(url, '@'); /* before it may stand a password */
    const char *shown = at ? at + 1 : url;
    const char *host;
    const char *port;
    const char *why = NULL;
    char *address_text;
    if (!authority)
        return kube_error_set(err, KUBE_ERR_CONFIG,
                              "%s \"%s\" is not usable: it must begin with http://, https:// or "
                              "socks5://",
                              source, shown);
    authority = at && at >= authority ? at + 1 : authority;
    address_text = kube_ctx_strndup(config->memory, authority, strcspn(authority, "/"));
    if (!address_text)
        return kube__ctx_check(config->memory, err);
    for (const char *c = url; *c; c++) {
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            why = "it contains a character that a URL cannot have";
    }
    if (!why && strcspn(authority, "/?#") + 1 < strlen(authority))
        why = "it must end behind host and port";
    if (!why)
        why = kube__url_split_authority(config->memory, address_text, &host, &port);
    if (why)
        return kube_error_set(err, KUBE_ERR_CONFIG, "%s \"%s\" is not usable: %s", source, shown,
                              why);
    /* As in Go, the proxy resolves the server's name: curl's word for that is socks5h. */
    config->proxy_url = !strncasecmp(url, "socks5://", 9)
                            ? kube_printf(config->memory, "socks5h://%s", url + 9)
                            : url;
    return kube__ctx_check(config->memory, err);
}

/* ---- the choice ---------------------------------------------------------------------------- */

static const char *from_environment(const char *upper, const char *lower, const char **name)
{
    const char *value = getenv(upper);
    *name = upper;
    if (!value || !*value) {
        value = getenv(lower);
        *name = lower;
    }
    return value && *value ? value : NULL;
}

kube_code kube__proxy_choose(kube_config *config, const char *proxy_url, kube_error *err)
{
    const char *name;
    const char *url;
    const char *exceptions;
    if (proxy_url)
        return use_url(config, "proxy-url", proxy_url, err);
    if (kube__proxy_is_loopback(config->host))
        return KUBE_OK;
    exceptions = from_environment("NO_PROXY", "no_proxy", &name);
    if (config->https)
        url = from_environment("HTTPS_PROXY", "https_proxy", &name);
    else /* In a CGI program the header Proxy of a request is HTTP_PROXY. */
        url = from_environment(getenv("REQUEST_METHOD") ? "http_proxy" : "HTTP_PROXY", "http_proxy",
                               &name);
    if (!url || (exceptions && is_excepted(config, exceptions)))
        return kube__ctx_check(config->memory, err);
    /* There, the scheme may be left out. */
    url = strstr(url, "://") ? kube_ctx_strdup(config->memory, url)
                             : kube_printf(config->memory, "http://%s", url);
    return url ? use_url(config, name, url, err) : kube__ctx_check(config->memory, err);
}
