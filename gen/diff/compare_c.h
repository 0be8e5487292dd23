/* SPDX-License-Identifier: Apache-2.0 */
/* compare_c() tells which changes of headers keep C code that uses them from compiling. */
#ifndef KUBEGEN_DIFF_COMPARE_C_H
#define KUBEGEN_DIFF_COMPARE_C_H

#include "change.h"
#include "front/model.h"

void compare_c(change_list *out, const model *was, const model *is);

#endif /* KUBEGEN_DIFF_COMPARE_C_H */
