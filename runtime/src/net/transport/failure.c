/* SPDX-License-Identifier: Apache-2.0 */
#include "failure.h"

#include "base/ascii.h"
#include "net/config/certificates.h"

#include <stdio.h>
#include <string.h>

/* curl quotes a proxy's URL, which may hold a password. */
static void cut_proxy_url(char *text)
{
    static const char *const quotes[] = {" in '", " for '"};
    if (!strstr(text, "proxy"))
        return;
    for (size_t i = 0; i < sizeof(quotes) / sizeof *quotes; i++) {
        char *end = strstr(text, quotes[i]);
        if (end)
            *end = '\0';
    }
}

const char *kube__failure_tidy(char *detail, size_t size, const char *fallback, const char *host)
{
    static const char *const prefixes[] = {"SSL certificate problem: ", "SSL: "};
    char *text = detail;
    size_t len;
    if (!*text)
        return fallback;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof *prefixes; i++) {
        if (!strncmp(text, prefixes[i], strlen(prefixes[i])))
            text += strlen(prefixes[i]);
    }
    if (kube__certificates_lacks_names(text)) {
        snprintf(detail, size,
                 "its common name does not count: issue it with %.100s as a subject alternative "
                 "name (SAN)",
                 host);
        return detail;
    }
    cut_proxy_url(text);
    len = strlen(text);
    while (len > 0 && strchr(".\r\n ", text[len - 1]))
        text[--len] = '\0';
    /* "Failed to" becomes lower case, "TLS alert" does not. */
    if (kube__is_lower(text[1]))
        text[0] = kube__to_lower(text[0]);
    return text;
}

const char *kube__failure_subject(const char *reason)
{
    return !strcmp(reason, "Certificate") ? "the server's certificate: "
           : !strcmp(reason, "TLS")       ? "TLS: "
           : !strcmp(reason, "Truncated") ? "the answer was cut: "
                                          : "";
}

const char *kube__failure_hint(const char *reason, const char *text)
{
    if (!strcmp(reason, "TLS") && strstr(text, "wrong version number"))
        return " (does the server speak TLS?)";
    if (!strcmp(reason, "Certificate") && (strstr(text, "issuer") || strstr(text, "self")))
        return " (is it the right certificate authority?)";
    return "";
}

void kube__failure_prefix(kube_error *err, const char *method, const char *url)
{
    kube_error_prefix(err, "%s %.*s", method, (int)strcspn(url, "?"), url);
}
