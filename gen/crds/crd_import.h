/* SPDX-License-Identifier: Apache-2.0 */
/* crd_import() makes headers of CRDs, one of each group and version. */
#ifndef KUBEGEN_CRD_IMPORT_H
#define KUBEGEN_CRD_IMPORT_H

#include "support/output.h"
#include "support/text_list.h"
#include "support/yaml_read.h"

typedef struct crd_import_options {
    const char *group;   /* NULL = all */
    const char *version; /* NULL = all */
    text_list kinds;     /* none = all */
    const char *root;    /* where <group>/<version>/types.h go; NULL = no headers */
    const char *schema;  /* file that gets what the CRDs say, a line each; NULL = none */
    const char *license;
    const char *names;      /* the file of names; NULL = none */
    text_list include_dirs; /* of the shipped APIs */
    bool docs;
    bool own_all; /* declare what the shipped APIs have instead of including it */
} crd_import_options;

/* Plans the headers, and the file of names. Errors go to @to. */
void crd_import(const crd_import_options *options, const json_list *documents,
                const place_list *places, output_set *files, diag *to);

#endif /* KUBEGEN_CRD_IMPORT_H */
