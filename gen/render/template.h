/* SPDX-License-Identifier: Apache-2.0 */
/*
 * template_render() fills a Mustache template from a JSON value. It knows variables, dotted names,
 * sections, inverted sections, partials, comments, set delimiters. Nothing is escaped: {{x}},
 * {{{x}}} and {{&x}} are the same, because what comes out is C.
 */
#ifndef KUBEGEN_TEMPLATE_H
#define KUBEGEN_TEMPLATE_H

#include "support/json_value.h"
#include "support/str.h"

typedef struct template_set {
    /* Returns the text of a template, which must live until rendering ends, or NULL. */
    const char *(*find)(void *arg, const char *name);
    void *arg;
    /* A variable that nothing has a value for is an error, not an empty text. */
    bool strict;
} template_set;

/* Appends the template @name to @out. Returns false with "name:line: what" in @error. */
bool template_render(const template_set *set, const char *name, const json_value *view, str *out,
                     str *error);

#endif /* KUBEGEN_TEMPLATE_H */
