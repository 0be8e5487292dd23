/* SPDX-License-Identifier: Apache-2.0 */
#include "import.h"

#include <stdarg.h>
#include <stdio.h>

bool import_fail(import *im, const char *format, ...)
{
    char line[1024];
    va_list args;

    if (im->error->len)
        return false;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    str_add(im->error, line);
    return false;
}
