/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CRD in YAML or JSON, which is loaded, and behind a line "%%" objects of its kind, of which the
 * one that is created is read as a table.
 */
#include "api_kit.h"
#include "apiserver/server/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CRDS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

enum { MOST_OBJECTS = 4 };

/* The part as JSON; NULL when it is not one object. */
static const char *json_of(kube_ctx *ctx, fuzz_text part, kube__json **value)
{
    const char *fault = NULL;
    kube__api_manifest manifest;
    must(kube__api_manifest_init(&manifest, part.data, part.len), "out of memory");
    *value = kube__api_manifest_next(&manifest, ctx, &fault);
    kube__api_manifest_fini(&manifest);
    return *value && kube__json_is(*value, KUBE__JSON_OBJECT) ? kube__json_text(ctx, *value, NULL)
                                                              : NULL;
}

static int send(kube_apiserver *server, const char *method, const char *target, const char *text)
{
    return fuzz_send(server, method, target, NULL, (fuzz_text){text, strlen(text)});
}

static bool create_objects(kube_apiserver *server, kube_ctx *ctx, const kube__json *crd,
                           fuzz_text rest)
{
    const kube__json *spec = kube__json_get(crd, "spec");
    const kube__json *version = kube__json_get(spec, "versions");
    const char *scope =
        strcmp(kube__json_string_at(spec, "scope"), "Cluster") == 0 ? "" : "namespaces/default/";
    version = version && version->len ? version->first : NULL;
    const char *target = kube_printf(ctx, "/apis/%s/%s/%s%s", kube__json_string_at(spec, "group"),
                                     kube__json_string_at(version, "name"), scope,
                                     kube__json_string_at(spec, "names.plural"));
    fuzz_text part;
    bool created = false;
    for (int i = 0; i < MOST_OBJECTS && next_part(&rest, &part); i++) {
        kube__json *value;
        const char *text = json_of(ctx, part, &value);
        created |= text && send(server, "POST", target, text) == 201;
    }
    send(server, "GET", target, "");
    return created;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static kube_apiserver *server;
    fuzz_text rest = {(const char *)data, len};
    fuzz_text part;
    kube__json *crd;
    if (!server)
        server = fuzz_server();
    if (!next_part(&rest, &part))
        return 0;
    kube_ctx *ctx = kube_ctx_new();
    const char *text = json_of(ctx, part, &crd);
    bool served = text && send(server, "POST", CRDS, text) == 201;
    count_input("CRDs", served);
    count_input("objects", served && create_objects(server, ctx, crd, rest));
    if (served)
        send(server, "DELETE",
             kube_printf(ctx, CRDS "/%s", kube__json_string_at(crd, "metadata.name")), "");
    kube_ctx_free(ctx);
    return 0;
}
