/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "front/names.h"
#include "import/fetch.h"
#include "import/import_api.h"
#include "support/spdx.h"

#include <stdio.h>
#include <string.h>

static bool read_documents(const arg_set *args, openapi *api, str *error)
{
    const fetch_options options = {args->token_file, args->ca_file, args->cert_file,
                                   args->key_file};
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
        fprintf(stderr, "kubegen: %s\n", str_text(&error));
    output_free(files);
    openapi_free(api);
    str_free(&error);
    return status;
}

/* Returns what is wrong with the command line, or NULL. */
static const char *find_fault(const arg_set *args)
{
    if (args->inputs.len == 0 || strcmp(args->inputs.items[0], "openapi") != 0)
        return "import needs the word openapi: kubegen import openapi FILE";
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
    if (args->license && !spdx_is_expression(args->license))
        return "--license takes an SPDX expression";
    return NULL;
}

static int run(arg_set *args)
{
    const char *fault = find_fault(args);
    if (fault)
        return args_usage("import", "%s", fault);
    text_list_sort(&args->kinds);
    text_list_sort(&args->types);
    return import_openapi(args);
}

const command import_command = {
    .name = "import",
    .summary = "write the header of an API that a server describes",
    .help =
        "usage: kubegen import openapi FILE|URL|-... --group G --version V --kind K [OPTION]...\n"
        "\n"
        "Turns OpenAPI v3, as an API server has it at /openapi/v3/apis/<group>/<version>, into a\n"
        "types.h that `kubegen generate` reads: the kinds and every struct they reach. Structs of\n"
        "other groups (PodTemplateSpec) come by include; every struct keeps members that it does\n"
        "not name. Several documents are read as one. What would not change is not touched, and\n"
        "with an error nothing is written.\n"
        "\n"
        "  --group G          API group; core = the one without a name\n"
        "  --version V        API version\n"
        "  --kind K           a kind of it; may be repeated\n"
        "  --type T           a struct that no kind reaches, by its schema's name or the last\n"
        "                     word of it; T[] declares a list of it too; may be repeated\n"
        "  --output DIR       write DIR/types.h (default: apis/<group>/<version>)\n"
        "  --docs             take the descriptions along\n"
        "  --inline           declare what other groups share instead of including it\n"
        "  --license L        begin the header with the SPDX identifier L\n"
        "  -I DIR             look for included headers in DIR too; may be repeated\n"
        "  --schema FILE      write the schemas of the kinds, without descriptions, to FILE; and\n"
        "                     no types.h unless --output is given\n"
        "  --token-file FILE  bearer token for a URL\n"
        "  --cacert FILE      certificates that a URL's server is trusted by\n"
        "  --cert, --key FILE client certificate for a URL\n"
        "\n"
        "example: kubectl get --raw /openapi/v3/apis/apps/v1 |\n"
        "           kubegen import openapi - --group apps --version v1 --kind Deployment\n",
    .options = ARG_IMPORT | ARG_INCLUDE,
    .run = run,
};
