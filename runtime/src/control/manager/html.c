/* SPDX-License-Identifier: Apache-2.0 */
#include "html.h"

#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const replacement = "\xEF\xBF\xBD"; /* U+FFFD */

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Control characters have no place in a page; nor have the two of U+FFFE and U+FFFF. */
static bool is_shown(const char *s, size_t len)
{
    if (len == 1)
        return ((unsigned char)*s >= 0x20 && *s != 0x7F) || *s == '\n' || *s == '\t';
    if (len == 2)
        return (unsigned char)s[0] != 0xC2 || (unsigned char)s[1] >= 0xA0;
    return len > 0 && (len != 3 || (unsigned char)s[0] != 0xEF || (unsigned char)s[1] != 0xBF ||
                       (unsigned char)s[2] < 0xBE);
}

void kube__html_text(kube__buffer *page, const char *text)
{
    for (const char *s = kube__text_or_empty(text); *s;) {
        size_t len = kube__utf8_len(s, SIZE_MAX);
        if (entity(*s))
            kube__buffer_add_text(page, entity(*s));
        else if (is_shown(s, len))
            kube__buffer_add(page, s, len);
        else
            kube__buffer_add_text(page, replacement);
        s += len ? len : 1;
    }
}

void kube__html_printf(kube__buffer *page, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    kube__html_text(page, text);
}

/* ---- quantities ----------------------------------------------------------------------------- */

void kube__html_duration(kube__buffer *page, int64_t ns)
{
    int64_t seconds = ns / KUBE__NS_PER_S;
    if (ns < KUBE__NS_PER_MS)
        kube__html_printf(page, "%" PRId64 " µs", ns / KUBE__NS_PER_US);
    else if (ns < KUBE__NS_PER_S)
        kube__html_printf(page, "%.*f ms", ns < 10 * KUBE__NS_PER_MS ? 1 : 0,
                          (double)ns / (double)KUBE__NS_PER_MS);
    else if (seconds < 10 && ns % KUBE__NS_PER_S)
        kube__html_printf(page, "%.1f s", kube__ns_to_s(ns));
    else if (seconds < 60)
        kube__html_printf(page, "%" PRId64 " s", seconds);
    else if (seconds < KUBE__S_PER_HOUR)
        kube__html_printf(page, "%" PRId64 " min %" PRId64 " s", seconds / 60, seconds % 60);
    else if (seconds < KUBE__S_PER_DAY)
        kube__html_printf(page, "%" PRId64 " h %" PRId64 " min", seconds / KUBE__S_PER_HOUR,
                          seconds / 60 % 60);
    else
        kube__html_printf(page, "%" PRId64 " d %" PRId64 " h", seconds / KUBE__S_PER_DAY,
                          seconds / KUBE__S_PER_HOUR % 24);
}

void kube__html_age(kube__buffer *page, int64_t now_ns, int64_t since_ns)
{
    if (!since_ns) {
        kube__html_raw(page, "never");
    } else if (now_ns - since_ns < KUBE__NS_PER_S) {
        kube__html_raw(page, "just now");
    } else {
        kube__html_duration(page, (now_ns - since_ns) / KUBE__NS_PER_S * KUBE__NS_PER_S);
        kube__html_raw(page, " ago");
    }
}

void kube__html_bytes(kube__buffer *page, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes / 1024;
    size_t unit = 0;
    if (bytes < 1024) {
        kube__html_printf(page, "%" PRIu64 " B", bytes);
        return;
    }
    for (; value >= 1000 && unit < 3; unit++)
        value /= 1024;
    kube__html_printf(page, "%.*f %s", value < 10 ? 1 : 0, value, units[unit]);
}

/* ---- tables --------------------------------------------------------------------------------- */

void kube__html_table(kube__buffer *page, const char *caption, const char *const *columns)
{
    kube__html_raw(page, "<div class=\"box\"><table>\n<caption>");
    kube__html_text(page, caption);
    kube__html_raw(page, "</caption>\n<thead><tr>");
    for (; *columns; columns++) {
        kube__html_raw(page, "<th scope=\"col\">");
        kube__html_text(page, *columns);
        kube__html_raw(page, "</th>");
    }
    kube__html_raw(page, "</tr></thead>\n<tbody>\n");
}

void kube__html_cell(kube__buffer *page, const char *column, bool first, bool number)
{
    kube__html_raw(page, first ? "<tr><th scope=\"row\"" : "<td");
    kube__html_raw(page, number ? " class=\"number\" data-column=\"" : " data-column=\"");
    kube__html_text(page, column);
    kube__html_raw(page, "\"><span>");
}

void kube__html_cell_end(kube__buffer *page, bool first)
{
    kube__html_raw(page, first ? "</span></th>" : "</span></td>");
}
