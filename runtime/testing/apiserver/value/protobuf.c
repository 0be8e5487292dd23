/* SPDX-License-Identifier: Apache-2.0 */
#include "protobuf.h"

#include "embedded.h"
#include "quote.h"

#include <kube/shapes.h>
#include <kube/time.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* What is still to be read of a message. */
typedef struct wire {
    const unsigned char *at;
    const unsigned char *end;
} wire;

/* A line of the table: " name number type flags". */
typedef struct field {
    unsigned number;
    const char *name;
    const char *type;
    bool pointer;
    bool omit_zero;
    bool in_line;
} field;

/* "message name", and the lines that follow. */
typedef struct message {
    const char *name;
    const field *fields;
    size_t count;
} message;

/* "root apiVersion kind message". */
typedef struct root {
    const char *api_version;
    const char *kind;
    const char *message;
} root;

/* runtime/testing/protobuf/messages.txt */
typedef struct table {
    message *messages; /* sorted */
    size_t message_count;
    root *roots;
    size_t root_count;
} table;

typedef struct reader {
    kube_ctx *ctx;
    table table;
    const char *fault;
    int depth;
} reader;

/* One value as it is on the wire: a number, or bytes. */
typedef struct value {
    unsigned number; /* of its field */
    bool is_bytes;
    uint64_t scalar;
    wire bytes;
} value;

static bool read_message(reader *r, wire in, const message *of, kube__json *object);

static bool broken(reader *r, const char *fault)
{
    r->fault = fault;
    return false;
}

/* ---- the wire ------------------------------------------------------------------------------- */

static bool read_varint(wire *in, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        unsigned char byte = *in->at++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool read_fixed(wire *in, size_t len, uint64_t *out)
{
    if ((size_t)(in->end - in->at) < len)
        return false;
    *out = 0;
    for (size_t i = 0; i < len; i++)
        *out |= (uint64_t)in->at[i] << (8 * i);
    in->at += len;
    return true;
}

/* The next value of a message. */
static bool read_value(wire *in, value *out)
{
    uint64_t key;
    uint64_t len;
    *out = (value){0};
    if (!read_varint(in, &key) || key >> 3 > UINT32_MAX)
        return false;
    out->number = (unsigned)(key >> 3);
    switch (key & 7) {
    case 0:
        return read_varint(in, &out->scalar);
    case 1:
        return read_fixed(in, 8, &out->scalar);
    case 5:
        return read_fixed(in, 4, &out->scalar);
    case 2:
        break;
    default:
        return false;
    }
    if (!read_varint(in, &len) || len > (uint64_t)(in->end - in->at))
        return false;
    out->is_bytes = true;
    out->bytes = (wire){in->at, in->at + len};
    in->at += len;
    return true;
}

static size_t size_of(wire bytes)
{
    return (size_t)(bytes.end - bytes.at);
}

/* The last value of a field in a message; false when it is not there. */
static bool find_value(wire in, unsigned number, value *out)
{
    value next;
    bool found = false;
    while (in.at < in.end && read_value(&in, &next)) {
        if (next.number == number) {
            *out = next;
            found = true;
        }
    }
    return found;
}

static int64_t number_in(wire in, unsigned number)
{
    value found = {0};
    return find_value(in, number, &found) && !found.is_bytes ? (int64_t)found.scalar : 0;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Cuts the next word off a line; "" at its end. */
static char *take_word(char **at)
{
    char *word = *at + strspn(*at, " ");
    char *end = word + strcspn(word, " ");
    *at = end + (*end != '\0');
    *end = '\0';
    return word;
}

static void read_field(char *line, field *out)
{
    out->name = take_word(&line);
    out->number = (unsigned)strtoul(take_word(&line), NULL, 10);
    out->type = take_word(&line);
    out->pointer = strchr(line, '*') != NULL;
    out->omit_zero = strchr(line, 'o') != NULL;
    out->in_line = strchr(line, 'i') != NULL;
}

static void read_root(char *line, root *out)
{
    out->api_version = take_word(&line);
    out->kind = take_word(&line);
    out->message = take_word(&line);
}

static int compare_messages(const void *a, const void *b)
{
    return strcmp(((const message *)a)->name, ((const message *)b)->name);
}

/* Cuts @text into its lines. No array is longer than there are lines. */
static bool read_lines(kube_ctx *ctx, char *text, table *out)
{
    size_t lines = 1;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    field *fields = kube_ctx_alloc_array(ctx, lines, sizeof *fields);
    out->messages = kube_ctx_alloc_array(ctx, lines, sizeof *out->messages);
    out->roots = kube_ctx_alloc_array(ctx, lines, sizeof *out->roots);
    if (!fields || !out->messages || !out->roots)
        return false;
    for (char *next = text; next;) {
        char *line = next;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (*line == ' ') {
            read_field(line, fields++);
            out->messages[out->message_count - 1].count++;
        } else if (strncmp(line, "message ", 8) == 0) {
            out->messages[out->message_count++] = (message){.name = line + 8, .fields = fields};
        } else if (strncmp(line, "root ", 5) == 0) {
            line += 5;
            read_root(line, &out->roots[out->root_count++]);
        }
    }
    qsort(out->messages, out->message_count, sizeof *out->messages, compare_messages);
    return true;
}

static bool read_table(kube_ctx *ctx, table *out)
{
    const kube__api_embedded *embedded = kube__api_embedded_documents;
    while (embedded->name && strcmp(embedded->name, "messages") != 0)
        embedded++;
    char *text = kube_ctx_strndup(ctx, (const char *)embedded->text, embedded->len);
    return text && read_lines(ctx, text, out);
}

/* Returns NULL if the table has no message of that name. */
static const message *find_message(const reader *r, const char *name)
{
    const message wanted = {.name = name};
    return bsearch(&wanted, r->table.messages, r->table.message_count, sizeof wanted,
                   compare_messages);
}

static const field *find_field(const message *of, unsigned number)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->fields[i].number == number)
            return &of->fields[i];
    return NULL;
}

