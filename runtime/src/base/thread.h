/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes, conditions and named threads. Only these and rwlock.h use pthreads. */
#ifndef KUBE_BASE_THREAD_H
#define KUBE_BASE_THREAD_H

#include <kube/clock.h>
#include <kube/error.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef pthread_mutex_t kube__mutex;
typedef pthread_cond_t kube__condition; /* on CLOCK_MONOTONIC */
typedef struct kube__thread {
    pthread_t id;
    bool started;
} kube__thread;

/* Aborts a debug build unless a call on a lock, which fails for a bug only, returned 0. */
void kube__expect(int error);

/* Initialisers fail only for want of memory or other system resources. */
KUBE__CHECKED kube_code kube__mutex_init(kube__mutex *mutex, kube_error *err);
void kube__mutex_fini(kube__mutex *mutex);
void kube__lock(kube__mutex *mutex);
void kube__unlock(kube__mutex *mutex);
/* The mutex of what its reader may not change: to lock it does not change what is read. No object
 * with a mutex is const itself. */
static inline kube__mutex *kube__mutable(const kube__mutex *mutex)
{
    return (kube__mutex *)(uintptr_t)mutex;
}

KUBE__CHECKED kube_code kube__condition_init(kube__condition *condition, kube_error *err);
void kube__condition_fini(kube__condition *condition);
void kube__signal(kube__condition *condition);
void kube__broadcast(kube__condition *condition);
/* Waits without a deadline. Loops around a predicate, as always. */
void kube__wait(kube__condition *condition, kube__mutex *mutex);
/* Waits by @clock until signalled or past @deadline_ns (INT64_MAX = none); may wake early. */
void kube__wait_until(kube_clock *clock, kube__condition *condition, kube__mutex *mutex,
                      int64_t deadline_ns);

/* Starts a thread with all signals blocked but those of faults; a name is cut at 15 bytes. */
KUBE__CHECKED kube_code kube__thread_start(kube__thread *thread, const char *name,
                                           void *(*run)(void *arg), void *arg, kube_error *err);
/* The same for a thread that calls the program's functions. It takes signals as its creator does:
 * what is blocked passes to the programs that such a function executes. */
KUBE__CHECKED kube_code kube__thread_start_open(kube__thread *thread, const char *name,
                                                void *(*run)(void *arg), void *arg,
                                                kube_error *err);
/* Joins it if it was started; may be called again. */
void kube__thread_join(kube__thread *thread);

#endif /* KUBE_BASE_THREAD_H */
