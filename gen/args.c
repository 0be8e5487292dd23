/* SPDX-License-Identifier: Apache-2.0 */
#include "args.h"

#include "diag.h"
#include "support/str.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned option;
} known[] = {
    {"--out-root", ARG_OUT_ROOT},
    {"--output-dir", ARG_OUTPUT_DIR},
    {"--depfile", ARG_DEPFILE},
    {"--template-dir", ARG_TEMPLATE_DIR},
    {"--depfile-target", ARG_DEPFILE_TARGET},
    {"-I", ARG_INCLUDE},
};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

int args_usage(const char *command, const char *format, ...)
{
    va_list list;

    fputs("kubegen: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, " (see: kubegen help%s%s)\n", command ? " " : "", command ? command : "");
    return EXIT_USAGE;
}

static void unknown_option(const arg_set *args, unsigned options, const char *name)
{
    const char *words[KNOWN_COUNT];
    const char *near;
    size_t len = 0;
    size_t i;

    for (i = 0; i < KNOWN_COUNT; i++)
        if (known[i].option & options)
            words[len++] = known[i].name;
    near = diag_nearest(name, words, len);
    if (near)
        args_usage(args->command, "%s has no option %s: did you mean %s?", args->command, name,
                   near);
    else
        args_usage(args->command, "%s has no option %s", args->command, name);
}

static void set_option(arg_set *args, unsigned option, const char *value)
{
    switch (option) {
    case ARG_OUT_ROOT:
        args->out_root = value;
        break;
    case ARG_OUTPUT_DIR:
        args->output_dir = value;
        break;
    case ARG_DEPFILE:
        args->depfile = value;
        break;
    case ARG_DEPFILE_TARGET:
        args->depfile_target = value;
        break;
    case ARG_TEMPLATE_DIR:
        args->template_dir = value;
        break;
    default:
        *VEC_ADD(&args->include_dirs) = value;
        break;
    }
}

/* Reads the option at argv[*at], "--name value", "--name=value", "-I dir" or "-Idir". */
static bool read_option(arg_set *args, unsigned options, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    size_t i;

    for (i = 0; i < KNOWN_COUNT; i++) {
        size_t len = strlen(known[i].name);
        const char *value;

        if (!(known[i].option & options) || strncmp(word, known[i].name, len) != 0)
            continue;
        if (word[len] == '=' && word[1] == '-')
            value = word + len + 1;
        else if (word[len] && word[1] != '-')
            value = word + len;
        else if (!word[len])
            value = *at + 1 < argc ? argv[++*at] : NULL;
        else
            continue;
        if (!value || !*value) {
            args_usage(args->command, "option %s needs a value", known[i].name);
            return false;
        }
        set_option(args, known[i].option, value);
        return true;
    }
    unknown_option(args, options, word);
    return false;
}

bool args_parse(arg_set *args, const char *command, unsigned options, int argc, char **argv)
{
    bool only_inputs = false;
    int i;

    *args = (struct arg_set){.command = command};
    for (i = 0; i < argc; i++) {
        if (!only_inputs && strcmp(argv[i], "--") == 0)
            only_inputs = true;
        else if (only_inputs || argv[i][0] != '-' || !argv[i][1])
            *VEC_ADD(&args->inputs) = argv[i];
        else if (!read_option(args, options, argc, argv, &i))
            return false;
    }
    return true;
}

void args_free(arg_set *args)
{
    free(args->include_dirs.items);
    free(args->inputs.items);
}
