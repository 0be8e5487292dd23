/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "crd/crd_document.h"
#include "support/arena.h"
#include "support/ascii.h"
#include "support/diag_log.h"
#include "support/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds that no CRD has count: their author wants no file. */
static bool has_kind(const model *input)
{
    for (size_t i = 0; i < input->package_len; i++) {
        if (input->packages[i]->resource_len)
            return true;
    }
    return false;
}

/* Returns false after an error: what is not a comment would be read as a part of the CRD. */
static bool check_header(const char *path, const char *text)
{
    unsigned line = 1;
    for (const char *at = text; *at; at += *at == '\n', line++) {
        at += strspn(at, " \t\r");
        if (*at && *at != '#' && *at != '\n') {
            fprintf(stderr,
                    "%s:%u: error: a line of --header-file must be a comment: begin it with '#'\n",
                    path, line);
            return false;
        }
        at += strcspn(at, "\n");
    }
    return true;
}

/* Reads the text, in which " YEAR" stands for @year. Returns false after an error. */
static bool read_header(arena *in, const char *path, const char *year, crd_options *out)
{
    str text = {0};
    str made = {0};
    const char *at;
    const char *next;
    bool ok = str_read_file(&text, path);
    if (!ok)
        diag_log_line(DIAG_ERROR, "cannot read %s: %s", path, strerror(errno));
    ok = ok && check_header(path, str_text(&text));
    for (at = str_text(&text); ok && (next = strstr(at, " YEAR")) != NULL;
         at = next + strlen(" YEAR")) {
        str_add_len(&made, at, (size_t)(next - at) + 1);
        str_add(&made, year ? year : "");
    }
    if (ok) {
        str_add(&made, at);
        if (!str_has_suffix(str_text(&made), "\n"))
            str_add(&made, "\n");
        out->header = arena_strdup(in, str_text(&made));
    }
    str_free(&text);
    str_free(&made);
    return ok;
}

int command_crd_options(arena *in, const arg_set *args, crd_options *out)
{
    const char *len = args->max_desc_len;
    out->embedded_meta = args->embedded_meta;
    out->trims = len != NULL;
    if (len && (len[strspn(len, "0123456789")] || strlen(len) > 9))
        return args_usage(args->command, "--max-desc-len takes a whole number, not %s", len);
    out->max_desc_len = len ? strtoul(len, NULL, 10) : 0;
    if (args->year && !args->header_file)
        return args_usage(args->command, "--year is for the text of --header-file");
    if (args->header_file && !read_header(in, args->header_file, args->year, out))
        return EXIT_FAILED;
    return EXIT_OK;
}

static int write_all(arg_set *args, const crd_options *options)
{
    int status = EXIT_FAILED;
    output_set *files;
    diag *messages;
    model *input;
    input = command_load(args);
    if (!input)
        return EXIT_FAILED;
    files = output_new();
    messages = diag_new();
    crd_plan(input, options, args->output_dir, files, messages);
    if (diag_report(messages)) {
        if (has_kind(input))
            status = command_write(files);
        else
            diag_log_line(DIAG_ERROR, "no header has a Kind: mark a struct // +genclient");
    }
    diag_free(messages);
    output_free(files);
    model_free(input);
    return status;
}

static int write_crds(arg_set *args)
{
    arena *memory;
    crd_options options = {0};
    int status;
    if (!args->output_dir)
        return args_usage(args->command, "crd needs --output-dir");
    memory = arena_new();
    status = command_crd_options(memory, args, &options);
    if (status == EXIT_OK)
        status = write_all(args, &options);
    arena_free(memory);
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
        "  --max-desc-len N  cut descriptions to N bytes, at the end of a sentence or a word;\n"
        "                    with 0 there are none\n"
        "  --generate-embedded-object-meta\n"
        "                    describe the name, namespace, labels, annotations and finalizers of "
        "a\n"
        "                    kube_object_meta inside of a Kind; without it, servers drop them\n"
        "  --header-file FILE\n"
        "                    begin each file with the comments of FILE\n"
        "  --year YEAR       what stands for \" YEAR\" in them\n"
        "\n"
        "example: kubegen crd apis/samplecrd/v1 --output-dir config/crd\n",
    .options = ARG_OUTPUT_DIR | ARG_INCLUDE | ARG_CRD,
    .needs = "a directory that holds a types.h",
    .run = write_crds,
};
