/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    char *text;
    size_t len;
    size_t size;
    uint64_t random;
} writer;

static void *or_abort(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
    if (w->size - w->len < 4096) {
        w->size = w->size * 2 + 4096;
        w->text = or_abort(realloc(w->text, w->size));
    }
    va_list args;
    va_start(args, format);
    w->len += (size_t)vsnprintf(w->text + w->len, w->size - w->len, format, args);
    va_end(args);
}

static uint64_t next_random(writer *w)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return w->random;
}

#define CHOOSE(w, list) (list)[next_random(w) % (sizeof(list) / sizeof *(list))]

/* One object's values. */
typedef struct network {
    size_t index;
    const char *ns;
    const char *app;
    const char *tier;
    const char *env;
    unsigned generation;
    uint64_t version;
    uint64_t uid[2];
} network;

static network make_network(writer *w, size_t index)
{
    static const char *const apps[] = {"web",     "api",    "worker",  "cache",
                                       "gateway", "ingest", "billing", "search"};
    static const char *const tiers[] = {"frontend", "backend", "edge"};
    static const char *const envs[] = {"prod", "staging", "dev"};
    static const char *const namespaces[] = {"default", "kube-system", "team-a",        "team-b",
                                             "team-c",  "payments",    "observability", "ci"};
    return (network){
        .index = index,
        .ns = CHOOSE(w, namespaces),
        .app = CHOOSE(w, apps),
        .tier = CHOOSE(w, tiers),
        .env = CHOOSE(w, envs),
        .generation = 1 + (unsigned)(next_random(w) % 4),
        .version = 1000000 + index * 3 + next_random(w) % 3,
        .uid = {next_random(w), next_random(w)},
    };
}

static void put_time(writer *w, size_t i)
{
    put(w, "\"2024-%02zu-%02zuT%02zu:%02zu:%02zuZ\"", 1 + i % 12, 1 + i % 28, i % 24, i * 7 % 60,
        i * 13 % 60);
}

static void put_labels(writer *w, const network *n, const char *quote)
{
    put(w, "{%sapp.kubernetes.io/name%s:%s%s%s,%senvironment%s:%s%s%s,%stier%s:%s%s%s}", quote,
        quote, quote, n->app, quote, quote, quote, quote, n->env, quote, quote, quote, quote,
        n->tier, quote);
}

static void put_spec(writer *w, const network *n, const char *quote)
{
    size_t a = n->index >> 8 & 255;
    size_t b = n->index & 255;
    put(w, "{%scidr%s:%s10.%zu.%zu.0/24%s,%sgateway%s:%s10.%zu.%zu.1%s}", quote, quote, quote, a, b,
        quote, quote, quote, quote, a, b, quote);
}

static void put_annotations(writer *w, const network *n)
{
    put(w, ",\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\""
           "{\\\"apiVersion\\\":\\\"samplecrd.k8s.io/v1\\\",\\\"kind\\\":\\\"Network\\\","
           "\\\"metadata\\\":{\\\"annotations\\\":{},\\\"labels\\\":");
    put_labels(w, n, "\\\"");
    put(w, ",\\\"name\\\":\\\"%s-net-%06zu\\\",\\\"namespace\\\":\\\"%s\\\"},\\\"spec\\\":", n->app,
        n->index, n->ns);
    put_spec(w, n, "\\\"");
    put(w, "}\\n\"}");
}

static void put_managed_fields(writer *w, const network *n)
{
    put(w, ",\"managedFields\":[{\"apiVersion\":\"samplecrd.k8s.io/v1\",\"fieldsType\":"
           "\"FieldsV1\",\"fieldsV1\":{\"f:metadata\":{\"f:annotations\":{\".\":{},"
           "\"f:kubectl.kubernetes.io/last-applied-configuration\":{}},\"f:labels\":{\".\":{},"
           "\"f:app.kubernetes.io/name\":{},\"f:environment\":{},\"f:tier\":{}}},\"f:spec\":"
           "{\".\":{},\"f:cidr\":{},\"f:gateway\":{}}},\"manager\":\"kubectl-client-side-apply\","
           "\"operation\":\"Update\",\"time\":");
    put_time(w, n->index);
    put(w, "},{\"apiVersion\":\"samplecrd.k8s.io/v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"
           "{\"f:status\":{\".\":{},\"f:conditions\":{\".\":{},\"k:{\\\"type\\\":\\\"Ready\\\"}\":"
           "{\".\":{},\"f:lastTransitionTime\":{},\"f:message\":{},\"f:observedGeneration\":{},"
           "\"f:reason\":{},\"f:status\":{},\"f:type\":{}}},\"f:allocatedAddresses\":{},"
           "\"f:observedGeneration\":{},\"f:phase\":{}}},\"manager\":\"network-controller\","
           "\"operation\":\"Update\",\"subresource\":\"status\",\"time\":");
    put_time(w, n->index + 3);
    put(w, "}]");
}

