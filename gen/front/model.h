/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model is what kubegen knows about the headers it was given, after every check. The back end
 * sees nothing else of the front end. Everything in it is const for the back end, owned by the
 * model and in a fixed order, so that equal input gives equal output.
 */
#ifndef KUBEGEN_MODEL_H
#define KUBEGEN_MODEL_H

#include "support/diag.h"
#include "support/text_map.h"

#include <stdbool.h>
#include <stddef.h>

/* How a value is laid out in C and spelled in JSON: kube_kind of kube/generated.h, same order. */
/* Bounds of a struct: rows of a table have offsets and indexes of 16 bits. */
enum { MODEL_MEMBERS_MAX = 20000, MODEL_SIZE_MAX = 65534 };

typedef enum model_kind {
    MODEL_STRING,   /* const char * */
    MODEL_BOOL,     /* bool */
    MODEL_INT32,    /* int32_t */
    MODEL_INT64,    /* int64_t */
    MODEL_DOUBLE,   /* double */
    MODEL_OPT_BOOL, /* kube_opt_… */
    MODEL_OPT_INT32,
    MODEL_OPT_INT64,
    MODEL_OPT_DOUBLE,
    MODEL_TIME,          /* kube_time */
    MODEL_MICRO_TIME,    /* kube_micro_time */
    MODEL_DURATION,      /* kube_duration */
    MODEL_QUANTITY,      /* kube_quantity */
    MODEL_INT_OR_STRING, /* kube_int_or_string */
    MODEL_BYTES,         /* kube_bytes */
    MODEL_RAW_JSON,      /* kube_raw_json */
    MODEL_STRUCT,        /* T */
    MODEL_STRUCT_PTR,    /* T * */
    MODEL_LIST,          /* T_list, any T but string */
    MODEL_MAP,           /* T_map, any T but string */
    MODEL_STRING_LIST,   /* kube_string_list */
    MODEL_STRING_MAP,    /* kube_string_map */
} model_kind;

typedef struct model_struct model_struct;
typedef struct model_container model_container;
typedef struct model_alias model_alias;
typedef struct model_field model_field;

typedef struct model_texts {
    const char **items;
    size_t len;
} model_texts;

typedef struct model_pair {
    const char *key;
    const char *value;
} model_pair;

typedef struct model_pairs {
    model_pair *items;
    size_t len;
} model_pairs;

/* The type of a field, of a list's element or of a map's value. */
typedef struct model_type {
    model_kind kind;
    const char *c_name;               /* the type's name in C: "int32_t", "samplecrd_v1_port_list",
                                         "const char *"; for STRUCT_PTR the struct's name */
    const model_struct *record;       /* STRUCT, STRUCT_PTR */
    const model_container *container; /* LIST, MAP */
    const model_alias *alias;         /* the typedef that it was written as; NULL = none */
    const model_alias *text;          /* that of a STRING_LIST's or STRING_MAP's strings */
} model_type;

/* A T_list or T_map: one for each C type, however many fields have it. */
struct model_container {
    const char *name;    /* "samplecrd_v1_port_list" */
    const char *entry;   /* a map's "…_map_entry" {const char *key; T value;}; NULL for a list */
    model_kind kind;     /* MODEL_LIST or MODEL_MAP */
    model_type element;  /* T */
    const char *include; /* header that declares it, as in model_struct */
};

/* A value of +kubebuilder:validation:Enum or +enum. */
typedef struct model_literal {
    const char *text; /* the string itself, unquoted, or the number as JSON has it */
    bool is_string;
} model_literal;

/* A rule of +kubebuilder:validation:XValidation; NULL = not given. */
typedef struct model_cel {
    const char *rule;
    const char *message;
    const char *message_expression;
    const char *reason;
    const char *field_path;
    const char *optional_old_self; /* "true", "false" */
} model_cel;

typedef struct model_validation {
    const char *minimum; /* number as JSON has it; NULL = none, here and below */
    const char *maximum;
    const char *min_length; /* whole number */
    const char *max_length;
    const char *multiple_of;
    const char *min_items; /* whole numbers */
    const char *max_items;
    const char *min_properties;
    const char *max_properties;
    bool exclusive_minimum;
    bool exclusive_maximum;
    const char *pattern;
    const char *format;
    model_literal *enums; /* in the order of the marker; sorted for +enum */
    size_t enum_len;
    const char *type;   /* "string": what the JSON is, where the type in C does not say it */
    bool int_or_string; /* likewise, said of raw JSON */
    bool preserve;      /* unknown members are kept */
    bool embedded;      /* an object with apiVersion, kind and metadata */
    model_cel *cel;     /* as written */
    size_t cel_len;
    const char *title;
    const char *example; /* as written: see literal.h */
    const char *docs_url;
    const char *docs_description;
    const char *patch;                    /* +kubegen:schema, in JSON */
    const struct model_validation *items; /* of a list's elements; NULL = none */
} model_validation;

