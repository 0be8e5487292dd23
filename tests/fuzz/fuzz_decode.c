/* SPDX-License-Identifier: Apache-2.0 */
/* Any text: what is accepted is encoded as what comes back equal when it is read again. */
#include "fuzz.h"
#include "object/block/block.h"
#include "runtime/object/fixture_types.h"

#include <kube/codec.h>
#include <stdio.h>
#include <stdlib.h>

static const kube_type *const type = &fixture_widget_type;

static void check_round_trip(kube_ctx *ctx, kube_object *object)
{
    kube_error err;
    const char *json;
    size_t len;
    /* Raw text may nest deeper than an encoder goes. */
    if (kube_encode(ctx, type, object, KUBE_ENCODE_PLAIN, &json, &len, &err)) {
        must(err.code == KUBE_ERR_ARGUMENT, err.message);
        return;
    }
    /* Times lose what is below a second, or below a microsecond, once; after that nothing. */
    kube_object *second;
    kube_object *third;
    must(kube_decode(ctx, type, json, len, &second, &err) == KUBE_OK, err.message);
    must(kube_encode(ctx, type, second, KUBE_ENCODE_PLAIN, &json, &len, &err) == KUBE_OK,
         err.message);
    must(kube_decode(ctx, type, json, len, &third, &err) == KUBE_OK, err.message);
    must(kube_object_equal(type, second, third), "another object comes back");
}

static void check_clone(kube_object *object)
{
    kube__block_seal(object);
    kube_object *clone = kube__block_clone(object);
    must(clone != NULL, "out of memory");
    must(kube_object_equal(type, object, clone), "a clone differs");
    kube_object_unref(clone);
    kube__block_check(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    kube_ctx *ctx = kube_ctx_new();
    must(ctx != NULL, "out of memory");
    kube_object *object;
    kube_error err;
    kube_code rc = kube_decode(ctx, type, (const char *)data, len, &object, &err);
    must(rc == KUBE_OK || (rc == KUBE_ERR_DECODE && !object && err.message[0]), "odd failure");
    count_input("objects", rc == KUBE_OK);
    if (rc == KUBE_OK) {
        check_round_trip(ctx, object);
        check_clone(object);
    }
    kube_ctx_free(ctx);
    return 0;
}