static void put_generate_name(writer *w, const network *n)
{
    if (n->index % 5 == 0)
        put(w, ",\"generateName\":\"%s-net-\"", n->app);
}

static void put_uid(writer *w, const network *n)
{
    put(w, ",\"uid\":\"%08" PRIx64 "-%04" PRIx64 "-4%03" PRIx64 "-a%03" PRIx64 "-%012" PRIx64 "\"",
        n->uid[0] >> 32, n->uid[0] >> 16 & 0xffff, n->uid[0] & 0xfff, n->uid[1] >> 52,
        n->uid[1] & 0xffffffffffff);
}

static void put_sorted(writer *w, const network *n, corpus_size size)
{
    put(w, "{\"apiVersion\":\"samplecrd.k8s.io/v1\",\"kind\":\"Network\",\"metadata\":{");
    size_t start = w->len;
    if (size == CORPUS_FULL)
        put_annotations(w, n);
    put(w, ",\"creationTimestamp\":");
    put_time(w, n->index);
    put_generate_name(w, n);
    put(w, ",\"generation\":%u,\"labels\":", n->generation);
    put_labels(w, n, "\"");
    if (size == CORPUS_FULL)
        put_managed_fields(w, n);
    put(w, ",\"name\":\"%s-net-%06zu\",\"namespace\":\"%s\",\"resourceVersion\":\"%" PRIu64 "\"",
        n->app, n->index, n->ns, n->version);
    put_uid(w, n);
    memmove(w->text + start, w->text + start + 1, w->len - start - 1); /* the first comma */
    w->len--;
    put(w, "},\"spec\":");
    put_spec(w, n, "\"");
    put(w, ",\"status\":{}}");
}

static void put_declared(writer *w, const network *n, corpus_size size)
{
    put(w,
        "{\"kind\":\"Network\",\"apiVersion\":\"samplecrd.k8s.io/v1\",\"metadata\":{"
        "\"name\":\"%s-net-%06zu\"",
        n->app, n->index);
    put_generate_name(w, n);
    put(w, ",\"namespace\":\"%s\"", n->ns);
    put_uid(w, n);
    put(w,
        ",\"resourceVersion\":\"%" PRIu64 "\",\"generation\":%u,\"creationTimestamp\":", n->version,
        n->generation);
    put_time(w, n->index);
    put(w, ",\"labels\":");
    put_labels(w, n, "\"");
    if (size == CORPUS_FULL) {
        put_annotations(w, n);
        put_managed_fields(w, n);
    }
    put(w, "},\"spec\":");
    put_spec(w, n, "\"");
    put(w, ",\"status\":{}}");
}

corpus corpus_new(size_t count, corpus_size size, corpus_order order)
{
    writer w = {.random = 42};
    corpus c = {.count = count};
    c.starts = or_abort(calloc(count + 1, sizeof *c.starts));
    c.ends = or_abort(calloc(count + 1, sizeof *c.ends));
    const char *meta = "\"metadata\":{\"continue\":\"\",\"resourceVersion\":\"2000000\"}";
    if (order == CORPUS_SORTED)
        put(&w, "{\"apiVersion\":\"samplecrd.k8s.io/v1\",\"items\":[");
    else
        put(&w, "{\"kind\":\"NetworkList\",\"apiVersion\":\"samplecrd.k8s.io/v1\",%s,\"items\":[",
            meta);
    for (size_t i = 0; i < count; i++) {
        if (i)
            put(&w, ",");
        network n = make_network(&w, i);
        c.starts[i] = w.len;
        if (order == CORPUS_SORTED)
            put_sorted(&w, &n, size);
        else
            put_declared(&w, &n, size);
        c.ends[i] = w.len;
    }
    put(&w, "]");
    if (order == CORPUS_SORTED)
        put(&w, ",\"kind\":\"NetworkList\",%s", meta);
    put(&w, "}\n");
    c.text = w.text;
    c.len = w.len;
    return c;
}

void corpus_free(corpus *c)
{
    free(c->text);
    free(c->starts);
    free(c->ends);
}
