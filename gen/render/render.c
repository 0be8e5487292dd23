/* SPDX-License-Identifier: Apache-2.0 */
#include "render.h"

#include "embedded.h"
#include "layout.h"
#include "support/arena.h"
#include "support/path.h"
#include "support/spdx.h"
#include "template.h"
#include "view.h"

#include <string.h>

typedef struct template_source {
    const char *dir;
    arena *arena;
} template_source;

static const char *find_template(void *arg, const char *name)
{
    const template_source *source = arg;
    const embedded_template *embedded;
    const char *text = NULL;
    str file = {0};
    if (source->dir &&
        str_read_file(&file, arena_printf(source->arena, "%s/%s.mustache", source->dir, name)))
        text = arena_strdup(source->arena, str_text(&file));
    str_free(&file);
    for (embedded = embedded_templates; embedded->name && !text; embedded++)
        if (strcmp(embedded->name, name) == 0)
            text = embedded->text;
    return text;
}

static bool render_file(const template_set *set, const char *template, const json_value *view,
                        const char *path, output_set *files, str *error)
{
    str raw = {0};
    str text = {0};
    bool ok = template_render(set, template, view, &raw, error);
    if (ok) {
        layout_c(str_text(&raw), &text);
        output_add(files, path, str_text(&text));
    }
    str_free(&raw);
    str_free(&text);
    return ok;
}

/* Where the tables of shared structs go, which have no API. */
static const char *tables_path(const model_package *package, const render_options *options,
                               const char *out_root, const char *dir, arena *memory)
{
    const char *name = path_last(package->include);
    size_t stem = strcspn(name, ".");
    if (options->output)
        return options->output;
    return arena_printf(memory, "%s/%s/%.*s_schema.c", out_root, dir, (int)stem, name);
}

bool render_package(const model_package *package, const render_options *options, output_set *files,
                    str *error)
{
    template_source source = {options->template_dir, arena_new()};
    const template_set set = {find_template, &source, true};
    json_value *view = view_new(package, spdx_find(source.arena, package->header));
    const char *dir = path_parent(source.arena, package->include);
    const char *out_root = options->out_root;
    bool ok = true;
    size_t i;
    output_set_input(files, package->header);
    if (!out_root)
        out_root = *package->root ? arena_printf(source.arena, "%s/generated", package->root)
                                  : "generated";
    if (!package->group)
        ok = render_file(&set, "schema.c", view,
                         tables_path(package, options, out_root, dir, source.arena), files, error);
    for (i = 0; package->group && ok && embedded_api_files[i]; i++)
        ok = render_file(
            &set, embedded_api_files[i], view,
            arena_printf(source.arena, "%s/%s/%s", out_root, dir, embedded_api_files[i]), files,
            error);
    json_free(view);
    arena_free(source.arena);
    return ok;
}
