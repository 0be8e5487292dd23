/* SPDX-License-Identifier: Apache-2.0 */
/* From a model and the templates to planned files. */
#ifndef KUBEGEN_RENDER_H
#define KUBEGEN_RENDER_H

#include "front/model.h"
#include "support/output.h"

typedef struct render_options {
    const char *out_root;     /* NULL = `generated` beside the group */
    const char *output;       /* of the tables of shared structs; NULL = below out_root */
    const char *template_dir; /* where templates are looked for first; NULL = nowhere */
} render_options;

/*
 * Plans what is generated of @package. Returns false with a line in @error if a template is wrong.
 */
bool render_package(const model_package *package, const render_options *options, output_set *files,
                    str *error);

#endif /* KUBEGEN_RENDER_H */
