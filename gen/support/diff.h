/* SPDX-License-Identifier: Apache-2.0 */
/* diff_print() prints unified differences of two texts. */
#ifndef KUBEGEN_DIFF_H
#define KUBEGEN_DIFF_H

#include <stdio.h>

/* Prints how @new_text differs from @old_text in the form of `diff -u`; nothing when it does not.
 */
void diff_print(const char *path, const char *old_text, const char *new_text, FILE *out);

#endif /* KUBEGEN_DIFF_H */
