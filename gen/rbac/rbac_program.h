/* SPDX-License-Identifier: Apache-2.0 */
/* rbac_program_read() finds what a program can ask for, by the records that <kube/rbac.h> explains.
 */
#ifndef KUBEGEN_RBAC_PROGRAM_H
#define KUBEGEN_RBAC_PROGRAM_H

#include "rbac_elf.h"
#include "rbac_rules.h"

typedef enum rbac_scope {
    RBAC_UNKNOWN,
    RBAC_NAMESPACED,
    RBAC_CLUSTER,
} rbac_scope;

/* Verbs of one resource. */
typedef struct rbac_right {
    const char *purpose; /* "-"; or of a role of its own: "leader-election", "metrics-auth" */
    const char *group;
    const char *resource; /* with "/" and the subresource */
    model_texts verbs;
    rbac_scope scope;
    bool is_source; /* of kube_controller_owns() or kube_controller_watches() */
} rbac_right;

typedef struct rbac_program {
    arena *in;
    const char *path; /* of the file that is read; at the end, of the program itself */
    VEC(rbac_elf) files;
    text_map types;     /* what a descriptor's name means, as an rbac_right without verbs */
    text_map resources; /* the type that has each, by "GROUP RESOURCE" */
    VEC(rbac_right) rights;
    text_list controllers; /* where they are made: "LINE FILE" */
} rbac_program;

/*
 * Reads the files, of which the first is the program and the others libraries with descriptors of
 * Kinds. Says on stderr what the records leave open. Returns false after a line there if something
 * is wrong.
 */
bool rbac_program_read(rbac_program *program, const text_list *paths);
void rbac_program_free(rbac_program *program);

typedef struct rbac_program_options {
    const char *role_name;
    const char *namespace_; /* its caches have only this one; NULL = all */
    const char *lease;      /* name of the Lease, NULL = any */
} rbac_program_options;
/* Adds the roles that have the program's rights: ROLE_NAME, and one for each purpose. */
void rbac_program_roles(const rbac_program *program, const rbac_program_options *options,
                        rbac_roles *out);
/* Adds a verb of @right to a role; @name is of the only object, NULL = any. */
void rbac_program_add(arena *in, rbac_role *role, const rbac_right *right, const char *verb,
                      const char *name);
/* Adds an error to @to for each marker that asks for more than the program can use, and one for
 * each resource for which none asks. */
void rbac_program_compare(const rbac_program *program, const rbac_roles *markers, diag *to);

#endif /* KUBEGEN_RBAC_PROGRAM_H */
