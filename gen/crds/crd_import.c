/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CRDs of a group and version become an OpenAPI document in which equal structs are one schema
 * with a name; of that the parts of `import openapi` make the header, exactly.
 */
#include "crd_import.h"

#include "crd_convert.h"
#include "crd_directory.h"
#include "crd_flat.h"
#include "crd_names.h"
#include "crd_shipped.h"
#include "front/names.h"
#include "import/crd_read.h"
#include "import/import_api.h"
#include "import/import_names.h"
#include "import/import_schema.h"
#include "import/import_shape.h"
#include "import/import_struct.h"
#include "import/import_write.h"
#include "schema/keywords.h"
#include "support/path.h"
#include "support/yaml.h"

#include <stdlib.h>
#include <string.h>

typedef struct crd_importer {
    const crd_import_options *options;
    arena *in;
    crd_versions versions;
    crd_shipped_list shipped;
    json_value *names; /* the file's contents */
    output_set *files;
    diag *to;
} crd_importer;

/* One group and version. */
typedef struct crd_header {
    crd_importer *of;
    const crd_version *versions; /* its Kinds */
    size_t len;
    json_value **schemas; /* of the Kinds, simplified */
    crd_kind_name *kinds;
    crd_types types;
    const json_value *given; /* names; NULL = none */
    const char *directory;   /* of the group, below the root */
    json_value *members;     /* names to keep */
} crd_header;

/* ---- what is asked for --------------------------------------------------------------------- */

static bool is_wanted(const crd_import_options *options, const crd_version *version)
{
    bool is_kind = options->kinds.len == 0;
    for (size_t i = 0; i < options->kinds.len; i++)
        is_kind |= strcmp(options->kinds.items[i], version->kind) == 0;
    return is_kind && (!options->group || strcmp(options->group, version->group) == 0) &&
           (!options->version || strcmp(options->version, version->version) == 0);
}

static void select_wanted(crd_importer *c)
{
    size_t kept = 0;
    size_t all = c->versions.len;
    for (size_t i = 0; i < all; i++)
        if (is_wanted(c->options, &c->versions.items[i]))
            c->versions.items[kept++] = c->versions.items[i];
    c->versions.len = kept;
    if (all == 0)
        diag_error(c->to, (diag_loc){0}, "there is no CustomResourceDefinition in what was given");
    else if (kept == 0)
        diag_error(c->to, (diag_loc){0}, "no CRD has that --group, --version and --kind");
}

/* ---- the file of names --------------------------------------------------------------------- */

static void read_names(crd_importer *c)
{
    json_list documents = {0};
    str text = {0};
    c->names = json_object();
    if (!c->options->names || !str_read_file(&text, c->options->names))
        return; /* it will be there after the import */
    if (yaml_read(c->options->names, str_text(&text), text.len, NULL, &documents, c->to) &&
        documents.len) {
        if (json_kind_of(documents.items[0]) == JSON_OBJECT)
            json_merge(c->names, documents.items[0]);
        else
            diag_error(c->to, (diag_loc){c->options->names, 1, 1},
                       "a file of names is a map, such as one that --names has written");
    }
    json_list_free(&documents);
    str_free(&text);
}

static void write_names(crd_importer *c)
{
    str text = {0};
    if (!c->options->names)
        return;
    str_add(&text, "# Names in C, written by 'kubegen import crd --names': the next import keeps "
                   "them, and yours.\n");
    yaml_write(c->names, &text);
    output_add(c->files, c->options->names, str_text(&text));
    str_free(&text);
}

/* ---- structs ------------------------------------------------------------------------------- */

static bool find_types(crd_header *h)
{
    arena *in = h->of->in;
    str error = {0};
    bool ok;
    h->types.in = in;
    for (size_t i = 0; i < h->of->shipped.len; i++)
        crd_types_add_shipped(&h->types, &h->of->shipped.items[i]);
    for (size_t i = 0; i < h->len; i++)
        crd_types_add_kind(&h->types, h->versions[i].kind, h->schemas[i]);
    crd_types_order(&h->types);
    for (size_t i = 0; i < h->len; i++)
        crd_types_reach(&h->types, h->schemas[i]);
    ok = crd_names_choose(&h->types, h->kinds, h->len, h->given, &error);
    if (!ok)
        diag_error(h->of->to, (diag_loc){h->of->options->names, 0, 0}, "%s", str_text(&error));
    str_free(&error);
    return ok;
}

