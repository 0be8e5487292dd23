/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "fetch.h"
#include "import.h"
#include "names.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool import_fail(import *im, const char *format, ...)
{
    char line[1024];
    va_list args;

    if (im->error->len)
        return false;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    str_add(im->error, line);
    return false;
}

/* ---- what is asked for --------------------------------------------------------------------- */

/* Why a kind was not found. */
static void unknown_kind(import *im, const char *kind)
{
    const import_options *options = im->options;
    const char *slash = *options->group ? "/" : "";
    str found = {0};

    if (openapi_list_kinds(im->api, options->group, options->version, &found)) {
        import_fail(im, "%s%s%s has no kind %s; it has %s", options->group, slash, options->version,
                    kind, str_text(&found));
    } else {
        openapi_list_versions(im->api, &found);
        import_fail(im, "the document has nothing of %s%s%s; it has %s", options->group, slash,
                    options->version, found.len ? str_text(&found) : "no kinds");
    }
    str_free(&found);
}

static const char *schema_of_kind(import *im, const char *kind)
{
    const import_options *options = im->options;
    const char *name = openapi_find_kind(im->api, options->group, options->version, kind);

    if (!name)
        unknown_kind(im, kind);
    return name;
}

/* The schema that --type names: in full, or by its last word in the package of the kinds. */
static const char *schema_of_type(import *im, const char *type)
{
    size_t len = strcspn(type, "[");
    const char *bare = arena_strndup(im->arena, type, len);
    const char *name =
        strchr(bare, '.') ? bare : arena_printf(im->arena, "%s.%s", im->package, bare);

    if (type[len] && strcmp(type + len, "[]") != 0)
        import_fail(im, "--type %s: write the name of a schema, with [] for a list of it", type);
    else if (openapi_schema(im->api, name))
        return name;
    import_fail(im, "--type %s: there is no schema %s", type, name);
    return NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, and each once. */
static import_names sorted(const arg_list *given)
{
    import_names names = {0};
    import_names once = {0};

    for (size_t i = 0; i < given->len; i++)
        *VEC_ADD(&names) = given->items[i];
    if (names.len)
        qsort(names.items, names.len, sizeof *names.items, compare_names);
    for (size_t i = 0; i < names.len; i++)
        if (i == 0 || strcmp(names.items[i], names.items[i - 1]) != 0)
            *VEC_ADD(&once) = names.items[i];
    free(names.items);
    return once;
}

/* ---- the two files ------------------------------------------------------------------------- */

static bool add_roots(import *im, import_names *roots)
{
    const import_options *options = im->options;

    for (size_t i = 0; i < options->kinds.len; i++) {
        const char *name = schema_of_kind(im, options->kinds.items[i]);

        if (!name)
            return false;
        if (i == 0)
            im->package = import_package(im->arena, name);
        *VEC_ADD(roots) = name;
    }
    for (size_t i = 0; i < options->types.len; i++) {
        const char *name = schema_of_type(im, options->types.items[i]);

        if (!name)
            return false;
        *VEC_ADD(roots) = name;
    }
    return true;
}

static bool plan_schema(import *im, const import_names *roots, const char *path, output_set *files)
{
    str text = {0};
    bool ok = import_write_closure(im, roots, &text);

    if (ok)
        output_add(files, path, str_text(&text));
    str_free(&text);
    return ok;
}

static bool import_api(import *im, const arg_set *args, output_set *files)
{
    import_names roots = {0};
    bool ok = add_roots(im, &roots);

    if (ok && args->schema)
        ok = plan_schema(im, &roots, args->schema, files);
    free(roots.items);
    return ok;
}

/* ---- the command --------------------------------------------------------------------------- */

static bool read_documents(const arg_set *args, openapi *api, str *error)
{
    const fetch_options options = {args->token_file, args->ca_file, args->cert_file,
                                   args->key_file};
    bool ok = true;

    for (size_t i = 1; ok && i < args->inputs.len; i++) {
        str text = {0};

        ok = fetch_text(args->inputs.items[i], &options, &text, error) &&
             openapi_add(api, args->inputs.items[i], str_text(&text), error);
        str_free(&text);
    }
    return ok;
}

static int import_openapi(const arg_set *args)
{
    str error = {0};
    import_options options = {
        .group = strcmp(args->group, "core") == 0 ? "" : args->group,
        .version = args->version,
        .output = args->output,
        .license = args->license,
        .kinds = sorted(&args->kinds),
        .types = sorted(&args->types),
        .docs = args->docs,
        .own_all = args->inlined,
    };
    openapi *api = openapi_new();
    output_set *files = output_new();
    import im = {.options = &options, .api = api, .arena = arena_new(), .error = &error};
    int status = EXIT_FAILED;

    for (size_t i = 0; i < args->include_dirs.len; i++)
        *VEC_ADD(&options.include_dirs) = args->include_dirs.items[i];
    if (read_documents(args, api, &error) && import_api(&im, args, files) &&
        output_write(files, &error))
        status = EXIT_OK;
    else
        fprintf(stderr, "kubegen: %s\n", str_text(&error));
    output_free(files);
    openapi_free(api);
    arena_free(im.arena);
    free(options.kinds.items);
    free(options.types.items);
    free(options.include_dirs.items);
    str_free(&error);
    return status;
}

/* What is wrong with the command line; NULL = nothing. */
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
    return NULL;
}

static int run(int argc, char **argv)
{
    arg_set args;
    int status = EXIT_USAGE;

    if (args_parse(&args, "import", ARG_IMPORT | ARG_INCLUDE, argc, argv)) {
        const char *fault = find_fault(&args);

        if (fault)
            args_usage("import", "%s", fault);
        else
            status = import_openapi(&args);
    }
    args_free(&args);
    return status;
}

const command import_command = {
    .name = "import",
    .summary = "write the header of an API that a server describes",
    .help =
        "usage: kubegen import openapi FILE|URL|-... --group G --version V --kind K [OPTION]...\n"
        "\n"
        "Turns OpenAPI v3, as an API server has it at /openapi/v3/apis/<group>/<version>, into a\n"
        "types.h that `kubegen generate` reads: the kinds and every struct they reach. Struct types\n"
        "that several groups share (PodTemplateSpec) come by include; every struct keeps members\n"
        "that it does not name. Several documents are read as one. What would not change is not\n"
        "touched, and with an error nothing is written.\n"
        "\n"
        "  --group G          API group; core = the one without a name\n"
        "  --version V        API version\n"
        "  --kind K           a kind of it; may be repeated\n"
        "  --type T           a struct that no kind reaches, by its schema's name or the last word\n"
        "                     of it; T[] declares a list of it too; may be repeated\n"
        "  --output DIR       write DIR/types.h (default: apis/<group>/<version>)\n"
        "  --docs             take the descriptions along\n"
        "  --inline           declare what other groups share instead of including it\n"
        "  --license L        begin the header with the SPDX identifier L\n"
        "  -I DIR             look for included headers in DIR too; may be repeated\n"
        "  --schema FILE      write the schemas of the kinds, without descriptions, to FILE; and no\n"
        "                     types.h unless --output is given\n"
        "  --token-file FILE  bearer token for a URL\n"
        "  --cacert FILE      certificates that a URL's server is trusted by\n"
        "  --cert, --key FILE client certificate for a URL\n"
        "\n"
        "example: kubectl get --raw /openapi/v3/apis/apps/v1 |\n"
        "           kubegen import openapi - --group apps --version v1 --kind Deployment\n",
    .run = run,
};
