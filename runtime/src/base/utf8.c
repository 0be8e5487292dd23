/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"

size_t kube__utf8_cut(const char *text, size_t len, size_t max)
{
    size_t cut = max;
    if (len <= max)
        return len;
    /* No character has more than three inner bytes: what has more is not UTF-8 to keep whole. */
    while (cut > 0 && max - cut < 3 && kube__utf8_is_inner(text[cut]))
        cut--;
    return kube__utf8_is_inner(text[cut]) ? max : cut;
}

void kube__utf8_clean(char *text, char mark)
{
    while (*text) {
        size_t len = kube__utf8_len(text, SIZE_MAX);
        if (!len)
            *text = mark;
        text += len ? len : 1;
    }
}
