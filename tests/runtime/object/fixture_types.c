/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_types.h"

static const kube_schema fixture_leaf_list_schema;
static const kube_schema fixture_leaf_map_schema;
static const kube_schema fixture_leaf_list_list_schema;
static const kube_schema fixture_leaf_list_map_schema;
static const kube_schema fixture_leaf_map_list_schema;
static const kube_schema fixture_tree_list_schema;
static const kube_schema fixture_tree_map_schema;
static const kube_schema fixture_strict_list_schema;
static const kube_schema kube_condition_list_schema;
static const kube_schema bool_list_schema;
static const kube_schema int32_t_list_schema;
static const kube_schema int64_t_list_schema;
static const kube_schema double_list_schema;
static const kube_schema kube_time_list_schema;
static const kube_schema kube_duration_list_schema;
static const kube_schema kube_quantity_list_schema;
static const kube_schema kube_int_or_string_list_schema;
static const kube_schema kube_bytes_list_schema;
static const kube_schema kube_raw_json_list_schema;
static const kube_schema int32_t_list_list_schema;
static const kube_schema kube_string_list_list_schema;
static const kube_schema kube_string_map_list_schema;
static const kube_schema int64_t_map_schema;
static const kube_schema bool_map_schema;
static const kube_schema double_map_schema;
static const kube_schema kube_quantity_map_schema;
static const kube_schema kube_raw_json_map_schema;
static const kube_schema kube_string_list_map_schema;
static const kube_schema kube_string_map_map_schema;
static const kube_schema kube_bytes_map_schema;
static const kube_schema int64_t_map_map_schema;

