/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server without sockets. The first byte says what the rest is: 'r' requests to a server
 * that serves a CRD, one behind a line "%%" after the other, each a request line "METHOD target",
 * headers, an empty line and a body; else the input of one of its readers.
 */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/patch/fieldset.h"
#include "apiserver/patch/patch.h"
#include "apiserver/query/selector.h"
#include "apiserver/registry/registry.h"
#include "apiserver/schema/schema.h"
#include "apiserver/server/dispatch.h"
#include "apiserver/server/manifest.h"
#include "apiserver/store/store.h"
#include "apiserver/value/protobuf.h"
#include "apiserver/value/regex.h"
#include "apiserver/value/yaml.h"
#include "apiserver/watch/watch.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR "\n%%\n"

enum { MAX_REQUESTS = 16, MAX_HEADERS = 16, WATCH_ROOM = 4096, MAX_READS = 1 << 16 };

/* ---- readers -------------------------------------------------------------------------------- */

static void ignore_duplicate(void *arg, const char *path, const char *key)
{
    (void)arg, (void)path, (void)key;
}

static kube__json *parse(kube_ctx *ctx, const char *text, size_t len)
{
    const char *fault = NULL;
    kube__json *value = kube__json_parse(ctx, text, len, &fault, ignore_duplicate, NULL);
    must(kube_ctx_failed(ctx) || (value != NULL) == (fault == NULL),
         "no JSON and no fault, or both");
    return value;
}

/* What was written is read as the same. */
static void same_again(kube_ctx *ctx, const kube__json *value)
{
    size_t len;
    const char *text = kube__json_text(ctx, value, &len);
    kube__json *again = text ? parse(ctx, text, len) : NULL;
    must(again && kube__json_equal(value, again), "another value when written and read");
}

/* Each reader returns whether it took the input. */
static bool read_json(kube_ctx *ctx, const char *text, size_t len)
{
    kube__json *value = parse(ctx, text, len);
    if (!value)
        return false;
    same_again(ctx, value);
    kube__json_sort(value);
    same_again(ctx, value);
    kube__field_set set;
    if (kube__field_set_read(ctx, value, &set))
        kube__field_set_write(ctx, kube__field_set_union(ctx, set, set));
    return true;
}

static bool read_manifest(kube_ctx *ctx, const char *text, size_t len)
{
    kube__api_manifest manifest;
    const char *fault = NULL;
    kube__json *value;
    must(kube__api_manifest_init(&manifest, text, len), "out of memory");
    while ((value = kube__api_manifest_next(&manifest, ctx, &fault)) != NULL)
        same_again(ctx, value);
    kube__api_manifest_fini(&manifest);
    fault = NULL;
    value = kube__api_yaml_parse(ctx, text, len, &fault, ignore_duplicate, NULL);
    if (value)
        same_again(ctx, value);
    return value != NULL;
}

static bool read_protobuf(kube_ctx *ctx, const char *bytes, size_t len)
{
    const char *fault = NULL;
    kube__json *value = kube__api_protobuf_read(ctx, bytes, len, &fault);
    must((value != NULL) == (fault == NULL), "no object and no fault, or both");
    if (value)
        same_again(ctx, value);
    return value != NULL;
}

/* An object, and behind the separator a patch of it. */
static bool read_patch(kube_ctx *ctx, const char *text, size_t len)
{
    const char *cut = memmem(text, len, SEPARATOR, strlen(SEPARATOR));
    if (!cut)
        return false;
    const char *second = cut + strlen(SEPARATOR);
    kube__json *object = parse(ctx, text, (size_t)(cut - text));
    kube__json *patch = parse(ctx, second, len - (size_t)(second - text));
    kube__json *out = NULL;
    const kube__api_schema *schema = kube__api_schema_of_builtin(ctx, "apps", "v1", "Deployment");
    if (!object || !patch)
        return false;
    if (!kube__api_json_patch(ctx, object, patch, &out))
        same_again(ctx, out);
    if (!kube__api_check_merge_patch(ctx, patch))
        same_again(ctx, kube__api_merge_patch(ctx, object, patch));
    if (kube__json_is(object, KUBE__JSON_OBJECT) && kube__json_is(patch, KUBE__JSON_OBJECT) &&
        !kube__api_strategic_patch(ctx, schema, object, patch, &out))
        same_again(ctx, out);
    return out != NULL;
}

/* Selectors and a pattern, which end at a NUL. */
static bool read_selectors(kube_ctx *ctx, const char *text, size_t len)
{
    static const char *const fields[] = {"spec.x", NULL};
    static const kube__api_pair items[] = {{"a", "b"}, {"metadata.name", "n"}, {"spec.x", "1"}};
    const kube__api_pairs pairs = {items, sizeof items / sizeof *items};
    const char *copy = kube_ctx_strndup(ctx, text, len);
    const kube__api_selector *selector = NULL;
    if (!kube__api_label_selector(ctx, copy, &selector))
        kube__api_selector_matches(selector, pairs);
    if (!kube__api_field_selector(ctx, copy, fields, &selector))
        kube__api_selector_matches(selector, pairs);
    if (!kube__api_regex_fault(ctx, copy))
        kube__api_regex_matches(ctx, copy, "aaaaaaaaaaaaaaaa", 16);
    return selector != NULL;
}

/* ---- requests ------------------------------------------------------------------------------- */

