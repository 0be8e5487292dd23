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
/* Returns the character that begins at @text, which must be UTF-8. */
uint32_t utf8_character(const char *text);

/*
 * Says whether a reader does not see a character, sees a line break, or sees what follows in
 * another order: control characters, line separators, marks of direction, and what is no character.
 */
bool utf8_is_hidden(uint32_t character);
/* Says whether @text is UTF-8 without such characters. */
bool utf8_is_plain(const char *text);
/*
 * Returns how many bytes a hidden character that begins at @text has, or a blank other than a space
 * or a tab, such as U+00A0; 0 for all that a reader sees.
 */
size_t utf8_unseen_len(const char *text);
/* Appends @len bytes; hidden characters become <U+202E>, bytes that are not UTF-8 <0x9f>. */
void utf8_add_visible(str *out, const char *text, size_t len);

/* The same for a message, of which the middle is left out if it is very long. */
void utf8_add_message(str *out, const char *text);

#endif /* KUBEGEN_SUPPORT_UTF8_H */
