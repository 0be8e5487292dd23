/* SPDX-License-Identifier: Apache-2.0 */
/* Lists all Pods and follows them by hand: HTTP paths, a bearer token, a JSON parser. */
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream {
    char *text; /* came, but is no whole JSON value yet */
    size_t len;
    char version[32]; /* of the last thing seen: where the next watch goes on */
};

static const char *get(const cJSON *object, const char *outer, const char *name)
{
    const cJSON *in = outer ? cJSON_GetObjectItemCaseSensitive(object, outer) : object;
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(in, name));
    return text ? text : "";
}

/* The answer to a list, or one event of a watch; 0 when the watch broke. */
static int take(struct stream *s, const cJSON *value)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(value, "items");
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(value, "object");
    const char *type = object ? get(value, NULL, "type") : "LISTED";

    if (strcmp(type, "ERROR") == 0) /* 410: only a new list would help */
        return fprintf(stderr, "list-watch-raw: %s\n", get(object, NULL, "message")) < 0;
    for (const cJSON *pod = items ? items->child : object; pod; pod = items ? pod->next : NULL)
        printf("%s %s/%s %s\n", type, get(pod, "metadata", "namespace"),
               get(pod, "metadata", "name"), get(pod, "status", "phase"));
    value = object ? object : value;
    snprintf(s->version, sizeof s->version, "%s", get(value, "metadata", "resourceVersion"));
    return fflush(stdout) == 0;
}

/* Called with what came, cut anywhere; 0 makes curl give up. */
static size_t receive(char *data, size_t size, size_t count, void *stream)
{
    struct stream *s = stream;
    char *text = realloc(s->text, s->len + size * count + 1);
    const char *end;

    if (!text)
        return 0;
    s->text = text;
    memcpy(text + s->len, data, size * count);
    s->len += size * count;
    for (cJSON *value; count && (value = cJSON_ParseWithLengthOpts(text, s->len, &end, 0));) {
        count = take(s, value) ? count : 0;
        memmove(text, end, s->len -= (size_t)(end - text));
        cJSON_Delete(value);
    }
    return size * count;
}

int main(int argc, char **argv)
{
    const char *token = getenv("TOKEN"), *query = "";
    char url[512], why[CURL_ERROR_SIZE] = "the server's address is too long";
    struct stream s = {0};
    CURL *curl = token && argc == 3 ? curl_easy_init() : NULL;

    if (!curl)
        return fputs("usage: TOKEN=… list-watch-raw SERVER CA_FILE\n", stderr), 2;
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, token);
    curl_easy_setopt(curl, CURLOPT_CAINFO, argv[2]);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &s);
    while (snprintf(url, sizeof url, "%s/api/v1/pods%s%s", argv[1], query, s.version) < 512 &&
           !curl_easy_setopt(curl, CURLOPT_URL, url) && !curl_easy_perform(curl))
        query = "?watch=1&resourceVersion=";
    fprintf(stderr, "list-watch-raw: %s\n", why);
    return free(s.text), curl_easy_cleanup(curl), 1;
}
