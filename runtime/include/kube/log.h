/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Log lines with levels. All of them go to one sink, by default to stderr.
 */
#ifndef KUBE_LOG_H
#define KUBE_LOG_H

#include <kube/export.h>
#include <stdbool.h>

KUBE_BEGIN_DECLS

typedef enum kube_log_level {
    KUBE_LOG_ERROR,
    KUBE_LOG_WARN,
    KUBE_LOG_INFO, /* the default */
    KUBE_LOG_DEBUG,
    KUBE_LOG_TRACE,
} kube_log_level;

/**
 * Receives one line without its newline. Whatever was logged, it is UTF-8 and has no character that
 * would forge a line, move a terminal's cursor or turn the direction of text: such characters, and
 * bytes that are not UTF-8, come as "\\n", "\\x1b" or "\\u202e". It may be called from any thread,
 * but never by two at once. @p file and @p line name the place in the source that logged.
 */
typedef void kube_log_sink(void *arg, kube_log_level level, const char *file, int line,
                           const char *message);

/** Sets where lines go; @p sink NULL restores stderr ("I1121 02:40:23.123456 text"). */
KUBE_API void kube_log_set_sink(kube_log_sink *sink, void *arg);
/** Sets the highest level that is logged. */
KUBE_API void kube_log_set_level(kube_log_level level);
/** Returns whether lines of @p level are logged, to save costly arguments. Threads: any. */
KUBE_API bool kube_log_enabled(kube_log_level level);
/** Logs a line if its level is enabled. Leaves errno as it is. Threads: any. */
KUBE_API void kube_log(kube_log_level level, const char *file, int line, const char *format, ...)
    KUBE_PRINTF(4, 5);

#define kube_log_error(...) kube_log(KUBE_LOG_ERROR, __FILE__, __LINE__, __VA_ARGS__)
#define kube_log_warn(...) kube_log(KUBE_LOG_WARN, __FILE__, __LINE__, __VA_ARGS__)
#define kube_log_info(...) kube_log(KUBE_LOG_INFO, __FILE__, __LINE__, __VA_ARGS__)
#define kube_log_debug(...) kube_log(KUBE_LOG_DEBUG, __FILE__, __LINE__, __VA_ARGS__)
#define kube_log_trace(...) kube_log(KUBE_LOG_TRACE, __FILE__, __LINE__, __VA_ARGS__)

KUBE_END_DECLS

#endif /* KUBE_LOG_H */
