/* SPDX-License-Identifier: Apache-2.0 */
/* No other file of gen knows libcurl. */
#include "fetch.h"

#include "support/xalloc.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_MAX = 64 << 20, TIMEOUT_S = 120, CONNECT_TIMEOUT_S = 15, REDIRECTS_MAX = 5 };

static bool read_stdin(str *out, str *error)
{
    if (str_read_stream(out, stdin, INPUT_MAX))
        return true;
    str_printf(error, "cannot read standard input: %s", strerror(errno));
    return false;
}

static bool read_file(const char *path, str *out, str *error)
{
    if (str_read_file(out, path))
        return true;
    str_printf(error, "cannot read %s: %s", path, strerror(errno));
    return false;
}

/* Whether something is sent that only the server may see. */
static bool has_secret(const char *url, const fetch_options *options)
{
    const char *host = strstr(url, "://") + strlen("://");
    return options->token_file || options->token || options->cert_file || options->cert ||
           memchr(host, '@', strcspn(host, "/?#"));
}

static size_t receive(char *data, size_t size, size_t count, void *arg)
{
    str *out = arg;
    if (out->len + size * count > INPUT_MAX)
        return 0; /* curl ends with a write error */
    str_add_len(out, data, size * count);
    return size * count;
}

/* "Authorization: Bearer …" of a token, without the line end that editors put there. */
static bool read_token(const fetch_options *options, str *header, str *error)
{
    const char *path = options->token_file;
    str_add(header, "Authorization: Bearer ");
    if (path && !read_file(path, header, error))
        return false;
    if (!path)
        str_add(header, options->token);
    while (header->len && strchr(" \t\r\n", header->data[header->len - 1]))
        header->data[--header->len] = '\0';
    if (header->len > strlen("Authorization: Bearer") && !strpbrk(header->data, "\r\n"))
        return true;
    str_printf(error, "%s does not hold a token", path ? path : "the kubeconfig's 'token'");
    return false;
}

static void set_text(CURL *curl, CURLoption option, const char *text)
{
    struct curl_blob blob = {
        .data = (void *)text, .len = text ? strlen(text) : 0, .flags = CURL_BLOB_COPY};
    if (text)
        curl_easy_setopt(curl, option, &blob);
}

static void set_options(CURL *curl, const char *url, const fetch_options *options)
{
    bool is_safe = str_has_prefix(url, "https:");
    curl_easy_setopt(curl, CURLOPT_URL, url);
    /* Neither goes a secret to another server, nor is one that anybody can be asked instead. */
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, is_safe ? "https" : "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, has_secret(url, options) ? 0L : 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)REDIRECTS_MAX);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)TIMEOUT_S);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_TIMEOUT_S);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "kubegen");
    if (options->ca_file)
        curl_easy_setopt(curl, CURLOPT_CAINFO, options->ca_file);
    if (options->cert_file)
        curl_easy_setopt(curl, CURLOPT_SSLCERT, options->cert_file);
    if (options->key_file)
        curl_easy_setopt(curl, CURLOPT_SSLKEY, options->key_file);
    set_text(curl, CURLOPT_CAINFO_BLOB, options->ca);
    set_text(curl, CURLOPT_SSLCERT_BLOB, options->cert);
    set_text(curl, CURLOPT_SSLKEY_BLOB, options->key);
    if (options->is_insecure) {
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    }
}

/* Returns false with a line in @error, which never has the URL's user and password. */
static bool perform(CURL *curl, str *out, str *error)
{
    char detail[CURL_ERROR_SIZE] = "";
    size_t before = out->len;
    long status = 0;
    CURLcode rc;
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, out);
    rc = curl_easy_perform(curl);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, NULL);
    if (rc == CURLE_WRITE_ERROR && out->len > before)
        str_printf(error, "more than %d MiB", INPUT_MAX >> 20);
    else if (rc != CURLE_OK)
        str_add(error, *detail ? detail : curl_easy_strerror(rc));
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (rc == CURLE_OK && (status < 200 || status > 299))
        str_printf(error, "the server answered %ld%s", status,
                   status == 401 || status == 403 ? ": give a token with --token-file" : "");
    return error->len == 0;
}

static bool read_url(const char *url, const fetch_options *options, str *out, str *error)
{
    struct curl_slist *headers = NULL;
    CURL *curl = NULL;
    str token = {0};
    str detail = {0};
    bool ok = false;
    if (has_secret(url, options) && !str_has_prefix(url, "https:")) {
        str_add(error, "a token, a certificate or a password is only sent by https");
        goto out;
    }
    if ((options->token_file || options->token) && !read_token(options, &token, error))
        goto out;
    curl = xchecked(curl_easy_init());
    headers = xchecked(curl_slist_append(NULL, "Accept: application/json"));
    if (token.len)
        xchecked(curl_slist_append(headers, token.data));
    set_options(curl, url, options);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    ok = perform(curl, out, &detail);
    if (!ok)
        str_printf(error, "cannot fetch %s: %s", strchr(url, '@') ? "the URL" : url,
                   str_text(&detail));
out:
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    str_free(&detail);
    str_free(&token);
    return ok;
}

bool fetch_text(const char *name, const fetch_options *options, str *out, str *error)
{
    if (strcmp(name, "-") == 0)
        return read_stdin(out, error);
    if (str_has_prefix(name, "http://") || str_has_prefix(name, "https://"))
        return read_url(name, options, out, error);
    return read_file(name, out, error);
}
