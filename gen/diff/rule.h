/* SPDX-License-Identifier: Apache-2.0 */
/* A rule says what one kind of change to an API breaks. docs/diff.md lists them from this table. */
#ifndef KUBEGEN_DIFF_RULE_H
#define KUBEGEN_DIFF_RULE_H

/* What a change breaks; the worst comes first. */
typedef enum severity {
    BREAKS_STORED,  /* objects that are stored lose values, are refused, or cannot be reached */
    BREAKS_CLIENTS, /* programs that use the API: their source, their calls, what they read */
    BREAKS_GITOPS,  /* manifests that are applied again and again: drift, conflicts */
    COMPATIBLE,
    SEVERITY_COUNT,
} severity;

typedef enum rule_id {
    RULE_CRD_REMOVED,
    RULE_CRD_ADDED,
    RULE_PLURAL_CHANGED,
    RULE_KIND_CHANGED,
    RULE_SCOPE_CHANGED,
    RULE_LIST_KIND_CHANGED,
    RULE_SINGULAR_CHANGED,
    RULE_SHORT_NAME_REMOVED,
    RULE_CATEGORY_REMOVED,
    RULE_CONVERSION_CHANGED,
    RULE_STORED_VERSION_REMOVED,
    RULE_VERSION_REMOVED,
    RULE_VERSION_UNSERVED,
    RULE_VERSION_ADDED,
    RULE_VERSION_SERVED,
    RULE_VERSION_DEPRECATED,
    RULE_STORAGE_VERSION_CHANGED,
    RULE_STORAGE_LOSES_FIELD,
    RULE_STORAGE_TYPE_DIFFERS,
    RULE_STORAGE_DEFAULT_DIFFERS,
    RULE_STATUS_REMOVED,
    RULE_STATUS_ADDED,
    RULE_SCALE_REMOVED,
    RULE_SCALE_ADDED,
    RULE_SCALE_PATH_CHANGED,
    RULE_SELECTABLE_FIELD_REMOVED,
    RULE_SELECTABLE_FIELD_ADDED,
    RULE_COLUMN_REMOVED,
    RULE_COLUMN_CHANGED,
    RULE_COLUMN_ADDED,
    RULE_SCHEMA_REMOVED,
    RULE_FIELD_REMOVED,
    RULE_FIELD_RENAMED,
    RULE_FIELD_UNNAMED,
    RULE_FIELD_NAMED,
    RULE_FIELD_ADDED,
    RULE_TYPE_CHANGED,
    RULE_TYPE_WIDENED,
    RULE_REQUIRED_ADDED,
    RULE_REQUIRED_REMOVED,
    RULE_ENUM_ADDED,
    RULE_ENUM_NARROWED,
    RULE_ENUM_WIDENED,
    RULE_ENUM_REMOVED,
    RULE_LIMIT_TIGHTENED,
    RULE_LIMIT_LOOSENED,
    RULE_PATTERN_ADDED,
    RULE_PATTERN_CHANGED,
    RULE_PATTERN_REMOVED,
    RULE_FORMAT_ADDED,
    RULE_FORMAT_CHANGED,
    RULE_FORMAT_LOOSENED,
    RULE_DEFAULT_ADDED,
    RULE_DEFAULT_CHANGED,
    RULE_DEFAULT_REMOVED,
    RULE_NULLABLE_REMOVED,
    RULE_NULLABLE_ADDED,
    RULE_LIST_TYPE_TIGHTENED,
    RULE_LIST_TYPE_CHANGED,
    RULE_LIST_KEYS_CHANGED,
    RULE_MAP_TYPE_CHANGED,
    RULE_CEL_RULE_ADDED,
    RULE_CEL_RULE_CHANGED,
    RULE_CEL_RULE_REMOVED,
    RULE_PRESERVE_UNKNOWN_REMOVED,
    RULE_PRESERVE_UNKNOWN_ADDED,
    RULE_EMBEDDED_RESOURCE_ADDED,
    RULE_EMBEDDED_RESOURCE_REMOVED,
    RULE_COMBINATION_TIGHTENED,
    RULE_COMBINATION_LOOSENED,
    RULE_C_TYPE_REMOVED,
    RULE_C_NAME_REMOVED,
    RULE_C_MEMBER_RENAMED,
    RULE_C_MEMBER_TYPE_CHANGED,
    RULE_C_FUNCTIONS_RENAMED,
    RULE_C_VERB_REMOVED,
    RULE_COUNT,
} rule_id;

typedef struct change_rule {
    const char *name; /* "field-removed" */
    severity breaks;
    const char *help; /* a sentence: what happens */
} change_rule;

extern const change_rule change_rules[RULE_COUNT];
/* "breaks stored objects", by severity; and the same as one word for programs. */
extern const char *const severity_texts[SEVERITY_COUNT];
extern const char *const severity_names[SEVERITY_COUNT];

#endif /* KUBEGEN_DIFF_RULE_H */
