/* SPDX-License-Identifier: Apache-2.0 */
/* rbac_write() writes roles as YAML documents. */
#ifndef KUBEGEN_RBAC_WRITE_H
#define KUBEGEN_RBAC_WRITE_H

#include "rbac_rules.h"
#include "support/str.h"

/*
 * Appends the roles, merged and sorted. @source is what they are made of, as the first line says;
 * @spdx is the licence of that, NULL if unknown.
 */
void rbac_write(arena *in, rbac_roles *roles, const char *source, const char *spdx, str *out);

#endif /* KUBEGEN_RBAC_WRITE_H */
