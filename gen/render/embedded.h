/* SPDX-License-Identifier: Apache-2.0 */
/* KubegenEmbed.cmake writes the table of the templates that kubegen was built with. */
#ifndef KUBEGEN_EMBEDDED_H
#define KUBEGEN_EMBEDDED_H

typedef struct embedded_template {
    const char *name; /* "register.h" */
    const char *text;
} embedded_template;

/* Ends with a NULL name. */
extern const embedded_template embedded_templates[];

/* The files that every API version gets, "api.h" …; ends with NULL. */
extern const char *const embedded_api_files[];

#endif /* KUBEGEN_EMBEDDED_H */
