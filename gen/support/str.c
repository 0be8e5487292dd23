/* SPDX-License-Identifier: Apache-2.0 */
#include "str.h"

#include "xalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 64 << 20 };

static void reserve(str *s, size_t more)
{
    size_t need = s->len + more + 1;
    if (need <= s->cap)
        return;
    s->cap = need < 2 * s->cap ? 2 * s->cap : need < 64 ? 64 : need;
    s->data = xrealloc(s->data, s->cap);
}

void str_free(str *s)
{
    free(s->data);
    *s = (str){0};
}

void str_clear(str *s)
{
    s->len = 0;
    if (s->data)
        s->data[0] = '\0';
}

const char *str_text(const str *s)
{
    return s->data ? s->data : "";
}

void str_add(str *s, const char *text)
{
    str_add_len(s, text, strlen(text));
}

void str_add_len(str *s, const char *text, size_t len)
{
    reserve(s, len);
    if (len > 0)
        memcpy(s->data + s->len, text, len);
    s->len += len;
    s->data[s->len] = '\0';
}

void str_add_char(str *s, char c)
{
    str_add_len(s, &c, 1);
}

void str_vprintf(str *s, const char *format, va_list args)
{
    va_list again;
    int len;
    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    reserve(s, (size_t)len);
    vsnprintf(s->data + s->len, (size_t)len + 1, format, args);
    s->len += (size_t)len;
}

void str_printf(str *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_vprintf(s, format, args);
    va_end(args);
}

int str_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool str_is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

bool str_has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_has_suffix(const char *text, const char *suffix)
{
    size_t len = strlen(text);
    size_t suffix_len = strlen(suffix);
    return len >= suffix_len && strcmp(text + len - suffix_len, suffix) == 0;
}

bool str_read_stream(str *s, FILE *in, size_t most)
{
    char buffer[8192];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, in)) > 0) {
        if (n > most) {
            errno = EFBIG;
            return false;
        }
        most -= n;
        str_add_len(s, buffer, n);
    }
    return !ferror(in);
}

bool str_read_file(str *s, const char *path)
{
    FILE *file = fopen(path, "rbe");
    bool ok = file && str_read_stream(s, file, FILE_MAX);
    int saved = errno;
    if (file)
        fclose(file);
    errno = saved;
    return ok;
}
