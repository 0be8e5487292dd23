/* SPDX-License-Identifier: Apache-2.0 */
/* What signals do to a process that called kube_ctx_new_signal(): a child is one, this reads what
 * it says. */
#include "control/manager/signal.h"
#include "support/forked.h"
#include "support/gate.h"
#include "support/suite.h"

#include <fcntl.h>
#include <kube/controller.h>
#include <kube/log.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct program {
    pid_t pid;
    FILE *says;
} program;

/* Runs @run in a child whose standard output comes here; its result is the status. */
static program start(int (*run)(void))
{
    program p;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    p.pid = fork();
    ck_assert_int_ge(p.pid, 0);
    if (p.pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        kube_log_set_level(KUBE_LOG_ERROR);
        signal(SIGINT, SIG_DFL); /* Check handles them: it passes them on to all around it */
        signal(SIGTERM, SIG_DFL);
        _exit(run());
    }
    close(ends[1]);
    p.says = fdopen(ends[0], "r");
    ck_assert_ptr_nonnull(p.says);
    return p;
}

static void expect(const program *p, const char *line)
{
    char said[100] = "";
    ck_assert_msg(fgets(said, sizeof said, p->says) != NULL, "it ended instead of \"%s\"", line);
    said[strcspn(said, "\n")] = '\0';
    ck_assert_str_eq(said, line);
}

static void send_signal(const program *p, int number)
{
    ck_assert_int_eq(kill(p->pid, number), 0);
}

static int end(program *p)
{
    int status;
    ck_assert_int_eq(waitpid(p->pid, &status, 0), p->pid);
    fclose(p->says);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void say(const char *line)
{
    char text[64];
    size_t len = strlen(line);
    memcpy(text, line, len); /* also from a handler, where nothing may be formatted */
    text[len++] = '\n';
    if (write(STDOUT_FILENO, text, len) < 0)
        _exit(9);
}

static void wait_for_end(kube_ctx *ctx)
{
    while (kube_ctx_sleep_ms(ctx, 3600 * 1000, NULL) == KUBE_OK)
        continue;
}

/* ---- SIGINT, SIGTERM (OW-5) ---------------------------------------------------------------- */

static int end_in_order(void)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    say("ready");
    wait_for_end(ctx);
    say("ending");
    kube_ctx_free(ctx);
    return 7;
}

TEST(the_first_signal_cancels)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        program p = start(end_in_order);
        expect(&p, "ready");
        send_signal(&p, numbers[i]);
        expect(&p, "ending");
        ck_assert_int_eq(end(&p), 7);
    }
}

static int never_end(void)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    say("ready");
    wait_for_end(ctx);
    say("ending");
    wait_for_end(NULL); /* a program that does not come to its end */
    return 7;
}

TEST(the_second_signal_ends_the_process)
{
    program p = start(never_end);
    expect(&p, "ready");
    send_signal(&p, SIGTERM);
    expect(&p, "ending");
    send_signal(&p, SIGUSR1); /* is none of them */
    send_signal(&p, SIGINT);
    ck_assert_int_eq(end(&p), 1);
}

static void log_for_ever(void *arg, kube_log_level level, const char *file, int line,
                         const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    (void)message;
    say("logging");
    wait_for_end(NULL);
}

static int log_to_somebody_stuck(void)
{
    kube_log_set_level(KUBE_LOG_INFO);
    kube_log_set_sink(log_for_ever, NULL);
    if (kube_ctx_new_signal())
        say("ready");
    wait_for_end(NULL);
    return 7;
}

TEST(the_second_signal_does_not_wait_for_what_the_first_set_off)
{
    program p = start(log_to_somebody_stuck);
    expect(&p, "ready");
    send_signal(&p, SIGTERM);
    expect(&p, "logging");
    send_signal(&p, SIGTERM);
    ck_assert_int_eq(end(&p), 1);
}

static int free_at_once(void)
{
    kube_ctx_free(kube_ctx_new_signal());
    return 7;
}

TEST(without_a_signal_it_is_freed)
{
    program p = start(free_at_once);
    ck_assert_int_eq(end(&p), 7);
}

static int end_both(void)
{
    kube_ctx *first = kube_ctx_new_signal();
    kube_ctx *second = kube_ctx_new_signal();
    kube_ctx *late;
    kube_ctx_reset(first); /* frees memory, no more */
    say("ready");
    wait_for_end(second);
    wait_for_end(first);
    late = kube_ctx_new_signal(); /* while the others end */
    wait_for_end(late);
    kube_ctx_free(late);
    kube_ctx_free(second);
    kube_ctx_free(first);
    return 7;
}

