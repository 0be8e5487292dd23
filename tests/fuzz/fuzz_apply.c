/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts behind lines "%%": an object with whatever managedFields it has, which is created, and what
 * is applied to it after that, by a manager each, every other one by force. The first byte says of
 * which kind it is.
 */
#include "api_kit.h"

#include <stdio.h>

enum { MOST_PARTS = 6 };

static const struct {
    const char *collection;
    const char *object;
} kinds[] = {
    {"/apis/apps/v1/namespaces/default/deployments",
     "/apis/apps/v1/namespaces/default/deployments/a"},
    {"/api/v1/namespaces/default/services", "/api/v1/namespaces/default/services/a"},
    {"/apis/example.com/v1/namespaces/default/gadgets",
     "/apis/example.com/v1/namespaces/default/gadgets/a"},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static kube_apiserver *server;
    fuzz_text rest = {(const char *)data + 1, len - 1};
    fuzz_text part;
    bool applied = false;
    if (!len)
        return 0;
    if (!server)
        server = fuzz_server();
    size_t kind = *data % (sizeof kinds / sizeof *kinds);
    if (next_part(&rest, &part))
        count_input("creates",
                    fuzz_send(server, "POST", kinds[kind].collection, NULL, part) == 201);
    for (int i = 0; i < MOST_PARTS && next_part(&rest, &part); i++) {
        char target[128];
        snprintf(target, sizeof target, "%s?fieldManager=m%d&force=%s", kinds[kind].object, i / 2,
                 i % 2 ? "true" : "false");
        applied |= fuzz_send(server, "PATCH", target, "application/apply-patch+yaml", part) < 300;
    }
    count_input("applies", applied);
    fuzz_send(server, "DELETE", kinds[kind].object, NULL, (fuzz_text){"{}", 2});
    return 0;
}
