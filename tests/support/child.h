/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as a child process, and waiting for what another process does. The child ends with the
 * test, however that ends.
 */
#ifndef TESTS_SUPPORT_CHILD_H
#define TESTS_SUPPORT_CHILD_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct child child;

/* Starts @arguments[0] with the arguments up to a NULL; both its streams go to the file @log. */
child *child_start(const char *const arguments[], const char *log);
void child_signal(const child *c, int number);
/* Whether it has ended. */
bool child_ended(child *c);
/* Waits for its end: its exit status, or 128 + the signal that ended it. */
int child_wait(child *c);
/* What it wrote so far; valid until the next call. */
const char *child_output(child *c);
pid_t child_pid(const child *c);
/* Kills it if it runs. NULL allowed. */
void child_free(child *c);

/* The machine's monotonic clock. */
int64_t poll_now_ms(void);
/* Rests a moment; false when @deadline_ms has passed. */
bool poll_again(int64_t deadline_ms);

/* For what takes milliseconds; minutes on a machine that is busy with something else. */
enum { POLL_PATIENCE_MS = 120000 };

/* Waits until @condition, evaluated again and again, is true, or fails with @text. */
#define eventually(condition, text)                                                                \
    do {                                                                                           \
        int64_t deadline_ms = poll_now_ms() + POLL_PATIENCE_MS;                                    \
        while (!(condition))                                                                       \
            if (!poll_again(deadline_ms))                                                          \
                ck_abort_msg("still not %s: %s", #condition, (text));                              \
    } while (0)

#endif /* TESTS_SUPPORT_CHILD_H */
