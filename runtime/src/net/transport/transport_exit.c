/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the process, by exit() or a return from main(), while clients live. OpenSSL frees what
 * it has in a handler of exit(); an I/O thread that uses it then would crash. Our handler is
 * registered later, and so runs earlier: it ends these threads.
 */
#include "base/units.h"
#include "exchange.h"

#include <stdlib.h>
#include <unistd.h>

enum { PATIENCE_S = 5 }; /* with a thread that hangs in a function of the program */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* locked before a transport's */
static kube__curl_transport *first_live;
static _Atomic pid_t owner;

void kube__transport_stop(kube__curl_transport *t)
{
    kube__lock(&t->mutex);
    t->stopping = true;
    if (!t->closed)
        curl_multi_wakeup(t->multi);
    kube__unlock(&t->mutex);
}

static void stop_and_wait(kube__curl_transport *t)
{
    kube_clock *clock = kube_clock_system();
    int64_t deadline = clock->now_ns(clock) + PATIENCE_S * KUBE__NS_PER_S;
    /* A child of fork() has the transport, but not its thread. */
    if (t->pid != getpid() || pthread_equal(t->thread.id, pthread_self()))
        return;
    kube__transport_stop(t);
    kube__lock(&t->mutex);
    while (!t->gone && clock->now_ns(clock) < deadline)
        kube__wait_until(clock, &t->changed, &t->mutex, deadline);
    kube__unlock(&t->mutex);
}

static void stop_all(void)
{
    if (owner != getpid())
        return; /* a child, which may have inherited the mutex locked */
    kube__lock(&mutex);
    for (kube__curl_transport *t = first_live; t; t = t->next_live)
        stop_and_wait(t);
    kube__unlock(&mutex);
}

void kube__transport_enlist(kube__curl_transport *t)
{
    t->pid = getpid();
    kube__lock(&mutex);
    owner = t->pid;
    t->next_live = first_live;
    first_live = t;
    kube__unlock(&mutex);
}

void kube__transport_delist(kube__curl_transport *t)
{
    kube__curl_transport **at = &first_live;
    kube__lock(&mutex);
    while (*at && *at != t)
        at = &(*at)->next_live;
    if (*at)
        *at = t->next_live;
    kube__unlock(&mutex);
}

void kube__transport_watch_exit(void)
{
    atexit(stop_all);
}
