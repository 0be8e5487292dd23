/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <kube/log.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 1024 };

kube_code kube__no_memory(kube_error *err, const char *what, ...)
{
    va_list args;
    va_start(args, what);
    kube_error_vset(err, KUBE_ERR_NO_MEMORY, what, args);
    va_end(args);
    kube_error_prefix(err, "out of memory");
    return KUBE_ERR_NO_MEMORY;
}

void kube__end_without_memory(size_t wanted, const char *what, ...)
{
    char text[LINE_SIZE];
    size_t len = (size_t)snprintf(text, sizeof text, "out of memory: %zu bytes for ", wanted);
    va_list args;
    va_start(args, what);
    vsnprintf(text + len, sizeof text - len - 1, what, args);
    va_end(args);
    for (; text[len]; len++) {
        if (text[len] == '\n' || text[len] == '\r')
            text[len] = ' '; /* what it was for is not always ours */
    }
    text[len++] = '\n';
    if (write(STDERR_FILENO, text, len) < 0)
        _exit(1); /* nobody reads it */
    _exit(1);
}

/* ---- structs that grow ----------------------------------------------------------------------- */

const void *kube__sized(const void *options, size_t size, void *own, size_t own_size)
{
    size_t known = size < own_size ? size : own_size;
    if (options && size == own_size)
        return options;
    memset(own, 0, own_size);
    if (!options)
        return own;
    memcpy(own, options, known);
    for (const char *more = options; known < size; known++)
        if (more[known]) {
            kube_log_error("this program was built with a newer libkube than it runs with: "
                           "an option that this one does not know is ignored");
            break;
        }
    return own;
}

void kube__sized_out(void *stats, size_t size, const void *own, size_t own_size)
{
    size_t known = size < own_size ? size : own_size;
    memcpy(stats, own, known);
    memset((char *)stats + known, 0, size - known);
}