static const char crd[] =
    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
    "\"metadata\":{\"name\":\"gadgets.example.com\"},\"spec\":{\"group\":\"example.com\","
    "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"gadgets\",\"kind\":\"Gadget\"},"
    "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"subresources\":{"
    "\"status\":{},\"scale\":{\"specReplicasPath\":\".spec.n\",\"statusReplicasPath\":"
    "\".status.n\",\"labelSelectorPath\":\".status.s\"}},\"additionalPrinterColumns\":["
    "{\"name\":\"P\",\"type\":\"string\",\"jsonPath\":\".spec.ports[*].name\"}],"
    "\"selectableFields\":[{\"jsonPath\":\".spec.s\"}],\"schema\":{\"openAPIV3Schema\":{"
    "\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{"
    "\"n\":{\"type\":\"integer\",\"minimum\":0,\"multipleOf\":1,\"default\":1},"
    "\"s\":{\"type\":\"string\",\"pattern\":\"^(a|b)*$\",\"maxLength\":20},"
    "\"d\":{\"type\":\"string\",\"format\":\"date-time\"},\"e\":{\"enum\":[\"a\",1,null],"
    "\"type\":\"string\",\"nullable\":true},\"x\":{\"x-kubernetes-int-or-string\":true},"
    "\"any\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true},"
    "\"in\":{\"type\":\"object\",\"x-kubernetes-embedded-resource\":true,"
    "\"x-kubernetes-preserve-unknown-fields\":true},"
    "\"map\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"}},"
    "\"set\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":"
    "\"string\"}},\"ports\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\","
    "\"x-kubernetes-list-map-keys\":[\"port\"],\"items\":{\"type\":\"object\",\"required\":["
    "\"port\"],\"properties\":{\"port\":{\"type\":\"integer\"},\"name\":{\"type\":\"string\"}}}"
    "}}},\"status\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},"
    "\"s\":{\"type\":\"string\"}}}}}}}]}}";

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

static void check_answer(kube_ctx *ctx, kube__api_response *response)
{
    const char *type = response->content_type;
    must(!response->body.failed && !kube_ctx_failed(ctx), "out of memory");
    must(response->http_status >= 200 && response->http_status < 600, "no status");
    if (response->watch) {
        char room[WATCH_ROOM];
        for (int i = 0; kube__api_watch_read(response->watch, room, sizeof room) > 0; i++)
            must(i < MAX_READS, "a watch without an end");
        kube__api_watch_free(response->watch);
    } else if (!type || strncmp(type, "application/json", 16) == 0) {
        bool fine = !response->body.len || parse(ctx, response->body.data, response->body.len);
        if (!fine)
            fprintf(stderr, "%.*s\n", (int)response->body.len, response->body.data);
        must(fine, "the answer is no JSON");
    }
}

/* Whether the server did what was asked. */
static bool ask(kube_apiserver *server, const char *text, size_t len)
{
    static const char *const nobody[] = {NULL};
    const kube__api_peer peer = {.organizations = nobody};
    kube_ctx *ctx = kube_ctx_new();
    must(ctx, "out of memory");
    char *target = take_line(ctx, &text, &len);
    const char *method = target;
    target += strcspn(target, " ");
    if (*target)
        *target++ = '\0';
    kube__api_request request = {.ctx = ctx, .method = method};
    request.headers = take_headers(ctx, &text, &len);
    request.body = kube_ctx_strndup(ctx, "", 0);
    if (len) {
        char *body = kube_ctx_alloc(ctx, len + 1);
        memcpy(body, text, len);
        request.body = body;
        request.body_len = len;
    }
    kube__api_message message = {.target = target, .peer = &peer};
    kube__api_response response;
    kube__api_response_init(&response);
    kube__api_dispatch(server, &request, &message, &response);
    check_answer(ctx, &response);
    bool done = response.http_status < 300;
    kube__api_response_fini(&response);
    kube_ctx_free(ctx);
    return done;
}

/* Every stored object can be read. */
static bool read_object(void *arg, kube__api_object *object)
{
    kube_ctx *ctx = arg;
    kube__json *value = parse(ctx, object->text, object->len);
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

static bool ask_all(const char *text, size_t len)
{
    const kube_apiserver_options options = {.seed = 1, .history = 8, .call_limit = 4};
    kube_apiserver *server;
    kube_error err;
    must(kube_apiserver_start(&options, &server, &err) == KUBE_OK, "the server does not start");
    must(kube_apiserver_load(server, crd, strlen(crd), &err) == KUBE_OK, err.message);
    uint64_t version = kube_apiserver_resource_version(server);
    bool done = false;
    for (int i = 0; len && i < MAX_REQUESTS; i++) {
        const char *cut = memmem(text, len, SEPARATOR, strlen(SEPARATOR));
        size_t part = cut ? (size_t)(cut - text) : len;
        done |= ask(server, text, part);
        uint64_t now = kube_apiserver_resource_version(server);
        must(now >= version, "the resource version goes back");
        version = now;
        size_t taken = cut ? part + strlen(SEPARATOR) : part;
        text += taken;
        len -= taken;
    }
    read_store(server);
    kube_apiserver_stop(server);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct {
        char letter;
        bool (*read)(kube_ctx *ctx, const char *text, size_t len);
    } readers[] = {{'j', read_json},
                   {'y', read_manifest},
                   {'p', read_protobuf},
                   {'m', read_patch},
                   {'s', read_selectors}};
    const char *text = (const char *)data + 1;
    if (len == 0)
        return 0;
    bool accepted = *data == 'r' && ask_all(text, len - 1);
    kube_ctx *ctx = kube_ctx_new();
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i].letter == (char)*data)
            accepted = readers[i].read(ctx, text, len - 1);
    kube_ctx_free(ctx);
    count_input(accepted);
    return 0;
}
