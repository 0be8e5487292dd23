/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WAYS = 8 };

static const char separator[] = "\n%%\n";

static struct {
    const char *name;
    unsigned long inputs;
    unsigned long accepted;
} ways[MAX_WAYS];

void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    abort();
}

static void report(void)
{
    bool all = true;
    fprintf(stderr, "%s: accepted", program_invocation_short_name);
    for (size_t i = 0; i < MAX_WAYS && ways[i].name; i++) {
        fprintf(stderr, "%s %s %lu of %lu", i ? "," : "", ways[i].name, ways[i].accepted,
                ways[i].inputs);
        all = all && ways[i].accepted;
    }
    fputc('\n', stderr);
    if (!all)
        _exit(EXIT_FAILURE);
}

void count_input(const char *way, bool accepted)
{
    size_t i = 0;
    while (i < MAX_WAYS && ways[i].name && strcmp(ways[i].name, way) != 0)
        i++;
    must(i < MAX_WAYS, "too many ways");
    if (!ways[0].name)
        atexit(report);
    ways[i].name = way;
    ways[i].inputs++;
    ways[i].accepted += accepted;
}

bool next_part(fuzz_text *rest, fuzz_text *part)
{
    const char *cut;
    if (!rest->len)
        return false;
    cut = memmem(rest->data, rest->len, separator, sizeof separator - 1);
    *part = (fuzz_text){rest->data, cut ? (size_t)(cut - rest->data) : rest->len};
    size_t taken = part->len + (cut ? sizeof separator - 1 : 0);
    rest->data += taken;
    rest->len -= taken;
    return true;
}

char *copy_part(fuzz_text part)
{
    char *copy = malloc(part.len + 1);
    must(copy != NULL, "out of memory");
    if (part.len)
        memcpy(copy, part.data, part.len);
    copy[part.len] = '\0';
    return copy;
}
