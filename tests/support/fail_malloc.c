/* SPDX-License-Identifier: Apache-2.0 */
#include "fail_malloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t len);

static _Atomic size_t asked;
static _Atomic size_t failed;
static _Atomic size_t first; /* number of the allocation that fails; 0 = none */
static atomic_bool keep_failing;

static void start(size_t nth, bool all_after)
{
    atomic_store(&first, 0);
    atomic_store(&asked, 0);
    atomic_store(&failed, 0);
    atomic_store(&keep_failing, all_after);
    atomic_store(&first, nth);
}

void fail_malloc_at(size_t nth)
{
    start(nth, false);
}

void fail_malloc_from(size_t nth)
{
    start(nth, true);
}

size_t fail_malloc_off(void)
{
    atomic_store(&first, 0);
    return atomic_load(&asked);
}

size_t fail_malloc_failed(void)
{
    return atomic_load(&failed);
}

static bool fails_now(void)
{
    size_t number = atomic_fetch_add(&asked, 1) + 1;
    size_t nth = atomic_load(&first);
    if (nth == 0 || number < nth || (number > nth && !atomic_load(&keep_failing)))
        return false;
    atomic_fetch_add(&failed, 1);
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return fails_now() ? NULL : __real_realloc(p, size);
}

char *__wrap_strndup(const char *text, size_t len)
{
    size_t n = strnlen(text, len);
    char *copy = __wrap_malloc(n + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

static void expect_success(bool ok, size_t nth)
{
    if (ok || fail_malloc_failed() > 0)
        return;
    fprintf(stderr, "fail_malloc_replay: the step fails without a failed allocation (run %zu)\n",
            nth);
    abort();
}

size_t fail_malloc_replay(bool (*step)(void *arg), void *arg)
{
    for (size_t nth = 1;; nth++) {
        size_t allocations;
        fail_malloc_from(nth);
        expect_success(step(arg), nth);
        fail_malloc_off();
        fail_malloc_at(nth);
        expect_success(step(arg), nth);
        allocations = fail_malloc_off();
        if (fail_malloc_failed() == 0)
            return allocations;
    }
}
