/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One table has all markers that kubegen knows; it drives reading, checking and `kubegen explain`.
 * Any other marker is an error, so that a typing error is never ignored.
 */
#ifndef KUBEGEN_MARKERS_H
#define KUBEGEN_MARKERS_H

#include "comments.h"
#include "support/arena.h"
#include "support/diag.h"

#include <stdbool.h>
#include <stddef.h>

enum marker_place {
    MARKER_HEADER = 1 << 0, /* above the header's first directive or declaration */
    MARKER_TYPE = 1 << 1,   /* above a struct */
    MARKER_FIELD = 1 << 2,  /* above a member */
    MARKER_ANYWHERE = 1 << 3,
    MARKER_INERT = 1 << 4,   /* anywhere, and nothing reads it: another generator's */
    MARKER_TYPEDEF = 1 << 5, /* above a typedef that defines no struct */
    /* What says something about a value, whether it is a member's or a type's. */
    MARKER_VALUE = MARKER_TYPE | MARKER_FIELD | MARKER_TYPEDEF,
};

typedef enum marker_syntax {
    MARKER_BARE,       /* +name */
    MARKER_TEXT,       /* +name=text, up to the end of the line; may be quoted */
    MARKER_NUMBER,     /* +name=-1.5 */
    MARKER_COUNT,      /* +name=3 */
    MARKER_WORDS,      /* +name=a,b */
    MARKER_LITERALS,   /* +name=a;b or {a,b} */
    MARKER_ARGS,       /* +name:arg=value,arg=value */
    MARKER_LOOSE,      /* +name=value of any type: see literal.h */
    MARKER_JSON_VALUE, /* +name={"a":1} */
    MARKER_PATCH,      /* +name={"a":null}: a JSON object, whose members may be null */
    MARKER_UNREAD,     /* whatever follows the name of an inert marker */
} marker_syntax;

typedef enum marker_id {
    MARKER_GROUP_NAME,
    MARKER_VERSION_NAME,
    MARKER_PREFIX,
    MARKER_KIND,
    MARKER_GENCLIENT,
    MARKER_NO_STATUS,
    MARKER_NON_NAMESPACED,
    MARKER_NO_VERBS,
    MARKER_READONLY,
    MARKER_ONLY_VERBS,
    MARKER_SKIP_VERBS,
    MARKER_METHOD,
    MARKER_RESOURCE_NAME,
    MARKER_C_PLURAL,
    MARKER_OPTIONAL,
    MARKER_REQUIRED,
    MARKER_VALIDATION_OPTIONAL, /* reads as MARKER_OPTIONAL */
    MARKER_VALIDATION_REQUIRED, /* reads as MARKER_REQUIRED */
    MARKER_NULLABLE,
    MARKER_JSON,
    MARKER_INLINE,
    MARKER_DEFAULT,
    MARKER_DEFAULT_JSON,
    MARKER_ENUM,
    MARKER_INTERN,
    MARKER_SERVER_SET,
    MARKER_SEND_EMPTY,
    MARKER_MANAGED_FIELDS,
    MARKER_DEEPCOPY,
    MARKER_DEEPCOPY_INTERFACES,
    MARKER_DEEPCOPY_NONPOINTER,
    MARKER_RESOURCE,
    MARKER_METADATA,
    MARKER_SUBRESOURCE_STATUS,
    MARKER_SUBRESOURCE_SCALE,
    MARKER_PRINT_COLUMN,
    MARKER_SELECTABLE_FIELD,
    MARKER_STORAGE_VERSION,
    MARKER_UNSERVED_VERSION,
    MARKER_SKIP_VERSION,
    MARKER_SKIP,
    MARKER_DEPRECATED_VERSION,
    MARKER_RBAC,
    MARKER_MINIMUM,
    MARKER_MAXIMUM,
    MARKER_EXCLUSIVE_MINIMUM,
    MARKER_EXCLUSIVE_MAXIMUM,
    MARKER_MULTIPLE_OF,
    MARKER_MIN_LENGTH,
    MARKER_MAX_LENGTH,
    MARKER_PATTERN,
    MARKER_FORMAT,
    MARKER_MIN_ITEMS,
    MARKER_MAX_ITEMS,
    MARKER_MIN_PROPERTIES,
    MARKER_MAX_PROPERTIES,
    MARKER_ENUM_VALUES,
    MARKER_X_VALIDATION,
    MARKER_EXACTLY_ONE_OF,
    MARKER_AT_MOST_ONE_OF,
    MARKER_AT_LEAST_ONE_OF,
    MARKER_IMMUTABLE,
    MARKER_K8S_REQUIRED,
    MARKER_K8S_OPTIONAL, /* from here on: read as the older spellings */
    MARKER_K8S_MINIMUM,
    MARKER_K8S_MAXIMUM,
    MARKER_K8S_MAX_ITEMS,
    MARKER_K8S_ENUM,
    MARKER_K8S_LIST_TYPE,
    MARKER_K8S_LIST_MAP_KEY,
    MARKER_TYPE_NAME,
    MARKER_INT_OR_STRING,
    MARKER_PRESERVE,
    MARKER_X_PRESERVE,
    MARKER_EMBEDDED,
    MARKER_X_EMBEDDED,
    MARKER_SCHEMALESS,
    MARKER_TITLE,
    MARKER_EXAMPLE,
    MARKER_EXTERNAL_DOCS,
    MARKER_SCHEMA,
    MARKER_LIST_TYPE,
    MARKER_LIST_MAP_KEY,
    MARKER_MAP_TYPE,
    MARKER_STRUCT_TYPE,
    MARKER_PATCH_STRATEGY,
    MARKER_PATCH_MERGE_KEY,
    MARKER_ID_COUNT, /* also the id of every inert marker */
} marker_id;

