/* SPDX-License-Identifier: Apache-2.0 */
/* A byte buffer that grows up to a limit. A failure is remembered, so a writer needs to check only
 * once, at the end. */
#ifndef KUBE_BASE_BUFFER_H
#define KUBE_BASE_BUFFER_H

#include <kube/error.h>
#include <stddef.h>

typedef struct kube__buffer {
    char *data; /* NUL-terminated after every successful write; NULL while empty */
    size_t len;
    size_t size;
    size_t limit; /* most bytes it may ever hold */
    bool failed;  /* out of memory or over the limit; data is freed then */
} kube__buffer;

void kube__buffer_init(kube__buffer *buffer, size_t limit);
void kube__buffer_fini(kube__buffer *buffer);
/* Forgets the contents and a failure, keeps the storage. */
void kube__buffer_reset(kube__buffer *buffer);
void kube__buffer_add(kube__buffer *buffer, const void *data, size_t len);
void kube__buffer_add_text(kube__buffer *buffer, const char *text);
void kube__buffer_printf(kube__buffer *buffer, const char *format, ...) KUBE_PRINTF(2, 3);
/* Room for @len more bytes at data + len (the caller raises len); NULL after a failure. */
char *kube__buffer_reserve(kube__buffer *buffer, size_t len);

#endif /* KUBE_BASE_BUFFER_H */
