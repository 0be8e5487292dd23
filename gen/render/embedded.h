/* SPDX-License-Identifier: Apache-2.0 */
/* The templates that kubegen was built with; the table is written by KubegenEmbed.cmake. */
#ifndef KUBEGEN_EMBEDDED_H
#define KUBEGEN_EMBEDDED_H

typedef struct embedded_template {
    const char *name; /* "register.h" */
    const char *text;
} embedded_template;

/* Ends with a NULL name. */
extern const embedded_template embedded_templates[];

#endif /* KUBEGEN_EMBEDDED_H */
