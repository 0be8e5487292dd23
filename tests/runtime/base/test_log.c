/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"
#include "base/utf8.h"
#include "support/suite.h"

#include <errno.h>
#include <kube/log.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct capture {
    int count;
    kube_log_level level;
    char file[64];
    int line;
    char message[8192];
    atomic_bool inside;
    bool overlapped;
} capture;

static void keep(void *arg, kube_log_level level, const char *file, int line, const char *message)
{
    capture *c = arg;
    c->overlapped = c->overlapped || atomic_exchange(&c->inside, true);
    c->count++;
    c->level = level;
    snprintf(c->file, sizeof c->file, "%s", file);
    c->line = line;
    snprintf(c->message, sizeof c->message, "%s", message);
    atomic_store(&c->inside, false);
}

static void log_again(void *arg, kube_log_level level, const char *file, int line,
                      const char *message)
{
    kube_log_error("from within the sink");
    keep(arg, level, file, line, message);
}

TEST(sink_gets_level_place_and_message)
{
    capture c = {0};
    kube_log_set_sink(keep, &c);
    kube_log(KUBE_LOG_WARN, "file.c", 42, "%s is %d", "x", 7);
    kube_log_set_sink(NULL, NULL);
    ck_assert_int_eq(c.count, 1);
    ck_assert_int_eq(c.level, KUBE_LOG_WARN);
    ck_assert_str_eq(c.file, "file.c");
    ck_assert_int_eq(c.line, 42);
    ck_assert_str_eq(c.message, "x is 7");
}

TEST(only_enabled_levels_are_written)
{
    capture c = {0};
    kube_log_set_sink(keep, &c);
    ck_assert(kube_log_enabled(KUBE_LOG_INFO));
    ck_assert(!kube_log_enabled(KUBE_LOG_DEBUG));
    kube_log_debug("no");
    ck_assert_int_eq(c.count, 0);
    kube_log_set_level(KUBE_LOG_TRACE);
    kube_log_trace("yes");
    ck_assert_int_eq(c.count, 1);
    kube_log_set_level(KUBE_LOG_ERROR);
    kube_log_warn("no");
    kube_log_error("yes");
    ck_assert_int_eq(c.count, 2);
    kube_log_set_level(KUBE_LOG_INFO);
    kube_log((kube_log_level)17, "file.c", 1, "no such level");
    ck_assert_int_eq(c.count, 2);
    kube_log_set_sink(NULL, NULL);
}

TEST(message_is_one_line_and_cannot_forge_another)
{
    capture c = {0};
    kube_log_set_sink(keep, &c);
    kube_log_info("one\ntwo\r\x1b[31m\ttab \xE2\x82\xAC\x7f");
    kube_log_set_sink(NULL, NULL);
    ck_assert_str_eq(c.message, "one\\ntwo\\x0d\\x1b[31m\ttab \xE2\x82\xAC\\x7f");
}

/* Whether a terminal or a reader may be misled by it: kept apart from the code's own list. */
static bool is_escaped(uint32_t c)
{
    static const uint32_t marks[] = {0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
                                     0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069};
    bool found = (c < 0x20 && c != '\t') || (c >= 0x7f && c < 0xa0);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        found = found || c == marks[i];
    return found;
}

TEST(no_character_forges_a_line_or_turns_it_around)
{
    capture c = {0};
    int escaped = 0;
    kube_log_set_sink(keep, &c);
    for (uint32_t code = 1; code < 0x110000; code += code < 0x10000 ? 1 : 0x101) {
        char text[5] = "";
        char want[16];
        if (code >= 0xd800 && code < 0xe000)
            continue;
        kube__utf8_put(code, text);
        snprintf(want, sizeof want,
                 code == '\n'  ? "\\n"
                 : code < 0x80 ? "\\x%02x"
                               : "\\u%04x",
                 (unsigned)code);
        kube_log_info("%s", text);
        ck_assert_str_eq(c.message, is_escaped(code) ? want : text);
        escaped += is_escaped(code);
    }
    ck_assert_int_eq(escaped, 30 + 33 + 14);
    kube_log_set_sink(NULL, NULL);
}

