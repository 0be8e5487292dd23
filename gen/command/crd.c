/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "crd/crd_document.h"

#include <stdio.h>

static int write_crds(arg_set *args)
{
    diag *messages = diag_new();
    output_set *files = output_new();
    model *input = NULL;
    int status = EXIT_FAILED;

    if (!args->output_dir)
        status = args_usage(args->command, "crd needs --output-dir");
    else if ((input = command_load(args)))
        crd_plan(input, args->output_dir, files, messages);
    if (!input || !diag_report(messages))
        goto out;
    if (output_count(files))
        status = command_write(files);
    else
        fputs("kubegen: no header has a Kind: mark a struct // +genclient\n", stderr);
out:
    diag_free(messages);
    output_free(files);
    model_free(input);
    return status;
}

const command crd_command = {
    .name = "crd",
    .summary = "write CustomResourceDefinitions in YAML",
    .help =
        "usage: kubegen crd [OPTION]... DIR... --output-dir DIR\n"
        "\n"
        "Writes <group>_<plural>.yaml for each Kind of DIR/types.h, ready for kubectl apply.\n"
        "Versions of one Kind share a file; the first one named is the one that is stored, unless\n"
        "another is marked +kubebuilder:storageversion.\n"
        "\n"
        "  --output-dir DIR  where the files go\n"
        "  -I DIR            look for included headers in DIR too; may be repeated\n"
        "\n"
        "example: kubegen crd apis/samplecrd/v1 --output-dir config/crd\n",
    .options = ARG_OUTPUT_DIR | ARG_INCLUDE,
    .needs = "a directory that holds a types.h",
    .run = write_crds,
};
