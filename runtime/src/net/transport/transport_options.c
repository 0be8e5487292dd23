/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the options of a curl handle that concern connections, not the request. */
#include "transport_options.h"

#include "net/config/certificates.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_TIMEOUT_MS = 30000, /* CFG-4: dial and handshake */
    KEEPALIVE_IDLE_S = 15,
    KEEPALIVE_INTERVAL_S = 10,
    CA_REREAD_S = 300, /* those of the system */
};

static CURLcode on_handshake(CURL *easy, void *ssl, void *arg)
{
    (void)easy;
    (void)arg;
    kube__certificates_require_names(ssl);
    return CURLE_OK;
}

/* A copy: a file may be read again while the handle lives. */
static CURLcode set_blob(CURL *easy, CURLoption option, const kube__tls_file *file,
                         const kube__pem *configured)
{
    kube__pem pem = kube__tls_file_pem(file, configured);
    struct curl_blob blob = {(void *)(uintptr_t)pem.data, pem.data_len, CURL_BLOB_COPY};
    return pem.data ? curl_easy_setopt(easy, option, &blob) : CURLE_OK;
}

#define SET(option, value)                                                                         \
    do {                                                                                           \
        CURLcode set_ = curl_easy_setopt(easy, option, value);                                     \
        if (set_) {                                                                                \
            return set_;                                                                           \
        }                                                                                          \
    } while (0)

static CURLcode set_tls(CURL *easy, const kube__tls_files *files, struct curl_slist *connect_to)
{
    const kube_config *config = files->config;
    CURLcode result = CURLE_OK;
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_CA_CACHE_TIMEOUT, (long)CA_REREAD_S);
    if (config->insecure) {
        SET(CURLOPT_SSL_VERIFYPEER, 0L);
        SET(CURLOPT_SSL_VERIFYHOST, 0L);
    } else {
        SET(CURLOPT_SSL_CTX_FUNCTION, on_handshake);
    }
    if (!config->insecure && (config->ca.data || config->ca.file)) {
        /* Only these: the system's directory would be trusted beside them (CFG-2). */
        SET(CURLOPT_CAPATH, NULL);
        result = set_blob(easy, CURLOPT_CAINFO_BLOB, &files->ca, &config->ca);
    }
    if (!result && connect_to)
        result = curl_easy_setopt(easy, CURLOPT_CONNECT_TO, connect_to);
    if (!result)
        result = set_blob(easy, CURLOPT_SSLCERT_BLOB, &files->certificate, &config->certificate);
    return result ? result : set_blob(easy, CURLOPT_SSLKEY_BLOB, &files->key, &config->key);
}

static CURLcode set_connection(CURL *easy, const kube__tls_files *files,
                               struct curl_slist *connect_to, bool own_connection)
{
    const kube_config *config = files->config;
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_TCP_KEEPIDLE, (long)KEEPALIVE_IDLE_S);
    SET(CURLOPT_TCP_KEEPINTVL, (long)KEEPALIVE_INTERVAL_S);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    /* The configuration has judged the environment: curl reads other variables by other rules. */
    SET(CURLOPT_PROXY, config->proxy_url ? config->proxy_url : "");
    SET(CURLOPT_NOPROXY, "");
    if (own_connection) {
        SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    } else {
        SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        SET(CURLOPT_PIPEWAIT, 1L);
    }
    return config->https ? set_tls(easy, files, connect_to) : CURLE_OK;
}

#undef SET

int kube__transport_set_connection(void *easy, const kube__tls_files *files,
                                   struct curl_slist *connect_to, bool own_connection)
{
    return (int)set_connection(easy, files, connect_to, own_connection);
}

/* ---- another name -------------------------------------------------------------------------- */

char *kube__transport_url(const kube_config *config, const char *url)
{
    const char *name = config->tls_server_name;
    size_t skip = strlen("https://") + strlen(config->authority);
    size_t size;
    char *made;
    if (!name || !config->https || strlen(url) < skip)
        return strdup(url);
    size = strlen(url) + strlen(name) + strlen(config->port) + sizeof("https://:");
    made = malloc(size);
    if (made) {
        snprintf(made, size, "https://%s:%s%s", name, config->port, url + skip);
    }
    return made;
}

bool kube__transport_connect_to(const kube_config *config, struct curl_slist **out)
{
    bool v6 = strchr(config->host, ':') != NULL;
    size_t size;
    char *line;
    *out = NULL;
    if (!config->tls_server_name || !config->https)
        return true;
    size = strlen(config->tls_server_name) + strlen(config->host) + 2 * strlen(config->port) + 8;
    line = malloc(size);
    if (line) {
        snprintf(line, size, "%s:%s:%s%s%s:%s", config->tls_server_name, config->port,
                 v6 ? "[" : "", config->host, v6 ? "]" : "", config->port);
        *out = curl_slist_append(NULL, line);
        free(line);
    }
    return *out != NULL;
}
