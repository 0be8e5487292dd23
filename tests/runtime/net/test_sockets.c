/* SPDX-License-Identifier: Apache-2.0 */
/* How connections of fenced requests are cut, and that a stopped process does not send late. */
#include "net/transport/sockets.h"
#include "support/suite.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* SOON_MS: until a deadline, more where the machine was too slow to be there before it. */
enum { PIECE = 64 << 10, SOON_MS = 100, LATE_MS = 50, TOO_LATE = 2 };

static int near;
static int far;
static kube__sockets *sockets;

static void set_up(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int small = 4096;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(listener, 0);
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, len), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    near = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(near, (struct sockaddr *)&address, len), 0);
    far = accept(listener, NULL, NULL);
    ck_assert_int_ge(far, 0);
    close(listener);
    sockets = kube__sockets_new();
    ck_assert_ptr_nonnull(sockets);
    ck_assert(kube__sockets_add(sockets, near));
}

static void tear_down(void)
{
    kube__sockets_remove(sockets, near);
    kube__sockets_free(sockets);
    close(near);
    close(far);
}

/* Reads to the end; gives what came, and the errno of the end, 0 = orderly. */
static size_t read_all(int *error)
{
    static char piece[PIECE];
    size_t total = 0;
    ssize_t len;
    while ((len = recv(far, piece, sizeof(piece), 0)) > 0)
        total += (size_t)len;
    *error = len < 0 ? errno : 0;
    return total;
}

FIXTURE(set_up, tear_down);

TEST(what_the_kernel_has_not_sent_is_thrown_away)
{
    static const char piece[PIECE];
    size_t taken = 0;
    ssize_t len;
    int error;
    while ((len = send(near, piece, sizeof(piece), MSG_DONTWAIT | MSG_NOSIGNAL)) > 0)
        taken += (size_t)len;
    ck_assert_int_eq(errno, EAGAIN);
    kube__sockets_begin_write(sockets);
    kube__sockets_cut(sockets);
    ck_assert_uint_lt(read_all(&error), taken);
    ck_assert_int_eq(error, ECONNRESET);
    ck_assert_int_lt((int)send(near, "x", 1, MSG_NOSIGNAL), 0);
    kube__sockets_end_write(sockets);
}

TEST(without_a_fenced_request_nothing_is_cut)
{
    char got[2];
    kube__sockets_cut(sockets);
    kube__sockets_begin_write(sockets);
    kube__sockets_end_write(sockets);
    kube__sockets_cut(sockets);
    ck_assert_int_eq((int)send(near, "x", 1, MSG_NOSIGNAL), 1);
    ck_assert_int_eq((int)recv(far, got, sizeof(got), 0), 1);
}

TEST(any_number_of_sockets_comes_and_goes)
{
    kube__sockets_begin_write(sockets);
    for (int i = 0; i < 100; i++)
        ck_assert(kube__sockets_add(sockets, 1000 + i)); /* not open: the cut passes over them */
    kube__sockets_remove(sockets, near);
    kube__sockets_cut(sockets);
    ck_assert_int_eq((int)send(near, "x", 1, MSG_NOSIGNAL), 1);
    for (int i = 0; i < 100; i++)
        kube__sockets_remove(sockets, 1000 + i);
    kube__sockets_remove(sockets, 5000);
    ck_assert(kube__sockets_add(sockets, near));
    kube__sockets_cut(sockets);
    ck_assert_int_lt((int)send(near, "x", 1, MSG_NOSIGNAL), 0);
    kube__sockets_end_write(sockets);
}

#ifdef __linux__

TEST(the_kernel_gives_up_after_the_grace)
{
    unsigned limit = 0;
    socklen_t len = sizeof(limit);
    kube__sockets_set_dead_ms(near, 4321);
    ck_assert_int_eq(getsockopt(near, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, &len), 0);
    ck_assert_uint_eq(limit, 4321);
}

