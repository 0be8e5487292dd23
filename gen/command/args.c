/* SPDX-License-Identifier: Apache-2.0 */
#include "args.h"

#include "support/diag_log.h"
#include "support/str.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum arg_form {
    ARG_ONE,  /* the last one counts */
    ARG_MANY, /* may be repeated */
    ARG_FLAG, /* has no value */
} arg_form;

static const struct {
    const char *name;
    unsigned option;
    arg_form form;
    size_t offset; /* in arg_set */
} known[] = {
    {"--out-root", ARG_OUT_ROOT, ARG_ONE, offsetof(arg_set, out_root)},
    {"--output-dir", ARG_OUTPUT_DIR, ARG_ONE, offsetof(arg_set, output_dir)},
    {"--depfile", ARG_DEPFILE, ARG_ONE, offsetof(arg_set, depfile)},
    {"--template-dir", ARG_TEMPLATE_DIR, ARG_ONE, offsetof(arg_set, template_dir)},
    {"--depfile-target", ARG_DEPFILE_TARGET, ARG_ONE, offsetof(arg_set, depfile_target)},
    {"--group", ARG_IMPORT, ARG_ONE, offsetof(arg_set, group)},
    {"--version", ARG_IMPORT, ARG_ONE, offsetof(arg_set, version)},
    {"--kind", ARG_IMPORT, ARG_MANY, offsetof(arg_set, kinds)},
    {"--type", ARG_IMPORT, ARG_MANY, offsetof(arg_set, types)},
    {"--output", ARG_IMPORT, ARG_ONE, offsetof(arg_set, output)},
    {"--schema", ARG_IMPORT, ARG_ONE, offsetof(arg_set, schema)},
    {"--license", ARG_IMPORT, ARG_ONE, offsetof(arg_set, license)},
    {"--names", ARG_IMPORT, ARG_ONE, offsetof(arg_set, names)},
    {"--token-file", ARG_IMPORT, ARG_ONE, offsetof(arg_set, token_file)},
    {"--cacert", ARG_IMPORT, ARG_ONE, offsetof(arg_set, ca_file)},
    {"--cert", ARG_IMPORT, ARG_ONE, offsetof(arg_set, cert_file)},
    {"--key", ARG_IMPORT, ARG_ONE, offsetof(arg_set, key_file)},
    {"--docs", ARG_IMPORT, ARG_FLAG, offsetof(arg_set, docs)},
    {"--inline", ARG_IMPORT, ARG_FLAG, offsetof(arg_set, inlined)},
    {"-o", ARG_RBAC | ARG_OUT_ROOT, ARG_ONE, offsetof(arg_set, output)},
    {"--max-desc-len", ARG_CRD, ARG_ONE, offsetof(arg_set, max_desc_len)},
    {"--header-file", ARG_CRD, ARG_ONE, offsetof(arg_set, header_file)},
    {"--year", ARG_CRD, ARG_ONE, offsetof(arg_set, year)},
    {"--generate-embedded-object-meta", ARG_CRD, ARG_FLAG, offsetof(arg_set, embedded_meta)},
    {"--markdown", ARG_EXPLAIN, ARG_FLAG, offsetof(arg_set, markdown)},
    {"--crd-dir", ARG_VERIFY, ARG_ONE, offsetof(arg_set, crd_dir)},
    {"--docs-dir", ARG_VERIFY, ARG_ONE, offsetof(arg_set, docs_dir)},
    {"--rbac-dir", ARG_VERIFY, ARG_ONE, offsetof(arg_set, rbac_dir)},
    {"--rbac-source", ARG_VERIFY, ARG_MANY, offsetof(arg_set, rbac_sources)},
    {"--role-name", ARG_RBAC | ARG_VERIFY, ARG_ONE, offsetof(arg_set, role_name)},
    {"--allow", ARG_DIFF, ARG_MANY, offsetof(arg_set, allowed)},
    {"--allow-from", ARG_DIFF, ARG_MANY, offsetof(arg_set, allow_files)},
    {"--format", ARG_DIFF, ARG_ONE, offsetof(arg_set, format)},
    {"--rules", ARG_DIFF, ARG_FLAG, offsetof(arg_set, rules)},
    {"--from", ARG_RBAC, ARG_MANY, offsetof(arg_set, from)},
    {"--namespace", ARG_RBAC, ARG_ONE, offsetof(arg_set, namespace_)},
    {"--lease", ARG_RBAC, ARG_ONE, offsetof(arg_set, lease)},
    {"--diagnostics", ARG_EVERY, ARG_ONE, offsetof(arg_set, diagnostics)},
    {"-I", ARG_INCLUDE, ARG_MANY, offsetof(arg_set, include_dirs)},
};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

