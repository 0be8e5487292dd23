/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as a watch, a list or an object, by its first byte: cut into pieces, whose lengths the
 * second byte gives, it is read as it is in one.
 */
#include "base/text.h"
#include "fuzz.h"
#include "object/stream/stream.h"
#include "runtime/object/fixture_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a sink has seen, in a few numbers. */
typedef struct seen {
    uint64_t hash;
    size_t count;
} seen;

static void mix(seen *s, const void *data, size_t len)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < len; i++)
        s->hash = (s->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void check_key(kube_key key)
{
    must(!kube__name_flaw(key.name), "a name that no object can have");
    must(!key.namespace_ || !*key.namespace_ || !kube__name_flaw(key.namespace_),
         "a namespace that cannot be");
}

static kube_code see(void *arg, const kube__item *item, kube_error *err)
{
    (void)err;
    seen *s = arg;
    s->count++;
    mix(s, &item->type, sizeof item->type);
    mix(s, &item->json_len, sizeof item->json_len);
    if (item->resource_version)
        mix(s, item->resource_version, strlen(item->resource_version));
    if (item->error)
        mix(s, item->error->message, strlen(item->error->message));
    if (item->bad)
        check_key(kube_key_of(item->bad->namespace_, item->bad->name));
    if (item->object && kube_object_metadata(item->object)->name)
        check_key(kube_meta_key(kube_object_metadata(item->object)));
    kube_object_unref(item->object);
    return KUBE_OK;
}

static kube_code run(kube__stream_form form, const char *text, size_t len, size_t piece, seen *s)
{
    kube__stream_options options = {.form = form, .intern = true, .named = true};
    kube__stream *stream;
    kube_error err;
    must(kube__stream_new(&fixture_widget_type, &options, see, s, &stream, &err) == KUBE_OK,
         "out of memory");
    kube_code rc = KUBE_OK;
    for (size_t at = 0; at < len && rc == KUBE_OK; at += piece)
        rc = kube__stream_feed(stream, text + at, len - at < piece ? len - at : piece, &err);
    if (rc == KUBE_OK)
        rc = kube__stream_finish(stream, &err);
    if (rc == KUBE_OK)
        must(kube__stream_bytes_read(stream) <= 8 * (uint64_t)len, "too much work");
    kube__stream_free(stream);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const kube__stream_form forms[] = {KUBE__STREAM_WATCH, KUBE__STREAM_LIST,
                                              KUBE__STREAM_OBJECT};
    if (len < 2)
        return 0;
    kube__stream_form form = forms[data[0] % 3];
    const char *text = (const char *)data + 2;
    seen whole = {0};
    seen pieces = {0};
    kube_code rc = run(form, text, len - 2, len, &whole);
    kube_code pieces_rc = run(form, text, len - 2, data[1] % 64 + 1u, &pieces);
    must(rc == pieces_rc, "another result in pieces");
    must(whole.count == pieces.count && whole.hash == pieces.hash, "other items in pieces");
    count_input("streams", rc == KUBE_OK && whole.count > 0);
    return 0;
}
