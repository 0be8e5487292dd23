/* SPDX-License-Identifier: Apache-2.0 */
#include "import.h"

#include "support/utf8.h"

#include <stdarg.h>

bool import_fail(importer *im, const char *format, ...)
{
    va_list args;
    str text = {0};
    if (im->error->len)
        return false;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    /* It quotes the document, and is one line all the same. */
    utf8_add_message(im->error, str_text(&text));
    str_free(&text);
    return false;
}

const char *import_address(importer *im, const json_value *part)
{
    return arena_printf(im->arena, "%p", (const void *)part);
}
