/* SPDX-License-Identifier: Apache-2.0 */
/* docs_plan() writes the reference of APIs in Markdown. */
#ifndef KUBEGEN_DOCS_PAGE_H
#define KUBEGEN_DOCS_PAGE_H

#include "front/model.h"
#include "support/output.h"

/*
 * Plans DIR/<group>_<version>.md for each API of @input ("core" for the empty group). Errors go to
 * @to.
 */
void docs_plan(const model *input, const char *dir, output_set *files, diag *to);

#endif /* KUBEGEN_DOCS_PAGE_H */