/* Looks at the fence, is stopped, and sends as if no time had passed. */
static void send_late(kube_fence *fence, bool guarded)
{
    ssize_t sent;
    if (guarded) {
        kube__sockets_guard(sockets, fence);
        kube__sockets_rearm(sockets);
    }
    kube__sockets_begin_write(sockets);
    if (!kube__fence_is_open(fence))
        _exit(TOO_LATE);
    raise(SIGSTOP);
    sent = send(near, "late", 4, MSG_NOSIGNAL);
    _exit(sent == 4 ? 1 : 0);
}

static int64_t now_ns(void)
{
    return kube_clock_system()->now_ns(kube_clock_system());
}

static void sleep_until(clockid_t clock, int64_t ns)
{
    const struct timespec when = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = ns % 1000000000};
    while (clock_nanosleep(clock, TIMER_ABSTIME, &when, NULL) == EINTR) {
    }
}

static int try_late_sender(bool guarded, int64_t soon_ms)
{
    kube_fence *fence = kube_fence_new(NULL);
    int64_t deadline_ns;
    int status;
    pid_t child;
    kube_fence_open_until(fence, now_ns() + soon_ms * 1000000);
    deadline_ns = kube__fence_deadline_ns(fence);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        send_late(fence, guarded);
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    if (WIFSTOPPED(status)) {
        /* The deadline is what is waited for, and that the child's processor has seen it too. */
        sleep_until(CLOCK_BOOTTIME, deadline_ns + LATE_MS * INT64_C(1000000));
        kill(child, SIGCONT);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
    }
    kube_fence_free(fence);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int status_of_late_sender(bool guarded)
{
    int64_t soon_ms = SOON_MS;
    int status;
    while ((status = try_late_sender(guarded, soon_ms)) == TOO_LATE) {
        soon_ms *= 2;
        tear_down();
        set_up();
    }
    return status;
}

TEST(a_process_stopped_after_its_last_look_does_not_send)
{
    int error;
    ck_assert_int_eq(status_of_late_sender(true), 0);
    shutdown(near, SHUT_RDWR); /* the parent's, of the same connection */
    ck_assert_uint_eq(read_all(&error), 0);
}

TEST(without_the_timer_it_would)
{
    char got[8];
    ck_assert_int_eq(status_of_late_sender(false), 1);
    ck_assert_int_eq((int)recv(far, got, sizeof(got), 0), 4);
}

/* Opens @fence twice, with a timer for the first deadline; false when that had passed by then. */
static bool open_again_in_time(kube_fence *fence, int64_t first_ns)
{
    kube_fence_open_until(fence, first_ns);
    kube__sockets_guard(sockets, fence);
    kube__sockets_rearm(sockets);
    kube__sockets_begin_write(sockets);
    kube_fence_open_until(fence, first_ns + INT64_C(3600000000000));
    return now_ns() < first_ns;
}

TEST(a_fence_that_was_opened_again_in_time_cuts_nothing)
{
    kube_fence *fence = kube_fence_new(NULL);
    int64_t soon_ms = SOON_MS;
    int64_t first_ns = now_ns() + soon_ms * 1000000;
    while (!open_again_in_time(fence, first_ns)) {
        kube__sockets_end_write(sockets);
        kube__sockets_unguard(sockets);
        tear_down();
        set_up();
        soon_ms *= 2;
        first_ns = now_ns() + soon_ms * 1000000;
    }
    sleep_until(CLOCK_MONOTONIC, first_ns + 1000000);
    ck_assert_int_eq((int)send(near, "x", 1, MSG_NOSIGNAL), 1);
    /* And the timer of a fence that closes goes off at once. */
    kube_fence_close(fence);
    kube__sockets_rearm(sockets);
    while (send(near, "x", 1, MSG_NOSIGNAL) == 1) {
    }
    kube__sockets_end_write(sockets);
    kube__sockets_unguard(sockets);
    kube_fence_free(fence);
}

#endif
