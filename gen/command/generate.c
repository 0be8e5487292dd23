/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "front/symbols.h"
#include "render/render.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

model *command_load(const arg_set *args)
{
    const model_options options = {args->include_dirs.items, args->include_dirs.len};
    diag *messages;
    model *input;
    size_t i;

    messages = diag_new();
    input = model_load(args->inputs.items, args->inputs.len, &options, messages);
    for (i = 0; input && i < input->package_len; i++)
        symbols_check(input->packages[i], messages);
    if (diag_error_count(messages) > 0) {
        diag_print(messages, stderr, diag_wants_colour(stderr));
        model_free(input);
        input = NULL;
    }
    diag_free(messages);
    return input;
}

bool command_plan(const arg_set *args, const model *input, output_set *files)
{
    str error = {0};
    struct stat status;
    bool ok = true;
    size_t i;

    if (args->template_dir &&
        (stat(args->template_dir, &status) != 0 || !S_ISDIR(status.st_mode))) {
        str_printf(&error, "there is no directory %s", args->template_dir);
        ok = false;
    }
    for (i = 0; ok && i < input->package_len; i++)
        ok = render_package(input->packages[i], args->out_root, args->template_dir, files, &error);
    if (!ok)
        fprintf(stderr, "kubegen: %s\n", str_text(&error));
    str_free(&error);
    return ok;
}

/* Appends a path as make reads it. */
static void add_make_path(str *text, const char *path)
{
    for (; *path; path++) {
        if (strchr(" #", *path))
            str_add_char(text, '\\');
        if (*path == '$')
            str_add_char(text, '$');
        str_add_char(text, *path);
    }
}

/* Which files the output depends on. One output stands for all: they change together. */
static void add_depfile(const arg_set *args, const model *input, output_set *files)
{
    str text = {0};
    size_t i;
    size_t j;

    if (!output_count(files))
        return;
    add_make_path(&text, args->depfile_target ? args->depfile_target : output_path(files, 0));
    str_add_char(&text, ':');
    for (i = 0; i < input->package_len; i++)
        for (j = 0; j < input->packages[i]->inputs.len; j++) {
            str_add(&text, " \\\n  ");
            add_make_path(&text, input->packages[i]->inputs.items[j]);
        }
    str_add_char(&text, '\n');
    output_add(files, args->depfile, str_text(&text));
    str_free(&text);
}

static int generate(const arg_set *args)
{
    model *input = command_load(args);
    output_set *files = output_new();
    str error = {0};
    int status = EXIT_FAILED;

    if (!input || !command_plan(args, input, files))
        goto out;
    if (args->depfile)
        add_depfile(args, input, files);
    if (!output_write(files, &error)) {
        fprintf(stderr, "kubegen: %s\n", str_text(&error));
        goto out;
    }
    status = EXIT_OK;
out:
    str_free(&error);
    output_free(files);
    model_free(input);
    return status;
}

static int run(int argc, char **argv)
{
    const unsigned options =
        ARG_OUT_ROOT | ARG_DEPFILE | ARG_DEPFILE_TARGET | ARG_TEMPLATE_DIR | ARG_INCLUDE;
    arg_set args;
    int status = EXIT_USAGE;

    if (args_parse(&args, "generate", options, argc, argv)) {
        if (args.inputs.len)
            status = generate(&args);
        else
            args_usage("generate", "generate needs a directory that holds a types.h");
    }
    args_free(&args);
    return status;
}

const command generate_command = {
    .name = "generate",
    .summary = "write the C code of annotated headers",
    .help =
        "usage: kubegen generate [OPTION]... DIR...\n"
        "\n"
        "Reads DIR/types.h, where DIR is .../<group>/<version>, and writes the API it describes:\n"
        "descriptors, deep copy, JSON, client, lister and informer, and api.h which includes all.\n"
        "A file that would not change is not touched, and with an error nothing is written.\n"
        "\n"
        "  --out-root DIR      write to DIR/<group>/<version> (default: the directory `generated`\n"
        "                      beside <group>)\n"
        "  --depfile FILE      also write what was read to FILE, as make and ninja read it\n"
        "  --depfile-target T  what depends on it there (default: the first file written)\n"
        "  --template-dir DIR  take templates from DIR where it has them (<name>.mustache)\n"
        "  -I DIR              look for included headers in DIR too; may be repeated\n"
        "                      (KUBEGEN_INCLUDE=DIR:DIR in the environment does the same)\n"
        "\n"
        "DIR may also be the path of a header that is no API but a library of types; of it only\n"
        "the tables are written, to <out-root>/<name>_schema.c.\n"
        "\n"
        "example: kubegen generate apis/samplecrd/v1\n",
    .run = run,
};
