/* SPDX-License-Identifier: Apache-2.0 */
/* Lets SIGINT and SIGTERM cancel a ctx (OW-5), and SIGUSR1 ask for a dump. */
#include "signal.h"

#include "base/thread.h"

#include <assert.h>
#include <kube/controller.h>
#include <kube/log.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A thread waits for the signals, which every other thread blocks, so nothing runs in a signal
 * handler. It lasts as long as the ctx, so a second signal is heard while the program winds down.
 */
static struct {
    kube__mutex mutex;
    kube__thread thread;
    kube_ctx *ctx;
    bool ending; /* the ctx is being freed: the next signal is ours, to end the thread */
    bool used;
} watcher;

/* Held while a dump is written. */
static kube__mutex dump_mutex = PTHREAD_MUTEX_INITIALIZER;
static void (*dump)(void *arg);
static void *dump_arg;

void kube__signal_on_dump(void (*function)(void *arg), void *arg)
{
    kube__lock(&dump_mutex);
    dump = function;
    dump_arg = arg;
    kube__unlock(&dump_mutex);
}

static void write_dump(void)
{
    kube__lock(&dump_mutex);
    if (dump)
        dump(dump_arg);
    kube__unlock(&dump_mutex);
}

static void watched_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGUSR1);
}

static bool is_ending(void)
{
    bool ending;
    kube__lock(&watcher.mutex);
    ending = watcher.ending;
    kube__unlock(&watcher.mutex);
    return ending;
}

/* Waits for a signal that ends the program; 0 when the thread is to end. */
static int next_end(const sigset_t *set)
{
    int number = 0;
    for (;;) {
        if (sigwait(set, &number) != 0 || is_ending())
            return 0;
        if (number != SIGUSR1)
            return number;
        write_dump();
    }
}

static void cancel_ctx(void)
{
    kube__lock(&watcher.mutex);
    if (!watcher.ending)
        kube_ctx_cancel(watcher.ctx);
    kube__unlock(&watcher.mutex);
}

static void *watch_signals(void *arg)
{
    sigset_t set;
    int number;
    (void)arg;
    watched_signals(&set);
    number = next_end(&set);
    if (!number)
        return NULL;
    cancel_ctx();
    kube_log_info("%s: stopping; a second signal ends the process at once", strsignal(number));
    if (next_end(&set))
        _exit(1);
    return NULL;
}

static void stop_watching(void *arg)
{
    (void)arg;
    kube__lock(&watcher.mutex);
    watcher.ending = true;
    kube__unlock(&watcher.mutex);
    pthread_kill(watcher.thread.id, SIGTERM); /* blocked: it only wakes sigwait() */
    kube__thread_join(&watcher.thread);
    kube__mutex_fini(&watcher.mutex);
}

kube_ctx *kube_ctx_new_signal(void)
{
    sigset_t set;
    kube_ctx *ctx;
    assert(!watcher.used && "kube_ctx_new_signal() is called once");
    ctx = kube_ctx_new();
    if (!ctx)
        return NULL;
    watched_signals(&set);
    sigaddset(&set, SIGPIPE);
    if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0 || kube__mutex_init(&watcher.mutex, NULL))
        goto no_mutex;
    watcher.used = true;
    watcher.ctx = ctx;
    if (kube__thread_start(&watcher.thread, "kube-signal", watch_signals, NULL, NULL))
        goto no_thread;
    if (kube_ctx_defer(ctx, stop_watching, NULL, NULL)) {
        stop_watching(NULL);
        goto no_mutex;
    }
    return ctx;

no_thread:
    kube__mutex_fini(&watcher.mutex);
no_mutex:
    kube_ctx_free(ctx);
    return NULL;
}
