/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"

#include "units.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME_SIZE = 16 }; /* Linux: 15 bytes and a NUL */

/* What a new thread needs to know; it frees it. */
struct start {
    void *(*run)(void *arg);
    void *arg;
    char name[NAME_SIZE];
};

static kube_code fail(kube_error *err, const char *what, int error)
{
    kube_code rc = error == ENOMEM || error == EAGAIN ? KUBE_ERR_NO_MEMORY : KUBE_ERR_ARGUMENT;
    return kube_error_set(err, rc, "cannot make a %s: %s", what, strerror(error));
}

/* Locking fails only for a mutex that was never made or is gone: a bug here, not a condition. */
void kube__expect(int error)
{
    assert(error == 0);
    (void)error;
}

kube_code kube__mutex_init(kube__mutex *mutex, kube_error *err)
{
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);
    if (error)
        return fail(err, "mutex", error);
#ifdef __GLIBC__
    /* What is held is held for less than sleep and wake-up take: look again for a moment first. */
    error = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
    if (!error)
        error = pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return error ? fail(err, "mutex", error) : KUBE_OK;
}

void kube__mutex_fini(kube__mutex *mutex)
{
    kube__expect(pthread_mutex_destroy(mutex));
}

void kube__lock(kube__mutex *mutex)
{
    kube__expect(pthread_mutex_lock(mutex));
}

void kube__unlock(kube__mutex *mutex)
{
    kube__expect(pthread_mutex_unlock(mutex));
}

kube_code kube__condition_init(kube__condition *condition, kube_error *err)
{
    pthread_condattr_t attributes;
    int error = pthread_condattr_init(&attributes);
    if (error)
        return fail(err, "condition", error);
#ifndef __APPLE__ /* which has neither the call nor the need: see the relative wait below */
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    if (!error)
        error = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return error ? fail(err, "condition", error) : KUBE_OK;
}

void kube__condition_fini(kube__condition *condition)
{
    kube__expect(pthread_cond_destroy(condition));
}

void kube__signal(kube__condition *condition)
{
    kube__expect(pthread_cond_signal(condition));
}

void kube__broadcast(kube__condition *condition)
{
    kube__expect(pthread_cond_broadcast(condition));
}

void kube__wait(kube__condition *condition, kube__mutex *mutex)
{
    kube__expect(pthread_cond_wait(condition, mutex));
}

void kube__wait_until(kube_clock *clock, kube__condition *condition, kube__mutex *mutex,
                      int64_t deadline_ns)
{
    clock->wait(clock, condition, mutex, deadline_ns);
}

void kube_clock_wait_real(void *condition, void *mutex, int64_t deadline_ns)
{
    struct timespec until;
    int error;
    if (deadline_ns == INT64_MAX) {
        kube__wait(condition, mutex);
        return;
    }
#ifdef __APPLE__
    deadline_ns -= kube_clock_system()->now_ns(kube_clock_system());
    until = kube__ns_to_timespec(deadline_ns > 0 ? deadline_ns : 0);
    error = pthread_cond_timedwait_relative_np(condition, mutex, &until);
#else
    until = kube__ns_to_timespec(deadline_ns > 0 ? deadline_ns : 0);
    error = pthread_cond_timedwait(condition, mutex, &until);
#endif
    kube__expect(error == ETIMEDOUT ? 0 : error);
}

/* Signals that a fault raises stay open: a blocked one would end the process without the report of
 * a sanitizer or of the program's own handler. */
static void block_signals(sigset_t *old)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, old);
}

static void *run_thread(void *arg)
{
    struct start start = *(struct start *)arg;
    free(arg);
#ifdef __APPLE__
    pthread_setname_np(start.name);
#else
    pthread_setname_np(pthread_self(), start.name);
#endif
    return start.run(start.arg);
}

kube_code kube__thread_start_open(kube__thread *thread, const char *name, void *(*run)(void *arg),
                                  void *arg, kube_error *err)
{
    struct start *start = malloc(sizeof *start);
    int error;
    thread->started = false;
    if (!start)
        return fail(err, "thread", ENOMEM);
    start->run = run;
    start->arg = arg;
    memset(start->name, 0, sizeof start->name);
    memcpy(start->name, name, strnlen(name, sizeof start->name - 1));
    error = pthread_create(&thread->id, NULL, run_thread, start);
    if (error) {
        free(start);
        return fail(err, "thread", error);
    }
    thread->started = true;
    return KUBE_OK;
}

kube_code kube__thread_start(kube__thread *thread, const char *name, void *(*run)(void *arg),
                             void *arg, kube_error *err)
{
    sigset_t old;
    kube_code rc;
    block_signals(&old); /* inherited, so that not even the first instruction takes one */
    rc = kube__thread_start_open(thread, name, run, arg, err);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return rc;
}

void kube__thread_join(kube__thread *thread)
{
    if (!thread->started)
        return;
    kube__expect(pthread_join(thread->id, NULL));
    thread->started = false;
}
