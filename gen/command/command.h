/* SPDX-License-Identifier: Apache-2.0 */
/* Each subcommand of kubegen has a file; this header lists them and declares what they share. */
#ifndef KUBEGEN_COMMAND_H
#define KUBEGEN_COMMAND_H

#include "args.h"
#include "crd/crd_options.h"
#include "front/model.h"
#include "support/output.h"

typedef struct command {
    const char *name;
    const char *summary;       /* one line of `kubegen --help` */
    const char *help;          /* all of `kubegen help NAME` */
    unsigned options;          /* of enum arg_option */
    const char *needs;         /* what the arguments must name; NULL if it runs without any */
    const char *words;         /* "openapi crd": what its first argument may be; NULL = a path */
    int error_status;          /* of a failure; 0 = EXIT_FAILED */
    int (*run)(arg_set *args); /* returns the exit status */
} command;

extern const command generate_command;
extern const command verify_command;
extern const command crd_command;
extern const command docs_command;
extern const command rbac_command;
extern const command diff_command;
extern const command explain_command;
extern const command import_command;

/* Prints what lets @shell complete the @len commands; returns false if it is not known. */
bool completion_print(const char *shell, const command *const *commands, size_t len);

/* Reads the inputs. Returns NULL after printing the errors on stderr. */
model *command_load(const arg_set *args);
/* Plans what `generate` would write. Returns false after printing a line on stderr. */
bool command_plan(const arg_set *args, const model *input, output_set *files);
/* What `crd` writes follows these. Returns EXIT_OK, or another exit status after printing an error.
 */
int command_crd_options(arena *in, const arg_set *args, crd_options *out);
/*
 * Appends the roles that the markers in @inputs ask for. @role_name NULL = "manager-role". Returns
 * false after printing the errors on stderr.
 */
bool command_roles(const text_list *inputs, const char *role_name, str *out);
/* Writes the files and returns the exit status, after printing a line on stderr if it failed. */
int command_write(output_set *files);

#endif /* KUBEGEN_COMMAND_H */
