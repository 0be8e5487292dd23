/* SPDX-License-Identifier: Apache-2.0 */
#include <kube/generated.h>

const char kube_abi_2[] = "kube generated code, ABI 2";
