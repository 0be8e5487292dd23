/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

void place_set(place_list *list, json_value *value, diag_loc loc)
{
    if (!list)
        return;
    *VEC_ADD(list) = loc;
    json_set_mark(value, (int)list->len);
}

diag_loc place_of(const place_list *list, const json_value *value)
{
    size_t mark = value ? (size_t)json_mark(value) : 0;
    return mark && mark <= list->len ? list->items[mark - 1] : (diag_loc){0};
}
