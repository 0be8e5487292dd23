/* SPDX-License-Identifier: Apache-2.0 */
/* These functions find the headers and C files that may have +kubebuilder:rbac markers. */
#ifndef KUBEGEN_RBAC_SOURCES_H
#define KUBEGEN_RBAC_SOURCES_H

#include "rbac_read.h"
#include "support/text_list.h"

typedef struct rbac_sources {
    arena *in;
    text_list paths; /* in order */
    const char *first_with_rule;
} rbac_sources;

/* Adds the sources of a directory, or the file @input. Returns false after a line on stderr. */
bool rbac_list_input(rbac_sources *sources, const char *input);
/*
 * Reads all files; @role_name is the role of rules that name none. Returns false after a line on
 * stderr; errors in the files go to @to.
 */
bool rbac_read_sources(rbac_sources *sources, const char *role_name, rbac_roles *out, diag *to);

#endif /* KUBEGEN_RBAC_SOURCES_H */
