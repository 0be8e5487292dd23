/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBEGEN_APISERVER_KUBECONFIG_FILE_H
#define KUBEGEN_APISERVER_KUBECONFIG_FILE_H

#include <kube/error.h>

/* Writes @text to @path for its owner's eyes only; readers see all of it or none. */
KUBE__CHECKED kube_code kubeconfig_write(const char *path, const char *text, kube_error *err);

#endif /* KUBEGEN_APISERVER_KUBECONFIG_FILE_H */
