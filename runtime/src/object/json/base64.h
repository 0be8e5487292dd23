/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_OBJECT_BASE64_H
#define KUBE_OBJECT_BASE64_H

#include <stdbool.h>
#include <stdint.h>

/* Decodes in place, the alphabet of RFC 4648 section 4, as Go does: the padding must be complete,
 * but line ends are skipped and bits that are left over may be set. A NUL follows what was decoded.
 */
bool kube__base64_decode(char *text, uint32_t len, uint32_t *decoded);

#endif /* KUBE_OBJECT_BASE64_H */
