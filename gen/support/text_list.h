/* SPDX-License-Identifier: Apache-2.0 */
/* A text_list grows; it does not own its texts. */
#ifndef KUBEGEN_SUPPORT_TEXT_LIST_H
#define KUBEGEN_SUPPORT_TEXT_LIST_H

#include "vec.h"

#include <stdbool.h>

typedef VEC(const char *) text_list;

/* Adds @text unless the list has it; returns whether it was added. */
bool text_list_add_once(text_list *list, const char *text);
/* Sorts the list and keeps each text once. */
void text_list_sort(text_list *list);

#endif /* KUBEGEN_SUPPORT_TEXT_LIST_H */
