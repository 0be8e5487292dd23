/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/value/protobuf.h"
#include "support/suite.h"

#include <kube/kube.h>
#include <string.h>

static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

/* ---- a small encoder ------------------------------------------------------------------------ */

typedef struct bytes {
    unsigned char data[1024];
    size_t len;
} bytes;

static void put(bytes *out, const void *data, size_t len)
{
    ck_assert_uint_le(out->len + len, sizeof out->data);
    memcpy(out->data + out->len, data, len);
    out->len += len;
}

static void put_varint(bytes *out, uint64_t value)
{
    do {
        unsigned char byte = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        put(out, &byte, 1);
        value >>= 7;
    } while (value);
}

static void put_number(bytes *out, unsigned field, int64_t value)
{
    put_varint(out, field << 3);
    put_varint(out, (uint64_t)value);
}

static void put_text(bytes *out, unsigned field, const char *text)
{
    put_varint(out, field << 3 | 2);
    put_varint(out, strlen(text));
    put(out, text, strlen(text));
}

static void put_message(bytes *out, unsigned field, const bytes *message)
{
    put_varint(out, field << 3 | 2);
    put_varint(out, message->len);
    put(out, message->data, message->len);
}

static bytes envelope(const char *api_version, const char *kind, const bytes *object)
{
    bytes out = {.len = 0};
    bytes type = {.len = 0};
    put(&out, "k8s", 4);
    put_text(&type, 1, api_version);
    put_text(&type, 2, kind);
    put_message(&out, 1, &type);
    put_message(&out, 2, object);
    put_text(&out, 3, ""); /* contentEncoding */
    return out;
}

static bytes metadata(const char *name)
{
    bytes out = {.len = 0};
    bytes label = {.len = 0};
    put_text(&out, 1, name);
    put_text(&out, 2, ""); /* generateName: always sent, never in JSON when it is empty */
    put_text(&label, 1, "app");
    put_text(&label, 2, "web");
    put_message(&out, 11, &label);
    return out;
}

static const char *read_text(const bytes *in, const char **fault)
{
    kube__json *object = kube__api_protobuf_read(ctx, (const char *)in->data, in->len, fault);
    return object ? kube__json_text(ctx, object, NULL) : NULL;
}

/* ---- cases ---------------------------------------------------------------------------------- */

static bytes config_map(void)
{
    bytes object = {.len = 0};
    bytes entry = {.len = 0};
    bytes meta = metadata("a");
    put_message(&object, 1, &meta);
    put_text(&entry, 1, "key");
    put_text(&entry, 2, "value \"x\"");
    put_message(&object, 2, &entry);
    entry.len = 0;
    put_text(&entry, 1, "bin");
    put_text(&entry, 2, "\x01\xff");
    put_message(&object, 3, &entry);
    put_number(&object, 4, 0); /* a pointer to false stays */
    put_number(&object, 99, 7);
    return envelope("v1", "ConfigMap", &object);
}

FIXTURE(set_up, tear_down);

TEST(maps_bytes_and_pointers_are_read)
{
    const char *fault;
    bytes in = config_map();
    ck_assert_str_eq(read_text(&in, &fault),
                     "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\","
                     "\"labels\":{\"app\":\"web\"}},\"data\":{\"key\":\"value \\\"x\\\"\"},"
                     "\"binaryData\":{\"bin\":\"Af8=\"},\"immutable\":false}");
}

/* Nothing of the memory behind the text gets into the object. */
TEST(text_with_a_nul_stays_as_it_is)
{
    const char *fault;
    bytes object = {.len = 0};
    bytes entry = {.len = 0};
    static const char value[] = "v\0w";
    bytes text = {.len = sizeof value - 1};
    bytes in;
    memcpy(text.data, value, sizeof value - 1);
    put_text(&entry, 1, "key");
    put_message(&entry, 2, &text);
    put_message(&object, 2, &entry);
    in = envelope("v1", "ConfigMap", &object);
    ck_assert_str_eq(read_text(&in, &fault),
                     "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":"
                     "{\"key\":\"v\\u0000w\"}}");
}

TEST(types_with_a_form_of_their_own_are_read)
{
    const char *fault;
    bytes object = {.len = 0};
    bytes spec = {.len = 0};
    bytes port = {.len = 0};
    bytes target = {.len = 0};
    put_text(&port, 1, "http");
    put_number(&port, 3, 80);
    put_number(&target, 1, 1);
    put_number(&target, 2, 0);
    put_text(&target, 3, "web");
    put_message(&port, 4, &target);
    put_message(&spec, 1, &port);
    port.len = target.len = 0;
    put_number(&port, 3, 443);
    put_number(&target, 1, 0);
    put_number(&target, 2, 8443);
    put_message(&port, 4, &target);
    put_message(&spec, 1, &port);
    put_message(&object, 2, &spec);
    bytes in = envelope("v1", "Service", &object);
    ck_assert_str_eq(
        read_text(&in, &fault),
        "{\"kind\":\"Service\",\"apiVersion\":\"v1\",\"spec\":{\"ports\":[{\"name\":\"http\","
        "\"port\":80,\"targetPort\":\"web\"},{\"port\":443,\"targetPort\":8443}]}}");
}

TEST(embedded_structs_belong_to_their_parent)
{
    const char *fault;
    bytes object = {.len = 0};
    bytes spec = {.len = 0};
    bytes volume = {.len = 0};
    bytes source = {.len = 0};
    bytes empty = {.len = 0};
    put_text(&volume, 1, "tmp");
    put_message(&source, 2, &empty); /* emptyDir: {} */
    put_message(&volume, 2, &source);
    put_message(&spec, 1, &volume);
    put_message(&object, 2, &spec);
    bytes in = envelope("v1", "Pod", &object);
    ck_assert_str_eq(read_text(&in, &fault),
                     "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"spec\":{\"volumes\":[{\"name\":"
                     "\"tmp\",\"emptyDir\":{}}]}}");
}

TEST(what_is_cut_or_strange_is_refused)
{
    const char *fault = NULL;
    bytes in = config_map();
    for (size_t len = 0; len < in.len; len++) {
        bytes cut = in;
        cut.len = len;
        (void)read_text(&cut, &fault); /* some cuts lie between two fields */
    }
    bytes empty = {.len = 0};
    ck_assert_ptr_null(read_text(&empty, &fault));
    ck_assert_str_eq(fault, "the object does not begin with its four bytes");
    in = envelope("v1", "Frob", &empty);
    ck_assert_ptr_null(read_text(&in, &fault));
    ck_assert_str_eq(fault, "no kind \"Frob\" is known for version \"v1\"");
    bytes wrong = {.len = 0};
    put_number(&wrong, 1, 5);
    in = envelope("v1", "ConfigMap", &wrong);
    ck_assert_ptr_null(read_text(&in, &fault));
    ck_assert_str_eq(fault, "a number where a text or message belongs");
    ck_assert(!kube_ctx_failed(ctx));
}
