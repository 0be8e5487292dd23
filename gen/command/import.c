/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "crds/crd_import.h"
#include "front/names.h"
#include "import/fetch.h"
#include "import/import_api.h"
#include "import/kubeconfig.h"
#include "support/diag_log.h"
#include "support/path.h"
#include "support/spdx.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fetch_options fetching(const arg_set *args)
{
    return (fetch_options){
        .token_file = args->token_file,
        .ca_file = args->ca_file,
        .cert_file = args->cert_file,
        .key_file = args->key_file,
    };
}

static bool read_documents(const arg_set *args, openapi *api, str *error)
{
    const fetch_options options = fetching(args);
    bool ok = true;
    for (size_t i = 1; ok && i < args->inputs.len; i++) {
        str text = {0};
        ok = fetch_text(args->inputs.items[i], &options, &text, error) &&
             openapi_add(api, args->inputs.items[i], &text, error);
        str_free(&text);
    }
    return ok;
}

static int import_openapi(arg_set *args)
{
    const import_options options = {
        .group = strcmp(args->group, "core") == 0 ? "" : args->group,
        .version = args->version,
        .output = args->output,
        .schema = args->schema,
        .license = args->license,
        .kinds = args->kinds,
        .types = args->types,
        .include_dirs = args->include_dirs,
        .docs = args->docs,
        .own_all = args->inlined,
    };
    openapi *api = openapi_new();
    output_set *files = output_new();
    int status = EXIT_FAILED;
    str error = {0};
    if (read_documents(args, api, &error) && import_api(&options, api, files, &error))
        status = command_write(files);
    else
        diag_log_line(DIAG_ERROR, "%s", str_text(&error));
    output_free(files);
    openapi_free(api);
    str_free(&error);
    return status;
}

/* ---- CRDs ---------------------------------------------------------------------------------- */

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_manifest(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (str_has_suffix(entry->d_name, ".yaml") || str_has_suffix(entry->d_name, ".yml") ||
            str_has_suffix(entry->d_name, ".json"));
}

/* The inputs, with the manifests of a directory in its place. */
static void list_inputs(arena *in, const arg_set *args, text_list *out)
{
    for (size_t i = 1; i < args->inputs.len; i++) {
        const char *input = args->inputs.items[i];
        struct dirent **entries = NULL;
        int count = path_is_dir(input) ? scandir(input, &entries, is_manifest, compare_names) : -1;
        if (count < 0)
            *VEC_ADD(out) = input;
        for (int e = 0; e < count; e++) {
            *VEC_ADD(out) = arena_printf(in, "%s/%s", path_trimmed(in, input), entries[e]->d_name);
            free(entries[e]);
        }
        free(entries);
    }
}

