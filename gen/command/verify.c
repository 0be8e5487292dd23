/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stdio.h>

static int verify(const arg_set *args)
{
    model *input = command_load(args);
    output_set *files = output_new();
    int status = EXIT_FAILED;
    size_t stale;

    if (!input || !command_plan(args, input, files))
        goto out;
    stale = output_compare(files, stdout);
    if (stale)
        fprintf(stderr, "kubegen: %zu of %zu files are stale: run kubegen generate\n", stale,
                output_count(files));
    else
        status = EXIT_OK;
out:
    output_free(files);
    model_free(input);
    return status;
}

static int run(int argc, char **argv)
{
    const unsigned options = ARG_OUT_ROOT | ARG_TEMPLATE_DIR | ARG_INCLUDE;
    arg_set args;
    int status = EXIT_USAGE;

    if (args_parse(&args, "verify", options, argc, argv)) {
        if (args.inputs.len)
            status = verify(&args);
        else
            args_usage("verify", "verify needs a directory that holds a types.h");
    }
    args_free(&args);
    return status;
}

const command verify_command = {
    .name = "verify",
    .summary = "check that generated code is up to date",
    .help = "usage: kubegen verify [OPTION]... DIR...\n"
            "\n"
            "Compares what `kubegen generate` would write with what is there. Exits with 1 and\n"
            "prints a unified diff when they differ. Writes nothing.\n"
            "\n"
            "  --out-root DIR, --template-dir DIR, -I DIR: as for generate\n",
    .run = run,
};