/* "v1" "ConfigMap" → "core.ConfigMap" */
static const message *find_root(const reader *r, const char *api_version, const char *kind)
{
    for (size_t i = 0; i < r->table.root_count; i++) {
        const root *at = &r->table.roots[i];
        if (strcmp(at->api_version, api_version) == 0 && strcmp(at->kind, kind) == 0)
            return find_message(r, at->message);
    }
    return NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

/* A NUL of the wire is KUBE_TEXT_NUL, as what JSON calls \u0000. */
static kube__json *text_of(reader *r, wire bytes)
{
    size_t len = size_of(bytes);
    char *text = kube_ctx_alloc(r->ctx, 2 * len + 1);
    char *out = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < len; i++) {
        if (!bytes.at[i])
            *out++ = KUBE_TEXT_NUL[0];
        *out++ = bytes.at[i] ? (char)bytes.at[i] : KUBE_TEXT_NUL[1];
    }
    return kube__json_string_len(r->ctx, text, (size_t)(out - text));
}

static kube__json *text_in(reader *r, wire in, unsigned number)
{
    value found = {0};
    bool there = find_value(in, number, &found) && found.is_bytes;
    return there ? text_of(r, found.bytes) : kube__json_string(r->ctx, "");
}

/* Raw JSON within a message's first field. */
static kube__json *json_in(reader *r, wire in)
{
    value raw = {0};
    if (!find_value(in, 1, &raw) || !raw.is_bytes)
        return kube__json_null(r->ctx);
    return kube__json_parse(r->ctx, (const char *)raw.bytes.at, size_of(raw.bytes), NULL, NULL,
                            NULL);
}

/* Seconds and nanoseconds; the zero time is null. */
static kube__json *time_in(reader *r, wire in, bool micro)
{
    char text[KUBE_TIME_MAX];
    int64_t sec = number_in(in, 1);
    int32_t nsec = (int32_t)number_in(in, 2);
    if (in.at == in.end)
        return kube__json_null(r->ctx);
    if (micro)
        kube_micro_time_format((kube_micro_time){.sec = sec, .nsec = nsec, .set = true}, text);
    else
        kube_time_format((kube_time){.sec = sec, .nsec = nsec, .set = true}, text);
    return kube__json_string(r->ctx, text);
}

static kube__json *items_in(reader *r, wire in)
{
    kube__json *array = kube__json_array(r->ctx);
    value item;
    while (in.at < in.end && read_value(&in, &item)) {
        if (item.number == 1 && item.is_bytes)
            kube__json_append(array, text_of(r, item.bytes));
    }
    return array;
}

static kube__json *message_of(reader *r, wire in, const char *name)
{
    kube__json *object = kube__json_object(r->ctx);
    const message *of = find_message(r, name);
    if (!of)
        return object;
    return read_message(r, in, of, object) ? object : NULL;
}

static kube__json *special_of(reader *r, wire in, const char *type)
{
    char text[KUBE_TIME_MAX];
    if (strcmp(type, "time") == 0)
        return time_in(r, in, false);
    if (strcmp(type, "microtime") == 0)
        return time_in(r, in, true);
    if (strcmp(type, "quantity") == 0)
        return text_in(r, in, 1);
    if (strcmp(type, "raw") == 0 || strcmp(type, "fields") == 0)
        return json_in(r, in);
    if (strcmp(type, "items") == 0)
        return items_in(r, in);
    if (strcmp(type, "intorstring") == 0)
        return number_in(in, 1) ? text_in(r, in, 3)
                                : kube__json_int(r->ctx, (int32_t)number_in(in, 2));
    if (strcmp(type, "duration") == 0) {
        kube_duration_format((kube_duration){.ns = number_in(in, 1), .set = true}, text);
        return kube__json_string(r->ctx, text);
    }
    return message_of(r, in, type);
}

