/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An api_state is an API at one time: what its headers or its CustomResourceDefinitions say, which
 * are read from files or from a revision of git.
 */
#ifndef KUBEGEN_DIFF_API_STATE_H
#define KUBEGEN_DIFF_API_STATE_H

#include "crd/crd_document.h"
#include "revision.h"
#include "support/text_list.h"
#include "support/yaml_read.h"

typedef struct api_state {
    arena *in;
    revision revision; /* its scratch is NULL if the files are read where they lie */
    model *model;      /* of the headers; NULL if there are none */
    crd_list built;    /* of them */
    json_list read;    /* the documents of files */
    json_list crds;    /* of either; owned by them */
    place_list places;
    text_list lacking; /* the paths that are not there */
} api_state;

typedef struct api_source {
    const char *revision;     /* NULL = files as they lie */
    bool from_top;            /* paths begin at the top of the repository */
    const text_list *paths;   /* directories of APIs or of CRDs, or files of them */
    bool may_lack;            /* a path that is not there is no error */
    const text_list *include; /* -I */
} api_source;

/*
 * Reads a state. Returns false after an error, which is in @to, or a line of @error. @to belongs to
 * this state alone: diag_file() tells how its files are called. In either case call
 * api_state_free(), when all places have been told.
 */
bool api_state_read(api_state *out, const api_source *from, diag *to, str *error);
void api_state_free(api_state *of);

#endif /* KUBEGEN_DIFF_API_STATE_H */
