/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares objects. Times and numbers are compared by value, everything else as text, also
 * quantities, because their text is what is sent (kube_quantity_compare() compares amounts), and
 * raw JSON. The order of maps and of extra members does not count. Absent differs from empty.
 */
#include "object/json/raw.h"
#include "value.h"

#include <kube/object.h>

static bool members_equal(const kube_schema *schema, const char *a, const char *b, unsigned depth);
static bool value_equal(unsigned kind, const kube_schema *sub, const char *a, const char *b,
                        unsigned depth);

static bool string_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool span_equal(kube__span a, kube__span b)
{
    if (!a.items || !b.items)
        return !a.items && !b.items;
    return a.len == b.len && memcmp(a.items, b.items, a.len) == 0;
}

static bool double_equal(const void *a, const void *b)
{
    double x;
    double y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    /* The same NaN is the same value here: an object equals its copy. */
    return x == y || memcmp(&x, &y, sizeof x) == 0;
}

static bool opt_equal(unsigned kind, const void *a, const void *b)
{
    bool is_set = kube__value_is_present(kind, 0, NULL, a);
    const char *x = a;
    const char *y = b;
    if (is_set != kube__value_is_present(kind, 0, NULL, b))
        return false;
    if (!is_set)
        return true;
    switch (kind) {
    case KUBE_KIND_OPT_BOOL:
        x += offsetof(kube_opt_bool, value);
        return memcmp(x, y + offsetof(kube_opt_bool, value), sizeof(bool)) == 0;
    case KUBE_KIND_OPT_INT32:
        x += offsetof(kube_opt_int32, value);
        return memcmp(x, y + offsetof(kube_opt_int32, value), sizeof(int32_t)) == 0;
    case KUBE_KIND_OPT_INT64:
        x += offsetof(kube_opt_int64, value);
        return memcmp(x, y + offsetof(kube_opt_int64, value), sizeof(int64_t)) == 0;
    default:
        return double_equal(x + offsetof(kube_opt_double, value),
                            y + offsetof(kube_opt_double, value));
    }
}

static bool time_equal(unsigned kind, const void *a, const void *b)
{
    bool is_set = kube__value_is_present(kind, 0, NULL, a);
    if (is_set != kube__value_is_present(kind, 0, NULL, b))
        return false;
    if (!is_set)
        return true;
    if (kind == KUBE_KIND_DURATION)
        return memcmp(a, b, sizeof(int64_t)) == 0;
    return memcmp(a, b, offsetof(kube_time, set)) == 0; /* seconds and nanoseconds */
}

_Static_assert(offsetof(kube_time, sec) == 0 && offsetof(kube_time, nsec) == 8 &&
                   offsetof(kube_time, set) == 12 && offsetof(kube_duration, ns) == 0,
               "no padding before set");

static bool int_or_string_equal(const void *a, const void *b)
{
    kube_int_or_string x;
    kube_int_or_string y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    if (x.text || y.text)
        return string_equal(x.text, y.text);
    return x.set == y.set && (!x.set || x.number == y.number);
}

/* Returns the entry with that key, or NULL. It looks first where the entry is likely to be. */
static const char *find_entry(kube__span map, size_t stride, size_t expected, const char *key)
{
    if (string_equal(kube__entry_key(map.items + expected * stride), key))
        return map.items + expected * stride;
    for (size_t i = 0; i < map.len; i++)
        if (string_equal(kube__entry_key(map.items + i * stride), key))
            return map.items + i * stride;
    return NULL;
}

/* Compares two lists or two maps. */
static bool elements_equal(const kube_schema *schema, bool is_map, const char *a, const char *b,
                           unsigned depth)
{
    kube__span x = kube__load_span(a);
    kube__span y = kube__load_span(b);
    const kube_schema *sub = kube__element_sub(schema);
    if (!x.items || !y.items)
        return !x.items && !y.items;
    if (x.len != y.len || depth == 0)
        return false;
    for (size_t i = 0; i < x.len; i++) {
        const char *element = x.items + i * schema->size;
        const char *other = y.items + i * schema->size;
        if (is_map) {
            other = find_entry(y, schema->size, i, kube__entry_key(element));
            if (!other)
                return false;
            element += KUBE__MAP_VALUE_OFFSET;
            other += KUBE__MAP_VALUE_OFFSET;
        }
        if (!value_equal(schema->element_kind, sub, element, other, depth - 1))
            return false;
    }
    return true;
}

