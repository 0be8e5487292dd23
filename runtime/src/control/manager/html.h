/* SPDX-License-Identifier: Apache-2.0 */
/* Writes HTML and escapes every text in it, because names and messages come from elsewhere. */
#ifndef KUBE_CONTROL_HTML_H
#define KUBE_CONTROL_HTML_H

#include "base/buffer.h"

#include <stdint.h>

/* Markup as it is: for literals only. */
static inline void kube__html_raw(kube__buffer *page, const char *markup)
{
    kube__buffer_add_text(page, markup);
}
/* A text, fit for content and for attribute values in double quotes. NULL = none. */
void kube__html_text(kube__buffer *page, const char *text);
/* A formatted text, as the one above; cut at 1 KiB. */
void kube__html_printf(kube__buffer *page, const char *format, ...) KUBE_PRINTF(2, 3);

/* "250 µs", "12.3 ms", "1.5 s", "2 min 5 s", "3 d 4 h". */
void kube__html_duration(kube__buffer *page, int64_t ns);
/* The same in whole seconds, "ago"; "never" for @since_ns 0. */
void kube__html_age(kube__buffer *page, int64_t now_ns, int64_t since_ns);
/* "812 B", "1.2 MiB". */
void kube__html_bytes(kube__buffer *page, uint64_t bytes);

/* <table> with its head; columns end with NULL. Cells know the name of theirs, which narrow screens
 * show before them. */
void kube__html_table(kube__buffer *page, const char *caption, const char *const *columns);
/* A cell's begin; the first of a row is its head. @number: aligned to the right. */
void kube__html_cell(kube__buffer *page, const char *column, bool first, bool number);
void kube__html_cell_end(kube__buffer *page, bool first);

#endif /* KUBE_CONTROL_HTML_H */
