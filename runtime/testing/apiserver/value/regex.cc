/* SPDX-License-Identifier: Apache-2.0 */
#include "regex.h"

extern "C" {
#include "base/ctx.h"
}
#include "steps.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <kube/shapes.h>
#include <list>
#include <memory>
#include <mutex>
#include <re2/re2.h>
#include <string>

namespace
{

constexpr size_t PATTERN_SIZE = 64 * 1024;
constexpr int64_t SMALL = 1 << 20;         /* bytes that a program and its automaton may take */
constexpr int64_t LARGE = 8 << 20;         /* the same when that is too little */
constexpr int64_t KEPT = 32 << 20;         /* of all programs that are kept */
constexpr uint64_t INSTRUCTION_STEPS = 48; /* of compiling, about */
constexpr uint64_t NS_PER_STEP = 5;        /* of matching, about */
constexpr uint64_t FULL = 1 << 20;         /* steps from which a match is charged in full */

std::string replaced(const std::string &text, const std::string &from, const std::string &to)
{
    std::string out;
    size_t start = 0;
    for (size_t at; (at = text.find(from, start)) != text.npos; start = at + from.size())
        out.append(text, start, at - start).append(to);
    return out.append(text, start, text.npos);
}

/* U+0000 is KUBE_TEXT_NUL here and a NUL for RE2. */
std::string with_nuls(const std::string &text)
{
    return replaced(text, KUBE_TEXT_NUL, std::string(1, '\0'));
}

/* ---- Go's syntax ---------------------------------------------------------------------------- */

/* Past a class that starts at @at; the end of the text when it has no end. */
const char *skip_class(const char *at)
{
    at++;
    if (*at == '^')
        at++;
    if (*at == ']')
        at++;
    for (; *at && *at != ']'; at++) {
        const char *end = at[0] == '[' && at[1] == ':' ? strstr(at, ":]") : nullptr;
        if (*at == '\\' && at[1])
            at++;
        else if (end)
            at = end + 1;
    }
    return *at ? at + 1 : at;
}

/* Where the name of "(?<name>" or "(?P<name>" starts; NULL when no such group starts at @at. */
const char *group_name(const char *at)
{
    if (at[0] != '(' || at[1] != '?')
        return nullptr;
    at += at[2] == 'P' ? 3 : 2;
    return at[0] == '<' && at[1] ? at + 1 : nullptr;
}

bool is_name(const char *at, const char *end)
{
    return at < end && std::all_of(at, end, [](unsigned char c) { return isalnum(c) || c == '_'; });
}

/* What RE2 reads otherwise than Go: "(?<name>" is news to it, two groups of one name are an error,
 * and \C is an escape, for which one stands here that neither knows. */
struct translation {
    std::string text;
    std::string bad_group; /* the first one that has no name */
};

translation from_go(const char *at)
{
    translation out;
    while (*at) {
        const char *from = at;
        if (const char *name = group_name(at)) {
            const char *end = strchr(name, '>');
            bool is_good = end && is_name(name, end);
            if (!is_good && out.bad_group.empty())
                out.bad_group = end ? std::string(at, end + 1) : at;
            out.text += is_good ? "(?:" : "(?P<-"; /* no name for RE2 either */
            at = is_good ? end + 1 : name;
            continue;
        }
        if (at[0] == '\\' && at[1] == 'C') {
            out.text += "\\y";
            at += 2;
            continue;
        }
        if (at[0] == '\\' && at[1] == 'Q') {
            const char *close = strstr(at, "\\E");
            at = close ? close + 2 : at + strlen(at);
        } else if (at[0] == '\\' && at[1]) {
            at += 2;
        } else if (at[0] == '[') {
            at = skip_class(at);
        } else {
            at++;
        }
        out.text.append(from, at);
    }
    out.text = with_nuls(out.text);
    return out;
}

/* "{1001}" and "{3,2}", which Go sees before it sees that nothing may be repeated here. */
bool is_bad_count(const std::string &count)
{
    unsigned long least = 0;
    unsigned long most = 0;
    int found = sscanf(count.c_str(), "{%lu,%lu}", &least, &most);
    return least > 1000 || (found == 2 && (most > 1000 || most < least));
}

const char *words_of(RE2::ErrorCode code)
{
    switch (code) {
    case RE2::ErrorBadEscape:
        return "invalid escape sequence";
    case RE2::ErrorBadCharClass:
        return "invalid character class";
    case RE2::ErrorBadCharRange:
        return "invalid character class range";
    case RE2::ErrorMissingBracket:
        return "missing closing ]";
    case RE2::ErrorMissingParen:
        return "missing closing )";
    case RE2::ErrorUnexpectedParen:
        return "unexpected )";
    case RE2::ErrorTrailingBackslash:
        return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument:
        return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize:
        return "invalid repeat count";
    case RE2::ErrorRepeatOp:
        return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp:
        return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8:
        return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture:
        return "invalid named capture";
    case RE2::ErrorPatternTooLarge:
        return "expression too large";
    default:
        return "regexp/syntax: internal error";
    }
}

/* What Go says of what RE2 refused. */
std::string fault_of(const std::string &pattern, const translation &translated, const RE2 &compiled)
{
    RE2::ErrorCode code = compiled.error_code();
    std::string part = replaced(compiled.error_arg(), std::string(1, '\0'), KUBE_TEXT_NUL);
    size_t count = part.rfind('{');
    if (code == RE2::ErrorMissingParen && part.compare(0, 2, "(?") == 0 && part != translated.text)
        code = RE2::ErrorBadPerlOp;
    if (code == RE2::ErrorBadUTF8) { /* it is UTF-8: an escape is cut off */
        code = RE2::ErrorBadEscape;
        part = pattern.substr(pattern.rfind('\\'));
    } else if (code == RE2::ErrorMissingParen || code == RE2::ErrorUnexpectedParen ||
               code == RE2::ErrorPatternTooLarge) {
        part = pattern;
    } else if (code == RE2::ErrorBadNamedCapture) {
        part = translated.bad_group;
    } else if (code == RE2::ErrorBadEscape && part == "\\y" && pattern.find(part) == pattern.npos) {
        part = "\\C";
    } else if (code == RE2::ErrorRepeatSize || (code == RE2::ErrorRepeatOp && count != part.npos &&
                                                is_bad_count(part.substr(count)))) {
        code = RE2::ErrorRepeatSize;
        part = part.substr(count, part.rfind('}') + 1 - count);
    }
    return std::string("error parsing regexp: ") + words_of(code) + ": `" + part + "`";
}

/* ---- programs ------------------------------------------------------------------------------- */

struct program {
    std::string pattern;
    std::shared_ptr<RE2> compiled;
    int64_t size;
};

/* The latest ones first. A list of a hundred thousand strings is held against one or two. */
std::mutex kept_mutex;
std::list<program> *kept;

bool take_steps(kube_ctx *ctx, uint64_t count)
{
    kube__api_take_steps(count);
    return kube__api_check_steps(ctx);
}

std::shared_ptr<RE2> compile(const std::string &text, int64_t size)
{
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_capture(true);
    options.set_max_mem(size);
    return std::make_shared<RE2>(text, options);
}

program compile(kube_ctx *ctx, const std::string &pattern)
{
    const std::string text = from_go(pattern.c_str()).text;
    program made = {pattern, compile(text, SMALL), SMALL};
    if (made.compiled->error_code() == RE2::ErrorPatternTooLarge) {
        take_steps(ctx, INSTRUCTION_STEPS * SMALL / 64);
        made = {pattern, compile(text, LARGE), LARGE};
    }
    bool too_large = made.compiled->error_code() == RE2::ErrorPatternTooLarge;
    uint64_t instructions = made.compiled->ok() ? (uint64_t)made.compiled->ProgramSize()
                            : too_large         ? LARGE / 32
                                                : 0;
    take_steps(ctx, INSTRUCTION_STEPS * (text.size() + instructions));
    return made;
}

std::shared_ptr<RE2> find(const std::string &pattern)
{
    std::lock_guard<std::mutex> guard(kept_mutex);
    if (!kept)
        return nullptr;
    for (auto at = kept->begin(); at != kept->end(); ++at) {
        if (at->pattern == pattern) {
            kept->splice(kept->begin(), *kept, at);
            return at->compiled;
        }
    }
    return nullptr;
}

void keep(const program &made)
{
    std::list<program> dropped; /* freed without the mutex */
    std::lock_guard<std::mutex> guard(kept_mutex);
    int64_t size = 0;
    if (!kept)
        kept = new std::list<program>; /* as long as the process: threads may still match */
    kept->push_front(made);
    for (auto at = kept->begin(); at != kept->end();) {
        auto here = at++;
        size += here->size;
        if (size > KEPT)
            dropped.splice(dropped.end(), *kept, here);
    }
}

/* ---- matching ------------------------------------------------------------------------------- */

uint64_t cpu_ns()
{
    struct timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Mostly RE2 has the states of its automaton already and looks at each byte once. Where it makes
 * new states or does without them, a byte costs as much as the program is long; which it was shows
 * only in the time. What may take long is paid in full beforehand, because nothing can stop it. */
bool search(kube_ctx *ctx, const RE2 &compiled, re2::StringPiece text)
{
    uint64_t instructions = (uint64_t)compiled.ProgramSize();
    uint64_t full = (text.size() + 1) * instructions;
    uint64_t charged = full > FULL ? full : 16 + text.size() * std::min<uint64_t>(instructions, 16);
    if (!take_steps(ctx, charged))
        return false;
    if (full > FULL)
        return RE2::PartialMatch(text, compiled);
    uint64_t before = cpu_ns();
    bool matches = RE2::PartialMatch(text, compiled);
    uint64_t taken = (cpu_ns() - before) / NS_PER_STEP;
    return take_steps(ctx, taken > charged ? taken - charged : 0) && matches;
}

} // namespace

/* ---- C's side ------------------------------------------------------------------------------- */

const char *kube__api_regex_fault(kube_ctx *ctx, const char *pattern)
try {
    if (strlen(pattern) > PATTERN_SIZE)
        return "error parsing regexp: expression too large";
    if (!kube__api_check_steps(ctx))
        return nullptr; /* nothing comes of the request any more */
    program made = compile(ctx, pattern);
    if (made.compiled->ok())
        return nullptr;
    return kube_ctx_strdup(ctx, fault_of(pattern, from_go(pattern), *made.compiled).c_str());
} catch (const std::exception &) {
    kube__ctx_fail(ctx, 0);
    return "";
}

bool kube__api_regex_matches(kube_ctx *ctx, const char *pattern, const char *text, size_t len)
try {
    if (strlen(pattern) > PATTERN_SIZE || !kube__api_check_steps(ctx))
        return false;
    std::shared_ptr<RE2> compiled = find(pattern);
    if (!compiled) {
        program made = compile(ctx, pattern);
        compiled = made.compiled;
        keep(made);
    }
    if (!compiled->ok())
        return false;
    if (!memmem(text, len, KUBE_TEXT_NUL, sizeof KUBE_TEXT_NUL - 1))
        return search(ctx, *compiled, re2::StringPiece(text, len));
    return search(ctx, *compiled, with_nuls(std::string(text, len)));
} catch (const std::exception &) {
    kube__ctx_fail(ctx, 0);
    return false;
}
