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

static const kube_schema fixture_leaf_list_schema =
    KUBE_LIST_SCHEMA_OF(fixture_leaf_list, STRUCT, fixture_leaf);
static const kube_schema fixture_leaf_map_schema =
    KUBE_MAP_SCHEMA_OF(fixture_leaf_map, fixture_leaf_map_entry, STRUCT, fixture_leaf);
static const kube_schema fixture_leaf_list_list_schema =
    KUBE_LIST_SCHEMA_OF(fixture_leaf_list_list, LIST, fixture_leaf_list);
static const kube_schema fixture_leaf_list_map_schema =
    KUBE_MAP_SCHEMA_OF(fixture_leaf_list_map, fixture_leaf_list_map_entry, LIST, fixture_leaf_list);
static const kube_schema fixture_leaf_map_list_schema =
    KUBE_LIST_SCHEMA_OF(fixture_leaf_map_list, MAP, fixture_leaf_map);
static const kube_schema fixture_tree_list_schema =
    KUBE_LIST_SCHEMA_OF(fixture_tree_list, STRUCT, fixture_tree);
static const kube_schema fixture_tree_map_schema =
    KUBE_MAP_SCHEMA_OF(fixture_tree_map, fixture_tree_map_entry, STRUCT, fixture_tree);
static const kube_schema fixture_strict_list_schema =
    KUBE_LIST_SCHEMA_OF(fixture_strict_list, STRUCT, fixture_strict);
static const kube_schema kube_condition_list_schema =
    KUBE_LIST_SCHEMA_OF(kube_condition_list, STRUCT, kube_condition);
static const kube_schema bool_list_schema = KUBE_LIST_SCHEMA(bool_list, BOOL);
static const kube_schema int32_t_list_schema = KUBE_LIST_SCHEMA(int32_t_list, INT32);
static const kube_schema kube_opt_int32_list_schema =
    KUBE_LIST_SCHEMA(kube_opt_int32_list, OPT_INT32);
static const kube_schema int64_t_list_schema = KUBE_LIST_SCHEMA(int64_t_list, INT64);
static const kube_schema double_list_schema = KUBE_LIST_SCHEMA(double_list, DOUBLE);
static const kube_schema kube_time_list_schema = KUBE_LIST_SCHEMA(kube_time_list, TIME);
static const kube_schema kube_duration_list_schema = KUBE_LIST_SCHEMA(kube_duration_list, DURATION);
static const kube_schema kube_quantity_list_schema = KUBE_LIST_SCHEMA(kube_quantity_list, QUANTITY);
static const kube_schema kube_int_or_string_list_schema =
    KUBE_LIST_SCHEMA(kube_int_or_string_list, INT_OR_STRING);
static const kube_schema kube_bytes_list_schema = KUBE_LIST_SCHEMA(kube_bytes_list, BYTES);
static const kube_schema kube_raw_json_list_schema = KUBE_LIST_SCHEMA(kube_raw_json_list, RAW_JSON);
static const kube_schema int32_t_list_list_schema =
    KUBE_LIST_SCHEMA_OF(int32_t_list_list, LIST, int32_t_list);
static const kube_schema kube_string_list_list_schema =
    KUBE_LIST_SCHEMA(kube_string_list_list, STRING_LIST);
static const kube_schema kube_string_map_list_schema =
    KUBE_LIST_SCHEMA(kube_string_map_list, STRING_MAP);
static const kube_schema int64_t_map_schema =
    KUBE_MAP_SCHEMA(int64_t_map, int64_t_map_entry, INT64);
static const kube_schema bool_map_schema = KUBE_MAP_SCHEMA(bool_map, bool_map_entry, BOOL);
static const kube_schema double_map_schema = KUBE_MAP_SCHEMA(double_map, double_map_entry, DOUBLE);
static const kube_schema kube_quantity_map_schema =
    KUBE_MAP_SCHEMA(kube_quantity_map, kube_quantity_map_entry, QUANTITY);
static const kube_schema kube_raw_json_map_schema =
    KUBE_MAP_SCHEMA(kube_raw_json_map, kube_raw_json_map_entry, RAW_JSON);