TEST(it_cancels_all_there_are)
{
    program p = start(end_both);
    expect(&p, "ready");
    send_signal(&p, SIGTERM);
    ck_assert_int_eq(end(&p), 7);
}

static int end_one_after_the_other(void)
{
    for (int i = 0; i < 2; i++) {
        kube_ctx *ctx = kube_ctx_new_signal();
        say("ready");
        wait_for_end(ctx);
        say("ending");
        kube_ctx_free(ctx);
    }
    kube_ctx_free(kube_ctx_new_signal());
    kube_ctx_free(NULL);
    say("free");
    while (pause() < 0) /* until a signal does what it does by itself */
        continue;
    return 7;
}

TEST(each_is_the_first_signal_of_its_ctx)
{
    program p = start(end_one_after_the_other);
    for (int i = 0; i < 2; i++) {
        expect(&p, "ready");
        send_signal(&p, SIGTERM);
        expect(&p, "ending");
    }
    expect(&p, "free");
    send_signal(&p, SIGINT);
    ck_assert_int_eq(end(&p), 128 + SIGINT);
}

/* ---- children ------------------------------------------------------------------------------ */

/* A program's mask and handlers pass to what it executes, but for handlers of its own. */
static int start_children(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGUSR1, SIGPIPE, SIGHUP};
    kube_ctx *ctx = kube_ctx_new_signal();
    bool all = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        all = forked_program_end_by(numbers[i]) == numbers[i] && all;
    say(all ? "all ended" : "some live on");
    wait_for_end(ctx);
    kube_ctx_free(ctx);
    return 7;
}

TEST(children_do_not_inherit_it)
{
    program p = start(start_children);
    expect(&p, "all ended");
    send_signal(&p, SIGTERM);
    ck_assert_int_eq(end(&p), 7);
}

#ifndef __SANITIZE_THREAD__ /* holds a signal back until the child calls something that it knows   \
                             */
static int fork_only(void)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    pid_t pid = fork();
    if (pid == 0) {
        for (;;)
            pause();
    }
    say(forked_end_by(pid, SIGTERM) == SIGTERM ? "it ended" : "it lives on");
    say(kube_ctx_status(ctx, NULL) ? "so do we" : "we go on");
    wait_for_end(ctx);
    kube_ctx_free(ctx);
    return 7;
}

TEST(a_signal_to_a_child_is_the_child_s)
{
    program p = start(fork_only);
    expect(&p, "it ended");
    expect(&p, "we go on");
    send_signal(&p, SIGTERM);
    ck_assert_int_eq(end(&p), 7);
}

/* As under nohup. What the process ignored, its child ignores. */
static int fork_ignoring(void)
{
    kube_ctx *ctx;
    pid_t pid;
    sigset_t interrupt;
    sigset_t none;
    sigemptyset(&none);
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, NULL); /* until the child waits for it */
    signal(SIGINT, SIG_IGN);
    ctx = kube_ctx_new_signal();
    pid = fork();
    if (pid == 0) {
        kill(getpid(), SIGINT);
        sigsuspend(&none);
        say("it goes on");
        for (;;)
            pause();
    }
    wait_for_end(ctx);
    say(forked_end_by(pid, SIGTERM) == SIGTERM ? "it ended" : "it lives on");
    kube_ctx_free(ctx);
    return 7;
}

TEST(a_child_ignores_what_was_ignored)
{
    program p = start(fork_ignoring);
    expect(&p, "it goes on");
    send_signal(&p, SIGTERM);
    expect(&p, "it ended");
    ck_assert_int_eq(end(&p), 7);
}

#ifndef __SANITIZE_ADDRESS__ /* a fork may leave its allocator locked; glibc's is ready for one */
/* A child that watches signals of its own, for a while. */
static int fork_and_watch(void)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    pid_t pid = fork();
    int status = 0;
    if (pid == 0) {
        kube_ctx_free(kube_ctx_new_signal());
        raise(SIGTERM);
        _exit(3);
    }
    waitpid(pid, &status, 0);
    say(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? "it ended" : "it was deaf");
    kube_ctx_free(ctx);
    return 7;
}

TEST(a_child_that_has_watched_signals_is_not_deaf)
{
    program p = start(fork_and_watch);
    expect(&p, "it ended");
    ck_assert_int_eq(end(&p), 7);
}
#endif

#endif

static int count_inherited_files(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++) {
        int flags = fcntl(fd, F_GETFD);
        count += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    return count;
}

static int list_open_files(void)
{
    int before = count_inherited_files();
    kube_ctx *ctx = kube_ctx_new_signal();
    say(count_inherited_files() == before ? "close on exec" : "inherited");
    kube_ctx_free(ctx);
    return 7;
}

