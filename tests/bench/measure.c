/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

usage usage_now(void)
{
    return (usage){clock_s(CLOCK_MONOTONIC), clock_s(CLOCK_PROCESS_CPUTIME_ID)};
}

double process_age_s(void)
{
    static double start;
    double now = clock_s(CLOCK_REALTIME);
    const char *said = getenv("BENCH_START");
    if (start <= 0)
        start = said ? strtod(said, NULL) : now;
    return now - start;
}

size_t memory_bytes(const char *field)
{
    FILE *file = fopen("/proc/self/status", "r");
    size_t len = strlen(field);
    size_t bytes = 0;
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, field, len) == 0 && line[len] == ':')
            bytes = strtoul(line + len + 1, NULL, 10) * 1024;
    }
    if (file)
        fclose(file);
    return bytes;
}

size_t heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}
