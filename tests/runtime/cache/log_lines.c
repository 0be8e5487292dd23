/* SPDX-License-Identifier: Apache-2.0 */
#include "log_lines.h"

#include "base/thread.h"

#include <kube/log.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static struct {
    char lines[64][256];
    int len;
} kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void keep(void *arg, kube_log_level level, const char *file, int line, const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    kube__lock(&mutex);
    if (kept.len < 64)
        snprintf(kept.lines[kept.len++], sizeof kept.lines[0], "%s", message);
    kube__unlock(&mutex);
}

void log_lines_start(void)
{
    kube__lock(&mutex);
    kept.len = 0;
    kube__unlock(&mutex);
    kube_log_set_sink(keep, NULL);
}

void log_lines_stop(void)
{
    kube_log_set_sink(NULL, NULL);
}

int log_lines_count(const char *text)
{
    int count = 0;
    kube__lock(&mutex);
    for (int i = 0; i < kept.len; i++)
        count += strstr(kept.lines[i], text) != NULL;
    kube__unlock(&mutex);
    return count;
}

void log_lines_wait(const char *text)
{
    while (log_lines_count(text) == 0)
        sched_yield();
}
