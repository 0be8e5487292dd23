/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=Sample_CRD
// +versionName=1
// +prefix=Errors
#pragma once
#include <kube/meta.h>
/* expect:
2:15: error: 'Sample_CRD' is not an API group: it takes lower-case letters, digits, '-' and dots
3:17: error: '1' is not an API version: it is v<N>, v<N>alpha<M> or v<N>beta<M>
4:12: error: no name in snake_case begins with 'Errors': set another prefix with '// +prefix=…' at the top of the header
*/
