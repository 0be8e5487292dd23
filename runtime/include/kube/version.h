/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The version of libkube.
 */
#ifndef KUBE_VERSION_H
#define KUBE_VERSION_H

#include <kube/export.h>

KUBE_BEGIN_DECLS

#define KUBE_VERSION "0.1.0"

/** Returns the version of the linked library. It may differ from KUBE_VERSION, the headers'. */
KUBE_API const char *kube_version(void);

KUBE_END_DECLS

#endif /* KUBE_VERSION_H */