static const kube_schema kube_string_list_map_schema =
    KUBE_MAP_SCHEMA(kube_string_list_map, kube_string_list_map_entry, STRING_LIST);
static const kube_schema kube_string_map_map_schema =
    KUBE_MAP_SCHEMA(kube_string_map_map, kube_string_map_map_entry, STRING_MAP);
static const kube_schema kube_bytes_map_schema =
    KUBE_MAP_SCHEMA(kube_bytes_map, kube_bytes_map_entry, BYTES);
static const kube_schema int64_t_map_map_schema =
    KUBE_MAP_SCHEMA_OF(int64_t_map_map, int64_t_map_map_entry, MAP, int64_t_map);

static const kube_field fixture_leaf_fields[] = {
    KUBE_FIELD(fixture_leaf, name, "name", STRING, REQUIRED),
    KUBE_FIELD(fixture_leaf, weight, "weight", INT32, OPTIONAL),
    KUBE_FIELD(fixture_leaf, sticky, "sticky", OPT_BOOL, REQUIRED),
};
const kube_schema fixture_leaf_schema =
    KUBE_OPEN_STRUCT_SCHEMA(fixture_leaf, extra, fixture_leaf_fields, NULL);

static const kube_field fixture_tree_fields[] = {
    KUBE_FIELD(fixture_tree, value, "value", STRING, REQUIRED),
    KUBE_PART(fixture_tree, left, "left", STRUCT_PTR, REQUIRED, fixture_tree *, 0),
    KUBE_PART(fixture_tree, children, "children", LIST, REQUIRED, fixture_tree_list, 1),
    KUBE_PART(fixture_tree, named, "named", MAP, REQUIRED, fixture_tree_map, 2),
};
static const kube_schema *const fixture_tree_subs[] = {
    &fixture_tree_schema,
    &fixture_tree_list_schema,
    &fixture_tree_map_schema,
};
const kube_schema fixture_tree_schema =
    KUBE_OPEN_STRUCT_SCHEMA(fixture_tree, extra, fixture_tree_fields, fixture_tree_subs);

static const kube_field fixture_strict_fields[] = {
    KUBE_FIELD(fixture_strict, mode, "mode", STRING, INTERN),
    KUBE_FIELD(fixture_strict, value, "value", INT32, REQUIRED),
    KUBE_PART(fixture_strict, leaf, "leaf", STRUCT, REQUIRED, fixture_leaf, 0),
};
static const kube_schema *const fixture_strict_subs[] = {
    &fixture_leaf_schema,
};
const kube_schema fixture_strict_schema =
    KUBE_STRUCT_SCHEMA(fixture_strict, fixture_strict_fields, fixture_strict_subs);

