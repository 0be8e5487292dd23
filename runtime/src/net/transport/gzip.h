/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacks an answer with Content-Encoding: gzip. kube-apiserver makes a member of the format of
 * each piece that it flushes, as for the events of a streaming list: the next one goes on where the
 * last ends. curl's own decoder stops after the first.
 */
#ifndef KUBE_NET_GZIP_H
#define KUBE_NET_GZIP_H

#include "transport.h"

typedef struct kube__gzip kube__gzip;

/* Returns NULL if out of memory. */
kube__gzip *kube__gzip_new(void);
void kube__gzip_free(kube__gzip *gzip); /* NULL allowed */

/*
 * Gives what @data unpacks to piece by piece to @give, and returns its verdict unless that is
 * KUBE__HTTP_TAKEN. After KUBE__HTTP_FULL the same bytes must come again. KUBE__HTTP_STOP is also
 * returned if they are no gzip: kube__gzip_is_damaged().
 */
kube__http_verdict
kube__gzip_feed(kube__gzip *gzip, const char *data, size_t len,
                kube__http_verdict (*give)(void *arg, const char *data, size_t len), void *arg);
bool kube__gzip_is_damaged(const kube__gzip *gzip);
/* Whether all that was fed ends with the end of a member. */
bool kube__gzip_is_whole(const kube__gzip *gzip);

#endif /* KUBE_NET_GZIP_H */
