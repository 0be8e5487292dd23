/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "crd/crd_document.h"

#include <stdio.h>

/* Kinds that no CRD has count: their author wants no file. */
static bool has_kind(const model *input)
{
    for (size_t i = 0; i < input->package_len; i++) {
        if (input->packages[i]->resource_len)
            return true;
    }
    return false;
}

static int write_crds(arg_set *args)
{
    int status = EXIT_FAILED;
    output_set *files;
    diag *messages;
    model *input;
    if (!args->output_dir)
        return args_usage(args->command, "crd needs --output-dir");
    input = command_load(args);
    if (!input)
        return EXIT_FAILED;
    files = output_new();
    messages = diag_new();
    crd_plan(input, args->output_dir, files, messages);
    if (diag_report(messages)) {
        if (has_kind(input))
            status = command_write(files);
        else
            fputs("kubegen: no header has a Kind: mark a struct // +genclient\n", stderr);
    }
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
