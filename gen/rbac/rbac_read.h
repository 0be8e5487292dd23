/* SPDX-License-Identifier: Apache-2.0 */
/* rbac_read() reads the +kubebuilder:rbac markers of a file, which need not compile. */
#ifndef KUBEGEN_RBAC_READ_H
#define KUBEGEN_RBAC_READ_H

#include "rbac_rules.h"
#include "support/diag.h"

/*
 * Adds the rules of the file @path, whose contents is @text; both must live as long as @in.
 * @role_name: of rules that name none. Returns how many there were, wrong ones too.
 */
size_t rbac_read(arena *in, const char *path, const char *text, const char *role_name,
                 rbac_roles *out, diag *to);

/* Says whether a server accepts the name of a role. */
bool rbac_is_role_name(const char *text);

#endif /* KUBEGEN_RBAC_READ_H */
