/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A type with every shape that a header may hold, nested, with its tables written by hand: what the
 * codec's tests run on.
 */
#ifndef KUBE_TESTS_FIXTURE_TYPES_H
#define KUBE_TESTS_FIXTURE_TYPES_H

#include <kube/generated.h>

/* Keeps what it does not know. */
typedef struct fixture_leaf {
    const char *name;
    int32_t weight; /* +optional */
    kube_opt_bool sticky;
    kube_extra extra;
} fixture_leaf;
KUBE_DECLARE_LIST(fixture_leaf);
KUBE_DECLARE_MAP(fixture_leaf);
KUBE_DECLARE_LIST(fixture_leaf_list); /* a list of lists */
KUBE_DECLARE_MAP(fixture_leaf_list);  /* a map of lists */
KUBE_DECLARE_LIST(fixture_leaf_map);  /* a list of maps */
KUBE_DECLARE_LIST(int32_t_list);
KUBE_DECLARE_MAP(int64_t_map);

/* Recursive in each way. */
typedef struct fixture_tree fixture_tree;
KUBE_DECLARE_LIST(fixture_tree);
KUBE_FORWARD_MAP(fixture_tree);
struct fixture_tree {
    const char *value;
    fixture_tree *left;
    fixture_tree_list children;
    fixture_tree_map named;
    kube_extra extra;
};
KUBE_DECLARE_MAP_ENTRY(fixture_tree);

/* Has no kube_extra: what it does not know is lost. */
typedef struct fixture_strict {
    const char *mode; /* interned */
    int32_t value;
    fixture_leaf leaf;
} fixture_strict;
KUBE_DECLARE_LIST(fixture_strict);

/* Its members stand in fixture_spec's JSON (+inline). */
typedef struct fixture_common {
    const char *class_;
    int64_t priority;
} fixture_common;

typedef struct fixture_spec {
    fixture_common common;
    const char *text;
    const char *phase; /* interned, +optional */
    bool on;
    int32_t i32;
    int64_t i64;
    double d;
    bool maybe_on; /* +optional, as the next three */
    int32_t maybe_i32;
    int64_t maybe_i64;
    double maybe_d;
    kube_opt_bool opt_on;
    kube_opt_int32 opt_i32;
    kube_opt_int64 opt_i64;
    kube_opt_double opt_d;
    kube_time time;
    kube_micro_time micro_time;
    kube_duration duration;
    kube_quantity quantity;
    kube_int_or_string port;
    kube_bytes bytes;
    kube_raw_json raw;
    kube_raw_json raw_shared; /* interned */
    fixture_leaf leaf;
    fixture_leaf *leaf_ptr;
    fixture_strict strict;
    fixture_strict *strict_ptr;
    fixture_tree *tree;
    kube_string_list strings;
    kube_string_list tags; /* interned */
    kube_string_map string_map;
    bool_list bools;
    int32_t_list i32s;
    kube_opt_int32_list opt_i32s;
    int64_t_list i64s;
    double_list doubles;
    kube_time_list times;
    kube_duration_list durations;
    kube_quantity_list quantities;
    kube_int_or_string_list ports;
    kube_bytes_list blobs;
    kube_raw_json_list raws;
    fixture_leaf_list leaves;
    fixture_strict_list stricts;
    fixture_leaf_list_list leaf_lists;
    fixture_leaf_map_list leaf_maps;
    int32_t_list_list matrix;
    kube_string_list_list string_lists;
    kube_string_map_list string_maps;
    fixture_leaf_map leaf_map;
    fixture_leaf_list_map leaf_list_map;
    int64_t_map i64_map;
    int64_t_map_map i64_map_map;
    bool_map bool_map;
    double_map double_map;
    kube_quantity_map quantity_map;
    kube_raw_json_map raw_map;
    kube_string_list_map string_list_map;
    kube_string_map_map string_map_map;
    kube_bytes_map bytes_map;
    int64_t termination; /* three long names: 29, 37 and 37 bytes, the last two alike in 34 */
    int64_t override_;   /* +optional */
    int64_t overhead;    /* +optional */
    kube_extra extra;
} fixture_spec;

/* No kube_extra either. */
typedef struct fixture_status {
    const char *phase;
    int64_t observed_generation;
    kube_condition_list conditions;
    fixture_strict strict;
} fixture_status;

typedef struct fixture_widget {
    kube_object base;
    kube_object_meta metadata;
    fixture_spec spec;
    fixture_status status;
    kube_extra extra;
} fixture_widget;

extern const kube_schema fixture_leaf_schema;
extern const kube_schema fixture_tree_schema;
extern const kube_schema fixture_strict_schema;
extern const kube_schema fixture_spec_schema;
extern const kube_schema fixture_status_schema;
extern const kube_schema fixture_widget_schema;
extern const kube_type fixture_widget_type; /* test.kube.dev/v1 Widget, widgets, namespaced */

/* One object with every member of fixture_spec and fixture_status set, unknown members included,
 * as compact JSON in declaration order (its encoded form). */
extern const char fixture_full_json[];

#endif /* KUBE_TESTS_FIXTURE_TYPES_H */