TEST(what_is_not_utf8_is_shown_as_bytes)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"a\x80"
         "b",
         "a\\x80b"},                /* an inner byte alone */
        {"\xff\xfe", "\\xff\\xfe"}, /* bytes that UTF-8 does not have */
        {"\xc0\x8a", "\\xc0\\x8a"}, /* too long a line feed */
        {"\xe2\x80", "\\xe2\\x80"}, /* cut short */
        {"\xe2\x80x", "\\xe2\\x80x"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"\xc2\x9b"
         "31m",
         "\\u009b31m"}, /* as ESC [ */
    };
    capture c = {0};
    kube_log_set_sink(keep, &c);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kube_log_info("%s", rows[i].text);
        ck_assert_str_eq(c.message, rows[i].want);
    }
    kube_log_set_sink(NULL, NULL);
}

TEST(long_message_is_cut_between_characters)
{
    static char text[20000];
    capture c = {0};
    size_t len;
    kube_log_set_sink(keep, &c);
    for (size_t pad = 0; pad < 3; pad++) {
        memset(text, 'p', pad);
        for (len = pad; len + 4 < sizeof text; len += 3)
            memcpy(text + len, "\xE2\x82\xAC", 4);
        kube_log_info("%s", text);
        len = strlen(c.message);
        ck_assert_uint_lt(len, 4096);
        ck_assert_uint_gt(len, 4000);
        ck_assert_str_eq(c.message + len - 3, "\xE2\x80\xA6");
        ck_assert_uint_eq((len - pad) % 3, 0);
    }
    /* What grows over the bound by escaping is cut too, what just fits is not. */
    memset(text, '\n', 3000);
    text[3000] = '\0';
    kube_log_info("%s", text);
    len = strlen(c.message);
    ck_assert_uint_lt(len, 4096);
    ck_assert_str_eq(c.message + len - 3, "\xE2\x80\xA6");
    memset(text, 'x', 4095);
    text[4095] = '\0';
    kube_log_info("%s", text);
    ck_assert_str_eq(c.message, text);
    kube_log_set_sink(NULL, NULL);
}

TEST(errno_is_kept)
{
    capture c = {0};
    kube_log_set_sink(keep, &c);
    errno = EBADF;
    kube_log_info("x");
    ck_assert_int_eq(errno, EBADF);
    kube_log_set_sink(NULL, NULL);
}

TEST(sink_that_logs_does_not_wait_for_itself)
{
    capture c = {0};
    kube_log_set_sink(log_again, &c);
    kube_log_info("outer");
    kube_log_set_sink(NULL, NULL);
    ck_assert_int_eq(c.count, 1);
    ck_assert_str_eq(c.message, "outer");
}

static void *log_much(void *arg)
{
    for (int i = 0; i < 500; i++)
        kube_log_info("%s %d", (const char *)arg, i);
    return NULL;
}

TEST(sink_is_called_by_one_thread_at_a_time)
{
    capture c = {0};
    kube__thread threads[4];
    kube_log_set_sink(keep, &c);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(kube__thread_start(&threads[i], "logger", log_much, "x", NULL), KUBE_OK);
    for (int i = 0; i < 4; i++)
        kube__thread_join(&threads[i]);
    kube_log_set_sink(NULL, NULL);
    ck_assert_int_eq(c.count, 2000);
    ck_assert(!c.overlapped);
}

/* What @log writes to stderr. */
static void read_stderr(void (*log)(void), char *out, size_t size)
{
    int ends[2];
    int saved = dup(STDERR_FILENO);
    ssize_t len;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    log();
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    len = read(ends[0], out, size - 1); /* one write, so one read has it all */
    close(ends[0]);
    ck_assert_int_gt(len, 0);
    out[len] = '\0';
}

static void log_one_line(void)
{
    kube_log_warn("network %s is gone", "blue");
}

TEST(standard_sink_writes_klogs_line)
{
    char line[256];
    regex_t pattern;
    read_stderr(log_one_line, line, sizeof line);
    ck_assert_int_eq(regcomp(&pattern,
                             "^W[01][0-9][0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-6][0-9]\\.[0-9]{6} "
                             "network blue is gone\n$",
                             REG_EXTENDED | REG_NOSUB),
                     0);
    ck_assert_msg(regexec(&pattern, line, 0, NULL, 0) == 0, "%s", line);
    regfree(&pattern);
}

static void log_long_line(void)
{
    kube_log_error("%6000d", 7);
}

TEST(standard_sink_writes_long_lines_whole)
{
    static char line[8192];
    size_t len;
    read_stderr(log_long_line, line, sizeof line);
    len = strlen(line);
    ck_assert_int_eq(line[0], 'E');
    ck_assert_str_eq(line + len - 4, "\xE2\x80\xA6\n");
}
