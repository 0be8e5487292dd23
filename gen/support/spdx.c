/* SPDX-License-Identifier: Apache-2.0 */
#include "spdx.h"

#include "ascii.h"
#include "str.h"

#include <string.h>

/* How many bytes an SPDX expression can have at most: they go into comments of C and YAML. */
static size_t expression_len(const char *text)
{
    size_t len = 0;
    while (ascii_is_alnum(text[len]) || (text[len] && strchr(" .:+()-", text[len])))
        len++;
    return len;
}

bool spdx_is_expression(const char *text)
{
    return *text && text[expression_len(text)] == '\0';
}

const char *spdx_find(arena *memory, const char *path)
{
    static const char tag[] = "SPDX-License-Identifier:";
    const char *found = NULL;
    str text = {0};
    if (str_read_file(&text, path) && (found = strstr(str_text(&text), tag))) {
        size_t len;
        found += sizeof tag - 1;
        found += strspn(found, " ");
        len = expression_len(found);
        while (len && found[len - 1] == ' ')
            len--;
        found = len ? arena_strndup(memory, found, len) : NULL;
    }
    str_free(&text);
    return found;
}
