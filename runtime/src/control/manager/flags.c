/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the command line and the environment in three passes: the first looks for --help, whatever
 * else is wrong; the second reads the environment; the last reads the command line, which therefore
 * wins.
 */
#include "base/ascii.h"
#include "base/text.h"
#include "base/units.h"
#include "flags_help.h"

#include <errno.h>
#include <inttypes.h>
#include <kube/time.h>
#include <stdio.h>
#include <stdlib.h>

enum { VARIABLE_MAX = 128, WORD_MAX = 64 };

typedef enum word_kind {
    WORD_OPTION,
    WORD_HELP,
    WORD_VERSION,
    WORD_UNKNOWN,
    WORD_STRAY,
    WORD_NO_VALUE,
} word_kind;

/* One option, with its value, or whatever else stands on the command line. */
typedef struct word {
    word_kind kind;
    const char *text; /* as it was typed */
    const kube_flag *flag;
    const char *value;
} word;

typedef struct parser {
    const kube_flags_about *about;
    const kube_flag *tables[2];
    int argc;
    char **argv;
    int at;             /* the next argument */
    bool options_ended; /* by a "--" */
    kube_error *err;
} parser;

/* ---- finding ------------------------------------------------------------------------------- */

/* A table is part of the program: this tells its author. */
static kube_code check_table(const kube_flag *flags, kube_error *err)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
    for (const kube_flag *flag = flags; flag && flag->name; flag++) {
        int targets = !!flag->text + !!flag->truth + !!flag->number + !!flag->duration_ms;
        size_t len = strlen(flag->name);
        if (targets != 1 || !flag->help || !len || len >= WORD_MAX ||
            strspn(flag->name, letters) != len)
            return kube_error_set(err, KUBE_ERR_ARGUMENT,
                                  "option table: \"%s\" needs one target, a help text and a short "
                                  "name of a-z, 0-9 and '-'",
                                  flag->name);
        if (strcmp(flag->name, "port") == 0)
            return kube_error_set(err, KUBE_ERR_ARGUMENT,
                                  "option table: an option cannot be \"port\": the kubelet sets "
                                  "that variable for a Service with the program's name");
    }
    return KUBE_OK;
}

static const kube_flag *find(const parser *p, const char *name, size_t len)
{
    for (int t = 0; t < 2; t++) {
        for (const kube_flag *flag = p->tables[t]; flag && flag->name; flag++) {
            if (strncmp(flag->name, name, len) == 0 && !flag->name[len])
                return flag;
        }
    }
    return NULL;
}

/* How many letters are to be put in, left out or changed to make @b of @a. */
static size_t distance(const char *a, const char *b)
{
    size_t row[WORD_MAX + 1];
    size_t b_len = strlen(b);
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; *a; a++, i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t change = corner + (*a != b[j - 1]);
            size_t least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            corner = row[j];
            row[j] = change < least ? change : least;
        }
    }
    return row[b_len];
}

static void consider(const char *typed, const char *name, const char **best, size_t *least)
{
    size_t far = distance(typed, name);
    /* Abbreviated, as other programs allow it. */
    if (strlen(typed) >= 3 && kube__text_starts_with(name, typed))
        far = 0;
    if (far < *least) {
        *least = far;
        *best = name;
    }
}

/* The option that was probably meant by "--wrokers", "-workers" or "--state_dir=x"; or NULL. */
static const char *meant(const parser *p, const char *text)
{
    char typed[WORD_MAX];
    size_t len;
    const char *best = NULL;
    size_t least;
    text += strspn(text, "-");
    len = strcspn(text, "=");
    if (len < 2 || len >= sizeof typed)
        return NULL;
    for (size_t i = 0; i < len; i++)
        typed[i] = text[i] == '_' ? '-' : kube__to_lower(text[i]);
    typed[len] = '\0';
    least = len / 3 + (len < 4 ? 1 : 2);
    for (int t = 0; t < 2; t++) {
        for (const kube_flag *flag = p->tables[t]; flag && flag->name; flag++)
            consider(typed, flag->name, &best, &least);
    }
    consider(typed, "help", &best, &least);
    consider(typed, "version", &best, &least);
    return best;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool has_bounds(const kube_flag *flag)
{
    return flag->least || flag->most;
}

/* With a least only, everything above is in. */
static bool is_within(const kube_flag *flag, int64_t value)
{
    return !has_bounds(flag) ||
           (value >= flag->least && (flag->most < flag->least || value <= flag->most));
}

static bool read_number(const char *text, int64_t *out)
{
    char *end;
    long long value;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || end == text || *end || kube__is_space(*text))
        return false;
    *out = value;
    return true;
}