static const kube_schema *const fixture_leaf_list_subs[] = {&fixture_leaf_schema};
static const kube_schema fixture_leaf_list_schema = {
    .name = "fixture_leaf_list",
    .subs = fixture_leaf_list_subs,
    .size = sizeof(fixture_leaf),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRUCT,
};
static const kube_schema *const fixture_leaf_map_subs[] = {&fixture_leaf_schema};
static const kube_schema fixture_leaf_map_schema = {
    .name = "fixture_leaf_map",
    .subs = fixture_leaf_map_subs,
    .size = sizeof(fixture_leaf_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_STRUCT,
};
static const kube_schema *const fixture_leaf_list_list_subs[] = {&fixture_leaf_list_schema};
static const kube_schema fixture_leaf_list_list_schema = {
    .name = "fixture_leaf_list_list",
    .subs = fixture_leaf_list_list_subs,
    .size = sizeof(fixture_leaf_list),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_LIST,
};
static const kube_schema *const fixture_leaf_list_map_subs[] = {&fixture_leaf_list_schema};
static const kube_schema fixture_leaf_list_map_schema = {
    .name = "fixture_leaf_list_map",
    .subs = fixture_leaf_list_map_subs,
    .size = sizeof(fixture_leaf_list_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_LIST,
};
static const kube_schema *const fixture_leaf_map_list_subs[] = {&fixture_leaf_map_schema};
static const kube_schema fixture_leaf_map_list_schema = {
    .name = "fixture_leaf_map_list",
    .subs = fixture_leaf_map_list_subs,
    .size = sizeof(fixture_leaf_map),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_MAP,
};
static const kube_schema *const fixture_tree_list_subs[] = {&fixture_tree_schema};
static const kube_schema fixture_tree_list_schema = {
    .name = "fixture_tree_list",
    .subs = fixture_tree_list_subs,
    .size = sizeof(fixture_tree),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRUCT,
};
static const kube_schema *const fixture_tree_map_subs[] = {&fixture_tree_schema};
static const kube_schema fixture_tree_map_schema = {
    .name = "fixture_tree_map",
    .subs = fixture_tree_map_subs,
    .size = sizeof(fixture_tree_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_STRUCT,
};
static const kube_schema *const fixture_strict_list_subs[] = {&fixture_strict_schema};
static const kube_schema fixture_strict_list_schema = {
    .name = "fixture_strict_list",
    .subs = fixture_strict_list_subs,
    .size = sizeof(fixture_strict),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRUCT,
};
static const kube_schema *const kube_condition_list_subs[] = {&kube_condition_schema};
static const kube_schema kube_condition_list_schema = {
    .name = "kube_condition_list",
    .subs = kube_condition_list_subs,
    .size = sizeof(kube_condition),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRUCT,
};
static const kube_schema bool_list_schema = {
    .name = "bool_list",
    .size = sizeof(bool),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_BOOL,
};
static const kube_schema int32_t_list_schema = {
    .name = "int32_t_list",
    .size = sizeof(int32_t),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_INT32,
};
static const kube_schema int64_t_list_schema = {
    .name = "int64_t_list",
    .size = sizeof(int64_t),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_INT64,
};
static const kube_schema double_list_schema = {
    .name = "double_list",
    .size = sizeof(double),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_DOUBLE,
};
static const kube_schema kube_time_list_schema = {
    .name = "kube_time_list",
    .size = sizeof(kube_time),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_TIME,
};
static const kube_schema kube_duration_list_schema = {
    .name = "kube_duration_list",
    .size = sizeof(kube_duration),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_DURATION,
};
static const kube_schema kube_quantity_list_schema = {
    .name = "kube_quantity_list",
    .size = sizeof(kube_quantity),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_QUANTITY,
};
static const kube_schema kube_int_or_string_list_schema = {
    .name = "kube_int_or_string_list",
    .size = sizeof(kube_int_or_string),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_INT_OR_STRING,
};
static const kube_schema kube_bytes_list_schema = {
    .name = "kube_bytes_list",
    .size = sizeof(kube_bytes),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_BYTES,
};
static const kube_schema kube_raw_json_list_schema = {
    .name = "kube_raw_json_list",
    .size = sizeof(kube_raw_json),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_RAW_JSON,
};
static const kube_schema *const int32_t_list_list_subs[] = {&int32_t_list_schema};
static const kube_schema int32_t_list_list_schema = {
    .name = "int32_t_list_list",
    .subs = int32_t_list_list_subs,
    .size = sizeof(int32_t_list),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_LIST,
};
static const kube_schema kube_string_list_list_schema = {
    .name = "kube_string_list_list",
    .size = sizeof(kube_string_list),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRING_LIST,
};
static const kube_schema kube_string_map_list_schema = {
    .name = "kube_string_map_list",
    .size = sizeof(kube_string_map),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_LIST,
    .element_kind = KUBE_KIND_STRING_MAP,
};
static const kube_schema int64_t_map_schema = {
    .name = "int64_t_map",
    .size = sizeof(int64_t_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_INT64,
};
static const kube_schema bool_map_schema = {
    .name = "bool_map",
    .size = sizeof(bool_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_BOOL,
};
static const kube_schema double_map_schema = {
    .name = "double_map",
    .size = sizeof(double_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_DOUBLE,
};
static const kube_schema kube_quantity_map_schema = {
    .name = "kube_quantity_map",
    .size = sizeof(kube_quantity_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_QUANTITY,
};
static const kube_schema kube_raw_json_map_schema = {
    .name = "kube_raw_json_map",
    .size = sizeof(kube_raw_json_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_RAW_JSON,
};
static const kube_schema kube_string_list_map_schema = {
    .name = "kube_string_list_map",
    .size = sizeof(kube_string_list_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_STRING_LIST,
};
static const kube_schema kube_string_map_map_schema = {
    .name = "kube_string_map_map",
    .size = sizeof(kube_string_map_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_STRING_MAP,
};
static const kube_schema kube_bytes_map_schema = {
    .name = "kube_bytes_map",
    .size = sizeof(kube_bytes_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_BYTES,
};
static const kube_schema *const int64_t_map_map_subs[] = {&int64_t_map_schema};
static const kube_schema int64_t_map_map_schema = {
    .name = "int64_t_map_map",
    .subs = int64_t_map_map_subs,
    .size = sizeof(int64_t_map_map_entry),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_MAP,
    .element_kind = KUBE_KIND_MAP,
};

static const kube_field fixture_leaf_fields[] = {
    KUBE_FIELD(fixture_leaf, name, "name", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(fixture_leaf, weight, "weight", KUBE_KIND_INT32, KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(fixture_leaf, sticky, "sticky", KUBE_KIND_OPT_BOOL, 0, 0),
};
const kube_schema fixture_leaf_schema = {
    .name = "fixture_leaf",
    .fields = fixture_leaf_fields,
    .size = sizeof(fixture_leaf),
    .field_count = sizeof fixture_leaf_fields / sizeof(kube_field),
    .extra_offset = offsetof(fixture_leaf, extra),
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field fixture_tree_fields[] = {
    KUBE_FIELD(fixture_tree, value, "value", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(fixture_tree, left, "left", KUBE_KIND_STRUCT_PTR, 0, 0),
    KUBE_FIELD(fixture_tree, children, "children", KUBE_KIND_LIST, 0, 1),
    KUBE_FIELD(fixture_tree, named, "named", KUBE_KIND_MAP, 0, 2),
};
static const kube_schema *const fixture_tree_subs[] = {
    &fixture_tree_schema,
    &fixture_tree_list_schema,
    &fixture_tree_map_schema,
};
const kube_schema fixture_tree_schema = {
    .name = "fixture_tree",
    .fields = fixture_tree_fields,
    .subs = fixture_tree_subs,
    .size = sizeof(fixture_tree),
    .field_count = sizeof fixture_tree_fields / sizeof(kube_field),
    .extra_offset = offsetof(fixture_tree, extra),
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field fixture_strict_fields[] = {
    KUBE_FIELD(fixture_strict, mode, "mode", KUBE_KIND_STRING, KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(fixture_strict, value, "value", KUBE_KIND_INT32, 0, 0),
    KUBE_FIELD(fixture_strict, leaf, "leaf", KUBE_KIND_STRUCT, 0, 0),
};
static const kube_schema *const fixture_strict_subs[] = {
    &fixture_leaf_schema,
};
const kube_schema fixture_strict_schema = {
    .name = "fixture_strict",
    .fields = fixture_strict_fields,
    .subs = fixture_strict_subs,
    .size = sizeof(fixture_strict),
    .field_count = sizeof fixture_strict_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field fixture_spec_fields[] = {
    KUBE_FIELD(fixture_spec, common.class_, "class", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(fixture_spec, common.priority, "priority", KUBE_KIND_INT64, 0, 0),
    KUBE_FIELD(fixture_spec, text, "text", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(fixture_spec, phase, "phase", KUBE_KIND_STRING,
               KUBE_FIELD_OPTIONAL | KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(fixture_spec, on, "on", KUBE_KIND_BOOL, 0, 0),
    KUBE_FIELD(fixture_spec, i32, "i32", KUBE_KIND_INT32, 0, 0),
    KUBE_FIELD(fixture_spec, i64, "i64", KUBE_KIND_INT64, 0, 0),
    KUBE_FIELD(fixture_spec, d, "d", KUBE_KIND_DOUBLE, 0, 0),
    KUBE_FIELD(fixture_spec, maybe_on, "maybeOn", KUBE_KIND_BOOL, KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(fixture_spec, maybe_i32, "maybeI32", KUBE_KIND_INT32, KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(fixture_spec, maybe_i64, "maybeI64", KUBE_KIND_INT64, KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(fixture_spec, maybe_d, "maybeD", KUBE_KIND_DOUBLE, KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(fixture_spec, opt_on, "optOn", KUBE_KIND_OPT_BOOL, 0, 0),
    KUBE_FIELD(fixture_spec, opt_i32, "optI32", KUBE_KIND_OPT_INT32, 0, 0),
    KUBE_FIELD(fixture_spec, opt_i64, "optI64", KUBE_KIND_OPT_INT64, 0, 0),
    KUBE_FIELD(fixture_spec, opt_d, "optD", KUBE_KIND_OPT_DOUBLE, 0, 0),
    KUBE_FIELD(fixture_spec, time, "time", KUBE_KIND_TIME, 0, 0),
    KUBE_FIELD(fixture_spec, micro_time, "microTime", KUBE_KIND_MICRO_TIME, 0, 0),
    KUBE_FIELD(fixture_spec, duration, "duration", KUBE_KIND_DURATION, 0, 0),
    KUBE_FIELD(fixture_spec, quantity, "quantity", KUBE_KIND_QUANTITY, 0, 0),
    KUBE_FIELD(fixture_spec, port, "port", KUBE_KIND_INT_OR_STRING, 0, 0),
    KUBE_FIELD(fixture_spec, bytes, "bytes", KUBE_KIND_BYTES, 0, 0),
    KUBE_FIELD(fixture_spec, raw, "raw", KUBE_KIND_RAW_JSON, 0, 0),
    KUBE_FIELD(fixture_spec, raw_shared, "rawShared", KUBE_KIND_RAW_JSON, KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(fixture_spec, leaf, "leaf", KUBE_KIND_STRUCT, 0, 0),
    KUBE_FIELD(fixture_spec, leaf_ptr, "leafPtr", KUBE_KIND_STRUCT_PTR, 0, 0),
    KUBE_FIELD(fixture_spec, strict, "strict", KUBE_KIND_STRUCT, 0, 1),
    KUBE_FIELD(fixture_spec, strict_ptr, "strictPtr", KUBE_KIND_STRUCT_PTR, 0, 1),
    KUBE_FIELD(fixture_spec, tree, "tree", KUBE_KIND_STRUCT_PTR, 0, 2),
    KUBE_FIELD(fixture_spec, strings, "strings", KUBE_KIND_STRING_LIST, 0, 0),
    KUBE_FIELD(fixture_spec, tags, "tags", KUBE_KIND_STRING_LIST, KUBE_FIELD_INTERN, 0),
    KUBE_FIELD(fixture_spec, string_map, "stringMap", KUBE_KIND_STRING_MAP, 0, 0),
    KUBE_FIELD(fixture_spec, bools, "bools", KUBE_KIND_LIST, 0, 3),
    KUBE_FIELD(fixture_spec, i32s, "i32s", KUBE_KIND_LIST, 0, 4),
    KUBE_FIELD(fixture_spec, i64s, "i64s", KUBE_KIND_LIST, 0, 5),
    KUBE_FIELD(fixture_spec, doubles, "doubles", KUBE_KIND_LIST, 0, 6),
    KUBE_FIELD(fixture_spec, times, "times", KUBE_KIND_LIST, 0, 7),
    KUBE_FIELD(fixture_spec, durations, "durations", KUBE_KIND_LIST, 0, 8),
    KUBE_FIELD(fixture_spec, quantities, "quantities", KUBE_KIND_LIST, 0, 9),
    KUBE_FIELD(fixture_spec, ports, "ports", KUBE_KIND_LIST, 0, 10),
    KUBE_FIELD(fixture_spec, blobs, "blobs", KUBE_KIND_LIST, 0, 11),
    KUBE_FIELD(fixture_spec, raws, "raws", KUBE_KIND_LIST, 0, 12),
    KUBE_FIELD(fixture_spec, leaves, "leaves", KUBE_KIND_LIST, 0, 13),
    KUBE_FIELD(fixture_spec, stricts, "stricts", KUBE_KIND_LIST, 0, 14),
    KUBE_FIELD(fixture_spec, leaf_lists, "leafLists", KUBE_KIND_LIST, 0, 15),
    KUBE_FIELD(fixture_spec, leaf_maps, "leafMaps", KUBE_KIND_LIST, 0, 16),
    KUBE_FIELD(fixture_spec, matrix, "matrix", KUBE_KIND_LIST, 0, 17),
    KUBE_FIELD(fixture_spec, string_lists, "stringLists", KUBE_KIND_LIST, 0, 18),
    KUBE_FIELD(fixture_spec, string_maps, "stringMaps", KUBE_KIND_LIST, 0, 19),
    KUBE_FIELD(fixture_spec, leaf_map, "leafMap", KUBE_KIND_MAP, 0, 20),
    KUBE_FIELD(fixture_spec, leaf_list_map, "leafListMap", KUBE_KIND_MAP, 0, 21),
    KUBE_FIELD(fixture_spec, i64_map, "i64Map", KUBE_KIND_MAP, 0, 22),
    KUBE_FIELD(fixture_spec, i64_map_map, "i64MapMap", KUBE_KIND_MAP, 0, 23),
    KUBE_FIELD(fixture_spec, bool_map, "boolMap", KUBE_KIND_MAP, 0, 24),
    KUBE_FIELD(fixture_spec, double_map, "doubleMap", KUBE_KIND_MAP, 0, 25),
    KUBE_FIELD(fixture_spec, quantity_map, "quantityMap", KUBE_KIND_MAP, 0, 26),
    KUBE_FIELD(fixture_spec, raw_map, "rawMap", KUBE_KIND_MAP, 0, 27),
    KUBE_FIELD(fixture_spec, string_list_map, "stringListMap", KUBE_KIND_MAP, 0, 28),
    KUBE_FIELD(fixture_spec, string_map_map, "stringMapMap", KUBE_KIND_MAP, 0, 29),
    KUBE_FIELD(fixture_spec, bytes_map, "bytesMap", KUBE_KIND_MAP, 0, 30),
    KUBE_FIELD(fixture_spec, termination, "terminationGracePeriodSeconds", KUBE_KIND_INT64,
               KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD_LONG(fixture_spec, override_, "\"terminationGracePeriodSecondsOv", 40,
                    KUBE_KIND_INT64, KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD_LONG(fixture_spec, overhead, "\"terminationGracePeriodSecondsOv", 40,
                    KUBE_KIND_INT64, KUBE_FIELD_OPTIONAL, 0),
};
static const kube_schema *const fixture_spec_subs[] = {
    &fixture_leaf_schema,
    &fixture_strict_schema,
    &fixture_tree_schema,
    &bool_list_schema,
    &int32_t_list_schema,
    &int64_t_list_schema,
    &double_list_schema,
    &kube_time_list_schema,
    &kube_duration_list_schema,
    &kube_quantity_list_schema,
    &kube_int_or_string_list_schema,
    &kube_bytes_list_schema,
    &kube_raw_json_list_schema,
    &fixture_leaf_list_schema,
    &fixture_strict_list_schema,
    &fixture_leaf_list_list_schema,
    &fixture_leaf_map_list_schema,
    &int32_t_list_list_schema,
    &kube_string_list_list_schema,
    &kube_string_map_list_schema,
    &fixture_leaf_map_schema,
    &fixture_leaf_list_map_schema,
    &int64_t_map_schema,
    &int64_t_map_map_schema,
    &bool_map_schema,
    &double_map_schema,
    &kube_quantity_map_schema,
    &kube_raw_json_map_schema,
    &kube_string_list_map_schema,
    &kube_string_map_map_schema,
    &kube_bytes_map_schema,
};
static const char *const fixture_spec_long_keys[sizeof fixture_spec_fields / sizeof(kube_field)] = {
    [61] = "\"terminationGracePeriodSecondsOverride\":",
    [62] = "\"terminationGracePeriodSecondsOverhead\":",
};
const kube_schema fixture_spec_schema = {
    .name = "fixture_spec",
    .fields = fixture_spec_fields,
    .subs = fixture_spec_subs,
    .long_keys = fixture_spec_long_keys,
    .size = sizeof(fixture_spec),
    .field_count = sizeof fixture_spec_fields / sizeof(kube_field),
    .extra_offset = offsetof(fixture_spec, extra),
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field fixture_status_fields[] = {
    KUBE_FIELD(fixture_status, phase, "phase", KUBE_KIND_STRING, 0, 0),
    KUBE_FIELD(fixture_status, observed_generation, "observedGeneration", KUBE_KIND_INT64,
               KUBE_FIELD_OPTIONAL, 0),
    KUBE_FIELD(fixture_status, conditions, "conditions", KUBE_KIND_LIST, 0, 0),
    KUBE_FIELD(fixture_status, strict, "strict", KUBE_KIND_STRUCT, 0, 1),
};
static const kube_schema *const fixture_status_subs[] = {
    &kube_condition_list_schema,
    &fixture_strict_schema,
};
const kube_schema fixture_status_schema = {
    .name = "fixture_status",
    .fields = fixture_status_fields,
    .subs = fixture_status_subs,
    .size = sizeof(fixture_status),
    .field_count = sizeof fixture_status_fields / sizeof(kube_field),
    .extra_offset = KUBE_NO_EXTRA,
    .kind = KUBE_KIND_STRUCT,
};

static const kube_field fixture_widget_fields[] = {
    KUBE_FIELD(fixture_widget, metadata, "metadata", KUBE_KIND_STRUCT, 0, 0),
    KUBE_FIELD(fixture_widget, spec, "spec", KUBE_KIND_STRUCT, 0, 1),
    KUBE_FIELD(fixture_widget, status, "status", KUBE_KIND_STRUCT, KUBE_FIELD_STATUS, 2),
};
static const kube_schema *const fixture_widget_subs[] = {
    &kube_object_meta_schema,
    &fixture_spec_schema,
    &fixture_status_schema,
};
const kube_schema fixture_widget_schema = {
    .name = "fixture_widget",
    .fields = fixture_widget_fields,
    .subs = fixture_widget_subs,
    .size = sizeof(fixture_widget),
    .field_count = sizeof fixture_widget_fields / sizeof(kube_field),
    .extra_offset = offsetof(fixture_widget, extra),
    .kind = KUBE_KIND_STRUCT,
};

const kube_type fixture_widget_type = {
    .group = "test.kube.dev",
    .version = "v1",
    .api_version = "test.kube.dev/v1",
    .kind = "Widget",
    .list_kind = "WidgetList",
    .resource = "widgets",
    .singular = "widget",
    .schema = &fixture_widget_schema,
    .metadata_offset = offsetof(fixture_widget, metadata),
    .status_offset = offsetof(fixture_widget, status),
    .namespaced = true,
    .has_status = true,
    .abi = kube_abi_1,
};

const char fixture_full_json[] =
    "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w-1\","
    "\"generateName\":\"w-\",\"namespace\":\"team-a\",\"uid\":\"0f7c\","
    "\"resourceVersion\":\"42\",\"generation\":9223372036854775807,"
    "\"creationTimestamp\":\"2024-02-29T12:34:56Z\","
    "\"deletionTimestamp\":\"2025-01-01T00:00:00Z\",\"deletionGracePeriodSeconds\":0,"
    "\"labels\":{\"a.b/c\":\"x\",\"app\":\"web\"},"
    "\"annotations\":{\"note\":\"line\\none \\\"quoted\\\" \\\\ gr\303\274n \360\237\230\200\"},"
    "\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"d\","
    "\"uid\":\"u1\",\"controller\":true,\"blockOwnerDeletion\":false}],"
    "\"finalizers\":[\"kube.dev/a\",\"kube.dev/b\"],"
    "\"managedFields\":[{\"manager\":\"kubectl\",\"operation\":\"Update\","
    "\"apiVersion\":\"test.kube.dev/v1\",\"time\":\"2024-02-29T12:34:56Z\","
    "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\".\":{},"
    "\"k:{\\\"type\\\":\\\"a\\\"}\":{}}},\"subresource\":\"status\"}]},"
    "\"spec\":{\"class\":\"gold\",\"priority\":-9223372036854775808,\"text\":\"t\","
    "\"phase\":\"Ready\",\"on\":true,\"i32\":-2147483648,\"i64\":9007199254740993,\"d\":0.1,"
    "\"maybeOn\":true,\"maybeI32\":2147483647,\"maybeI64\":-1,\"maybeD\":-2.5,"
    "\"optOn\":false,\"optI32\":0,\"optI64\":0,\"optD\":0,\"time\":\"2024-01-02T03:04:05Z\","
    "\"microTime\":\"2024-01-02T03:04:05.000006Z\",\"duration\":\"1h0m30.5s\","
    "\"quantity\":\"1.50Gi\",\"port\":\"25%\",\"bytes\":\"AAECAwQ=\",\"raw\":{\"any\": [1,"
    " 2.50, \"\\u00e9\", null]},\"rawShared\":{\"f:a\":{}},\"leaf\":{\"name\":\"l\","
    "\"weight\":1,\"sticky\":true,\"colour\":\"red\",\"shape\":{\"sides\":3}},"
    "\"leafPtr\":{\"name\":\"p\",\"x\":[{}]},\"strict\":{\"mode\":\"m\",\"value\":0,"
    "\"leaf\":{\"name\":\"in\"}},\"strictPtr\":{\"mode\":\"n\",\"value\":7,"
    "\"leaf\":{\"name\":\"in2\",\"unknown\":1e3}},\"tree\":{\"value\":\"root\","
    "\"left\":{\"value\":\"l\",\"left\":{\"value\":\"ll\"}},\"children\":[{\"value\":\"c1\","
    "\"children\":[]},{\"value\":\"c2\",\"named\":{}}],\"named\":{\"n1\":{\"value\":\"v1\","
    "\"deep\":true},\"n2\":{\"value\":\"v2\"}},\"u\":0},\"strings\":[\"a\",\"\",\"c\"],"
    "\"tags\":[],\"stringMap\":{},\"bools\":[true,false],\"i32s\":[1,-2,3],"
    "\"i64s\":[9223372036854775807],\"doubles\":[1.5,1e+300,-0.25],"
    "\"times\":[\"2024-01-02T03:04:05Z\"],\"durations\":[\"1.5s\"],\"quantities\":[\"1\","
    "\"500m\"],\"ports\":[80,\"http\"],\"blobs\":[\"\",\"/+8=\"],\"raws\":[null,1,"
    "{\"a\":\"b\"}],\"leaves\":[{\"name\":\"l1\"},{\"name\":\"l2\",\"weight\":2,\"z\":{}}],"
    "\"stricts\":[{\"mode\":\"a\",\"value\":1,\"leaf\":{\"name\":\"x\"}}],\"leafLists\":[[],"
    "[{\"name\":\"x\"},{\"name\":\"y\"}]],\"leafMaps\":[{},{\"k\":{\"name\":\"v\",\"q\":1}}],"
    "\"matrix\":[[1,2],[],[3]],\"stringLists\":[[\"a\"],[]],\"stringMaps\":[{\"a\":\"b\"},"
    "{}],\"leafMap\":{\"k1\":{\"name\":\"a\"},\"k2\":{\"name\":\"b\",\"w\":[]}},"
    "\"leafListMap\":{\"k\":[{\"name\":\"n\"}],\"l\":[]},\"i64Map\":{\"a\":1,"
    "\"b\":-9223372036854775808},\"i64MapMap\":{\"x\":{\"y\":2},\"z\":{}},"
    "\"boolMap\":{\"f\":false,\"t\":true},\"doubleMap\":{\"h\":0.5},"
    "\"quantityMap\":{\"cpu\":\"2\"},\"rawMap\":{\"r\":{\"s\": 1}},"
    "\"stringListMap\":{\"s\":[\"1\",\"2\"]},\"stringMapMap\":{\"m\":{\"a\":\"b\"}},"
    "\"bytesMap\":{\"b\":\"AA==\"},\"terminationGracePeriodSeconds\":30,"
    "\"terminationGracePeriodSecondsOverride\":31,"
    "\"terminationGracePeriodSecondsOverhead\":32,\"later\":{\"than\":\"now\"},"
    "\"alsoUnknown\":[1,{\"a\":null}]},\"status\":{\"phase\":\"Ready\","
    "\"observedGeneration\":3,\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
    "\"observedGeneration\":3,\"lastTransitionTime\":\"2024-01-02T03:04:05Z\","
    "\"reason\":\"Fine\",\"message\":\"all good\"}],\"strict\":{\"mode\":\"s\",\"value\":1,"
    "\"leaf\":{\"name\":\"sl\"}}},\"topLevel\":\"kept\"}";
