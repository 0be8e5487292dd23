/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From OpenAPI to a types.h: what the parts of `kubegen import` share. A part that fails puts one
 * line into the import's error and returns false or NULL; the first error is kept.
 */
#ifndef KUBEGEN_IMPORT_H
#define KUBEGEN_IMPORT_H

#include "openapi.h"
#include "support/arena.h"
#include "support/json_value.h"
#include "support/str.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>

typedef VEC(const char *) import_names;

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
    bool holds_structs; /* a list or map of structs */
    bool is_number;     /* also kube_opt_* */
    bool is_scalar;     /* a string, a number or a boolean */
    bool can_be_absent; /* has a zero that is not sent */
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
    bool is_metadata;         /* of a kind */
    const char *enum_prefix;  /* NULL = no enum */
    VEC(import_value) values; /* of the enum, sorted by text */
} import_field;

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
    import_names subresources;
    VEC(import_field) fields;
    enum import_state state;
    bool recursive;
};

/* A list or map type that is to be declared. */
typedef struct import_container {
    const char *name;    /* "core_v1_container_list" */
    const char *element; /* "core_v1_container" */
    bool is_map;
    import_struct *record; /* at the bottom; NULL = of the runtime */
} import_container;

typedef struct import_options {
    const char *group; /* "" = core */
    const char *version;
    const char *output; /* directory; NULL = by the schemas' names */
    const char *license;
    import_names kinds;
    import_names types; /* further structs: "PodTemplateSpec", "PersistentVolumeClaim[]" */
    import_names include_dirs;
    bool docs;
    bool own_all; /* declare what other groups share instead of including it */
} import_options;

typedef struct import {
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
    VEC(import_container) containers;
    import_names includes; /* "core/v1/types.h" */
} import;

/* False, to be returned. Only the first call counts. */
__attribute__((format(printf, 2, 3))) bool import_fail(import *im, const char *format, ...);

/* ---- import_names.c ---- */
/* What a schema that every API uses is in C: "kube_time", "kube_object_meta"; NULL = it is none of
 * these. @is_struct tells whether it is a struct of kube/meta.h. */
const char *import_known(const char *schema_name, bool *is_struct);
/* "io.k8s.api.core.v1" of "io.k8s.api.core.v1.Pod"; "" when there is no dot. */
const char *import_package(arena *in, const char *schema_name);
/* "Pod". */
const char *import_last(const char *schema_name);
/* "core/v1" when the schema is one that the shipped APIs are made of, else NULL. */
const char *import_shared_dir(arena *in, const char *schema_name);
/* A member's name in C for one in JSON. */
const char *import_field_name(arena *in, const char *json);
/* Words of a schema's name as the end of a C name: "CSIVolumeSource" → "csi_volume_source". */
const char *import_snake(arena *in, const char *text);
/* "ports" → "port": for the elements of a list that have no name of their own. */
const char *import_singular(arena *in, const char *plural);
const char *import_upper(arena *in, const char *text);

/* ---- import_schema.c ---- */
/* The schema behind $ref and a single allOf; *@name (if there was one) is the last $ref's. NULL
 * after an error. */
const json_value *import_resolve(import *im, const json_value *schema, const char *path,
                                 const char **name);
/* The first of a schema's properties; NULL = it has none. */
const json_value *import_properties(const json_value *schema);
/* Writes the schemas that @roots (names) reach as a document without texts. */
bool import_write_closure(import *im, const import_names *roots, str *out);

/* ---- import_shape.c ---- */
/* The shape of a value that may be absent unless @is_required; @hint is the C name of a struct that
 * is written in place. */
bool import_shape_of(import *im, const json_value *schema, const char *path, const char *hint,
                     bool is_required, import_shape *out);

/* ---- import_struct.c ---- */
/* The struct of a schema with properties, made if it must be; its members are read by
 * import_read_struct. */
import_struct *import_struct_of(import *im, const char *schema_name, const json_value *schema,
                                const char *path, const char *hint);
bool import_read_struct(import *im, import_struct *record);
/* Whether a list or map would have the name of a struct. */
bool import_check_names(import *im);
/* Remembers that a list or map of @element is used; returns its name. */
const char *import_container_of(import *im, const import_shape *element, bool is_map);
/* Whether the schema belongs to another group, whose header has it. */
bool import_is_shared(const import *im, const char *schema_name);
/* The name it has there, and the header is included; NULL after an error. */
const char *import_shared_name(import *im, const char *schema_name, const char *path);

/* ---- import_kind.c ---- */
/* What the document's paths say of a kind. */
void import_read_paths(import *im, import_struct *kind);

/* ---- import_write.c ---- */
void import_write(import *im, str *out);

#endif /* KUBEGEN_IMPORT_H */
