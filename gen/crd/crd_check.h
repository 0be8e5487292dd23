/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crd_check() finds what an API server would refuse, or would accept and never serve, in CRDs that
 * are otherwise well formed: rules about a whole document, whoever made it.
 */
#ifndef KUBEGEN_CRD_CHECK_H
#define KUBEGEN_CRD_CHECK_H

#include "crd_document.h"

/* Reports what is wrong with the CRDs of one run, which go to the same server. */
void crd_check(const crd_list *list, const place_list *places, diag *to);

/* Reports what is wrong with a schema, which is at @loc unless a part of it has its own place. */
void crd_check_schema(const json_value *schema, diag_loc loc, const place_list *places, diag *to);

/* Reports what is wrong with the default of a schema at @loc, if it has one. */
void crd_check_default(const json_value *schema, diag_loc loc, diag *to);
/* Says whether servers take @value for the schema, but for rules in CEL and the items of a set. */
bool crd_accepts(const json_value *schema, const json_value *value);
/* Say whether servers take a text as the key of a label or an annotation, or as a label's value. */
bool crd_is_label_key(const char *text);
bool crd_is_label_value(const char *text);

#endif /* KUBEGEN_CRD_CHECK_H */
