/* SPDX-License-Identifier: Apache-2.0 */
/* model_load() makes a model of the headers that the command line names. */
#ifndef KUBEGEN_LOAD_H
#define KUBEGEN_LOAD_H

#include "model.h"
#include "support/text_list.h"

typedef struct model_options {
    const char *const *include_dirs; /* -I, searched before KUBEGEN_INCLUDE and the installed one */
    size_t include_len;
} model_options;

/*
 * Reads the inputs: directories `…/<group>/<version>` that hold a types.h, or paths of headers.
 * Returns NULL if there was an error; all of them are in @to then.
 */
model *model_load(const char *const *inputs, size_t input_len, const model_options *options,
                  diag *to);
/* Adds the directories where included headers are looked for, which are in @in or in @options. */
void model_add_dirs(struct arena *in, const model_options *options, text_list *dirs);

#endif /* KUBEGEN_LOAD_H */