typedef enum marker_arg_kind {
    MARKER_ARG_TEXT,
    MARKER_ARG_COUNT,
    MARKER_ARG_LIST,  /* a;b or {a,b} */
    MARKER_ARG_PAIRS, /* the same of key=value */
} marker_arg_kind;

typedef struct marker_arg_spec {
    const char *name;
    marker_arg_kind kind;
    bool is_required;
    const char *const *choices; /* NULL-terminated; NULL = anything */
    const char *help;
} marker_arg_spec;

typedef struct marker_spec {
    const char *name; /* without `+` */
    unsigned places;
    marker_syntax syntax;
    bool may_repeat;
    bool may_be_empty;           /* a TEXT */
    bool may_be_bare;            /* likewise: the value may be missing */
    bool needs_genclient;        /* means nothing but on a Kind */
    bool leads_with_value;       /* +name=value,arg=value: the value is the first of ARGS */
    bool is_family;              /* inert: the name is what the names of several begin with */
    marker_id same_as;           /* another spelling of this marker; 0 = of none */
    const char *const *choices;  /* of TEXT and WORDS; NULL-terminated; NULL = anything */
    const marker_arg_spec *args; /* ends with a NULL name */
    const char *usage;           /* "+resourceName=networks" */
    const char *help;            /* whole sentences, lines separated by '\n' */
} marker_spec;

/* A value with its place in the source. */
typedef struct marker_value {
    const char *text;
    diag_loc loc;
    bool is_quoted;
} marker_value;

typedef struct marker_arg {
    const marker_arg_spec *spec;
    diag_loc loc;
    marker_value *values; /* one, but of LIST and PAIRS */
    size_t value_len;
} marker_arg;

typedef struct marker {
    marker_id id;            /* of the usual spelling */
    const marker_spec *spec; /* of the one that was written */
    bool for_items;          /* it is about the elements of a list */
    const char *text;        /* "+genclient:onlyVerbs=get,list" */
    diag_loc loc;
    marker_value *values; /* several of WORDS and LITERALS, none of BARE and ARGS, else one */
    size_t value_len;
    marker_arg *args; /* as written */
    size_t arg_len;
} marker;

/* All that something reads, by marker_id, in the order of `kubegen explain`. */
extern const marker_spec marker_specs[MARKER_ID_COUNT];
/* Those that other generators read; they are accepted, so that types can come from Go as they are.
 */
extern const marker_spec marker_inert_specs[];
extern const size_t marker_inert_len;

/* Returns the marker of this index, the inert ones last, or NULL behind the last one. */
const marker_spec *marker_at(size_t index);
/* The reasons that a rule of CEL may give; ends with NULL. */
extern const char *const marker_cel_reasons[];

/* Returns the marker called @name, with or without `+`, or NULL. */
const marker_spec *marker_find(const char *name);
/*
 * Returns the rule that @name, which has no `+`, gives the elements of a list, as a marker of that
 * name: kubebuilder:validation:items:MinLength is what MinLength is. Returns NULL for any other.
 */
const marker_spec *marker_item_rule(arena *in, const char *name);
/* Returns the marker whose name @text, which has no `+`, begins with, or NULL. */
const marker_spec *marker_match(const char *text);
/* Returns what to say of a marker that only other generators know, or NULL for any other name. */
const char *marker_unsupported(const char *name);
/* Returns the name of the marker that was probably meant, or NULL if no name is near. */
const char *marker_nearest(arena *in, const char *name);

/* Reads a line that is_marker. Returns false after an error. */
bool marker_parse(arena *in, const char *file, const comment_line *line, marker *out, diag *to);

/* Returns where a marker belongs: "above a member", "above a struct". */
const char *marker_place_text(unsigned places);

/* Returns the argument @name of a marker, or NULL if it was not given or @in is NULL. */
const marker_arg *marker_find_arg(const marker *in, const char *name);

#endif /* KUBEGEN_MARKERS_H */
