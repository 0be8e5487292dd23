/* SPDX-License-Identifier: Apache-2.0 */
#include "xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *xchecked(void *memory)
{
    if (!memory) {
        fputs("kubegen: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void *xmalloc(size_t size)
{
    return xchecked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
    return xchecked(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *old, size_t size)
{
    return xchecked(realloc(old, size ? size : 1));
}

char *xstrdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(xmalloc(size), text, size);
}
