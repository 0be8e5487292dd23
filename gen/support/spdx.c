/* SPDX-License-Identifier: Apache-2.0 */
#include "spdx.h"

#include "str.h"

#include <string.h>

const char *spdx_find(arena *memory, const char *path)
{
    static const char tag[] = "SPDX-License-Identifier:";
    const char *found = NULL;
    str text = {0};
    if (str_read_file(&text, path) && (found = strstr(str_text(&text), tag))) {
        size_t len;
        found += sizeof tag - 1;
        found += strspn(found, " ");
        len = strcspn(found, "*\r\n");
        while (len && found[len - 1] == ' ')
            len--;
        found = arena_strndup(memory, found, len);
    }
    str_free(&text);
    return found;
}
