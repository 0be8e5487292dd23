/* SPDX-License-Identifier: Apache-2.0 */
/* symbols_check() finds things that would be generated with the same name in C. */
#ifndef KUBEGEN_SYMBOLS_H
#define KUBEGEN_SYMBOLS_H

#include "model.h"

/* Says whether generated code uses @name for the Kind whose struct is called @kind. */
bool symbols_takes(const char *kind, const char *name);

/* Adds an error to @to for each name of @package that is generated twice or declared already. */
void symbols_check(const model_package *package, diag *to);

#endif /* KUBEGEN_SYMBOLS_H */
