/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"
#include "units.h"
#include "utf8.h"

#include <errno.h>
#include <kube/log.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 4096, STAMP_SIZE = 32 };

static const char ellipsis[] = "\xE2\x80\xA6";

static kube__mutex sink_mutex = PTHREAD_MUTEX_INITIALIZER; /* one call of the sink at a time */
static kube_log_sink *current_sink;                        /* NULL = write_stderr() */
static void *current_arg;
static _Atomic int current_level = KUBE_LOG_INFO;
static _Thread_local bool inside_sink; /* a sink that logs would wait for itself */

/* "I1121 02:40:23.123456 ", local time as in klog. */
static size_t format_stamp(char *out, size_t size, kube_log_level level)
{
    static const char letters[] = "EWIDT";
    struct timespec now = {0, 0};
    struct tm t;
    int len = 0;
    clock_gettime(CLOCK_REALTIME, &now);
    if (localtime_r(&now.tv_sec, &t))
        len =
            snprintf(out, size, "%c%02d%02d %02d:%02d:%02d.%06ld ", letters[level], t.tm_mon + 1,
                     t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, now.tv_nsec / (long)KUBE__NS_PER_US);
    return len > 0 && (size_t)len < size ? (size_t)len : 0;
}

/* One write, so that lines of several processes on one terminal or pipe stay whole. */
static void write_stderr(kube_log_level level, const char *message)
{
    char line[STAMP_SIZE + MESSAGE_SIZE + 1];
    size_t len = format_stamp(line, STAMP_SIZE, level);
    size_t message_len = strlen(message);
    ssize_t written;
    memcpy(line + len, message, message_len);
    len += message_len;
    line[len++] = '\n';
    do {
        written = write(STDERR_FILENO, line, len);
    } while (written < 0 && errno == EINTR);
}

/* Copies @text as one line; what does not fit ends in an ellipsis. */
static void make_line(char out[MESSAGE_SIZE], const char *text, bool whole)
{
    const size_t room = MESSAGE_SIZE - sizeof ellipsis; /* the NUL is in sizeof */
    size_t len = 0;
    size_t cut;
    bool fits = true;
    while (*text && fits) {
        char escaped[KUBE__SHOWN_SIZE];
        size_t n = kube__utf8_show(&text, escaped);
        fits = len + n <= MESSAGE_SIZE - 1;
        if (fits)
            memcpy(out + len, escaped, n);
        len += fits ? n : 0;
    }
    out[len] = '\0';
    if (fits && whole)
        return;
    cut = kube__utf8_cut(out, len, room);
    memcpy(out + cut, ellipsis, sizeof ellipsis);
}

void kube_log_set_sink(kube_log_sink *sink, void *arg)
{
    kube__lock(&sink_mutex);
    current_sink = sink;
    current_arg = arg;
    kube__unlock(&sink_mutex);
}

void kube_log_set_level(kube_log_level level)
{
    atomic_store_explicit(&current_level, (int)level, memory_order_relaxed);
}

bool kube_log_enabled(kube_log_level level)
{
    return (int)level <= atomic_load_explicit(&current_level, memory_order_relaxed);
}

static void deliver(kube_log_level level, const char *file, int line, const char *message)
{
    if (inside_sink)
        return;
    kube__lock(&sink_mutex);
    inside_sink = true;
    if (current_sink)
        current_sink(current_arg, level, file, line, message);
    else
        write_stderr(level, message);
    inside_sink = false;
    kube__unlock(&sink_mutex);
}

void kube_log(kube_log_level level, const char *file, int line, const char *format, ...)
{
    int saved = errno;
    char text[MESSAGE_SIZE];
    char message[MESSAGE_SIZE];
    va_list args;
    int len;
    if (level < KUBE_LOG_ERROR || level > KUBE_LOG_TRACE || !kube_log_enabled(level))
        return;
    va_start(args, format);
    len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len < 0)
        snprintf(text, sizeof text, "unprintable message (format \"%s\")", format);
    make_line(message, text, len < (int)sizeof text);
    deliver(level, file, line, message);
    errno = saved;
}
