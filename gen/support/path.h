/* SPDX-License-Identifier: Apache-2.0 */
/* These functions work on paths of files as texts. Results lie in the arena. */
#ifndef KUBEGEN_SUPPORT_PATH_H
#define KUBEGEN_SUPPORT_PATH_H

#include "arena.h"
#include "text_list.h"

#include <stdbool.h>

bool path_is_dir(const char *path);
/* Returns the path without slashes at its end. */
char *path_trimmed(arena *in, const char *path);
/* Returns the path without its last name: "a/b" → "a", "a" → ".", "/a" → "/". */
char *path_parent(arena *in, const char *path);
/* Returns the last name, which is a part of @path. */
const char *path_last(const char *path);
/* Adds the paths that colons separate in @text, as in the variable PATH. @text may be NULL. */
void path_split(arena *in, const char *text, text_list *out);

#endif /* KUBEGEN_SUPPORT_PATH_H */