static const kube_field fixture_spec_fields[] = {
    KUBE_FIELD(fixture_spec, common.class_, "class", STRING, REQUIRED),
    KUBE_FIELD(fixture_spec, common.priority, "priority", INT64, REQUIRED),
    KUBE_FIELD(fixture_spec, text, "text", STRING, REQUIRED),
    KUBE_FIELD(fixture_spec, phase, "phase", STRING, OPTIONAL | KUBE_FIELD_INTERN),
    KUBE_FIELD(fixture_spec, on, "on", BOOL, REQUIRED),
    KUBE_FIELD(fixture_spec, i32, "i32", INT32, REQUIRED),
    KUBE_FIELD(fixture_spec, i64, "i64", INT64, REQUIRED),
    KUBE_FIELD(fixture_spec, d, "d", DOUBLE, REQUIRED),
    KUBE_FIELD(fixture_spec, maybe_on, "maybeOn", BOOL, OPTIONAL),
    KUBE_FIELD(fixture_spec, maybe_i32, "maybeI32", INT32, OPTIONAL),
    KUBE_FIELD(fixture_spec, maybe_i64, "maybeI64", INT64, OPTIONAL),
    KUBE_FIELD(fixture_spec, maybe_d, "maybeD", DOUBLE, OPTIONAL),
    KUBE_FIELD(fixture_spec, opt_on, "optOn", OPT_BOOL, REQUIRED),
    KUBE_FIELD(fixture_spec, opt_i32, "optI32", OPT_INT32, REQUIRED),
    KUBE_FIELD(fixture_spec, opt_i64, "optI64", OPT_INT64, REQUIRED),
    KUBE_FIELD(fixture_spec, opt_d, "optD", OPT_DOUBLE, REQUIRED),
    KUBE_FIELD(fixture_spec, time, "time", TIME, REQUIRED),
    KUBE_FIELD(fixture_spec, micro_time, "microTime", MICRO_TIME, REQUIRED),
    KUBE_FIELD(fixture_spec, duration, "duration", DURATION, REQUIRED),
    KUBE_FIELD(fixture_spec, quantity, "quantity", QUANTITY, REQUIRED),
    KUBE_FIELD(fixture_spec, port, "port", INT_OR_STRING, REQUIRED),
    KUBE_FIELD(fixture_spec, bytes, "bytes", BYTES, REQUIRED),
    KUBE_FIELD(fixture_spec, raw, "raw", RAW_JSON, REQUIRED),
    KUBE_FIELD(fixture_spec, raw_shared, "rawShared", RAW_JSON, INTERN),
    KUBE_PART(fixture_spec, leaf, "leaf", STRUCT, REQUIRED, fixture_leaf, 0),
    KUBE_PART(fixture_spec, leaf_ptr, "leafPtr", STRUCT_PTR, REQUIRED, fixture_leaf *, 0),
    KUBE_PART(fixture_spec, strict, "strict", STRUCT, REQUIRED, fixture_strict, 1),
    KUBE_PART(fixture_spec, strict_ptr, "strictPtr", STRUCT_PTR, REQUIRED, fixture_strict *, 1),
    KUBE_PART(fixture_spec, tree, "tree", STRUCT_PTR, REQUIRED, fixture_tree *, 2),
    KUBE_FIELD(fixture_spec, strings, "strings", STRING_LIST, REQUIRED),
    KUBE_FIELD(fixture_spec, tags, "tags", STRING_LIST, INTERN),
    KUBE_FIELD(fixture_spec, string_map, "stringMap", STRING_MAP, REQUIRED),
    KUBE_PART(fixture_spec, bools, "bools", LIST, REQUIRED, bool_list, 3),
    KUBE_PART(fixture_spec, i32s, "i32s", LIST, REQUIRED, int32_t_list, 4),
    KUBE_PART(fixture_spec, opt_i32s, "optI32s", LIST, REQUIRED, kube_opt_int32_list, 31),
    KUBE_PART(fixture_spec, i64s, "i64s", LIST, REQUIRED, int64_t_list, 5),
    KUBE_PART(fixture_spec, doubles, "doubles", LIST, REQUIRED, double_list, 6),
    KUBE_PART(fixture_spec, times, "times", LIST, REQUIRED, kube_time_list, 7),
    KUBE_PART(fixture_spec, durations, "durations", LIST, REQUIRED, kube_duration_list, 8),
    KUBE_PART(fixture_spec, quantities, "quantities", LIST, REQUIRED, kube_quantity_list, 9),
    KUBE_PART(fixture_spec, ports, "ports", LIST, REQUIRED, kube_int_or_string_list, 10),
    KUBE_PART(fixture_spec, blobs, "blobs", LIST, REQUIRED, kube_bytes_list, 11),
    KUBE_PART(fixture_spec, raws, "raws", LIST, REQUIRED, kube_raw_json_list, 12),
    KUBE_PART(fixture_spec, leaves, "leaves", LIST, REQUIRED, fixture_leaf_list, 13),
    KUBE_PART(fixture_spec, stricts, "stricts", LIST, REQUIRED, fixture_strict_list, 14),
    KUBE_PART(fixture_spec, leaf_lists, "leafLists", LIST, REQUIRED, fixture_leaf_list_list, 15),
    KUBE_PART(fixture_spec, leaf_maps, "leafMaps", LIST, REQUIRED, fixture_leaf_map_list, 16),
    KUBE_PART(fixture_spec, matrix, "matrix", LIST, REQUIRED, int32_t_list_list, 17),
    KUBE_PART(fixture_spec, string_lists, "stringLists", LIST, REQUIRED, kube_string_list_list, 18),
    KUBE_PART(fixture_spec, string_maps, "stringMaps", LIST, REQUIRED, kube_string_map_list, 19),
    KUBE_PART(fixture_spec, leaf_map, "leafMap", MAP, REQUIRED, fixture_leaf_map, 20),
    KUBE_PART(fixture_spec, leaf_list_map, "leafListMap", MAP, REQUIRED, fixture_leaf_list_map, 21),
    KUBE_PART(fixture_spec, i64_map, "i64Map", MAP, REQUIRED, int64_t_map, 22),
    KUBE_PART(fixture_spec, i64_map_map, "i64MapMap", MAP, REQUIRED, int64_t_map_map, 23),
    KUBE_PART(fixture_spec, bool_map, "boolMap", MAP, REQUIRED, bool_map, 24),
    KUBE_PART(fixture_spec, double_map, "doubleMap", MAP, REQUIRED, double_map, 25),
    KUBE_PART(fixture_spec, quantity_map, "quantityMap", MAP, REQUIRED, kube_quantity_map, 26),
    KUBE_PART(fixture_spec, raw_map, "rawMap", MAP, REQUIRED, kube_raw_json_map, 27),
    KUBE_PART(fixture_spec, string_list_map, "stringListMap", MAP, REQUIRED, kube_string_list_map,
              28),
    KUBE_PART(fixture_spec, string_map_map, "stringMapMap", MAP, REQUIRED, kube_string_map_map, 29),
    KUBE_PART(fixture_spec, bytes_map, "bytesMap", MAP, REQUIRED, kube_bytes_map, 30),
    KUBE_FIELD(fixture_spec, termination, "terminationGracePeriodSeconds", INT64, OPTIONAL),
    KUBE_FIELD_LONG(fixture_spec, override_, "\"terminationGracePeriodSecondsOv", 40, INT64,
                    OPTIONAL, int64_t, 0),
    KUBE_FIELD_LONG(fixture_spec, overhead, "\"terminationGracePeriodSecondsOv", 40, INT64,
                    OPTIONAL, int64_t, 0),
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
    &kube_opt_int32_list_schema,
};
static const char *const fixture_spec_long_keys[sizeof fixture_spec_fields / sizeof(kube_field)] = {
    [62] = "\"terminationGracePeriodSecondsOverride\":",
    [63] = "\"terminationGracePeriodSecondsOverhead\":",
};
const kube_schema fixture_spec_schema =
    KUBE_OPEN_STRUCT_SCHEMA(fixture_spec, extra, fixture_spec_fields, fixture_spec_subs,
                            .long_keys = fixture_spec_long_keys);

