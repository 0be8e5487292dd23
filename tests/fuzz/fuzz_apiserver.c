/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to a server without sockets, one behind a line "%%" after the other, each a request line
 * "METHOD target", headers, an empty line and a body.
 */
#include "api_kit.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REQUESTS = 16, MAX_HEADERS = 16 };

/* Cuts one line off. */
static char *take_line(kube_ctx *ctx, const char **text, size_t *len)
{
    const char *end = memchr(*text, '\n', *len);
    size_t line = end ? (size_t)(end - *text) : *len;
    char *copy = kube_ctx_strndup(ctx, *text, line);
    size_t taken = line + (end != NULL);
    *text += taken;
    *len -= taken;
    return copy;
}

static kube__api_pairs take_headers(kube_ctx *ctx, const char **text, size_t *len)
{
    kube__api_pair *pairs = kube_ctx_alloc_array(ctx, MAX_HEADERS, sizeof *pairs);
    size_t count = 0;
    for (;;) {
        char *line = take_line(ctx, text, len);
        char *colon = strchr(line, ':');
        if (!colon)
            return (kube__api_pairs){pairs, count};
        *colon = '\0';
        for (char *p = line; *p; p++)
            if (*p >= 'A' && *p <= 'Z')
                *p = (char)(*p - 'A' + 'a');
        if (count < MAX_HEADERS)
            pairs[count++] = (kube__api_pair){line, colon + 1 + strspn(colon + 1, " ")};
    }
}

/* Whether the server did what was asked. */
static bool ask(kube_apiserver *server, const char *text, size_t len)
{
    kube_ctx *ctx = kube_ctx_new();
    must(ctx, "out of memory");
    char *target = take_line(ctx, &text, &len);
    const char *method = target;
    target += strcspn(target, " ");
    if (*target)
        *target++ = '\0';
    kube__api_request request = {.ctx = ctx, .method = method};
    request.headers = take_headers(ctx, &text, &len);
    char *body = copy_part((fuzz_text){text, len});
    request.body = body;
    request.body_len = len;
    bool done = fuzz_ask(server, &request, target) < 300;
    free(body);
    kube_ctx_free(ctx);
    return done;
}

/* Every stored object can be read. */
static bool read_object(void *arg, kube__api_object *object)
{
    kube_ctx *ctx = arg;
    kube__json *value = fuzz_parse(ctx, object->text, object->len);
    must(strlen(object->text) == object->len && kube__json_is(value, KUBE__JSON_OBJECT),
         "what is stored is no object");
    must(strcmp(kube__json_string_at(value, "metadata.name"), object->name) == 0,
         "an object with another name");
    return true;
}

static void read_store(kube_apiserver *server)
{
    kube_ctx *ctx = kube_ctx_new();
    const kube__api_collection *collection;
    kube__lock(&server->lock);
    for (size_t i = 0; (collection = kube__api_store_collection_at(server->store, i)); i++)
        kube__api_store_each(collection, "", read_object, ctx);
    kube__unlock(&server->lock);
    kube_ctx_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    kube_apiserver *server = fuzz_server();
    uint64_t version = kube_apiserver_resource_version(server);
    fuzz_text rest = {(const char *)data, len};
    fuzz_text part;
    for (int i = 0; i < MAX_REQUESTS && next_part(&rest, &part); i++) {
        count_input("requests", ask(server, part.data, part.len));
        uint64_t now = kube_apiserver_resource_version(server);
        must(now >= version, "the resource version goes back");
        version = now;
    }
    read_store(server);
    kube_apiserver_stop(server);
    return 0;
}