/* The document that `import openapi` would be given. */
static json_value *make_document(crd_header *h)
{
    json_value *document = json_object();
    json_value *schemas = json_object();
    json_set(json_set(document, "components", json_object()), "schemas", schemas);
    for (size_t i = 0; i < h->types.items.len; i++) {
        const crd_type *type = h->types.items.items[i];
        for (size_t s = 0; s < type->shipped.len; s++)
            json_set(schemas, type->shipped.items[s]->schema_name, json_copy(type->node));
        if (type->is_own)
            json_set(
                schemas, type->name,
                crd_convert(&h->types, type->node, type->places.items, type->places.len, h->given));
    }
    for (size_t i = 0; i < h->len; i++) {
        const crd_place place = {.name = h->versions[i].kind};
        const crd_place *places[] = {&place};
        json_set(schemas, h->kinds[i].name,
                 crd_convert(&h->types, h->schemas[i], places, 1, h->given));
    }
    return document;
}

/* ---- the header ---------------------------------------------------------------------------- */

static import_struct *add_kind(importer *im, const crd_header *h, size_t index)
{
    const crd_kind_name *kind = &h->kinds[index];
    import_struct *made =
        import_struct_of(im, kind->name, openapi_schema(im->api, kind->name), kind->kind, NULL);
    if (!made)
        return NULL;
    made->kind = kind->kind;
    made->c_plural = kind->c_plural;
    made->plural = kind->plural;
    made->namespaced = h->versions[index].namespaced;
    made->crd = &h->versions[index];
    return made;
}

static void set_place(importer *im, const crd_header *h)
{
    const char *root = path_trimmed(im->arena, h->of->options->root);
    im->package = "";
    im->group_dir = h->directory;
    im->root = arena_printf(im->arena, "%s/", root);
    im->directory = arena_printf(im->arena, "%s/%s/%s", root, h->directory, h->versions[0].version);
    im->prefix = names_prefix(im->arena, h->directory, h->versions[0].version);
}

/* The place of what a struct of the header is made of. */
static const crd_place *place_of_struct(const crd_header *h, const import_struct *of)
{
    for (size_t i = 0; i < h->types.items.len; i++) {
        const crd_type *type = h->types.items.items[i];
        if (type->is_own && of->schema_name && strcmp(type->name, of->schema_name) == 0)
            return type->places.items[0];
    }
    return NULL;
}

/* Whether two members would have one name in C, so that it depends on the others which gets it. */
static bool is_disputed(arena *in, const import_struct *of, const import_field *field)
{
    const char *wanted = import_field_name(in, field->json);
    size_t count = 0;
    for (size_t i = 0; i < of->fields.len; i++)
        count += strcmp(import_field_name(in, of->fields.items[i].json), wanted) == 0;
    return count > 1;
}

/* Notes the members' names that another import could give to other members. */
static void note_members(crd_header *h, importer *im)
{
    arena *in = h->of->in;
    for (size_t i = 0; i < im->structs.len; i++) {
        const import_struct *of = im->structs.items[i];
        const crd_place kind = {.name = of->kind};
        const crd_place *place = of->kind ? &kind : place_of_struct(h, of);
        for (size_t f = 0; place && f < of->fields.len; f++) {
            const import_field *field = &of->fields.items[f];
            bool is_given = json_get(field->schema, import_name_keyword) != NULL;
            if (!is_given && is_disputed(in, of, field))
                json_put(h->members, crd_names_path(in, place, field->json),
                         json_string(field->name));
        }
    }
}

static void plan_header(crd_header *h)
{
    const crd_import_options *from = h->of->options;
    const import_options options = {
        .group = h->versions[0].group,
        .version = h->versions[0].version,
        .license = from->license,
        .include_dirs = from->include_dirs,
        .docs = from->docs,
    };
    openapi *api = openapi_new();
    str error = {0};
    str text = {0};
    importer im = {.options = &options, .api = api, .arena = arena_new(), .error = &error};
    diag_loc loc = h->versions[0].loc;
    const char *path;
    bool is_free;
    bool ok;
    im.is_exact = true;
    openapi_add_tree(api, make_document(h));
    set_place(&im, h);
    path = arena_printf(h->of->in, "%s/types.h", im.directory);
    ok = crd_directory_check(h->of->in, path, h->directory, im.prefix, h->versions, h->len,
                             h->of->to);
    is_free = ok;
    for (size_t i = 0; ok && i < h->len; i++)
        ok = add_kind(&im, h, i) != NULL;
    for (size_t i = 0; ok && i < h->len; i++) {
        loc = h->versions[i].loc;
        ok = import_read_struct(&im, im.structs.items[i]);
    }
    ok = ok && import_check_shared(&im) && import_check_names(&im) && import_write(&im, &text);
    if (ok)
        note_members(h, &im);
    if (ok && im.lost.len)
        diag_warning(h->of->to, h->versions[0].loc, "the header leaves out: %s",
                     str_text(&im.lost));
    if (ok)
        output_add(h->of->files, path, str_text(&text));
    else if (is_free)
        diag_error(h->of->to, loc, "%s", str_text(&error));
    import_free(&im);
    openapi_free(api);
    str_free(&text);
    str_free(&error);
}

