/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "docs/docs_page.h"
#include "support/diag_log.h"

#include <stdio.h>

static int write_docs(arg_set *args)
{
    int status = EXIT_FAILED;
    output_set *files;
    diag *messages;
    model *input;
    if (!args->output_dir)
        return args_usage(args->command, "docs needs --output-dir");
    input = command_load(args);
    if (!input)
        return EXIT_FAILED;
    files = output_new();
    messages = diag_new();
    docs_plan(input, args->output_dir, files, messages);
    if (diag_report(messages))
        status = command_write(files);
    diag_free(messages);
    output_free(files);
    model_free(input);
    return status;
}

const command docs_command = {
    .name = "docs",
    .summary = "write a reference of the API in Markdown",
    .help =
        "usage: kubegen docs [OPTION]... DIR... --output-dir DIR\n"
        "\n"
        "Writes <group>_<version>.md for each DIR/types.h: every Kind with an example, and every\n"
        "struct, with a table of its members: type, required, default, description, limits and\n"
        "rules. Structs of other headers that are named too are linked.\n"
        "\n"
        "  --output-dir DIR  where the files go\n"
        "  -I DIR            look for included headers in DIR too; may be repeated\n"
        "\n"
        "example: kubegen docs apis/samplecrd/v1 --output-dir docs/api\n",
    .options = ARG_OUTPUT_DIR | ARG_INCLUDE,
    .needs = "a directory that holds a types.h",
    .run = write_docs,
};
