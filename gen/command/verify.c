/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "crd/crd_document.h"
#include "docs/docs_page.h"
#include "support/arena.h"
#include "support/diag_log.h"

#include <stdio.h>

static bool plan_crds(const arg_set *args, const model *input, output_set *files)
{
    arena *in = arena_new();
    diag *messages = diag_new();
    crd_options options = {0};
    bool ok = command_crd_options(in, args, &options) == EXIT_OK;
    if (ok)
        crd_plan(input, &options, args->crd_dir, files, messages);
    ok = diag_report(messages) && ok;
    diag_free(messages);
    arena_free(in);
    return ok;
}

static bool plan_docs(const arg_set *args, const model *input, output_set *files)
{
    diag *messages = diag_new();
    bool ok;
    docs_plan(input, args->docs_dir, files, messages);
    ok = diag_report(messages);
    diag_free(messages);
    return ok;
}

static bool plan_roles(const arg_set *args, output_set *files)
{
    str text = {0};
    str path = {0};
    bool ok = command_roles(&args->rbac_sources, args->role_name, &text);
    str_printf(&path, "%s/role.yaml", args->rbac_dir);
    if (ok)
        output_add(files, str_text(&path), str_text(&text));
    str_free(&text);
    str_free(&path);
    return ok;
}

static int verify(arg_set *args)
{
    output_set *files;
    model *input;
    size_t stale = 0;
    bool ok;
    if (!args->rbac_dir != !args->rbac_sources.len)
        return args_usage("verify", "--rbac-dir and --rbac-source belong together");
    if (!args->crd_dir &&
        (args->max_desc_len || args->header_file || args->year || args->embedded_meta))
        return args_usage("verify", "--max-desc-len, --header-file, --year and "
                                    "--generate-embedded-object-meta need --crd-dir");
    if (args->role_name && !args->rbac_dir)
        return args_usage("verify", "--role-name needs --rbac-dir");
    input = command_load(args);
    files = output_new();
    ok = input && command_plan(args, input, files) &&
         (!args->crd_dir || plan_crds(args, input, files)) &&
         (!args->docs_dir || plan_docs(args, input, files)) &&
         (!args->rbac_dir || plan_roles(args, files));
    if (ok && output_fault(files)) {
        diag_log_line(DIAG_ERROR, "%s", output_fault(files));
        ok = false;
    }
    if (ok)
        stale = output_compare(files, stdout);
    if (stale)
        diag_log_line(DIAG_ERROR, "%zu of %zu files are stale: run kubegen generate%s%s%s", stale,
                      output_count(files), args->crd_dir ? ", kubegen crd" : "",
                      args->docs_dir ? ", kubegen docs" : "",
                      args->rbac_dir ? ", kubegen rbac" : "");
    output_free(files);
    model_free(input);
    return ok && !stale ? EXIT_OK : EXIT_FAILED;
}

const command verify_command = {
    .name = "verify",
    .summary = "check that generated code, CRDs, roles and docs are up to date",
    .help =
        "usage: kubegen verify [OPTION]... DIR...\n"
        "\n"
        "Compares what `kubegen generate` would write with what is there, and with the options\n"
        "below CRDs, the reference and roles too. Exits with 1 and prints a unified diff when\n"
        "they differ. Writes nothing.\n"
        "\n"
        "  --out-root DIR, -o FILE, --template-dir DIR, -I DIR: as for generate\n"
        "  --crd-dir DIR     the --output-dir of crd\n"
        "  --max-desc-len N, --header-file FILE, --year YEAR, --generate-embedded-object-meta:\n"
        "                    as for crd\n"
        "  --docs-dir DIR    the --output-dir of docs\n"
        "  --rbac-dir DIR    the --output-dir of rbac\n"
        "  --rbac-source DIR what rbac reads; may be repeated\n"
        "  --role-name NAME  as for rbac\n"
        "\n"
        "example: kubegen verify apis/samplecrd/v1 --crd-dir config/crd --docs-dir docs/api\n",
    .options = ARG_OUT_ROOT | ARG_TEMPLATE_DIR | ARG_INCLUDE | ARG_CRD | ARG_VERIFY,
    .needs = "a directory that holds a types.h",
    .run = verify,
};
