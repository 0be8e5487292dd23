/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands of kubegen: one file each. */
#ifndef KUBEGEN_COMMAND_H
#define KUBEGEN_COMMAND_H

#include "front/model.h"
#include "render/output.h"
#include "support/args.h"

typedef struct command {
    const char *name;
    const char *summary;               /* one line of `kubegen --help` */
    const char *help;                  /* all of `kubegen help NAME` */
    int (*run)(int argc, char **argv); /* of what stands after the name; returns the exit status */
} command;

extern const command generate_command;
extern const command verify_command;
extern const command crd_command;
extern const command rbac_command;
extern const command explain_command;
extern const command import_command;

/* Reads the inputs, printing errors to stderr; NULL after one. */
model *command_load(const arg_set *args);
/* What `generate` would write; false after a line on stderr. */
bool command_plan(const arg_set *args, const model *input, output_set *files);

#endif /* KUBEGEN_COMMAND_H */
