/* SPDX-License-Identifier: Apache-2.0 */
// Generated code called from C++17: it compiles, links, and does its work.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <shapes/v1/api.h>
#include <typedefs/v1/api.h>

namespace
{

void check(bool holds, const char *what)
{
    if (!holds) {
        std::fprintf(stderr, "test_cxx: %s\n", what);
        std::exit(1);
    }
}

// Never called: it is enough that callbacks and calls of C++ have the right types.
[[maybe_unused]] kube_code follow(kube_client *client, kube_informer_factory *factory,
                                  kube_ctx *ctx, kube_error *err)
{
    shapes_v1_all_list *list = nullptr;
    shapes_v1_all_informer *informer = nullptr;
    shapes_v1_all_handler handler = {};
    kube_code rc = shapes_v1_alls_list(client, ctx, "ns", nullptr, &list, err);
    handler.on_add = [](void *, const shapes_v1_all *object, bool) {
        std::printf("%s\n", object->metadata.name);
    };
    if (rc == KUBE_OK)
        rc = shapes_v1_all_informer_get(factory, nullptr, &informer, err);
    if (rc == KUBE_OK)
        rc = shapes_v1_all_informer_add_handler(informer, &handler, nullptr, nullptr, nullptr, err);
    return rc;
}

} // namespace

int main()
{
    kube_ctx *ctx = kube_ctx_new();
    shapes_v1_all all = {};
    shapes_v1_all *back = nullptr;
    const char *json = nullptr;
    size_t len = 0;
    check(ctx != nullptr, "no ctx");
    all.metadata.name = "cxx";
    all.spec.text = "from C++";
    all.spec.maybe_small = kube_some_int32(3);
    check(shapes_v1_all_encode(ctx, &all, &json, &len, nullptr) == KUBE_OK, "encode failed");
    check(std::strstr(json, "\"maybeSmall\":3") != nullptr, "a member is missing");
    check(shapes_v1_all_decode(ctx, json, len, &back, nullptr) == KUBE_OK, "decode failed");
    check(shapes_v1_all_equal(&all, back), "the round trip changed it");
    check(std::strcmp(shapes_v1_all_type.kind, "All") == 0, "wrong descriptor");
    typedefs_v1_duration steps[] = {"1s", "2s"};
    typedefs_v1_probe probe = {};
    probe.spec.steps = {steps, 2};
    check(typedefs_v1_probe_encode(ctx, &probe, &json, &len, nullptr) == KUBE_OK, "encode failed");
    check(std::strstr(json, "\"steps\":[\"1s\",\"2s\"]") != nullptr, "a list is missing");
    kube_ctx_free(ctx);
    return 0;
}
