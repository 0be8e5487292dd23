/* SPDX-License-Identifier: Apache-2.0 */
/* rbac_elf_read() reads the records that <kube/rbac.h> leaves in a program or library. */
#ifndef KUBEGEN_RBAC_ELF_H
#define KUBEGEN_RBAC_ELF_H

#include "support/arena.h"
#include "support/text_list.h"

#include <stdbool.h>

typedef struct rbac_elf {
    text_list records; /* of .kube_rbac; all texts lie in the arena */
    text_list types;   /* of .kube_rbac_types */
    text_list needed;  /* names of the libraries that the dynamic linker loads with it */
    text_list given;   /* names of the files themselves, as such a list has them */
} rbac_elf;

/*
 * Adds what the file @path has. Whatever its bytes say, nothing outside of it is read. Returns
 * false after a line on stderr.
 */
bool rbac_elf_read(arena *in, const char *path, rbac_elf *out);
void rbac_elf_free(rbac_elf *elf);

#endif /* KUBEGEN_RBAC_ELF_H */
