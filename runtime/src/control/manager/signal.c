/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lets SIGINT and SIGTERM cancel ctxs (OW-5), and SIGUSR1 ask for dumps. A handler writes the
 * signal's number into a pipe, and a thread does what there is to do; only the second SIGINT or
 * SIGTERM does not wait for the thread. Handlers, unlike blocked signals, do not pass to a program
 * that the process executes.
 */
#include "signal.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/thread.h"
#include "net/config/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <kube/controller.h>
#include <kube/log.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct watcher {
    kube_ctx *ctx;
    void (*dump)(void *arg);
    void *dump_arg;
    struct watcher *next;
} watcher;

/* The last one is told to nobody: a write fails instead. To ignore it would pass to programs. */
static const int handled[] = {SIGINT, SIGTERM, SIGUSR1, SIGPIPE};

enum { HANDLED = sizeof handled / sizeof *handled };

static kube__mutex life = PTHREAD_MUTEX_INITIALIZER;  /* held while watching starts and stops */
static kube__mutex mutex = PTHREAD_MUTEX_INITIALIZER; /* of the one below, also during dumps */
static watcher *watchers;
static atomic_bool watching;
static atomic_int asked;       /* how many SIGINT and SIGTERM have come: the program winds down */
static atomic_bool dump_asked; /* by a SIGUSR1 whose byte is in the pipe: others need none, and
                                * however many come there is room for what ends the program */
static kube__thread thread;
static struct sigaction before[HANDLED];
static _Atomic pid_t owner; /* 0 = no pipe yet. A child by fork() has our handlers, but no thread */
static _Atomic int inlet;   /* the ends of the pipe, which is never closed: a handler that runs */
static int outlet;          /* late must not write into another's file */

/* ---- handlers -------------------------------------------------------------------------------- */

static void put(int number)
{
    unsigned char byte = (unsigned char)number;
    while (write(atomic_load(&inlet), &byte, 1) < 0 && errno == EINTR)
        continue;
}

static bool asks_for_end(int number)
{
    return number == SIGINT || number == SIGTERM;
}

/* What the first one has set off may be stuck, and the thread with it. */
static void take_in(int number)
{
    if (asks_for_end(number) && atomic_fetch_add(&asked, 1) > 0)
        _exit(1);
    if (number == SIGUSR1 && atomic_exchange(&dump_asked, true))
        return;
    if (number != SIGPIPE)
        put(number);
}

static void on_signal(int number);

static struct sigaction handler_of(int number)
{
    struct sigaction current;
    sigaction(number, NULL, &current);
    return current;
}

static bool is_ours(const struct sigaction *action)
{
    return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == on_signal;
}

/* Goes back to what was there before us: in a child by fork(), or when somebody else has set our
 * handler again after its end. Who only calls it from his own needs nothing. */
static void give_back(int number)
{
    struct sigaction current = handler_of(number);
    for (int i = 0; i < HANDLED; i++) {
        if (handled[i] == number && is_ours(&current)) {
            sigaction(number, &before[i], NULL);
            raise(number);
        }
    }
}

static void on_signal(int number)
{
    int saved = errno;
    if (atomic_load(&watching) && atomic_load(&owner) == getpid())
        take_in(number);
    else
        give_back(number);
    errno = saved;
}

/* In a child by fork() our handlers may be there already, and `before` is what its parent found. */
static void set_handlers(void)
{
    for (int i = 0; i < HANDLED; i++) {
        struct sigaction action = {.sa_flags = SA_RESTART, .sa_handler = on_signal};
        struct sigaction current = handler_of(handled[i]);
        if (is_ours(&current))
            continue;
        before[i] = current;
        sigemptyset(&action.sa_mask);
        sigaction(handled[i], &action, NULL);
    }
}

