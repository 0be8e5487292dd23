/* SPDX-License-Identifier: Apache-2.0 */
/* Tree to text. */
#include "base/ctx.h"
#include "base/utf8.h"
#include "json.h"
#include "object/json/raw.h"

#include <string.h>

static void put_escape(kube__buffer *out, unsigned char c)
{
    static const char names[] = "btn\0fr"; /* of 0x08 to 0x0d */
    if (c == '"' || c == '\\') {
        char two[2] = {'\\', (char)c};
        kube__buffer_add(out, two, 2);
    } else if (c >= 0x08 && c <= 0x0d && names[c - 0x08]) {
        char two[2] = {'\\', names[c - 0x08]};
        kube__buffer_add(out, two, 2);
    } else {
        kube__buffer_printf(out, "\\u%04x", c);
    }
}

/* Messages quote what clients send: bytes that are no UTF-8 become what Go makes of them. */
static void put_string(kube__buffer *out, const char *text, size_t len)
{
    kube__buffer_add(out, "\"", 1);
    size_t from = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        size_t taken = kube__utf8_len(text + i, len - i);
        if (taken && c >= 0x20 && c != '"' && c != '\\') {
            i += taken - 1;
            continue;
        }
        kube__buffer_add(out, text + from, i - from);
        if (taken) {
            put_escape(out, c);
        } else if (kube__utf8_is_nul(text + i, len - i)) {
            put_escape(out, 0);
            i++;
        } else {
            kube__buffer_add_text(out, "\\ufffd");
        }
        from = i + 1;
    }
    kube__buffer_add(out, text + from, len - from);
    kube__buffer_add(out, "\"", 1);
}

/* @indent < 0 = compact, else the depth of the line. */
static void put_line(kube__buffer *out, int indent)
{
    if (indent < 0)
        return;
    kube__buffer_add(out, "\n", 1);
    for (int i = 0; i < indent; i++)
        kube__buffer_add(out, "  ", 2);
}

static void put_value(const kube__json *value, kube__buffer *out, int indent)
{
    switch (value->kind) {
    case KUBE__JSON_NULL:
        kube__buffer_add(out, "null", 4);
        return;
    case KUBE__JSON_BOOL:
        kube__buffer_add_text(out, value->boolean ? "true" : "false");
        return;
    case KUBE__JSON_NUMBER:
        kube__buffer_add(out, value->text, value->len);
        return;
    case KUBE__JSON_STRING:
        put_string(out, value->text, value->len);
        return;
    case KUBE__JSON_ARRAY:
    case KUBE__JSON_OBJECT:
        break;
    }
    bool is_object = value->kind == KUBE__JSON_OBJECT;
    int inner = indent < 0 ? -1 : indent + 1;
    kube__buffer_add(out, is_object ? "{" : "[", 1);
    KUBE__JSON_EACH (child, value) {
        if (child != value->first)
            kube__buffer_add(out, ",", 1);
        put_line(out, inner);
        if (is_object) {
            put_string(out, child->key, strlen(child->key));
            kube__buffer_add(out, ": ", indent < 0 ? 1 : 2);
        }
        put_value(child, out, inner);
    }
    if (value->first)
        put_line(out, indent);
    kube__buffer_add(out, is_object ? "}" : "]", 1);
}

void kube__json_write(const kube__json *value, kube__buffer *out)
{
    if (value)
        put_value(value, out, -1);
}

void kube__json_write_pretty(const kube__json *value, kube__buffer *out)
{
    if (value)
        put_value(value, out, 0);
}

const char *kube__json_text(kube_ctx *ctx, const kube__json *value, size_t *len)
{
    kube__buffer text;
    kube__buffer_init(&text, SIZE_MAX / 2);
    kube__json_write(value, &text);
    return kube__api_take_text(ctx, &text, len);
}