/* Parts of a millisecond are rounded up: what is not zero does not become it. */
static bool read_duration(const char *text, int64_t *out)
{
    kube_duration duration;
    int64_t seconds;
    if (read_number(text, &seconds)) {
        if (seconds > INT64_MAX / KUBE__MS_PER_S || seconds < INT64_MIN / KUBE__MS_PER_S)
            return false;
        *out = seconds * KUBE__MS_PER_S;
        return true;
    }
    if (!kube_duration_parse(text, strlen(text), &duration))
        return false;
    *out = duration.ns / KUBE__NS_PER_MS + (duration.ns % KUBE__NS_PER_MS > 0);
    return true;
}

static bool read_truth(const char *text, bool *out)
{
    *out = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *out || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static void write_duration(int64_t ms, char text[KUBE_TIME_MAX])
{
    kube_duration_format((kube_duration){.ns = kube__ms_to_ns(ms), .set = true}, text);
}

/* What would have been right: "a number from 1 to 64". */
static void describe_wanted(const kube_flag *flag, char *text, size_t size)
{
    char least[KUBE_TIME_MAX];
    char most[KUBE_TIME_MAX];
    if (flag->truth) {
        snprintf(text, size, "true or false");
        return;
    }
    if (flag->number) {
        snprintf(least, sizeof least, "%" PRId64, flag->least);
        snprintf(most, sizeof most, "%" PRId64, flag->most);
    } else {
        write_duration(flag->least, least);
        write_duration(flag->most, most);
    }
    snprintf(text, size, "%s%s%s%s%s%s", flag->number ? "a number" : "a time",
             has_bounds(flag) ? " from " : "", has_bounds(flag) ? least : "",
             has_bounds(flag) && flag->most >= flag->least ? " to " : "",
             has_bounds(flag) && flag->most >= flag->least ? most : "",
             flag->number ? "" : ", such as 30s or 1m30s");
}

/* Sets the target; false when @text is not of its kind, or out of bounds. */
static bool set(const kube_flag *flag, const char *text)
{
    int64_t number;
    if (flag->text) {
        *flag->text = text;
        return true;
    }
    if (flag->truth)
        return read_truth(text, flag->truth);
    if (!(flag->number ? read_number(text, &number) : read_duration(text, &number)) ||
        !is_within(flag, number))
        return false;
    *(flag->number ? flag->number : flag->duration_ms) = number;
    return true;
}

/* @name and @separator are as the value was given: "--workers 0", "PROGRAM_WORKERS=0". */
static kube_code apply(const parser *p, const kube_flag *flag, const char *name, char separator,
                       const char *text)
{
    char wanted[2 * KUBE_TIME_MAX + 64];
    if (set(flag, text))
        return KUBE_OK;
    describe_wanted(flag, wanted, sizeof wanted);
    return kube_error_set(p->err, KUBE_ERR_ARGUMENT, "%s%c%s: must be %s", name, separator, text,
                          wanted);
}

/* ---- the command line ---------------------------------------------------------------------- */

static word read_option(parser *p, const char *text)
{
    word w = {.kind = WORD_OPTION, .text = text};
    const char *name = text + 2;
    size_t len = strcspn(name, "=");
    w.flag = find(p, name, len);
    if (!w.flag) {
        w.kind = strcmp(name, "help") == 0      ? WORD_HELP
                 : strcmp(name, "version") == 0 ? WORD_VERSION
                                                : WORD_UNKNOWN;
    } else if (name[len]) {
        w.value = name + len + 1;
    } else if (w.flag->truth) {
        w.value = "true";
    } else if (p->at < p->argc) {
        w.value = p->argv[p->at++];
    } else {
        w.kind = WORD_NO_VALUE;
    }
    return w;
}

/* False at the end. */
static bool next_word(parser *p, word *out)
{
    const char *text;
    if (p->at >= p->argc)
        return false;
    text = p->argv[p->at++];
    if (!p->options_ended && strcmp(text, "--") == 0) {
        p->options_ended = true;
        return next_word(p, out);
    }
    if (p->options_ended || *text != '-' || !text[1])
        *out = (word){.kind = WORD_STRAY, .text = text};
    else if (text[1] != '-')
        *out = (word){.kind = strcmp(text, "-h") == 0 ? WORD_HELP : WORD_UNKNOWN, .text = text};
    else
        *out = read_option(p, text);
    return true;
}

static void rewind_words(parser *p)
{
    p->at = 1;
    p->options_ended = false;
}

/* The first --help or --version, if any; it wins over all mistakes. */
static word_kind find_help(parser *p)
{
    word w;
    rewind_words(p);
    while (next_word(p, &w)) {
        if (w.kind == WORD_HELP || w.kind == WORD_VERSION)
            return w.kind;
    }
    return WORD_STRAY;
}

/* @before is the option that stands before it, or NULL. */
static kube_code tell_stray(const parser *p, const char *text, const kube_flag *before)
{
    bool truth;
    if (before && before->truth && read_truth(text, &truth))
        return kube_error_set(p->err, KUBE_ERR_ARGUMENT, "--%s %s: write --%s=%s", before->name,
                              text, before->name, text);
    return kube_error_set(p->err, KUBE_ERR_ARGUMENT, "unknown argument \"%s\"; see --help", text);
}

static kube_code tell_unknown(const parser *p, const char *text)
{
    const char *name = meant(p, text);
    if (name)
        return kube_error_set(p->err, KUBE_ERR_ARGUMENT,
                              "unknown argument \"%s\"; did you mean --%s?", text, name);
    return kube_error_set(p->err, KUBE_ERR_ARGUMENT, "unknown argument \"%s\"; see --help", text);
}

static kube_code read_command_line(parser *p)
{
    const kube_flag *before = NULL;
    char name[WORD_MAX + 2];
    word w;
    kube_code rc = KUBE_OK;
    rewind_words(p);
    while (!rc && next_word(p, &w)) {
        if (w.kind == WORD_OPTION) {
            snprintf(name, sizeof name, "--%s", w.flag->name);
            rc = apply(p, w.flag, name, ' ', w.value);
        } else if (w.kind == WORD_NO_VALUE) {
            rc = kube_error_set(p->err, KUBE_ERR_ARGUMENT, "%s needs a value; see --help", w.text);
        } else if (w.kind == WORD_STRAY) {
            rc = tell_stray(p, w.text, before);
        } else {
            rc = tell_unknown(p, w.text);
        }
        before = w.flag;
    }
    return rc;
}

/* ---- the environment ----------------------------------------------------------------------- */

/* Variables that no option goes by are left alone: the kubelet sets NAME_PORT and more of the kind
 * for a Service of the program's name. */
static kube_code read_environment(const parser *p)
{
    char variable[VARIABLE_MAX];
    kube_code rc = KUBE_OK;
    for (int t = 0; t < 2; t++) {
        for (const kube_flag *flag = p->tables[t]; !rc && flag && flag->name; flag++) {
            const char *value;
            if (find(p, flag->name, strlen(flag->name)) != flag)
                continue; /* another one of that name goes before it */
            kube__flags_variable(p->about->program, flag->name, variable, sizeof variable);
            value = getenv(variable);
            if (value && *value)
                rc = apply(p, flag, variable, '=', value);
        }
    }
    return rc;
}

kube_code kube_flags_parse(const kube_flags_about *about, const kube_flag *flags,
                           const kube_flag *more, int argc, char **argv, kube_error *err)
{
    parser p = {.about = about, .tables = {flags, more}, .argc = argc, .argv = argv, .err = err};
    word_kind help;
    kube_code rc;
    if (!about || !about->program || !*about->program)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the options need the name of the program");
    rc = check_table(flags, err);
    if (!rc)
        rc = check_table(more, err);
    if (rc)
        return rc;
    help = find_help(&p);
    if (help == WORD_HELP)
        kube__flags_print_help(about, flags, more);
    if (help == WORD_VERSION)
        kube__flags_print_version(about);
    if (help == WORD_HELP || help == WORD_VERSION)
        return kube_error_set(err, KUBE_ERR_CLOSED, "only help or the version was asked for");
    rc = read_environment(&p);
    return rc ? rc : read_command_line(&p);
}
