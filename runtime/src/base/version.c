/* SPDX-License-Identifier: Apache-2.0 */
#include <kube/version.h>

const char *kube_version(void)
{
    return KUBE_VERSION;
}
