/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two things that are generated would have the same name in C. */
#ifndef KUBEGEN_SYMBOLS_H
#define KUBEGEN_SYMBOLS_H

#include "model.h"

/* Whether @name is one that the Kind whose struct is called @kind gets in generated code. */
bool symbols_takes(const char *kind, const char *name);

/* Adds an error to @to for each name of @package that is generated twice or declared already. */
void symbols_check(const model_package *package, diag *to);

#endif /* KUBEGEN_SYMBOLS_H */
