/* SPDX-License-Identifier: Apache-2.0 */
#include "sockets.h"

#include "base/units.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <kube/log.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && defined(SIGEV_THREAD_ID) && defined(CLOCK_BOOTTIME)
#define HAS_THREAD_TIMER 1
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
#else
#define HAS_THREAD_TIMER 0
#endif

struct kube__sockets {
    const kube_fence *fence; /* whose deadline the timer has; NULL = no timer */
    int *fds;
    size_t len;
    size_t cap;
    volatile sig_atomic_t writing; /* fenced requests under way */
#if HAS_THREAD_TIMER
    timer_t timer;
#endif
};

/* ---- the cut ------------------------------------------------------------------------------- */

/* Only what may be called in a signal handler. */
void kube__sockets_cut_one(int fd)
{
    struct sockaddr_storage peer;
    socklen_t len = sizeof(peer);
    if (getpeername(fd, (struct sockaddr *)&peer, &len) != 0)
        return; /* not connected yet: nothing was sent */
#ifdef __linux__
    /* To connect to nobody dissolves the connection: queues emptied, RST sent, the socket stays. */
    memset(&peer, 0, sizeof(peer));
    peer.ss_family = AF_UNSPEC;
    connect(fd, (struct sockaddr *)&peer, sizeof(peer));
#else
    const struct linger none = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    shutdown(fd, SHUT_RDWR); /* curl closes it when it sees that */
#endif
}

static void cut_all(const kube__sockets *sockets)
{
    for (size_t i = 0; sockets->writing && i < sockets->len; i++)
        kube__sockets_cut_one(sockets->fds[i]);
}

/* ---- the timer ----------------------------------------------------------------------------- */

#if HAS_THREAD_TIMER

static int guard_signal; /* 0 = none could be had */

static void on_deadline(int number, siginfo_t *info, void *context)
{
    const kube__sockets *sockets = info->si_value.sival_ptr;
    int kept = errno;
    (void)number;
    (void)context;
    if (info->si_code == SI_TIMER && sockets && !kube__fence_is_open(sockets->fence))
        cut_all(sockets);
    errno = kept;
}

/* The highest real-time signal that nobody uses. */
static void choose_signal(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART, .sa_sigaction = on_deadline};
    struct sigaction old;
    sigfillset(&action.sa_mask);
    for (int number = SIGRTMAX; !guard_signal && number > SIGRTMIN; number--) {
        if (sigaction(number, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
            old.sa_handler == SIG_DFL && sigaction(number, &action, NULL) == 0)
            guard_signal = number;
    }
}

static void mask(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, guard_signal);
    pthread_sigmask(how, &set, NULL);
}

void kube__sockets_guard(kube__sockets *sockets, const kube_fence *fence)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID};
    if (!kube__fence_is_real(fence))
        return;
    pthread_once(&once, choose_signal);
    event.sigev_signo = guard_signal;
    event.sigev_value.sival_ptr = sockets;
    event.sigev_notify_thread_id = gettid();
    if (!guard_signal || timer_create(CLOCK_BOOTTIME, &event, &sockets->timer) != 0) {
        kube_log_warn(
            "cannot make a timer for the fence: if the process is suspended just before it "
            "sends a write, it may send it when it continues");
        return;
    }
    sockets->fence = fence;
    mask(SIG_UNBLOCK);
}

void kube__sockets_unguard(kube__sockets *sockets)
{
    const struct timespec at_once = {0, 0};
    sigset_t set;
    if (!sockets->fence)
        return;
    mask(SIG_BLOCK);
    timer_delete(sockets->timer);
    sigemptyset(&set);
    sigaddset(&set, guard_signal);
    while (sigtimedwait(&set, NULL, &at_once) > 0) {
    }
    sockets->fence = NULL;
}

void kube__sockets_rearm(kube__sockets *sockets)
{
    struct itimerspec when = {.it_value = {0, 1}}; /* long ago; zero would mean never */
    int64_t deadline;
    if (!sockets->fence)
        return;
    deadline = kube__fence_deadline_ns(sockets->fence);
    if (deadline > 0) {
        when.it_value = kube__ns_to_timespec(deadline);
    }
    timer_settime(sockets->timer, TIMER_ABSTIME, &when, NULL);
}

