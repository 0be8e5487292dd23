/* SPDX-License-Identifier: Apache-2.0 */
#include "flags_help.h"

#include "base/ascii.h"
#include "base/units.h"

#include <inttypes.h>
#include <kube/time.h>
#include <kube/version.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, COLUMN = 26, LEFT_MAX = 128, VALUE_MAX = 128 };

static const char *value_of(const kube_flag *flag)
{
    if (flag->truth)
        return "";
    if (flag->value)
        return flag->value;
    return flag->text ? "TEXT" : flag->number ? "N" : "TIME";
}

/* "(30s)"; "" when there is nothing to tell. */
static void write_default(const kube_flag *flag, char *out, size_t size)
{
    char time[KUBE_TIME_MAX];
    *out = '\0';
    if (flag->text && *flag->text && **flag->text) {
        snprintf(out, size, "(%s)", *flag->text);
    } else if (flag->truth && *flag->truth) {
        snprintf(out, size, "(true)");
    } else if (flag->number) {
        snprintf(out, size, "(%" PRId64 ")", *flag->number);
    } else if (flag->duration_ms) {
        kube_duration_format((kube_duration){.ns = kube__ms_to_ns(*flag->duration_ms), .set = true},
                             time);
        snprintf(out, size, "(%s)", time);
    }
}

/* Goes on at @column with the words of @text, in lines of WIDTH; returns the column after them. */
static int print_words(const char *text, int column)
{
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (column > COLUMN && column + 1 + len > WIDTH) {
            printf("\n%*s", COLUMN, "");
            column = COLUMN;
        }
        column += printf("%s%.*s", column > COLUMN ? " " : "", len, text);
        text += len;
        text += strspn(text, " ");
    }
    return column;
}

static void print_option(const char *name, const char *value, const char *help,
                         const char *default_)
{
    char left[LEFT_MAX];
    int len = snprintf(left, sizeof left, "  --%s%s%s", name, *value ? " " : "", value);
    if (len + 2 > COLUMN)
        printf("%s\n%*s", left, COLUMN, "");
    else
        printf("%-*s", COLUMN, left);
    print_words(default_, print_words(help, COLUMN));
    putchar('\n');
}

static bool has(const kube_flag *flags, const char *name)
{
    for (; flags && flags->name; flags++) {
        if (strcmp(flags->name, name) == 0)
            return true;
    }
    return false;
}

/* Without those that @before has too: they go before them. */
static void print_table(const kube_flag *flags, const kube_flag *before)
{
    char default_[VALUE_MAX];
    for (; flags && flags->name; flags++) {
        if (has(before, flags->name))
            continue;
        write_default(flags, default_, sizeof default_);
        print_option(flags->name, value_of(flags), flags->help, default_);
    }
}

void kube__flags_variable(const char *program, const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s_%s", program, name);
    for (char *c = out; *c; c++)
        *c = kube__is_alnum(*c) ? kube__to_upper(*c) : '_';
}

void kube__flags_print_help(const kube_flags_about *about, const kube_flag *flags,
                            const kube_flag *more)
{
    const kube_flag *first = flags && flags->name ? flags : more;
    char variable[LEFT_MAX];
    printf("usage: %s [options]\n", about->program);
    if (about->summary)
        printf("\n%s\n", about->summary);
    if (flags && flags->name) {
        putchar('\n');
        print_table(flags, NULL);
    }
    if (more && more->name) {
        putchar('\n');
        print_table(more, flags);
    }
    putchar('\n');
    print_option("help", "", "print this help", "");
    print_option("version", "", "print the version", "");
    if (!first || !first->name)
        return;
    kube__flags_variable(about->program, first->name, variable, sizeof variable);
    printf("\nDefaults are in parentheses. An option that is not given is read from the\n"
           "environment: --%s from %s, and so on.\n",
           first->name, variable);
}

void kube__flags_print_version(const kube_flags_about *about)
{
    if (about->version)
        printf("%s %s, libkube %s\n", about->program, about->version, kube_version());
    else
        printf("%s, libkube %s\n", about->program, kube_version());
}
