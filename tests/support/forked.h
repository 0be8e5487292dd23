/* SPDX-License-Identifier: Apache-2.0 */
/* What is meant to end a process, tried in a fork of this one. */
#ifndef TESTS_SUPPORT_FORKED_H
#define TESTS_SUPPORT_FORKED_H

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Runs @body in a fork of this process and returns its exit status: 127 if @body returns, 128 + the
 * number of the signal that ended it. What it wrote on standard error goes to @text of @size bytes.
 */
static inline int forked_run(void (*body)(void *arg), void *arg, char *text, size_t size)
{
    size_t len = 0;
    ssize_t got = 1;
    int ends[2];
    int status;
    pid_t pid;
    ck_assert_int_eq(pipe(ends), 0);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        body(arg);
        _exit(127);
    }
    close(ends[1]);
    while (got > 0 && len < size - 1) {
        got = read(ends[0], text + len, size - 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    text[len] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Sends @number to the child @pid and returns the number of the signal that ended it; 0 = none. */
static inline int forked_end_by(pid_t pid, int number)
{
    int status = 0;
    if (pid < 0)
        return 0;
    kill(pid, number);
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* The same of a child that executes another program, once it does. */
static inline int forked_program_end_by(int number)
{
    int ends[2];
    char none;
    pid_t pid = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (pid < 0)
        return 0;
    if (pid == 0) {
        execlp("sleep", "sleep", "1000", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    while (read(ends[0], &none, 1) > 0)
        continue;
    close(ends[0]);
    return forked_end_by(pid, number);
}

#endif /* TESTS_SUPPORT_FORKED_H */
