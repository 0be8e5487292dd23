/* SPDX-License-Identifier: Apache-2.0 */
/* KubegenDeclared.cmake lists the types that the runtime's headers declare as lists and maps. */
#ifndef KUBEGEN_DECLARED_H
#define KUBEGEN_DECLARED_H

/* "kube_condition_list", "bool_map"…; ends with NULL. */
extern const char *const import_declared[];

#endif /* KUBEGEN_DECLARED_H */