static bool check_schema(crd_importer *c, const crd_version *version, const json_value *schema)
{
    const char *why = keywords_check(c->in, schema);
    if (why)
        diag_error(c->to, version->loc, "the schema of %s: %s", version->kind, why);
    return !why;
}

/* Of v1beta1; such a CRD is still served, but no server takes it anew. */
static void warn_of_old(crd_importer *c, const crd_version *version)
{
    if (json_is_true(json_get(version->spec, "preserveUnknownFields")))
        diag_warning(
            c->to, version->loc,
            "%s has spec.preserveUnknownFields, which the header leaves out because servers "
            "take no new CRD with it: give each part of its schema a type, or "
            "'x-kubernetes-preserve-unknown-fields: true'",
            version->kind);
}

static void add_header(crd_importer *c, const crd_version *versions, size_t len)
{
    crd_header h = {.of = c, .versions = versions, .len = len};
    bool ok = true;
    const char *key = arena_printf(c->in, "%s/%s", versions->group, versions->version);
    h.schemas = arena_alloc(c->in, len * sizeof *h.schemas);
    h.kinds = arena_alloc(c->in, len * sizeof *h.kinds);
    h.given = json_get(c->names, key);
    h.directory = crd_directory_choose(c->in, &c->versions, c->names, versions->group);
    for (size_t i = 0; i < len; i++) {
        bool has_status = json_get(json_get(versions[i].node, "subresources"), "status") != NULL;
        h.kinds[i] = (crd_kind_name){.kind = versions[i].kind, .plural = versions[i].plural};
        h.schemas[i] = crd_simplify(versions[i].schema, has_status, c->options->docs);
        ok = check_schema(c, &versions[i], h.schemas[i]) && ok;
        warn_of_old(c, &versions[i]);
    }
    if (ok && find_types(&h)) {
        h.members = json_object();
        plan_header(&h);
        json_put(c->names, key, crd_names_suggest(&h.types, h.given, h.members));
        json_free(h.members);
    }
    for (size_t i = 0; i < len; i++)
        json_free(h.schemas[i]);
    crd_types_free(&h.types);
}

static void add_headers(crd_importer *c)
{
    for (size_t i = 0, end = 0; i < c->versions.len; i = end) {
        const crd_version *first = &c->versions.items[i];
        for (end = i; end < c->versions.len; end++)
            if (strcmp(c->versions.items[end].group, first->group) != 0 ||
                strcmp(c->versions.items[end].version, first->version) != 0)
                break;
        add_header(c, first, end - i);
    }
}

static void write_schemas(crd_importer *c)
{
    str text = {0};
    for (size_t i = 0; i < c->versions.len; i++)
        crd_flat_add(&c->versions.items[i], &text);
    output_add(c->files, c->options->schema, str_text(&text));
    str_free(&text);
}

void crd_import(const crd_import_options *options, const json_list *documents,
                const place_list *places, output_set *files, diag *to)
{
    crd_importer c = {.options = options, .in = arena_new(), .files = files, .to = to};
    size_t before = diag_error_count(to);
    crd_read(c.in, documents, places, &c.versions, to);
    crd_sort(&c.versions, to);
    if (diag_error_count(to) == before)
        select_wanted(&c);
    read_names(&c);
    if (diag_error_count(to) == before && options->schema)
        write_schemas(&c);
    if (diag_error_count(to) == before && options->root) {
        const model_options includes = {options->include_dirs.items, options->include_dirs.len};
        if (!options->own_all)
            crd_shipped_load(c.in, &includes, &c.shipped);
        add_headers(&c);
        write_names(&c);
    }
    crd_shipped_free(&c.shipped);
    json_free(c.names);
    free(c.versions.items);
    arena_free(c.in);
}