/* Returns the URL of the CRDs of kubectl's cluster, or NULL after an error. */
static const char *find_cluster(arena *in, fetch_options *how, diag *to)
{
    const char *server = kubeconfig_read(in, how, to);
    return server ? arena_printf(in, "%s/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                                 path_trimmed(in, server))
                  : NULL;
}

static void read_manifests(arena *in, const arg_set *args, const text_list *inputs,
                           place_list *places, json_list *documents, diag *to)
{
    const fetch_options options = fetching(args);
    for (size_t i = 0; i < inputs->len; i++) {
        const char *name = inputs->items[i];
        fetch_options how = options;
        str text = {0};
        str error = {0};
        if (strcmp(name, "cluster") == 0)
            name = find_cluster(in, &how, to);
        if (!name)
            continue;
        if (!fetch_text(name, &how, &text, &error))
            diag_error(to, (diag_loc){0}, "%s", str_text(&error));
        else
            yaml_read(strcmp(name, "-") == 0 ? "standard input" : name, str_text(&text), text.len,
                      places, documents, to);
        str_free(&error);
        str_free(&text);
    }
}

static int import_crds(arg_set *args)
{
    const crd_import_options options = {
        .group = args->group,
        .version = args->version,
        .kinds = args->kinds,
        .root = args->output_dir ? args->output_dir
                : args->schema   ? NULL
                                 : "apis",
        .schema = args->schema,
        .license = args->license,
        .names = args->names,
        .include_dirs = args->include_dirs,
        .docs = args->docs,
        .own_all = args->inlined,
    };
    arena *in = arena_new();
    output_set *files = output_new();
    diag *messages = diag_new();
    text_list inputs = {0};
    place_list places = {0};
    json_list documents = {0};
    int status = EXIT_FAILED;
    list_inputs(in, args, &inputs);
    read_manifests(in, args, &inputs, &places, &documents, messages);
    if (diag_error_count(messages) == 0)
        crd_import(&options, &documents, &places, files, messages);
    if (diag_report(messages))
        status = command_write(files);
    json_list_free(&documents);
    free(places.items);
    free(inputs.items);
    diag_free(messages);
    output_free(files);
    arena_free(in);
    return status;
}

/* ---- the command --------------------------------------------------------------------------- */

static const char *find_license_fault(const arg_set *args)
{
    return args->license && !spdx_is_expression(args->license)
               ? "--license takes an SPDX expression"
               : NULL;
}

static const char *find_crd_fault(const arg_set *args)
{
    if (args->inputs.len < 2)
        return "import crd needs CRDs: files, directories, URLs, cluster, or - for standard input";
    if (args->output)
        return "import crd writes several headers: name the directory above them with --output-dir";
    if (args->types.len)
        return "import crd has no --type: the headers declare all structs that the CRDs need";
    return find_license_fault(args);
}

/* Returns what is wrong with the command line, or NULL. */
static const char *find_fault(const arg_set *args)
{
    if (args->inputs.len && strcmp(args->inputs.items[0], "crd") == 0)
        return find_crd_fault(args);
    if (args->inputs.len == 0 || strcmp(args->inputs.items[0], "openapi") != 0)
        return "import needs the word openapi or crd: kubegen import openapi FILE";
    if (args->names || args->output_dir)
        return "--names and --output-dir are for import crd";
    if (args->inputs.len < 2)
        return "import openapi needs a document: a file, a URL, or - for standard input";
    if (!args->group)
        return "import openapi needs --group (core for the core group)";
    if (!args->version)
        return "import openapi needs --version";
    if (!names_is_version(args->version))
        return "--version is v<N>, v<N>alpha<M> or v<N>beta<M>";
    if (args->kinds.len == 0)
        return "import openapi needs a --kind";
    if (*args->group && strcmp(args->group, "core") != 0 && !names_is_group(args->group))
        return "--group takes lower-case letters, digits, '-' and dots";
    for (size_t i = 0; i < args->kinds.len; i++)
        if (!names_is_kind(args->kinds.items[i]))
            return "--kind takes letters and digits in CamelCase";
    return find_license_fault(args);
}

static int run(arg_set *args)
{
    const char *fault = find_fault(args);
    if (fault)
        return args_usage("import", "%s", fault);
    text_list_sort(&args->kinds);
    text_list_sort(&args->types);
    return strcmp(args->inputs.items[0], "crd") == 0 ? import_crds(args) : import_openapi(args);
}

const command import_command = {
    .name = "import",
    .summary = "write the headers of APIs that a server or a CRD describes",
    .help =
        "usage: kubegen import openapi FILE|URL|-... --group G --version V --kind K [OPTION]...\n"
        "       kubegen import crd FILE|DIR|URL|cluster|-... [OPTION]...\n"
        "\n"
        "openapi: turns OpenAPI v3, as an API server has it at\n"
        "/openapi/v3/apis/<group>/<version>, into a types.h that `kubegen generate` reads: the\n"
        "kinds and every struct they reach. Structs of other groups (PodTemplateSpec) come by\n"
        "include; every struct keeps members that it does not name. Several documents are read as\n"
        "one.\n"
        "crd: turns CustomResourceDefinitions into headers, one of each group and version, of\n"
        "which `kubegen crd` makes the same CRDs again. Equal structs are one; those that a\n"
        "built-in API has are included from there. `cluster` takes those of the cluster that\n"
        "kubectl would ask.\n"
        "What would not change is not touched, and with an error nothing is written.\n"
        "\n"
        "  --group G          API group; core = the one without a name\n"
        "  --version V        API version\n"
        "  --kind K           a kind of it; may be repeated\n"
        "                     (for crd these choose; without them, all are taken)\n"
        "  --type T           openapi: a struct that no kind reaches, by its schema's name or the\n"
        "                     last word of it; T[] declares a list of it too; may be repeated.\n"
        "                     The whole name of another group's declares here what is needed of\n"
        "                     that group\n"
        "  --output DIR       openapi: write DIR/types.h (default: apis/<group>/<version>)\n"
        "  --output-dir DIR   crd: write DIR/<group>/<version>/types.h (default: apis)\n"
        "  --names FILE       crd: read the names of structs and members there, and write them\n"
        "  --docs             take the descriptions along\n"
        "  --inline           declare what other groups share instead of including it\n"
        "  --license L        begin the header with the SPDX identifier L\n"
        "  -I DIR             look for included headers in DIR too; may be repeated\n"
        "  --schema FILE      write the schemas, without descriptions, to FILE; and no types.h\n"
        "                     unless --output or --output-dir is given\n"
        "  --token-file FILE  bearer token for a URL\n"
        "  --cacert FILE      certificates that a URL's server is trusted by\n"
        "  --cert, --key FILE client certificate for a URL\n"
        "\n"
        "example: kubectl get --raw /openapi/v3/apis/apps/v1 |\n"
        "           kubegen import openapi - --group apps --version v1 --kind Deployment\n"
        "example: kubectl get crd -o yaml | kubegen import crd - --names names.yaml\n",
    .options = ARG_IMPORT | ARG_INCLUDE | ARG_OUTPUT_DIR,
    .words = "crd openapi",
    .run = run,
};