TEST(children_do_not_inherit_its_files)
{
    program p = start(list_open_files);
    expect(&p, "close on exec");
    ck_assert_int_eq(end(&p), 7);
}

/* ---- handlers of the program ----------------------------------------------------------------- */

static struct sigaction ours;

static void call_ours(int number)
{
    say("handled");
    ours.sa_handler(number);
}

/* The program sets a handler of its own, which calls ours. */
static int handle_too(void)
{
    const struct sigaction own = {.sa_handler = call_ours};
    struct sigaction now;
    kube_ctx *ctx = kube_ctx_new_signal();
    sigaction(SIGTERM, &own, &ours);
    say("ready");
    wait_for_end(ctx);
    kube_ctx_free(ctx);
    sigaction(SIGTERM, NULL, &now);
    say(now.sa_handler == call_ours ? "kept" : "lost");
    raise(SIGTERM); /* ours has nothing to do any more, however often */
    raise(SIGTERM);
    sigaction(SIGTERM, &ours, NULL); /* which the program takes for what was there before */
    raise(SIGTERM);
    return 7;
}

TEST(a_handler_of_the_program_stays)
{
    program p = start(handle_too);
    expect(&p, "ready");
    send_signal(&p, SIGTERM);
    expect(&p, "handled");
    expect(&p, "kept");
    expect(&p, "handled");
    expect(&p, "handled");
    ck_assert_int_eq(end(&p), 128 + SIGTERM);
}

static int write_to_nobody(void)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    int ends[2];
    if (pipe(ends) == 0) {
        close(ends[0]);
        say(write(ends[1], "x", 1) < 0 ? "refused" : "written");
    }
    kube_ctx_free(ctx);
    return 7;
}

TEST(a_broken_pipe_is_an_error_only)
{
    program p = start(write_to_nobody);
    expect(&p, "refused");
    ck_assert_int_eq(end(&p), 7);
}

/* ---- SIGUSR1 ------------------------------------------------------------------------------- */

static gate dumps;

static void write_dump(void *arg)
{
    say(arg);
    gate_pass(&dumps);
}

static int dump_twice(void)
{
    static char text[] = "dump it";
    kube_ctx *ctx = kube_ctx_new_signal();
    gate_init(&dumps);
    kube__signal_on_dump(ctx, write_dump, text);
    say("ready");
    wait_for_end(ctx);
    say("ending");
    gate_wait(&dumps, 2); /* also while the program winds down */
    kube__signal_on_dump(ctx, NULL, NULL);
    kill(getpid(), SIGUSR1); /* nobody wants it any more */
    kube_ctx_free(ctx);
    say("end");
    return 7;
}

static int ignore_dump(void)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    say("ready");
    wait_for_end(ctx);
    kube_ctx_free(ctx);
    return 7;
}

TEST(a_dump_is_written_for_each_sigusr1)
{
    program p = start(dump_twice);
    expect(&p, "ready");
    send_signal(&p, SIGUSR1);
    expect(&p, "dump it");
    send_signal(&p, SIGTERM);
    expect(&p, "ending");
    send_signal(&p, SIGUSR1);
    expect(&p, "dump it");
    expect(&p, "end");
    ck_assert_int_eq(end(&p), 7);
}

TEST(sigusr1_is_ignored_while_there_is_no_dump)
{
    program p = start(ignore_dump);
    expect(&p, "ready");
    send_signal(&p, SIGUSR1);
    send_signal(&p, SIGTERM);
    ck_assert_int_eq(end(&p), 7);
}

static gate go_on;

static void dump_slowly(void *arg)
{
    (void)arg;
    say("dumping");
    gate_pass(&dumps);
    gate_wait(&go_on, 1);
}

/* More of them than a pipe has bytes, while the first dump is being written. */
static int ask_for_many_dumps(void)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    gate_init(&dumps);
    gate_init(&go_on);
    kube__signal_on_dump(ctx, dump_slowly, NULL);
    raise(SIGUSR1);
    gate_wait(&dumps, 1);
    for (int i = 0; i < 70000; i++)
        raise(SIGUSR1);
    raise(SIGTERM);
    gate_pass(&go_on);
    wait_for_end(ctx);
    say("ending");
    kube_ctx_free(ctx);
    return 7;
}

TEST(however_often_a_dump_is_asked_for_sigterm_is_heard)
{
    program p = start(ask_for_many_dumps);
    expect(&p, "dumping");
    expect(&p, "dumping");
    expect(&p, "ending");
    ck_assert_int_eq(end(&p), 7);
}
