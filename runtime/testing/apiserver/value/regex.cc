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
constexpr uint64_t CLASS_STEPS = 700 * INSTRUCTION_STEPS;
constexpr size_t MOST_HEIGHT = 1000;          /* of the tree that Go makes of a pattern */
constexpr char LARGE_COUNT[] = "{999999999}"; /* which RE2 refuses */
constexpr uint64_t NS_PER_STEP = 5;           /* of matching, about */
constexpr uint64_t FULL = 1 << 20;            /* steps from which a match is charged in full */

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

/* Where the name of "(?<name>" or "(?P<name>" starts; NULL when no such group starts at @at. */
const char *group_name(const char *at)
{
    if (at[0] != '(' || at[1] != '?')
        return nullptr;
    at += at[2] == 'P' ? 3 : 2;
    return at[0] == '<' && at[1] ? at + 1 : nullptr;
}

/* Past the letters that a name may have. */
const char *skip_name(const char *at)
{
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    return at;
}

/* Past "{n}", "{n,}" or "{n,m}" at @at; NULL when Go reads it as literal text. @most gets the
 * number of digits of the longer one. */
const char *skip_count(const char *at, size_t *most)
{
    *most = 0;
    for (int i = 0; i < 2; i++) {
        size_t digits = strspn(++at, "0123456789");
        if ((digits == 0 && (i == 0 || *at != '}')) || (digits > 1 && *at == '0'))
            return nullptr;
        *most = std::max(*most, digits);
        at += digits;
        if (*at == '}')
            return at + 1;
        if (*at != ',')
            return nullptr;
    }
    return nullptr;
}

/* What RE2 reads otherwise than Go: "(?<name>" is news to it, two groups of one name are an error,
 * \C is an escape, for which one stands here that neither knows, and a count of ten digits is text,
 * for which one of nine stands here. */
class translation
{
  public:
    std::string text;
    std::string bad_group; /* the first one that has no name */
    std::string bad_count; /* the first one that is text for RE2 */
    uint64_t steps = 0;    /* of compiling, which the number of instructions does not tell */
    bool too_deep = false; /* its groups nest deeper than Go allows */

    explicit translation(const char *pattern) : at(pattern), last(pattern + strlen(pattern))
    {
        while (*at)
            translate();
        text = with_nuls(text);
    }

  private:
    struct group {
        bool captures;
        size_t height; /* of the tallest group in it */
    };

    const char *at;
    const char *const last;
    bool ends_classes = true; /* there may be a ":]" from here on */
    std::list<group> open;

    void translate();
    void put_group(const char *name);
    void begin_group();
    void end_group();
    void skip_escape();
    void skip_class();
};

/* Past an escape; \pL is some 700 ranges of characters. */
void translation::skip_escape()
{
    if (at[1] == 'p' || at[1] == 'P')
        steps += CLASS_STEPS;
    else if (at[1] == 'D' || at[1] == 'S' || at[1] == 'W')
        steps += CLASS_STEPS / 8;
    at += at[1] ? 2 : 1;
}

void translation::skip_class()
{
    at++;
    if (*at == '^') {
        steps += CLASS_STEPS;
        at++;
    }
    if (*at == ']')
        at++;
    while (*at && *at != ']') {
        const char *end = nullptr;
        if (at[0] == '[' && at[1] == ':') {
            end = ends_classes ? strstr(at + 2, ":]") : nullptr;
            ends_classes = end;
            if (!end)
                steps += (uint64_t)(last - at) / 16; /* RE2 looks for it each time */
        }
        if (*at == '\\')
            skip_escape();
        else
            at = end ? end + 2 : at + 1;
    }
    if (*at)
        at++;
}

void translation::begin_group()
{
    bool captures = at[1] != '?' || group_name(at);
    if (!captures && memchr(at + 2, 'i', strcspn(at + 2, ":)")))
        steps += CLASS_STEPS;
    open.push_back({captures, 1});
}

void translation::end_group()
{
    if (open.empty())
        return;
    size_t height = open.back().height + open.back().captures;
    open.pop_back();
    too_deep |= height > MOST_HEIGHT;
    if (!open.empty())
        open.back().height = std::max(open.back().height, height);
}

/* A group that starts at @at and has @name, good or bad. */
void translation::put_group(const char *name)
{
    const char *end = skip_name(name);
    bool is_good = end > name && *end == '>';
    if (!is_good && bad_group.empty()) {
        end = strchr(name, '>');
        bad_group = end ? std::string(at, end + 1) : at;
    }
    text += is_good ? "(?:" : "(?P<-"; /* no name for RE2 either */
    at = is_good ? end + 1 : name;
}

void translation::translate()
{
    const char *from = at;
    size_t digits;
    const char *end = *at == '{' ? skip_count(at, &digits) : nullptr;
    if (*at == '(')
        begin_group();
    if (const char *name = group_name(at)) {
        put_group(name);
        return;
    }
    if (end && digits > 9) {
        if (bad_count.empty())
            bad_count = std::string(at, end);
        text += LARGE_COUNT;
        at = end;
        return;
    }
    if (at[0] == '\\' && at[1] == 'C') {
        text += "\\y";
        at += 2;
        return;
    }
    if (at[0] == '\\' && at[1] == 'Q') {
        const char *close = strstr(at, "\\E");
        at = close ? close + 2 : at + strlen(at);
    } else if (at[0] == '\\') {
        skip_escape();
    } else if (at[0] == '[') {
        skip_class();
    } else {
        if (*at == ')')
            end_group();
        at++;
    }
    text.append(from, at);
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
        if (part == LARGE_COUNT && pattern.find(part) == pattern.npos)
            part = translated.bad_count;
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

/* Nothing is compiled when the request has taken too many steps. */
program compile(kube_ctx *ctx, const std::string &pattern, const translation &translated)
{
    const std::string &text = translated.text;
    program made = {pattern, nullptr, SMALL};
    if (!take_steps(ctx, translated.steps))
        return made;
    made.compiled = compile(text, SMALL);
    if (made.compiled->error_code() == RE2::ErrorPatternTooLarge) {
        if (!take_steps(ctx, translated.steps + INSTRUCTION_STEPS * SMALL / 64))
            return made;
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
    translation translated(pattern);
    if (translated.too_deep)
        return kube_printf(ctx, "error parsing regexp: expression nests too deeply: `%s`", pattern);
    program made = compile(ctx, pattern, translated);
    if (!made.compiled || made.compiled->ok())
        return nullptr;
    return kube_ctx_strdup(ctx, fault_of(pattern, translated, *made.compiled).c_str());
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
        translation translated(pattern);
        program made = compile(ctx, pattern, translated);
        if (!made.compiled || translated.too_deep)
            return false;
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