/* NULL with a fault, or if out of memory. */
static kube__json *value_of(reader *r, const value *from, const char *type)
{
    double number;
    if (strcmp(type, "bool") == 0)
        return kube__json_bool(r->ctx, from->scalar != 0);
    if (strcmp(type, "int") == 0)
        return kube__json_int(r->ctx, (int64_t)from->scalar);
    if (strcmp(type, "double") == 0) {
        memcpy(&number, &from->scalar, sizeof number);
        return kube__json_double(r->ctx, number);
    }
    if (!from->is_bytes)
        return broken(r, "a number where a text or message belongs"), NULL;
    if (strcmp(type, "string") == 0)
        return text_of(r, from->bytes);
    if (strcmp(type, "bytes") == 0)
        return kube__json_string(
            r->ctx, kube__api_base64(r->ctx, from->bytes.at, size_of(from->bytes), false));
    return special_of(r, from->bytes, type);
}

static bool is_zero(const kube__json *json)
{
    int64_t number;
    switch (json->kind) {
    case KUBE__JSON_NULL:
        return true;
    case KUBE__JSON_BOOL:
        return !json->boolean;
    case KUBE__JSON_NUMBER:
        return kube__json_to_int(json, &number) && number == 0;
    case KUBE__JSON_STRING:
        return json->len == 0;
    default:
        return false;
    }
}

/* An entry of a map: the key is field 1, the value field 2. */
static bool add_entry(reader *r, const value *from, const char *type, kube__json *map)
{
    value entry = {.is_bytes = true};
    kube__json *key = text_in(r, from->bytes, 1);
    if (!from->is_bytes)
        return broken(r, "a number where a map's entry belongs");
    find_value(from->bytes, 2, &entry);
    kube__json *member = value_of(r, &entry, type);
    return key && kube__json_set(r->ctx, map, key->text, member);
}

static bool add_value(reader *r, const value *from, const field *f, kube__json *object)
{
    if (strncmp(f->type, "[]", 2) == 0)
        return kube__json_append(kube__json_ensure_array(r->ctx, object, f->name),
                                 value_of(r, from, f->type + 2)) != NULL;
    if (strncmp(f->type, "{}", 2) == 0)
        return add_entry(r, from, f->type + 2, kube__json_ensure_object(r->ctx, object, f->name));
    if (f->in_line) {
        const message *of = find_message(r, f->type);
        return from->is_bytes && of && read_message(r, from->bytes, of, object);
    }
    kube__json *member = value_of(r, from, f->type);
    if (!member)
        return false;
    if (f->omit_zero && !f->pointer && is_zero(member))
        return true;
    return kube__json_set(r->ctx, object, f->name, member) != NULL;
}

static bool read_message(reader *r, wire in, const message *of, kube__json *object)
{
    value next;
    bool good = true;
    if (++r->depth > MAX_DEPTH)
        return broken(r, "messages are nested too deeply");
    while (good && in.at < in.end) {
        const field *f = NULL;
        if (!read_value(&in, &next))
            good = broken(r, "a message ends in the middle of a field");
        else
            f = find_field(of, next.number);
        if (f)
            good = add_value(r, &next, f, object);
    }
    r->depth--;
    return good;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* {typeMeta {apiVersion, kind}, raw} behind four bytes. */
static kube__json *read_envelope(reader *r, wire in)
{
    value type = {0};
    value raw = {0};
    if (!find_value(in, 1, &type) || !find_value(in, 2, &raw) || !type.is_bytes || !raw.is_bytes)
        return broken(r, "the envelope lacks the type or the object"), NULL;
    kube__json *api_version = text_in(r, type.bytes, 1);
    kube__json *kind = text_in(r, type.bytes, 2);
    if (!api_version || !kind)
        return NULL;
    const message *of = find_root(r, api_version->text, kind->text);
    if (!of) {
        r->fault = kube__api_text(r->ctx, "no kind \"%s\" is known for version \"%s\"", kind->text,
                                  api_version->text);
        return NULL;
    }
    kube__json *object = kube__json_object(r->ctx);
    kube__json_set(r->ctx, object, "kind", kind);
    kube__json_set(r->ctx, object, "apiVersion", api_version);
    return read_message(r, raw.bytes, of, object) ? object : NULL;
}

kube__json *kube__api_protobuf_read(kube_ctx *ctx, const char *bytes, size_t len,
                                    const char **fault)
{
    static const char magic[] = {'k', '8', 's', '\0'};
    reader r = {.ctx = ctx};
    kube__json *object = NULL;
    if (len < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        broken(&r, "the object does not begin with its four bytes");
    else if (read_table(ctx, &r.table))
        object = read_envelope(&r, (wire){(const unsigned char *)bytes + sizeof magic,
                                          (const unsigned char *)bytes + len});
    *fault = r.fault ? r.fault : "a value is not what its field says";
    return kube_ctx_failed(ctx) ? NULL : object;
}
