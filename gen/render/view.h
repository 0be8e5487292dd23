/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What templates are filled from: the only bridge between the model and the templates. Everything
 * a template would have to decide is decided here.
 */
#ifndef KUBEGEN_VIEW_H
#define KUBEGEN_VIEW_H

#include "front/model.h"
#include "support/json_value.h"

/*
 * The view of one header.
 * @spdx: licence identifier of the header, which its output carries on; NULL = none
 */
json_value *view_new(const model_package *package, const char *spdx);

#endif /* KUBEGEN_VIEW_H */
