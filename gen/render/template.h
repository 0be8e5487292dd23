/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mustache templates, filled from a JSON value: variables, dotted names, sections, inverted
 * sections, partials, comments, set delimiters. Nothing is escaped: {{x}}, {{{x}}} and {{&x}} are
 * the same, because what comes out is C.
 */
#ifndef KUBEGEN_TEMPLATE_H
#define KUBEGEN_TEMPLATE_H

#include "support/json_value.h"
#include "support/str.h"

typedef struct template_set {
    /* The text of a template, which must live until rendering ends; NULL when there is none. */
    const char *(*find)(void *arg, const char *name);
    void *arg;
    /* A variable that nothing has a value for is an error, not an empty text. */
    bool strict;
} template_set;

/* Appends the template @name to @out; false with "name:line: what" in @error when it cannot. */
bool template_render(const template_set *set, const char *name, const json_value *view, str *out,
                     str *error);

#endif /* KUBEGEN_TEMPLATE_H */
