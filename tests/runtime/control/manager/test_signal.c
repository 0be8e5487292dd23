/* SPDX-License-Identifier: Apache-2.0 */
/* What signals do to a process that called kube_ctx_new_signal(): a child is one, this reads what
 * it says. */
#include "control/manager/signal.h"
#include "support/gate.h"
#include "support/suite.h"

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
    dprintf(STDOUT_FILENO, "%s\n", line);
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
    kube__signal_on_dump(write_dump, text);
    say("ready");
    wait_for_end(ctx);
    say("ending");
    gate_wait(&dumps, 2); /* also while the program winds down */
    kube__signal_on_dump(NULL, NULL);
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