/* What the server puts where a member is left out. */
typedef struct model_default {
    const char *text; /* as written, for default_value(); NULL = none */
    bool is_loose;    /* not JSON: see literal.h */
    diag_loc loc;
} model_default;

/* A member's name in a marker. */
typedef struct model_key {
    const char *json;
    diag_loc loc;
} model_key;

/* How server-side apply and strategic merge patches treat a member; NULL = not said. */
typedef struct model_merge {
    const char *list_type; /* "atomic", "set", "map" */
    const char *map_type;  /* of a map or a struct: "atomic", "granular" */
    model_key *keys;       /* of a list of type map, as written */
    size_t key_len;
    model_key patch_key; /* of a strategic merge patch */
} model_merge;

/* A typedef with rules and a text of its own, which hold wherever it is used. */
struct model_alias {
    const char *name; /* "samplecrd_v1_duration" */
    const char *doc;
    diag_loc loc;
    model_type of; /* what it stands for; its alias is the next typedef */
    model_validation validation;
    model_merge merge;
};

/* A marker above a member: where it stands. */
typedef struct model_note {
    const char *name; /* without `+` */
    diag_loc loc;
} model_note;

typedef enum model_role {
    MODEL_MEMBER, /* a JSON member of its own */
    MODEL_BASE,   /* kube_object base */
    MODEL_EXTRA,  /* kube_extra */
    MODEL_INLINE, /* +inline: its members are the outer struct's */
} model_role;

struct model_field {
    const char *name; /* in C: "namespace_" */
    const char *json; /* "namespace"; NULL unless a MODEL_MEMBER */
    const char *doc;  /* cleaned, markers removed, lines joined by '\n'; "" = none */
    diag_loc loc;     /* of the name */
    model_role role;
    model_type type;     /* not of a MODEL_BASE or MODEL_EXTRA */
    bool optional;       /* +optional */
    bool nullable;       /* +nullable */
    bool required;       /* +required */
    bool unrequired;     /* +kubebuilder:validation:Optional of the header */
    bool intern;         /* +kubegen:intern */
    bool server_set;     /* +kubegen:serverSet */
    bool send_empty;     /* +kubegen:sendEmpty */
    bool managed_fields; /* +kubegen:managedFields */
    bool schemaless;     /* only what markers say is in the schema */
    bool immutable;      /* +k8s:immutable */
    bool status;         /* `status` of a kind */
    model_validation validation;
    model_default initial; /* +kubebuilder:default, +default */
    model_merge merge;
    model_note *notes; /* its markers, as written */
    size_t note_len;
};

/* A JSON member of a struct, +inline ones flattened. */
typedef struct model_member {
    const model_field *field;
    const char *path; /* from the struct to the field in C: "cidr", "common.cidr" */
} model_member;

enum model_verb {
    MODEL_CREATE = 1 << 0,
    MODEL_UPDATE = 1 << 1,
    MODEL_UPDATE_STATUS = 1 << 2, /* never without a status */
    MODEL_DELETE = 1 << 3,
    MODEL_DELETE_COLLECTION = 1 << 4,
    MODEL_GET = 1 << 5,
    MODEL_LIST_VERB = 1 << 6,
    MODEL_WATCH = 1 << 7,
    MODEL_PATCH = 1 << 8,
    MODEL_APPLY = 1 << 9,
    MODEL_APPLY_STATUS = 1 << 10, /* never without a status */
    MODEL_GET_SCALE = 1 << 11,    /* never without a scale subresource */
    MODEL_UPDATE_SCALE = 1 << 12,
    MODEL_ALL_VERBS = (1 << 13) - 1,
};

/* +kubebuilder:printcolumn; NULL = not given. */
typedef struct model_column {
    const char *name;
    const char *type;
    const char *json_path;
    diag_loc path_loc; /* of its first byte */
    const char *description;
    const char *format;
    const char *priority; /* whole number */
} model_column;

/* A Kind that a +genclient:method sends or gets. */
typedef struct model_peer {
    const char *c_name; /* "authentication_v1_token_request" */
    const char
        *include; /* the header that declares its kube_type; NULL = generated with the Kind */
} model_peer;

/* +genclient:method */
typedef struct model_method {
    const char *name; /* of the call, after the plural: "update_scale" */
    const char *verb; /* "get", "create", "update", "apply" */
    const char *subresource;
    model_peer input;
    model_peer result;
} model_method;

/* +kubebuilder:selectablefield */
typedef struct model_path {
    const char *text; /* ".spec.zone" */
    diag_loc loc;     /* of its first byte */
} model_path;

/* +kubebuilder:subresource:scale; a path is ".spec.replicas", NULL = not given. */
typedef struct model_scale {
    const char *spec_path; /* NULL = there is no scale */
    const char *status_path;
    const char *selector_path;
    diag_loc spec_loc;
    diag_loc status_loc;
    diag_loc selector_loc;
} model_scale;

