/* SPDX-License-Identifier: Apache-2.0 */
#include "import.h"

#include <stdarg.h>

bool import_fail(importer *im, const char *format, ...)
{
    va_list args;
    if (im->error->len)
        return false;
    va_start(args, format);
    str_vprintf(im->error, format, args);
    va_end(args);
    return false;
}
