/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `kubegen import`, which turn OpenAPI into a types.h, share these types. A part that
 * fails puts one line into the import's error and returns false or NULL; the first error is kept.
 */
#ifndef KUBEGEN_IMPORT_H
#define KUBEGEN_IMPORT_H

#include "openapi.h"
#include "support/arena.h"
#include "support/json_value.h"
#include "support/str.h"
#include "support/text_list.h"
#include "support/text_map.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct import_struct import_struct;

/* The C type of a member, of a list's element or of a map's value. */
typedef struct import_shape {
    const char *c_type;    /* "const char *", "kube_opt_int32", "core_v1_container_list" */
    import_struct *record; /* the struct at the bottom of it; NULL = none of this header */
    bool is_struct;        /* a struct itself: by value or by pointer */
    bool is_pointer;       /* T * */
    bool is_string;        /* const char * */
    bool is_list;
    bool is_map;
    bool holds_structs;               /* a list or map of structs */
    bool is_number;                   /* also kube_opt_* */
    bool is_scalar;                   /* a string, a number or a boolean */
    bool can_be_absent;               /* has a zero that is not sent */
    const struct import_shape *inner; /* what a list or map holds */
} import_shape;

/* A value of an enum and its #define. */
typedef struct import_value {
    const char *define; /* what follows the prefix and "_" */
    const char *text;
} import_value;

typedef struct import_field {
    const char *name; /* in C */
    const char *json;
    const char *doc;          /* NULL without --docs */
    const json_value *schema; /* as the property has it */
    import_shape shape;
    bool is_required;
    bool is_nullable;
    bool is_metadata;         /* of a kind */
    bool is_builtin;          /* a member of a type of Kubernetes itself */
    const char *enum_prefix;  /* NULL = no enum */
    VEC(import_value) values; /* of the enum, sorted by text */
    bool is_open_enum;        /* the CRD does not list them */
} import_field;

/* A list or map type that is to be declared. */
typedef struct import_container {
    const char *name;    /* "core_v1_container_list" */
    const char *element; /* "core_v1_container" */
    bool is_map;
} import_container;

enum import_state { IMPORT_NEW, IMPORT_OPEN, IMPORT_DONE };

struct import_struct {
    const char *name;         /* "core_v1_pod_spec" */
    const char *schema_name;  /* NULL = written in place */
    const char *path;         /* where in the document, for errors */
    const json_value *schema; /* with properties */
    const char *kind;         /* NULL = no kind of the header */
    const char *doc;
    const char *plural; /* of a kind's URL; NULL = the document does not say */
    bool namespaced;
    bool has_paths;
    bool has_status_path;
    unsigned verbs; /* of enum model_verb */
    text_list subresources;
    VEC(import_field) fields;
    size_t size;                      /* in C, at least */
    text_map members;                 /* in C */
    text_map json_members;            /* those that hold a scalar, by their JSON names */
    VEC(import_container) containers; /* of which this is at the bottom */
    enum import_state state;
    bool recursive;
    const struct crd_version *crd; /* that a kind is of; NULL = it is from an OpenAPI document */
    const char *c_plural;          /* of a kind; NULL = the usual one */
};

typedef struct import_options {
    const char *group; /* "" = core */
    const char *version;
    const char *output; /* directory; NULL = by the schemas' names */
    const char *schema; /* file that gets the schemas; NULL = none */
    const char *license;
    text_list kinds;
    text_list types; /* further structs: "PodTemplateSpec", "PersistentVolumeClaim[]" */
    text_list include_dirs;
    bool docs;
    bool own_all; /* declare what other groups share instead of including it */
} import_options;

/* What a header of another group should declare and does not. */
typedef struct import_missing {
    const char *include; /* "core/v1/types.h" */
    const char *path;    /* what needs the first of the types */
    bool is_absent;      /* there is no such header */
    text_list types;     /* "PodSpec", "PodSpec[]" */
} import_missing;

typedef struct importer {
    const import_options *options;
    const openapi *api;
    arena *arena;
    str *error;
    const char *package;          /* "io.k8s.api.apps.v1" */
    const char *group_dir;        /* "apps" */
    const char *directory;        /* where types.h goes */
    const char *root;             /* above group and version, with its slash: "apis/"; "" = here */
    const char *prefix;           /* "apps_v1" */
    VEC(import_struct *) structs; /* each before those that need it, as far as that goes */
    VEC(import_struct *) order;
    VEC(import_container) containers; /* of the runtime's types */
    text_list includes;               /* "core/v1/types.h" */
    text_map schemas;                 /* structs by the addresses of their schemas */
    text_map struct_names;
    text_map container_names;
    text_map enum_prefixes;
    text_map properties;         /* those of schemas that have them, by the address of the schema */
    text_map shared;             /* declarations that were looked for in other headers */
    VEC(import_missing) missing; /* of them */
    size_t value_count;          /* of all enums */
    int depth;                   /* of what is being read */
    str lost;                    /* what the markers of CRDs leave out */
    bool is_exact;               /* the header must say all that the schemas say: `import crd` */
} importer;

/* Keeps the first error. Returns false, for the caller to return. */
__attribute__((format(printf, 2, 3))) bool import_fail(importer *im, const char *format, ...);

/* A key of a text_map for a part of a document. */
const char *import_address(importer *im, const json_value *part);

#endif /* KUBEGEN_IMPORT_H */
