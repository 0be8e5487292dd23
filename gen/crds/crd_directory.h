/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a group's headers, and what a header that is there already would lose. */
#ifndef KUBEGEN_CRD_DIRECTORY_H
#define KUBEGEN_CRD_DIRECTORY_H

#include "import/crd_read.h"
#include "support/json_value.h"

/*
 * Returns the directory of @group, which no other group of @all or of the file of names has, and
 * notes it in @names, the contents of that file.
 */
const char *crd_directory_choose(arena *in, const crd_versions *all, json_value *names,
                                 const char *group);

/*
 * Says whether the header at @path may be replaced by one with the Kinds of @versions, all of one
 * group and version: there is none, or it is of their group and has no other Kind. Else the error
 * goes to @to. @directory is the group's, and @prefix what names of the header begin with.
 */
bool crd_directory_check(arena *in, const char *path, const char *directory, const char *prefix,
                         const crd_version *versions, size_t len, diag *to);

#endif /* KUBEGEN_CRD_DIRECTORY_H */