/* While the list of sockets changes the handler must not read it. */
static void hold(const kube__sockets *sockets)
{
    if (sockets->fence)
        mask(SIG_BLOCK);
}

static void let_go(const kube__sockets *sockets)
{
    if (sockets->fence)
        mask(SIG_UNBLOCK);
}

#else

void kube__sockets_guard(kube__sockets *sockets, const kube_fence *fence)
{
    (void)sockets;
    (void)fence;
}

void kube__sockets_unguard(kube__sockets *sockets)
{
    (void)sockets;
}

void kube__sockets_rearm(kube__sockets *sockets)
{
    (void)sockets;
}

static void hold(const kube__sockets *sockets)
{
    (void)sockets;
}

static void let_go(const kube__sockets *sockets)
{
    (void)sockets;
}

#endif

/* ---- curl's pair ---------------------------------------------------------------------------- */

#ifdef __linux__

/* What waits in a socket of this machine: to be read here, or at the other end; -1 = it is none,
 * or no child will see it. */
static int waiting_bytes(int fd)
{
    int domain = 0;
    int unread = 0;
    int unsent = 0;
    socklen_t len = sizeof domain;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) != 0 || domain != AF_UNIX ||
        fcntl(fd, F_GETFD) & FD_CLOEXEC || ioctl(fd, FIONREAD, &unread) != 0 ||
        ioctl(fd, TIOCOUTQ, &unsent) != 0)
        return -1;
    return unread + unsent;
}

/* The pair's ends are those where each call of wake() adds the same. */
void kube__sockets_hide_wakeup(void (*wake)(void *arg), void *arg)
{
    DIR *files = opendir("/proc/self/fd");
    const struct dirent *entry;
    while (files && (entry = readdir(files))) {
        int fd = (int)strtol(entry->d_name, NULL, 10);
        int first = waiting_bytes(fd);
        int second;
        if (first < 0)
            continue;
        wake(arg);
        second = waiting_bytes(fd);
        wake(arg);
        if (second > first && waiting_bytes(fd) - second == second - first)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    if (files)
        closedir(files);
}

#else

void kube__sockets_hide_wakeup(void (*wake)(void *arg), void *arg)
{
    (void)wake;
    (void)arg;
}

#endif

/* ---- the sockets --------------------------------------------------------------------------- */

kube__sockets *kube__sockets_new(void)
{
    return calloc(1, sizeof(kube__sockets));
}

void kube__sockets_free(kube__sockets *sockets)
{
    if (!sockets)
        return;
    free(sockets->fds);
    free(sockets);
}

/* curl's keepalive notices a dead host only while nothing is sent. */
void kube__sockets_set_dead_ms(int fd, int64_t dead_ms)
{
#ifdef TCP_USER_TIMEOUT
    unsigned limit = (unsigned)dead_ms;
    if (setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof(limit)))
        kube_log_debug("cannot set TCP_USER_TIMEOUT on this connection");
#else
    (void)fd;
    (void)dead_ms;
#endif
}

bool kube__sockets_add(kube__sockets *sockets, int fd)
{
    bool ok = true;
    hold(sockets);
    if (sockets->len == sockets->cap) {
        size_t cap = sockets->cap ? 2 * sockets->cap : 8;
        int *fds = realloc(sockets->fds, cap * sizeof *fds);
        ok = fds != NULL;
        if (ok) {
            sockets->fds = fds;
            sockets->cap = cap;
        }
    }
    if (ok)
        sockets->fds[sockets->len++] = fd;
    let_go(sockets);
    return ok;
}

void kube__sockets_remove(kube__sockets *sockets, int fd)
{
    hold(sockets);
    for (size_t i = 0; i < sockets->len; i++) {
        if (sockets->fds[i] == fd) {
            sockets->fds[i] = sockets->fds[--sockets->len];
            break;
        }
    }
    let_go(sockets);
}

void kube__sockets_begin_write(kube__sockets *sockets)
{
    sockets->writing = sockets->writing + 1;
}

void kube__sockets_end_write(kube__sockets *sockets)
{
    sockets->writing = sockets->writing - 1;
}

void kube__sockets_cut(kube__sockets *sockets)
{
    hold(sockets);
    cut_all(sockets);
    let_go(sockets);
}
