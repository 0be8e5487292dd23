/* SPDX-License-Identifier: Apache-2.0 */
/* Mutates a message of protobuf field by field, so that lengths stay right. */
#include "mutate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 4, MAX_FIELDS = 128, ROOM = 64 << 10 };

typedef struct field {
    const uint8_t *from;
    const uint8_t *payload; /* of a field with a length, else NULL */
    const uint8_t *to;
} field;

typedef struct output {
    uint8_t data[ROOM];
    size_t len;
} output;

static void put(output *out, const void *data, size_t len)
{
    if (len > ROOM - out->len)
        return;
    memcpy(out->data + out->len, data, len);
    out->len += len;
}

static void put_varint(output *out, uint64_t value)
{
    do {
        uint8_t byte = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        put(out, &byte, 1);
        value >>= 7;
    } while (value);
}

static bool take_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool take_field(const uint8_t **at, const uint8_t *end, field *out)
{
    uint64_t key;
    uint64_t number;
    *out = (field){.from = *at};
    if (!take_varint(at, end, &key))
        return false;
    if ((key & 7) == 0) {
        if (!take_varint(at, end, &number))
            return false;
    } else {
        number = (key & 7) == 1 ? 8 : (key & 7) == 5 ? 4 : UINT64_MAX;
        if ((key & 7) == 2 && !take_varint(at, end, &number))
            return false;
        if (number > (uint64_t)(end - *at))
            return false;
        out->payload = (key & 7) == 2 ? *at : NULL;
        *at += number;
    }
    out->to = *at;
    return true;
}

/* Returns how many, 0 if it is no message. */
static size_t take_fields(const uint8_t *data, size_t len, field fields[MAX_FIELDS])
{
    const uint8_t *at = data;
    size_t count = 0;
    while (at < data + len && count < MAX_FIELDS) {
        if (!take_field(&at, data + len, &fields[count++]))
            return 0;
    }
    return at == data + len ? count : 0;
}

static void mutate_message(const uint8_t *data, size_t len, output *out);

static void mutate_bytes(const uint8_t *data, size_t len, output *out)
{
    uint8_t room[1024];
    if (len > sizeof room / 2)
        len = sizeof room / 2;
    memcpy(room, data, len);
    put(out, room, LLVMFuzzerMutate(room, len, sizeof room));
}

static void mutate_field(const field *f, output *out)
{
    output *inner = f->payload ? calloc(1, sizeof *inner) : NULL;
    const uint8_t *at = f->from;
    uint64_t key = 0;
    if (!inner) {
        mutate_bytes(f->from, (size_t)(f->to - f->from), out);
        return;
    }
    take_varint(&at, f->to, &key);
    if (rand() % 8 == 0)
        mutate_bytes(f->payload, (size_t)(f->to - f->payload), inner);
    else
        mutate_message(f->payload, (size_t)(f->to - f->payload), inner);
    put_varint(out, rand() % 16 ? key : (uint64_t)(rand() % 32 << 3 | 2));
    put_varint(out, inner->len);
    put(out, inner->data, inner->len);
    free(inner);
}

static void mutate_message(const uint8_t *data, size_t len, output *out)
{
    field fields[MAX_FIELDS];
    size_t count = take_fields(data, len, fields);
    size_t chosen = count ? (size_t)rand() % count : 0;
    int what = rand() % 8;
    if (!count) {
        mutate_bytes(data, len, out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)(fields[i].to - fields[i].from);
        if (i != chosen || what == 1)
            put(out, fields[i].from, size);
        if (i == chosen && what == 1) /* once more */
            put(out, fields[i].from, size);
        else if (i == chosen && what != 0) /* else it goes */
            mutate_field(&fields[i], out);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t max, unsigned seed)
{
    output *out = len > MAGIC ? calloc(1, sizeof *out) : NULL;
    srand(seed);
    if (!out || rand() % 8 == 0) {
        free(out);
        return LLVMFuzzerMutate(data, len, max);
    }
    mutate_message(data + MAGIC, len - MAGIC, out);
    if (out->len <= max - MAGIC) {
        memcpy(data + MAGIC, out->data, out->len);
        len = MAGIC + out->len;
    }
    free(out);
    return len;
}