int args_usage(const char *command, const char *format, ...)
{
    va_list list;
    str text = {0};
    va_start(list, format);
    str_vprintf(&text, format, list);
    va_end(list);
    diag_log_line(DIAG_ERROR, "%s (see: kubegen help%s%s)", str_text(&text), command ? " " : "",
                  command ? command : "");
    str_free(&text);
    return EXIT_USAGE;
}

bool args_set_diagnostics(int argc, char **argv)
{
    static const char name[] = "--diagnostics";
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *value = NULL;
        if (strcmp(argv[i], name) == 0 && i + 1 < argc)
            value = argv[i + 1];
        else if (str_has_prefix(argv[i], "--diagnostics="))
            value = argv[i] + sizeof name;
        if (value && !diag_log_set_form(value)) {
            args_usage(NULL, "--diagnostics is text, json or sarif");
            return false;
        }
    }
    return true;
}

static void unknown_option(const arg_set *args, unsigned options, const char *name)
{
    const char *words[KNOWN_COUNT];
    const char *near;
    size_t len = 0;
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (known[i].option & options)
            words[len++] = known[i].name;
    near = diag_nearest(name, words, len);
    if (near)
        args_usage(args->command, "%s has no option %s: did you mean %s?", args->command, name,
                   near);
    else
        args_usage(args->command, "%s has no option %s", args->command, name);
}

static void set_option(arg_set *args, size_t which, const char *value)
{
    char *at = (char *)args + known[which].offset;
    switch (known[which].form) {
    case ARG_FLAG:
        *(bool *)at = true;
        break;
    case ARG_MANY:
        *VEC_ADD((text_list *)at) = value;
        break;
    default:
        *(const char **)at = value;
        break;
    }
}

/* Reads the option at argv[*at], "--name value", "--name=value", "-I dir" or "-Idir". */
static bool read_option(arg_set *args, unsigned options, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        size_t len = strlen(known[i].name);
        const char *value;
        if (!(known[i].option & options) || strncmp(word, known[i].name, len) != 0)
            continue;
        if (!word[len] && known[i].form == ARG_FLAG) {
            set_option(args, i, NULL);
            return true;
        }
        if (known[i].form == ARG_FLAG)
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
        set_option(args, i, value);
        return true;
    }
    unknown_option(args, options, word);
    return false;
}

bool args_parse(arg_set *args, const char *command, unsigned options, int argc, char **argv)
{
    bool only_inputs = false;
    *args = (struct arg_set){.command = command};
    options |= ARG_EVERY;
    for (int i = 0; i < argc; i++) {
        if (!only_inputs && strcmp(argv[i], "--") == 0)
            only_inputs = true;
        else if (only_inputs || argv[i][0] != '-' || !argv[i][1])
            *VEC_ADD(&args->inputs) = argv[i];
        else if (!read_option(args, options, argc, argv, &i))
            return false;
    }
    return true;
}

const char *args_next_option(unsigned options, size_t *at, bool *takes_value, bool *repeats)
{
    while (*at < KNOWN_COUNT && !(known[*at].option & (options | ARG_EVERY)))
        (*at)++;
    if (*at == KNOWN_COUNT)
        return NULL;
    *takes_value = known[*at].form != ARG_FLAG;
    *repeats = known[*at].form == ARG_MANY;
    return known[(*at)++].name;
}

void args_free(arg_set *args)
{
    free(args->include_dirs.items);
    free(args->inputs.items);
    free(args->kinds.items);
    free(args->types.items);
    free(args->allowed.items);
    free(args->allow_files.items);
    free(args->from.items);
    free(args->rbac_sources.items);
}