static const kube_field fixture_status_fields[] = {
    KUBE_FIELD(fixture_status, phase, "phase", STRING, REQUIRED),
    KUBE_FIELD(fixture_status, observed_generation, "observedGeneration", INT64, OPTIONAL),
    KUBE_PART(fixture_status, conditions, "conditions", LIST, REQUIRED, kube_condition_list, 0),
    KUBE_PART(fixture_status, strict, "strict", STRUCT, REQUIRED, fixture_strict, 1),
};
static const kube_schema *const fixture_status_subs[] = {
    &kube_condition_list_schema,
    &fixture_strict_schema,
};
const kube_schema fixture_status_schema =
    KUBE_STRUCT_SCHEMA(fixture_status, fixture_status_fields, fixture_status_subs);

static const kube_field fixture_widget_fields[] = {
    KUBE_PART(fixture_widget, metadata, "metadata", STRUCT, REQUIRED, kube_object_meta, 0),
    KUBE_PART(fixture_widget, spec, "spec", STRUCT, REQUIRED, fixture_spec, 1),
    KUBE_PART(fixture_widget, status, "status", STRUCT, STATUS, fixture_status, 2),
};
static const kube_schema *const fixture_widget_subs[] = {
    &kube_object_meta_schema,
    &fixture_spec_schema,
    &fixture_status_schema,
};
const kube_schema fixture_widget_schema =
    KUBE_OPEN_STRUCT_SCHEMA(fixture_widget, extra, fixture_widget_fields, fixture_widget_subs);

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
    .abi = kube_abi_2,
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
    "\"tags\":[],\"stringMap\":{},\"bools\":[true,false],\"i32s\":[1,-2,3],\"optI32s\":[0,null,2],"
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
