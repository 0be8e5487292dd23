/* SPDX-License-Identifier: Apache-2.0 */
/* args_parse() reads the command line of a subcommand into an arg_set. */
#ifndef KUBEGEN_ARGS_H
#define KUBEGEN_ARGS_H

#include "support/text_list.h"

#include <stdbool.h>

enum {
    EXIT_OK = 0,
    EXIT_FAILED = 1, /* an input has errors, output is stale or cannot be written */
    EXIT_USAGE = 2,
};

enum arg_option {
    ARG_OUT_ROOT = 1,
    ARG_OUTPUT_DIR = 2,
    ARG_DEPFILE = 4,
    ARG_TEMPLATE_DIR = 8,
    ARG_INCLUDE = 16,
    ARG_DEPFILE_TARGET = 32,
    ARG_IMPORT = 64,     /* all of `kubegen import` */
    ARG_RBAC = 128,      /* all of `kubegen rbac` */
    ARG_DIFF = 256,      /* all of `kubegen diff` */
    ARG_CRD = 512,       /* all of `kubegen crd` */
    ARG_EXPLAIN = 1024,  /* all of `kubegen explain` */
    ARG_VERIFY = 2048,   /* all of `kubegen verify` */
    ARG_EVERY = 1 << 30, /* what every command takes */
};

typedef struct arg_set {
    const char *command; /* "generate" */
    const char *out_root;
    const char *output_dir;
    const char *depfile;
    const char *depfile_target;
    const char *template_dir;
    const char *group;
    const char *version;
    const char *output;
    const char *max_desc_len;
    const char *header_file;
    const char *year;
    const char *role_name;
    const char *crd_dir;
    const char *docs_dir;
    const char *rbac_dir;
    const char *namespace_;
    const char *lease;
    const char *schema;
    const char *names;
    const char *license;
    const char *token_file;
    const char *ca_file;
    const char *cert_file;
    const char *key_file;
    const char *format;
    const char *diagnostics; /* set already, by args_set_diagnostics() */
    bool docs;
    bool markdown;
    bool embedded_meta;
    bool inlined;
    bool rules;
    text_list allowed;
    text_list allow_files;
    text_list kinds;
    text_list types;
    text_list from;
    text_list rbac_sources;
    text_list include_dirs;
    text_list inputs;
} arg_set;

/*
 * Reads what stands after the subcommand; @options says which of enum arg_option it knows. Returns
 * false after a line on stderr if something is wrong.
 */
bool args_parse(arg_set *args, const char *command, unsigned options, int argc, char **argv);
void args_free(arg_set *args);
/* Looks for --diagnostics, which every command takes, before anything is told. Returns false after
 * a line on stderr if its value is wrong. */
bool args_set_diagnostics(int argc, char **argv);
/*
 * Walks through the options that @options knows, from *@at = 0: returns the name of the next one,
 * or NULL at the end.
 */
const char *args_next_option(unsigned options, size_t *at, bool *takes_value, bool *repeats);
/* Tells a line that names the help; returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int args_usage(const char *command, const char *format, ...);

#endif /* KUBEGEN_ARGS_H */