/* What +genclient and its companions say about a struct: it is a Kind. */
typedef struct model_resource {
    const model_struct *record;
    const char *kind;      /* "AppService" */
    const char *list_kind; /* "AppServiceList" */
    const char *singular;  /* "appservice" */
    const char *plural;    /* "appservices": the path segment of the REST API */
    const char *c_list;    /* "appcontroller_v1alpha1_app_service_list" */
    const char *c_plural;  /* "appcontroller_v1alpha1_app_services": what API calls begin with */
    bool namespaced;
    bool has_status;         /* a status member, and no +genclient:noStatus */
    bool status_subresource; /* +kubebuilder:subresource:status */
    model_scale scale;
    bool stored; /* +kubebuilder:storageversion */
    diag_loc stored_loc;
    bool unserved;                   /* +kubebuilder:unservedversion */
    bool skipped;                    /* no CRD has it: +kubebuilder:skipversion or skip */
    bool deprecated;                 /* +kubebuilder:deprecatedversion */
    const char *deprecation_warning; /* NULL = the server's own */
    unsigned verbs;                  /* of enum model_verb; 0 = no client */
    model_texts short_names;         /* as written */
    model_texts categories;          /* as written */
    model_pairs annotations;         /* of the CRD, sorted by key */
    model_pairs labels;              /* of the CRD, sorted by key */
    model_column *columns;           /* as written */
    size_t column_len;
    model_method *methods; /* as written */
    size_t method_len;
    model_path *selectable; /* as written */
    size_t selectable_len;
} model_resource;

struct model_struct {
    const char *name; /* "samplecrd_v1_network_spec" */
    const char *doc;
    diag_loc loc;
    const char *include; /* "samplecrd/v1/types.h", "kube/meta.h": the header that declares it */
    bool foreign;        /* another header's: its `<name>_schema` is generated with that one */
    bool incomplete; /* a member was refused with an error: it may be the one that is looked for */
    const char *map_type; /* "atomic", "granular"; NULL = not said */
    model_validation validation;
    model_key *chosen; /* members that rules such as ExactlyOneOf name */
    size_t chosen_len;
    model_field *fields; /* as declared */
    size_t field_len;
    model_member *members; /* in declaration order; without base and extra */
    size_t member_len;
    text_map by_json;               /* the members' fields */
    const char *extra;              /* path to the kube_extra in C, as of a member; or NULL */
    const model_resource *resource; /* NULL = not a Kind */
};

/* A name that headers declare beside their structs. */
typedef struct model_declared {
    const char *name;
    const char *what; /* "a function of the header" */
    diag_loc loc;
} model_declared;

/* One header: an API group's version, or structs that APIs share, such as kube/meta.h. */
typedef struct model_package {
    const char *input;            /* as given on the command line */
    const char *header;           /* path of the header, relative if the input was */
    const char *include;          /* "samplecrd/v1/types.h" */
    const char *root;             /* directory above group and version, where include is found */
    const char *group_dir;        /* "samplecrd"; of a library the directory ("kube") */
    const char *group;            /* "samplecrd.k8s.io", "" = core; NULL = a library, no API */
    const char *version;          /* "v1"; NULL for a library */
    const char *prefix;           /* "samplecrd_v1" */
    bool skipped;                 /* +kubebuilder:skip */
    const model_struct **structs; /* declared in the header, in its order */
    size_t struct_len;
    const model_struct **foreign; /* reached from them, other headers', sorted by name */
    size_t foreign_len;
    const model_container **containers; /* of their members; what is inside comes first */
    size_t container_len;
    const model_resource **resources; /* sorted by kind */
    size_t resource_len;
    const model_declared *declared; /* by the headers; not those of the system and of libkube */
    size_t declared_len;
    model_texts inputs; /* every file that was read but the compiler's and the system's, sorted */
} model_package;

typedef struct model {
    const model_package **packages; /* in the order of the command line, without repeats */
    size_t package_len;
    struct arena *arena; /* holds all of it */
} model;

void model_free(model *loaded);

/* The verbs as markers and RBAC rules spell them, by the bit of enum model_verb; ends with NULL. */
extern const char *const model_verb_names[];

/* Returns the type of a list's elements or of a map's values. */
model_type model_element(const model_type *type);
bool model_is_list(const model_type *type);
bool model_is_map(const model_type *type);
bool model_is_struct(const model_type *type); /* by value or by pointer */
bool model_is_integer(const model_type *type);

/* Says whether the CRD keeps members of a struct that no header names: by @rules, those of a member
 * or none (NULL), or by those of its type. */
bool model_keeps_unknown(const model_type *type, const model_validation *rules);
/* Says whether the CRD requires the member. */
bool model_is_required(const model_field *field);
/* Returns the member that has this name in JSON, or NULL. */
const model_field *model_find_member(const model_struct *of, const char *json);

#endif /* KUBEGEN_MODEL_H */
