/* SPDX-License-Identifier: Apache-2.0 */
#include "value.h"

#include <stdlib.h>

const char kube__fault_no_memory[] = "out of memory";

const kube_schema kube__string_list_schema = {
    .name = "kube_string_list",
    .size = sizeof(const char *),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRING,
};

const kube_schema kube__string_map_schema = {
    .name = "kube_string_map",
    .size = sizeof(kube_string_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_STRING,
};

_Static_assert(offsetof(kube_string_map_entry, value) == KUBE__MAP_VALUE_OFFSET, "map entry");
_Static_assert(sizeof(kube__span) == sizeof(kube_raw_json), "span");

/* Nothing below would be written if every field were optional. */
static bool struct_is_zero(const kube_schema *schema, const void *at)
{
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[i];
        if (kube__value_is_present(field->kind, KUBE_FIELD_OPTIONAL, kube__field_sub(schema, field),
                                   (const char *)at + field->offset))
            return false;
    }
    return kube__load_extra(schema, at).len == 0;
}

static bool scalar_is_zero(unsigned kind, const void *at)
{
    int32_t i32;
    int64_t i64;
    double d;
    bool b;
    switch (kind) {
    case KUBE_KIND_BOOL:
        memcpy(&b, at, sizeof b);
        return !b;
    case KUBE_KIND_INT32:
        memcpy(&i32, at, sizeof i32);
        return i32 == 0;
    case KUBE_KIND_INT64:
        memcpy(&i64, at, sizeof i64);
        return i64 == 0;
    default:
        memcpy(&d, at, sizeof d);
        return d == 0;
    }
}

static bool flag_at(const void *at, size_t offset)
{
    bool b;
    memcpy(&b, (const char *)at + offset, sizeof b);
    return b;
}

bool kube__value_is_present(unsigned kind, unsigned flags, const kube_schema *sub, const void *at)
{
    if (kube__kind_in(KUBE__KINDS_POINTER, kind))
        return kube__load_pointer(at) != NULL;
    switch (kind) {
    case KUBE_KIND_BOOL:
    case KUBE_KIND_INT32:
    case KUBE_KIND_INT64:
    case KUBE_KIND_DOUBLE:
        return !(flags & KUBE_FIELD_OPTIONAL) || !scalar_is_zero(kind, at);
    case KUBE_KIND_OPT_BOOL:
    case KUBE_KIND_OPT_INT32:
    case KUBE_KIND_OPT_INT64:
    case KUBE_KIND_OPT_DOUBLE:
        return flag_at(at, 0);
    case KUBE_KIND_TIME:
    case KUBE_KIND_MICRO_TIME:
        return flag_at(at, offsetof(kube_time, set));
    case KUBE_KIND_DURATION:
        return flag_at(at, offsetof(kube_duration, set));
    case KUBE_KIND_INT_OR_STRING:
        return kube__load_pointer(at) || flag_at(at, offsetof(kube_int_or_string, set));
    default: /* KUBE_KIND_STRUCT */
        return !(flags & KUBE_FIELD_OPTIONAL) || !struct_is_zero(sub, at);
    }
}

_Static_assert(offsetof(kube_time, set) == offsetof(kube_micro_time, set), "times");

static int compare_entries(const void *a, const void *b)
{
    return strcmp(kube__entry_key(*(const char *const *)a),
                  kube__entry_key(*(const char *const *)b));
}

/* The index from which the keys no longer rise, len when they all do; @fault is set by NULL keys.
 */
static size_t first_out_of_order(const kube__map_order *order, const char **fault)
{
    size_t out_of_order = order->len;
    for (size_t i = 0; i < order->len; i++) {
        const char *key = kube__entry_key(kube__map_entry(order, i));
        if (!key) {
            *fault = "map key is NULL";
            return i;
        }
        if (i > 0 && out_of_order == order->len &&
            strcmp(kube__entry_key(kube__map_entry(order, i - 1)), key) >= 0)
            out_of_order = i;
    }
    return out_of_order;
}

const char *kube__map_order_init(kube__map_order *order, const kube_schema *schema, kube__span map,
                                 const char **key)
{
    const char *fault = NULL;
    order->items = map.items;
    order->sorted = NULL;
    order->stride = schema->size;
    order->len = map.len;
    if (first_out_of_order(order, &fault) == map.len || fault)
        return fault;
    const char **sorted = calloc(map.len, sizeof *sorted);
    if (!sorted)
        return kube__fault_no_memory;
    for (size_t i = 0; i < map.len; i++)
        sorted[i] = order->items + i * order->stride;
    qsort(sorted, map.len, sizeof *sorted, compare_entries);
    order->sorted = sorted;
    size_t twice = first_out_of_order(order, &fault);
    if (twice == map.len)
        return NULL;
    *key = kube__entry_key(sorted[twice]);
    return "map key comes twice";
}

void kube__map_order_fini(kube__map_order *order)
{
    free(order->sorted);
    order->sorted = NULL;
}
