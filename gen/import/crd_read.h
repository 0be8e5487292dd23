/* SPDX-License-Identifier: Apache-2.0 */
/* crd_read() finds the CustomResourceDefinitions in documents and takes their versions apart. */
#ifndef KUBEGEN_CRD_READ_H
#define KUBEGEN_CRD_READ_H

#include "support/arena.h"
#include "support/yaml_read.h"

#include <stdbool.h>

/* A version of a CRD; texts and values are the document's. */
typedef struct crd_version {
    diag_loc loc;     /* of the version's name */
    const char *path; /* for errors: "widgets.yaml:12: widgets.example.com/v1" */
    const char *group;
    const char *version;
    const char *kind;
    const char *plural;
    const json_value *metadata; /* of the CRD */
    const json_value *spec;     /* of the CRD */
    const json_value *node;     /* of spec.versions */
    const json_value *schema;   /* of the object; never NULL */
    bool namespaced;
} crd_version;

typedef VEC(crd_version) crd_versions;

/*
 * Adds the versions of each CRD in @documents. A list of objects in place of an object is gone
 * through, other objects are passed over. Errors go to @to.
 */
void crd_read(arena *in, const json_list *documents, const place_list *places, crd_versions *out,
              diag *to);
/* Sorts by group, version and Kind. That two are one is an error. */
void crd_sort(crd_versions *all, diag *to);

#endif /* KUBEGEN_CRD_READ_H */
