/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares objects. Times and numbers are compared by value, everything else as text, also
 * quantities, because their text is what is sent (kube_quantity_compare() compares amounts), and
 * raw JSON. The order of maps and of extra members does not count. Absent differs from empty.
 */
#include "object/json/tree.h"
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

static bool keys_equal(const kube_schema *schema, kube__span a, kube__span b)
{
    size_t i = 0;
    while (i < a.len && string_equal(kube__entry_key(a.items + i * schema->size),
                                     kube__entry_key(b.items + i * schema->size)))
        i++;
    return i == a.len;
}

/* Two maps with as many entries, whose keys do not stand in the same order. */
static bool entries_equal(const kube_schema *schema, kube__span a, kube__span b, unsigned depth)
{
    const kube_schema *sub = kube__element_sub(schema);
    const char *key;
    kube__map_order x = {0};
    kube__map_order y = {0};
    bool equal =
        !kube__map_order_init(&x, schema, a, &key) && !kube__map_order_init(&y, schema, b, &key);
    for (size_t i = 0; equal && i < a.len; i++) {
        const char *entry = kube__map_entry(&x, i);
        const char *other = kube__map_entry(&y, i);
        equal = string_equal(kube__entry_key(entry), kube__entry_key(other)) &&
                value_equal(schema->element_kind, sub, entry + KUBE__MAP_VALUE_OFFSET,
                            other + KUBE__MAP_VALUE_OFFSET, depth);
    }
    kube__map_order_fini(&x);
    kube__map_order_fini(&y);
    return equal;
}

/* Compares two lists or two maps. */
static bool elements_equal(const kube_schema *schema, bool is_map, const char *a, const char *b,
                           unsigned depth)
{
    kube__span x = kube__load_span(a);
    kube__span y = kube__load_span(b);
    const kube_schema *sub = kube__element_sub(schema);
    size_t offset = is_map ? KUBE__MAP_VALUE_OFFSET : 0;
    if (!x.items || !y.items)
        return !x.items && !y.items;
    if (x.len != y.len || depth == 0)
        return false;
    if (is_map && !keys_equal(schema, x, y))
        return entries_equal(schema, x, y, depth - 1);
    for (size_t at = offset; at < x.len * schema->size; at += schema->size)
        if (!value_equal(schema->element_kind, sub, x.items + at, y.items + at, depth - 1))
            return false;
    return true;
}

static bool values_equal(const kube__member *a, const kube__member *b)
{
    return a->value_len == b->value_len && memcmp(a->value, b->value, a->value_len) == 0;
}

static bool trees_equal(kube__trees *trees)
{
    const kube__tree_node *old = trees->a.nodes;
    const kube__tree_node *new = trees->b.nodes;
    if (!kube__trees_match(trees, 0, 0))
        return false;
    for (uint32_t i = 1; i < trees->a.len; i++)
        if (old[i].twin == KUBE__TREE_ALONE)
            return false;
    for (uint32_t i = 1; i < trees->b.len; i++) {
        uint32_t twin = new[i].twin;
        if (twin == KUBE__TREE_ALONE ||
            (twin != KUBE__TREE_AGAIN && !values_equal(&new[i].member, &old[twin].member)))
            return false;
    }
    return true;
}

static bool extra_equal(kube__span a, kube__span b)
{
    kube__trees trees = {.slots = NULL};
    bool equal;
    if (a.len == 0 || b.len == 0)
        return a.len == b.len;
    if (a.len == b.len && memcmp(a.items, b.items, a.len) == 0)
        return true;
    equal = kube__raw_is_members(a.items, a.len, KUBE__RAW_DEPTH) &&
            kube__raw_is_members(b.items, b.len, KUBE__RAW_DEPTH) &&
            kube__tree_read_members(&trees.a, a.items, a.len, 0) &&
            kube__tree_read_members(&trees.b, b.items, b.len, 0) && trees_equal(&trees);
    kube__trees_fini(&trees);
    return equal;
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