/* A handler that the program has set meanwhile stays. */
static void unset_handlers(void)
{
    for (int i = 0; i < HANDLED; i++) {
        struct sigaction current = handler_of(handled[i]);
        if (is_ours(&current))
            sigaction(handled[i], &before[i], NULL);
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void write_dumps(void)
{
    for (watcher *w = watchers; w; w = w->next) {
        if (w->dump)
            w->dump(w->dump_arg);
    }
}

static void cancel_all(void)
{
    for (watcher *w = watchers; w; w = w->next)
        kube_ctx_cancel(w->ctx);
}

/* Returns the number that a handler put in; 0 = watching ends. */
static int take(void)
{
    unsigned char byte;
    ssize_t len;
    do
        len = read(outlet, &byte, 1);
    while (len < 0 && errno == EINTR);
    return len == 1 ? byte : 0;
}

static void *watch_signals(void *arg)
{
    int number;
    (void)arg;
    while ((number = take()) != 0) {
        if (number == SIGUSR1)
            atomic_store(&dump_asked, false); /* who asks from now on is to see what is so then */
        kube__lock(&mutex);
        if (number == SIGUSR1)
            write_dumps();
        else
            cancel_all();
        kube__unlock(&mutex);
        if (asks_for_end(number))
            kube_log_info("%s: stopping; a second signal ends the process at once",
                          strsignal(number));
    }
    return NULL;
}

/* ---- watching -------------------------------------------------------------------------------- */

static kube_code make_pipe(kube_error *err)
{
    int ends[2];
    if (atomic_load(&owner) == getpid())
        return KUBE_OK;
    if (kube__pipe(ends) < 0)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "cannot make a pipe for signals: %s",
                              strerror(errno));
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    outlet = ends[0];
    atomic_store(&inlet, ends[1]);
    atomic_store(&owner, getpid());
    watchers = NULL; /* a child by fork() begins anew */
    return KUBE_OK;
}

/* What came after the last one stopped to watch is nobody's. */
static void empty_pipe(void)
{
    struct pollfd readable = {.fd = outlet, .events = POLLIN};
    while (poll(&readable, 1, 0) > 0)
        take();
}

static kube_code start(kube_error *err)
{
    kube_code rc = make_pipe(err);
    if (rc || watchers)
        return rc;
    empty_pipe();
    atomic_store(&dump_asked, false);
    atomic_store(&asked, 0);
    rc = kube__thread_start(&thread, "kube-signal", watch_signals, NULL, err);
    if (rc)
        return rc;
    atomic_store(&watching, true);
    set_handlers();
    return KUBE_OK;
}

static void stop(void)
{
    unset_handlers();
    atomic_store(&watching, false);
    put(0);
    kube__thread_join(&thread);
}

static void unlink_watcher(watcher *w)
{
    watcher **link = &watchers;
    kube__lock(&mutex);
    while (*link && *link != w)
        link = &(*link)->next;
    if (*link)
        *link = w->next;
    kube__unlock(&mutex);
}

/* The end of a ctx. */
static void forget(void *arg)
{
    watcher *w = arg;
    kube__lock(&life);
    unlink_watcher(w);
    if (!watchers && atomic_load(&owner) == getpid())
        stop();
    kube__unlock(&life);
    free(w);
}

static void link_watcher(watcher *w)
{
    kube__lock(&mutex);
    w->next = watchers;
    watchers = w;
    if (atomic_load(&asked) > 0)
        kube_ctx_cancel(w->ctx);
    kube__unlock(&mutex);
    kube__ctx_at_end(w->ctx, forget, w);
}

kube_code kube__ctx_new_signal(kube_ctx **out, kube_error *err)
{
    watcher *w = calloc(1, sizeof *w);
    kube_ctx *ctx = kube_ctx_new();
    kube_code rc;
    *out = NULL;
    if (!w || !ctx) {
        rc = kube__no_memory(err, "a ctx for signals");
    } else {
        w->ctx = ctx;
        kube__lock(&life);
        rc = start(err);
        if (!rc)
            link_watcher(w);
        kube__unlock(&life);
    }
    if (rc) {
        kube_ctx_free(ctx);
        free(w);
        return rc;
    }
    *out = ctx;
    return KUBE_OK;
}

kube_ctx *kube_ctx_new_signal(void)
{
    kube_ctx *ctx;
    return kube__ctx_new_signal(&ctx, NULL) ? NULL : ctx;
}

void kube__signal_on_dump(const kube_ctx *ctx, void (*dump)(void *arg), void *arg)
{
    kube__lock(&mutex);
    for (watcher *w = watchers; w; w = w->next) {
        if (w->ctx == ctx) {
            w->dump = dump;
            w->dump_arg = arg;
        }
    }
    kube__unlock(&mutex);
}
