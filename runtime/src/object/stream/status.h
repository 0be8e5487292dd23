/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_OBJECT_STATUS_H
#define KUBE_OBJECT_STATUS_H

#include <kube/error.h>
#include <stddef.h>

/* Whether @text is a Status that tells of a failure; then @err has it and *@code its code.
 * @http_status 0, or that of a success: the Status's own code counts. */
bool kube__status_read(const char *text, size_t len, int http_status, kube_code *code,
                       kube_error *err);

#endif /* KUBE_OBJECT_STATUS_H */
