/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "support/diag_log.h"

#include <stdio.h>

static int verify(arg_set *args)
{
    model *input = command_load(args);
    output_set *files = output_new();
    size_t stale = 0;
    bool ok = input && command_plan(args, input, files);
    if (ok)
        stale = output_compare(files, stdout);
    if (stale)
        diag_log_line(DIAG_ERROR, "%zu of %zu files are stale: run kubegen generate", stale,
                      output_count(files));
    output_free(files);
    model_free(input);
    return ok && !stale ? EXIT_OK : EXIT_FAILED;
}

const command verify_command = {
    .name = "verify",
    .summary = "check that generated code is up to date",
    .help = "usage: kubegen verify [OPTION]... DIR...\n"
            "\n"
            "Compares what `kubegen generate` would write with what is there. Exits with 1 and\n"
            "prints a unified diff when they differ. Writes nothing.\n"
            "\n"
            "  --out-root DIR, -o FILE, --template-dir DIR, -I DIR: as for generate\n",
    .options = ARG_OUT_ROOT | ARG_TEMPLATE_DIR | ARG_INCLUDE,
    .needs = "a directory that holds a types.h",
    .run = verify,
};
