/* SPDX-License-Identifier: Apache-2.0 */
/* These functions read and write characters in UTF-8. */
#ifndef KUBEGEN_SUPPORT_UTF8_H
#define KUBEGEN_SUPPORT_UTF8_H

#include "str.h"

#include <stdint.h>

/* Returns how many bytes the first character of @text has, or 0 if they are not UTF-8. */
size_t utf8_len(const char *text);
/* Says whether a byte continues a character that another one began. */
bool utf8_continues(char c);
void utf8_add(str *out, uint32_t character);

#endif /* KUBEGEN_SUPPORT_UTF8_H */
