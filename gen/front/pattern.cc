/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RE2 is the engine of Go's regexp package in C++: what it takes, an API server takes. Where its
 * syntax differs from Go's, a pattern is rewritten or refused here.
 */
extern "C" {
#include "pattern.h"

#include "support/xalloc.h"
}

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <re2/re2.h>
#include <string>

namespace
{

constexpr size_t LEN_MAX = 16384;
constexpr size_t DEPTH_MAX = 200;
constexpr size_t DIGITS_MAX = 9; /* a longer count is text for RE2 */
constexpr int64_t MEMORY_MAX = 8 << 20;

/* What is read of a pattern, and what RE2 gets of it. */
struct translation {
    std::string text;
    std::string fault; /* empty = none that RE2 would not find */

    explicit translation(const char *pattern) : at(pattern)
    {
        if (strlen(pattern) > LEN_MAX)
            fault = "it is longer than 16384 bytes";
        while (*at && fault.empty())
            step();
    }

  private:
    const char *at;
    size_t depth = 0;

    void take(size_t len)
    {
        text.append(at, len);
        at += len;
    }
    void step();
    void escape();
    void brackets();
    void group();
};

void translation::escape()
{
    const char *end = at[1] == 'Q' ? strstr(at, "\\E") : nullptr;
    if (at[1] == 'C')
        fault = "'\\C' is no escape";
    if (end)
        take((size_t)(end + 2 - at));
    else
        take(at[1] == 'Q' ? strlen(at) : at[1] ? 2 : 1);
}

void translation::brackets()
{
    take(1);
    if (*at == '^')
        take(1);
    if (*at == ']')
        take(1);
    while (*at && *at != ']') {
        const char *end = at[0] == '[' && at[1] == ':' ? strstr(at + 2, ":]") : nullptr;
        take(end ? (size_t)(end + 2 - at) : at[0] == '\\' && at[1] ? 2 : 1);
    }
}

/* Go has `(?<name>` besides `(?P<name>`. */
void translation::group()
{
    if (++depth > DEPTH_MAX)
        fault = "its groups are nested deeper than 200";
    if (strncmp(at, "(?<", 3) != 0 || (!isalpha((unsigned char)at[3]) && at[3] != '_')) {
        take(1);
        return;
    }
    text += "(?P<";
    at += 3;
}

void translation::step()
{
    if (*at == '\\') {
        escape();
    } else if (*at == '[') {
        brackets();
    } else if (*at == '(') {
        group();
    } else {
        depth -= *at == ')' && depth > 0;
        if (*at == '{' && strspn(at + 1, "0123456789") > DIGITS_MAX)
            fault = "a repeat is greater than 1000";
        take(1);
    }
}

RE2::Options options()
{
    RE2::Options made;
    made.set_log_errors(false);
    made.set_never_capture(true);
    made.set_max_mem(MEMORY_MAX);
    return made;
}

/* An exception cannot pass through the C code that called: there is one, for memory. */
template <typename F> auto or_end(F &&what) noexcept
{
    try {
        return what();
    } catch (...) {
        xchecked(nullptr);
        abort();
    }
}

} // namespace

const char *pattern_error(arena *in, const char *pattern)
{
    return or_end([&]() -> const char * {
        translation read(pattern);
        if (read.fault.empty()) {
            RE2 compiled(read.text, options());
            if (compiled.ok())
                return nullptr;
            read.fault = compiled.error();
        }
        return arena_strdup(in, read.fault.c_str());
    });
}

bool pattern_excludes(const char *pattern, const char *text)
{
    return or_end([&] {
        translation read(pattern);
        if (!read.fault.empty())
            return false;
        RE2 compiled(read.text, options());
        return compiled.ok() && !RE2::PartialMatch(text, compiled);
    });
}
