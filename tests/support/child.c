/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REST_MS = 10 };

struct child {
    pid_t pid;
    bool ended;
    int status;
    char *log;
    char *output;
};

int64_t poll_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool poll_again(int64_t deadline_ms)
{
    const struct timespec rest = {0, REST_MS * 1000000};
    if (poll_now_ms() > deadline_ms)
        return false;
    nanosleep(&rest, NULL);
    return true;
}

/* In the child. */
static void become(const char *const arguments[], int log, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
        _exit(127);
    execv(arguments[0], (char *const *)(uintptr_t)arguments);
    dprintf(STDERR_FILENO, "%s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

child *child_start(const char *const arguments[], const char *log)
{
    child *c = calloc(1, sizeof *c);
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    pid_t parent = getpid();
    ck_assert_msg(c && fd >= 0, "%s: %s", log, strerror(errno));
    c->log = strdup(log);
    c->pid = fork();
    ck_assert_int_ge(c->pid, 0);
    if (c->pid == 0)
        become(arguments, fd, parent);
    close(fd);
    return c;
}

void child_signal(const child *c, int number)
{
    ck_assert_msg(!c->ended && kill(c->pid, number) == 0, "it has ended");
}

bool child_ended(child *c)
{
    int status;
    if (!c->ended && waitpid(c->pid, &status, WNOHANG) == c->pid) {
        c->ended = true;
        c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return c->ended;
}

int child_wait(child *c)
{
    eventually(child_ended(c), child_output(c));
    return c->status;
}

const char *child_output(child *c)
{
    FILE *file = fopen(c->log, "r");
    size_t len = 0;
    size_t got = 1;
    ck_assert_ptr_nonnull(file);
    while (got) {
        c->output = realloc(c->output, len + 4096);
        ck_assert_ptr_nonnull(c->output);
        got = fread(c->output + len, 1, 4095, file);
        len += got;
    }
    c->output[len] = '\0';
    fclose(file);
    return c->output;
}

pid_t child_pid(const child *c)
{
    return c->pid;
}

void child_free(child *c)
{
    if (!c)
        return;
    if (!child_ended(c)) {
        kill(c->pid, SIGKILL);
        waitpid(c->pid, NULL, 0);
    }
    free(c->log);
    free(c->output);
    free(c);
}
