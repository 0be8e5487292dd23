/* SPDX-License-Identifier: Apache-2.0 */
#include "random_object.h"

#include "object/block/value.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 4, MAX_ITEMS = 4 };

uint64_t random_next(random_source *source)
{
    source->state ^= source->state << 13;
    source->state ^= source->state >> 7;
    source->state ^= source->state << 17;
    return source->state >> 11;
}

static uint64_t below(random_source *source, uint64_t bound)
{
    return random_next(source) % bound;
}

static void *take(random_source *source, size_t size)
{
    void *p = kube_ctx_alloc(source->ctx, size ? size : 1);
    if (!p)
        abort();
    return p;
}

static const char *random_text(random_source *source)
{
    static const char *const pieces[] = {"a",
                                         "Kube",
                                         "0",
                                         " ",
                                         "\"",
                                         "\\",
                                         "\n",
                                         "\t",
                                         "\x01",
                                         "\303\251",
                                         "\342\202\254",
                                         "\360\237\230\200",
                                         "'",
                                         "/",
                                         ".",
                                         "a text of more than sixteen bytes",
                                         "\x7f"};
    char text[256] = "";
    for (uint64_t i = below(source, 5); i > 0; i--)
        strcat(text, pieces[below(source, sizeof pieces / sizeof *pieces)]);
    char *copy = kube_ctx_strdup(source->ctx, text);
    if (!copy)
        abort();
    return copy;
}

static int64_t random_int(random_source *source, int64_t min, int64_t max)
{
    switch (below(source, 6)) {
    case 0:
        return 0;
    case 1:
        return min;
    case 2:
        return max;
    case 3:
        return (int64_t)below(source, 200) - 100;
    default:
        return (int64_t)below(source, (uint64_t)max / 2) - (int64_t)below(source, (uint64_t)max);
    }
}

static double random_double(random_source *source)
{
    static const double doubles[] = {0, 1, -1.5, 0.1, 1e300, 5e-324, 123456789.125, -1e-7};
    return doubles[below(source, sizeof doubles / sizeof *doubles)];
}

/* No null in it: a merge patch could not set it. */
static kube_raw_json random_raw(random_source *source)
{
    static const char *const values[] = {"1",
                                         "\"x\"",
                                         "true",
                                         "[]",
                                         "[1,{\"a\":2}]",
                                         "{}",
                                         "{\"a\":{\"b\":1}}",
                                         "{\"a\":{\"b\":2,\"c\":[]}}",
                                         "0.5"};
    static const char *const keys[] = {"a", "b", "c", "d\\u00e9", "e\\\"", "f:x"};
    char text[512];
    char *end = text;
    if (below(source, 3) == 0) {
        end += sprintf(end, "%s", values[below(source, sizeof values / sizeof *values)]);
    } else {
        *end++ = '{';
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (below(source, 2))
                end += sprintf(end, "%s\"%s\":%s", end[-1] == '{' ? "" : ",", keys[i],
                               values[below(source, sizeof values / sizeof *values)]);
        *end++ = '}';
    }
    kube_raw_json raw = {NULL, (size_t)(end - text)};
    raw.text = memcpy(take(source, raw.len), text, raw.len); /* does not end in NUL */
    return raw;
}

/* Members of a raw object, under names that no struct here has. */
static kube_extra random_extra(random_source *source)
{
    kube_extra extra = {NULL, 0};
    char text[1024];
    char *end = text;
    for (char c = 'p'; c < 's' && below(source, 3) == 0; c++) {
        kube_raw_json raw = random_raw(source);
        end += sprintf(end, "%s\"unknown-%c\":%.*s", end == text ? "" : ",", c, (int)raw.len,
                       raw.text);
    }
    if (end == text)
        return extra;
    extra.len = (size_t)(end - text);
    extra.members = memcpy(take(source, extra.len), text, extra.len);
    return extra;
}

static void random_value(random_source *source, unsigned kind, const kube_schema *sub, char *at,
                         unsigned depth);

static void random_items(random_source *source, const kube_schema *schema, char *at, unsigned depth)
{
    bool is_map = schema->kind == KUBE_KIND_MAP;
    size_t len = below(source, depth ? MAX_ITEMS : 2);
    kube__span span = {take(source, len * schema->size), len};
    for (size_t i = 0; i < len; i++) {
        char *item = span.items + i * schema->size;
        if (is_map) {
            char key[300];
            /* Rising, as decode leaves them; now and then the same as in another map. */
            snprintf(key, sizeof key, "%c%s", (char)('a' + i),
                     below(source, 3) ? "" : random_text(source));
            const char *copy = kube_ctx_strdup(source->ctx, key);
            memcpy(item, &copy, sizeof copy);
            item += KUBE__MAP_VALUE_OFFSET;
        }
        random_value(source, schema->element_kind, kube__element_sub(schema), item,
                     depth ? depth - 1 : 0);
    }
    memcpy(at, &span, sizeof span);
}

#define STORE(at, value) memcpy((at), &(value), sizeof(value))

static void random_scalar(random_source *source, unsigned kind, char *at)
{
    int64_t limit = source->is_modest ? 1000000000000 : INT64_MAX;
    int64_t i64 = random_int(source, -limit - !source->is_modest, limit);
    int32_t i32 = (int32_t)random_int(source, INT32_MIN, INT32_MAX);
    double d = random_double(source);
    bool b = below(source, 2);
    switch (kind) {
    case KUBE_KIND_BOOL:
        STORE(at, b);
        break;
    case KUBE_KIND_INT32:
        STORE(at, i32);
        break;
    case KUBE_KIND_INT64:
        STORE(at, i64);
        break;
    case KUBE_KIND_DOUBLE:
        STORE(at, d);
        break;
    case KUBE_KIND_OPT_BOOL: {
        kube_opt_bool opt = kube_some_bool(b);
        STORE(at, opt);
        break;
    }
    case KUBE_KIND_OPT_INT32: {
        kube_opt_int32 opt = kube_some_int32(i32);
        STORE(at, opt);
        break;
    }
    case KUBE_KIND_OPT_INT64: {
        kube_opt_int64 opt = kube_some_int64(i64);
        STORE(at, opt);
        break;
    }
    default: {
        kube_opt_double opt = kube_some_double(d);
        STORE(at, opt);
        break;
    }
    }
}

