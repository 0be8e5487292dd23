/* SPDX-License-Identifier: Apache-2.0 */
/* Headers in a scratch directory, and what the generator's front end makes of them. */
#ifndef TESTS_GEN_GEN_KIT_H
#define TESTS_GEN_GEN_KIT_H

#include "front/load.h"
#include "support/suite.h"

/* The text of a header of API errors/v1 up to its first struct. */
#define HEADER_TOP                                                                                 \
    "// +groupName=things.example.com\n"                                                           \
    "#pragma once\n"                                                                               \
    "#include <kube/meta.h>\n"

/* A model of one header, with what was said about it. */
typedef struct loaded {
    char dir[64]; /* scratch directory, removed with it */
    model *model; /* NULL after an error */
    diag *diag;
    char *messages; /* printed, with paths relative to dir */
} loaded;

/*
 * Writes @text as <dir>/@path, changes into the directory and loads it the way `kubegen generate
 * things/v1` does for the path things/v1/types.h.
 */
loaded load_text(const char *path, const char *text);
void unload(loaded *of);

/* The only package's struct of this name; fails the test when there is none. */
const model_struct *find_struct(const loaded *in, const char *name);
const model_field *find_field(const model_struct *in, const char *name);

#endif /* TESTS_GEN_GEN_KIT_H */
