/* SPDX-License-Identifier: Apache-2.0 */
/* gzip, member by member; a member may be fed and read in pieces of any size. */
#ifndef KUBE_APISERVER_GZIP_H
#define KUBE_APISERVER_GZIP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct kube__api_gzip kube__api_gzip;

/* Returns NULL if out of memory. */
kube__api_gzip *kube__api_gzip_new(void);
/* NULL is allowed. */
void kube__api_gzip_free(kube__api_gzip *gzip);
/* Gives the next piece of the member, at most 1 GiB, which stays until it is eaten; @last ends the
 * member with it. Only when the piece before has been eaten. */
void kube__api_gzip_feed(kube__api_gzip *gzip, const char *data, size_t len, bool last);
/* Bytes written to @out; 0 = the piece has been eaten, and, if it was the last, the member ended:
 * the next feed begins another. */
size_t kube__api_gzip_read(kube__api_gzip *gzip, char *out, size_t size);

#endif /* KUBE_APISERVER_GZIP_H */