static bool extra_equal(kube__span a, kube__span b)
{
    const char *at = a.items;
    const char *hint = b.items;
    kube__member member;
    kube__member other;
    size_t left = 0;
    if (a.len == 0 || b.len == 0)
        return a.len == b.len;
    if (a.len == b.len && memcmp(a.items, b.items, a.len) == 0)
        return true;
    while (kube__raw_next_member(&at, a.items + a.len, &member)) {
        left++;
        if (!kube__raw_find(b.items, b.len, &hint, member.key, member.key_len, &other) ||
            member.value_len != other.value_len ||
            memcmp(member.value, other.value, member.value_len) != 0)
            return false;
    }
    for (at = b.items; kube__raw_next_member(&at, b.items + b.len, &other);)
        left--;
    return left == 0;
}

static bool members_equal(const kube_schema *schema, const char *a, const char *b, unsigned depth)
{
    if (a == b)
        return true;
    if (depth == 0)
        return false;
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        if (!value_equal(field->kind, kube__field_sub(schema, field), a + field->offset,
                         b + field->offset, depth - 1))
            return false;
    }
    return extra_equal(kube__load_extra(schema, a), kube__load_extra(schema, b));
}

static bool value_equal(unsigned kind, const kube_schema *sub, const char *a, const char *b,
                        unsigned depth)
{
    const char *x;
    const char *y;
    switch (kind) {
    case KUBE_KIND_STRING:
    case KUBE_KIND_QUANTITY:
        return string_equal(kube__load_pointer(a), kube__load_pointer(b));
    case KUBE_KIND_BOOL:
        return memcmp(a, b, sizeof(bool)) == 0;
    case KUBE_KIND_INT32:
        return memcmp(a, b, sizeof(int32_t)) == 0;
    case KUBE_KIND_INT64:
        return memcmp(a, b, sizeof(int64_t)) == 0;
    case KUBE_KIND_DOUBLE:
        return double_equal(a, b);
    case KUBE_KIND_OPT_BOOL:
    case KUBE_KIND_OPT_INT32:
    case KUBE_KIND_OPT_INT64:
    case KUBE_KIND_OPT_DOUBLE:
        return opt_equal(kind, a, b);
    case KUBE_KIND_TIME:
    case KUBE_KIND_MICRO_TIME:
    case KUBE_KIND_DURATION:
        return time_equal(kind, a, b);
    case KUBE_KIND_INT_OR_STRING:
        return int_or_string_equal(a, b);
    case KUBE_KIND_BYTES:
    case KUBE_KIND_RAW_JSON:
        return span_equal(kube__load_span(a), kube__load_span(b));
    case KUBE_KIND_STRUCT:
        return members_equal(sub, a, b, depth);
    case KUBE_KIND_STRUCT_PTR:
        x = kube__load_pointer(a);
        y = kube__load_pointer(b);
        return x && y ? members_equal(sub, x, y, depth) : x == y;
    case KUBE_KIND_LIST:
    case KUBE_KIND_STRING_LIST:
        return elements_equal(sub, false, a, b, depth);
    default: /* KUBE_KIND_MAP, KUBE_KIND_STRING_MAP */
        return elements_equal(sub, true, a, b, depth);
    }
}

bool kube__value_equal(unsigned kind, const kube_schema *sub, const void *a, const void *b)
{
    return value_equal(kind, sub, a, b, KUBE__MAX_DEPTH);
}

bool kube_schema_equal(const kube_schema *schema, const void *a, const void *b)
{
    if (!a || !b)
        return a == b;
    return members_equal(schema, a, b, KUBE__MAX_DEPTH);
}

bool kube_object_equal(const kube_type *type, const kube_object *a, const kube_object *b)
{
    return kube_schema_equal(type->schema, a, b);
}
