/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <string.h>

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
    if (!output_count(files))
        return;
    add_make_path(&text, args->depfile_target ? args->depfile_target : output_path(files, 0));
    str_add_char(&text, ':');
    for (size_t i = 0; i < input->package_len; i++)
        for (size_t j = 0; j < input->packages[i]->inputs.len; j++) {
            str_add(&text, " \\\n  ");
            add_make_path(&text, input->packages[i]->inputs.items[j]);
        }
    str_add_char(&text, '\n');
    output_add(files, args->depfile, str_text(&text));
    str_free(&text);
}

static int generate(arg_set *args)
{
    model *input = command_load(args);
    output_set *files = output_new();
    int status = EXIT_FAILED;
    if (input && command_plan(args, input, files)) {
        if (args->depfile)
            add_depfile(args, input, files);
        status = command_write(files);
    }
    output_free(files);
    model_free(input);
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
        "DIR may also be a header of structs that several APIs share, with `// +prefix=…` at its\n"
        "top. Only the tables of its structs are written, to <out-root>/<dir>/<name>_schema.c:\n"
        "once, and whatever uses the structs is linked with them.\n"
        "\n"
        "  -o FILE             write the tables of one such header to FILE\n"
        "\n"
        "example: kubegen generate apis/samplecrd/v1\n",
    .options = ARG_OUT_ROOT | ARG_DEPFILE | ARG_DEPFILE_TARGET | ARG_TEMPLATE_DIR | ARG_INCLUDE,
    .needs = "a directory that holds a types.h",
    .run = generate,
};
