/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "front/names.h"
#include "import/fetch.h"
#include "import/import.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Sorted, and each once. */
static import_names sorted(const arg_list *given)
{
    import_names names = {0};
    import_names once = {0};

    for (size_t i = 0; i < given->len; i++)
        *VEC_ADD(&names) = given->items[i];
    if (names.len)
        qsort(names.items, names.len, sizeof *names.items, str_compare);
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

/* The root that stands for a kind. */
static bool add_kind(import *im, const char *kind, const char *schema_name)
{
    const char *path = arena_printf(im->arena, "#/components/schemas/%s", schema_name);
    const char *name = schema_name;
    const json_value *schema = import_resolve(im, openapi_schema(im->api, name), path, &name);
    import_struct *made;

    if (!schema)
        return false;
    if (!import_properties(schema))
        return import_fail(im, "%s: the kind %s has no properties", path, kind);
    made = import_struct_of(im, schema_name, schema, path, NULL);
    made->kind = kind;
    import_read_paths(im, made);
    return true;
}

/* A struct that --type asks for, and a list of it. */
static bool add_type(import *im, const char *type, const char *schema_name)
{
    const char *path = arena_printf(im->arena, "#/components/schemas/%s", schema_name);
    const char *name = arena_printf(im->arena, "%s_%s", im->prefix,
                                    import_snake(im->arena, import_last(schema_name)));
    import_shape shape;

    if (!import_shape_of(im, openapi_schema(im->api, schema_name), path, name, true, &shape))
        return false;
    if (!shape.record)
        return import_fail(im, "--type %s: it is no struct but %s", type, shape.c_type);
    return !str_has_suffix(type, "[]") || import_container_of(im, &shape, false);
}

/* Where the header goes, and what its names begin with. */
static bool set_place(import *im)
{
    const import_options *options = im->options;
    const char *slash;

    im->directory = options->output;
    if (!im->directory)
        im->directory =
            arena_printf(im->arena, "apis/%s/%s",
                         import_last(import_package(im->arena, im->package)), options->version);
    while (strlen(im->directory) > 1 && str_has_suffix(im->directory, "/"))
        im->directory = arena_strndup(im->arena, im->directory, strlen(im->directory) - 1);
    slash = strrchr(im->directory, '/');
    if (!slash || slash == im->directory || !names_is_version(slash + 1))
        return import_fail(im, "--output %s: it is a directory <group>/<version>", im->directory);
    im->group_dir = arena_strndup(im->arena, im->directory, (size_t)(slash - im->directory));
    im->root = "";
    if (strrchr(im->group_dir, '/')) {
        im->root = im->group_dir;
        im->group_dir = strrchr(im->group_dir, '/') + 1;
        im->root = arena_strndup(im->arena, im->root, (size_t)(im->group_dir - im->root));
    }
    im->prefix = names_prefix(im->arena, im->group_dir, slash + 1);
    return true;
}

/* Kinds first, so that they get their names and are known where they are members. */
static bool plan_header(import *im, const import_names *roots, output_set *files)
{
    const import_options *options = im->options;
    str text = {0};
    bool ok = set_place(im);

    for (size_t i = 0; ok && i < options->kinds.len; i++)
        ok = add_kind(im, options->kinds.items[i], roots->items[i]);
    for (size_t i = 0; ok && i < options->kinds.len; i++)
        ok = import_read_struct(im, im->structs.items[i]);
    for (size_t i = 0; ok && i < options->types.len; i++)
        ok = add_type(im, options->types.items[i], roots->items[options->kinds.len + i]);
    if (ok)
        ok = import_check_names(im);
    if (ok) {
        import_write(im, &text);
        output_add(files, arena_printf(im->arena, "%s/types.h", im->directory), str_text(&text));
    }
    str_free(&text);
    return ok;
}

static bool import_api(import *im, const arg_set *args, output_set *files)
{
    import_names roots = {0};
    bool ok = add_roots(im, &roots);

    if (ok && args->schema)
        ok = plan_schema(im, &roots, args->schema, files);
    if (ok && (!args->schema || args->output))
        ok = plan_header(im, &roots, files);
    free(roots.items);
    return ok;
}

static void free_import(import *im)
{
    for (size_t i = 0; i < im->structs.len; i++) {
        import_struct *record = im->structs.items[i];

        for (size_t f = 0; f < record->fields.len; f++)
            free(record->fields.items[f].values.items);
        free(record->fields.items);
        free(record->subresources.items);
    }
    free(im->structs.items);
    free(im->order.items);
    free(im->containers.items);
    free(im->includes.items);
    arena_free(im->arena);
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
import im = {.options = & options, .api = api, .arena = arena_new(), .error = & error };
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
    free_import(&im);
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
    .run = run,
};
