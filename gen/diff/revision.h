/* SPDX-License-Identifier: Apache-2.0 */
/* A revision is the headers and documents of a state that git keeps, in a directory of their own.
 */
#ifndef KUBEGEN_DIFF_REVISION_H
#define KUBEGEN_DIFF_REVISION_H

#include "support/arena.h"
#include "support/str.h"

#include <stdbool.h>

typedef struct revision {
    const char *name;    /* as given: "v1.0" */
    const char *scratch; /* directory that revision_remove() removes */
    const char *tree;    /* where the files lie, as in the repository: "…/tree" */
    const char *top;     /* of the working tree: "/home/me/network" */
    const char *prefix;  /* the current directory in it: "" or "apis/" */
} revision;

/*
 * Takes the .h, .inc, .yaml, .yml and .json files of @name, a tag, branch or commit, out of the
 * repository that the current directory belongs to; neither its working tree nor its index are
 * touched. Returns false with a line in @error. In either case call revision_remove().
 */
bool revision_take(arena *in, const char *name, revision *out, str *error);
void revision_remove(revision *of);
/* Returns where @path, relative to the current directory, lies in the revision. */
const char *revision_path(arena *in, const revision *of, const char *path);
/* Returns the directory of the revision that stands for @dir, or NULL if it is of elsewhere. */
const char *revision_dir(arena *in, const revision *of, const char *dir);

#endif /* KUBEGEN_DIFF_REVISION_H */