static void random_time(random_source *source, unsigned kind, char *at)
{
    kube_time time = {(int64_t)below(source, 4000000000), 0, true};
    kube_micro_time micro = {(int64_t)below(source, 4000000000),
                             (int32_t)below(source, 1000000) * 1000, true};
    kube_duration duration = {(int64_t)below(source, 1u << 31) * 1000003, true};
    if (kind == KUBE_KIND_TIME)
        STORE(at, time);
    else if (kind == KUBE_KIND_MICRO_TIME)
        STORE(at, micro);
    else
        STORE(at, duration);
}

static void random_value(random_source *source, unsigned kind, const kube_schema *sub, char *at,
                         unsigned depth)
{
    static const char *const quantities[] = {"0", "1", "500m", "1.50Gi", "-2k", "1e3"};
    const char *text;
    switch (kind) {
    case KUBE_KIND_STRING:
        text = random_text(source);
        STORE(at, text);
        break;
    case KUBE_KIND_QUANTITY:
        text = quantities[below(source, sizeof quantities / sizeof *quantities)];
        STORE(at, text);
        break;
    case KUBE_KIND_TIME:
    case KUBE_KIND_MICRO_TIME:
    case KUBE_KIND_DURATION:
        random_time(source, kind, at);
        break;
    case KUBE_KIND_INT_OR_STRING: {
        kube_int_or_string value = kube_from_int((int32_t)below(source, 65536));
        if (below(source, 2))
            value = kube_from_string(random_text(source));
        STORE(at, value);
        break;
    }
    case KUBE_KIND_BYTES: {
        kube_bytes bytes = {NULL, below(source, 8)};
        bytes.data = memcpy(take(source, bytes.len), "\xff\x00\x01\x80xyz", bytes.len);
        STORE(at, bytes);
        break;
    }
    case KUBE_KIND_RAW_JSON: {
        kube_raw_json raw = random_raw(source);
        STORE(at, raw);
        break;
    }
    case KUBE_KIND_STRUCT:
        random_struct(source, sub, at);
        break;
    case KUBE_KIND_STRUCT_PTR: {
        void *p = take(source, sub->size);
        random_struct(source, sub, p);
        STORE(at, p);
        break;
    }
    case KUBE_KIND_LIST:
    case KUBE_KIND_MAP:
    case KUBE_KIND_STRING_LIST:
    case KUBE_KIND_STRING_MAP:
        random_items(source, sub, at, depth);
        break;
    default:
        random_scalar(source, kind, at);
        break;
    }
}

/* How deep the recursive types may still go: theirs is the only nesting without an end. */
static unsigned nesting;

static bool is_wanted(random_source *source, const kube_field *field)
{
    bool may_recurse = field->kind >= KUBE_KIND_STRUCT_PTR && field->kind <= KUBE_KIND_MAP;
    if (field->kind == KUBE_KIND_STRUCT)
        return true;
    return below(source, 2) && (!may_recurse || nesting < DEPTH);
}

void random_struct(random_source *source, const kube_schema *schema, void *at)
{
    nesting++;
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        if (is_wanted(source, field))
            random_value(source, field->kind, kube__field_sub(schema, field),
                         (char *)at + field->offset, 2);
    }
    if (schema->extra_offset != KUBE_NO_EXTRA) {
        kube_extra extra = random_extra(source);
        memcpy((char *)at + schema->extra_offset, &extra, sizeof extra);
    }
    nesting--;
}

/* Of the same size as any field but a struct. */
static size_t field_size(unsigned kind)
{
    switch (kind) {
    case KUBE_KIND_BOOL:
        return sizeof(bool);
    case KUBE_KIND_OPT_BOOL:
        return sizeof(kube_opt_bool);
    case KUBE_KIND_INT32:
        return sizeof(int32_t);
    case KUBE_KIND_OPT_INT32:
        return sizeof(kube_opt_int32);
    case KUBE_KIND_STRING:
    case KUBE_KIND_QUANTITY:
    case KUBE_KIND_STRUCT_PTR:
    case KUBE_KIND_INT64:
    case KUBE_KIND_DOUBLE:
        return 8;
    default:
        return 16;
    }
}

void random_edit(random_source *source, const kube_schema *schema, void *at, unsigned odds)
{
    nesting++;
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        const kube_schema *sub = kube__field_sub(schema, field);
        char *slot = (char *)at + field->offset;
        void *target = field->kind == KUBE_KIND_STRUCT_PTR ? kube__load_pointer(slot) : NULL;
        if (field->kind == KUBE_KIND_STRUCT) {
            random_edit(source, sub, slot, odds);
        } else if (below(source, odds) == 0) {
            memset(slot, 0, field_size(field->kind));
            if (is_wanted(source, field))
                random_value(source, field->kind, sub, slot, 2);
        } else if (target) {
            target = memcpy(take(source, sub->size), target, sub->size);
            random_edit(source, sub, target, odds);
            memcpy(slot, &target, sizeof target);
        }
    }
    if (schema->extra_offset != KUBE_NO_EXTRA && below(source, odds) == 0) {
        kube_extra extra = random_extra(source);
        memcpy((char *)at + schema->extra_offset, &extra, sizeof extra);
    }
    nesting--;
}
