/* SPDX-License-Identifier: Apache-2.0 */
/* What a process has used. */
#ifndef TESTS_BENCH_MEASURE_H
#define TESTS_BENCH_MEASURE_H

#include <stddef.h>

typedef struct usage {
    double wall_s; /* of the machine's clock; only differences say something */
    double cpu_s;  /* user and system, all threads */
} usage;

usage usage_now(void);
/*
 * Wall time since BENCH_START in the environment, seconds since 1970 as the shell's $EPOCHREALTIME
 * says just before it starts us; else since the first call.
 */
double process_age_s(void);
/* VmHWM, VmRSS or RssAnon of this process. */
size_t memory_bytes(const char *field);
/* What malloc has handed out, with its own headers. */
size_t heap_bytes(void);
double median(double *values, size_t count); /* sorts them */

#endif /* TESTS_BENCH_MEASURE_H */
