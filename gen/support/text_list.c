/* SPDX-License-Identifier: Apache-2.0 */
#include "text_list.h"

#include "str.h"

#include <stdlib.h>
#include <string.h>

bool text_list_add_once(text_list *list, const char *text)
{
    for (size_t i = 0; i < list->len; i++) {
        if (strcmp(list->items[i], text) == 0)
            return false;
    }
    *VEC_ADD(list) = text;
    return true;
}

void text_list_sort(text_list *list)
{
    size_t kept = 0;
    if (list->len > 1)
        qsort(list->items, list->len, sizeof *list->items, str_compare);
    for (size_t i = 0; i < list->len; i++) {
        if (kept == 0 || strcmp(list->items[kept - 1], list->items[i]) != 0)
            list->items[kept++] = list->items[i];
    }
    list->len = kept;
}
