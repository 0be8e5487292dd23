/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "front/load.h"
#include "front/symbols.h"
#include "render/render.h"
#include "support/diag_log.h"
#include "support/path.h"

#include <stdio.h>

model *command_load(const arg_set *args)
{
    const model_options options = {args->include_dirs.items, args->include_dirs.len};
    diag *messages = diag_new();
    model *input = model_load(args->inputs.items, args->inputs.len, &options, messages);
    for (size_t i = 0; input && i < input->package_len; i++)
        symbols_check(input->packages[i], messages);
    if (!diag_report(messages)) {
        model_free(input);
        input = NULL;
    }
    diag_free(messages);
    return input;
}

bool command_plan(const arg_set *args, const model *input, output_set *files)
{
    const render_options options = {args->out_root, args->output, args->template_dir};
    str error = {0};
    bool ok = true;
    if (args->output && (input->package_len != 1 || input->packages[0]->group)) {
        str_add(&error, "-o is the file of one header of shared structs: APIs have --out-root");
        ok = false;
    }
    if (ok && args->template_dir && !path_is_dir(args->template_dir)) {
        str_printf(&error, "there is no directory %s", args->template_dir);
        ok = false;
    }
    for (size_t i = 0; ok && i < input->package_len; i++)
        ok = render_package(input->packages[i], &options, files, &error);
    if (!ok)
        diag_log_line(DIAG_ERROR, "%s", str_text(&error));
    str_free(&error);
    return ok;
}

int command_write(output_set *files)
{
    str error = {0};
    bool ok = output_write(files, &error);
    if (!ok)
        diag_log_line(DIAG_ERROR, "%s", str_text(&error));
    str_free(&error);
    return ok ? EXIT_OK : EXIT_FAILED;
}
