/* SPDX-License-Identifier: Apache-2.0 */
/* Reads small files as a whole: kubeconfigs, tokens, certificates. */
#ifndef KUBE_NET_FILE_H
#define KUBE_NET_FILE_H

#include <kube/error.h>
#include <stddef.h>

/* Reads a file. @out ends with NUL and is to be freed with kube__file_free(). @missing (may be
 * NULL) tells whether the file does not exist. */
KUBE__CHECKED kube_code kube__file_read(const char *path, size_t max_bytes, char **out, size_t *len,
                                        bool *missing, kube_error *err);
/* Overwrites a secret, in a way no compiler leaves out. */
void kube__wipe(void *data, size_t len);
/* Overwrites it first: it may have held a secret. NULL allowed. */
void kube__file_free(char *text, size_t len);

#endif /* KUBE_NET_FILE_H */
