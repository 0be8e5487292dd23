/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_NET_TRANSPORT_FAILURE_H
#define KUBE_NET_TRANSPORT_FAILURE_H

#include <stdbool.h>

typedef struct kube__transport_failure {
    const char *reason; /* kube_error.reason */
    const char *text;   /* NULL = curl's own words are better */
} kube__transport_failure;

/* What a CURLcode other than CURLE_OK means, with the errno that curl saw. */
kube__transport_failure kube__transport_describe(int result, long os_error);
/*
 * Whether file descriptors are so few that this may be why: names were not resolved and files not
 * read for want of one, and curl does not tell the errno of either.
 */
bool kube__transport_lacks_files(int result);
/* Whether the connection was lost, in a way that a repeated GET may mend (REQ-3, condition B). */
bool kube__transport_is_loss(int result);

#endif /* KUBE_NET_TRANSPORT_FAILURE_H */
