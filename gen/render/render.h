/* SPDX-License-Identifier: Apache-2.0 */
/* From a model and the templates to planned files. */
#ifndef KUBEGEN_RENDER_H
#define KUBEGEN_RENDER_H

#include "front/model.h"
#include "support/output.h"

/*
 * Plans what is generated of @package below @out_root (NULL = `generated` beside its group).
 * @template_dir: where templates are looked for before those in the command; NULL = nowhere
 * False with a line in @error when a template is wrong.
 */
bool render_package(const model_package *package, const char *out_root, const char *template_dir,
                    output_set *files, str *error);

#endif /* KUBEGEN_RENDER_H */
