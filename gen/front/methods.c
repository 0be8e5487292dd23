/* SPDX-License-Identifier: Apache-2.0 */
/* methods_read() reads the calls that a Kind has beside its verbs, for its subresources. */
#include "build.h"
#include "names.h"
#include "support/str.h"

#include <string.h>

typedef struct method_reader {
    builder *b;
    const model_resource *of;
    const marker *read;
} method_reader;

static const char *text_of(const method_reader *r, const char *name)
{
    const marker_arg *arg = marker_find_arg(r->read, name);
    return arg ? arg->values[0].text : NULL;
}

static diag_loc place_of(const method_reader *r, const char *name)
{
    return marker_find_arg(r->read, name)->values[0].loc;
}

/* Looks for a Kind of the header by its name or by that of its struct. */
static const model_resource *find_own(const builder *b, const char *name)
{
    for (size_t i = 0; i < b->resources.len; i++) {
        const model_resource *known = b->resources.items[i];
        if (strcmp(known->kind, name) == 0 || strcmp(known->record->name, name) == 0)
            return known;
    }
    return NULL;
}

static bool is_included(const builder *b, const char *include)
{
    for (size_t i = 0; i < b->unit->file_len; i++) {
        if (strcmp(b->unit->files[i]->include, include) == 0)
            return true;
    }
    return false;
}

static void read_own(const method_reader *r, const char *arg, const char *name, model_peer *out)
{
    const model_resource *known = find_own(r->b, name);
    const char *names[64];
    size_t len = 0;
    if (known) {
        out->c_name = known->record->name;
        return;
    }
    for (size_t i = 0; i < r->b->resources.len && len < sizeof names / sizeof *names; i++)
        names[len++] = r->b->resources.items[i]->kind;
    diag_error(r->b->to, place_of(r, arg), "the header has no Kind '%s'%s", name,
               diag_meant(r->b->in, name, names, len));
    diag_note(r->b->to, (diag_loc){0}, "one of another header is written <group>/<version>.<Kind>");
}

/* "k8s.io/api/authentication/v1.TokenRequest", of which the last three names count. */
static void read_foreign(const method_reader *r, const char *arg, const char *text, model_peer *out)
{
    arena *in = r->b->in;
    const model_package *package = r->b->package;
    const char *dot = strrchr(text, '.');
    const char *path = dot ? arena_strndup(in, text, (size_t)(dot - text)) : "";
    const char *slash = strrchr(path, '/');
    const char *version = slash ? slash + 1 : "";
    const char *group = slash ? arena_strndup(in, path, (size_t)(slash - path)) : "";
    group = strrchr(group, '/') ? strrchr(group, '/') + 1 : group;
    if (!*group || !names_is_version(version) || !names_is_kind(dot + 1)) {
        diag_error(r->b->to, place_of(r, arg),
                   "'%s' is not the Kind of another header: write <group>/<version>.<Kind>", text);
    } else if (strcmp(group, package->group_dir) == 0 && strcmp(version, package->version) == 0) {
        read_own(r, arg, dot + 1, out);
    } else if (!is_included(r->b, arena_printf(in, "%s/%s/types.h", group, version))) {
        diag_error(r->b->to, place_of(r, arg),
                   "nothing declares '%s': #include <%s/%s/types.h> above", text, group, version);
    } else {
        out->c_name =
            arena_printf(in, "%s_%s", names_prefix(in, group, version), names_snake(in, dot + 1));
        out->include = arena_printf(in, "%s/%s/register.h", group, version);
    }
}

static void read_peer(const method_reader *r, const char *arg, model_peer *out)
{
    const char *text = text_of(r, arg);
    out->c_name = r->of->record->name;
    if (!text)
        return;
    if (strcmp(text, "kube_scale") == 0 || str_has_suffix(text, "autoscaling/v1.Scale") ||
        str_has_suffix(text, "extensions/v1beta1.Scale"))
        *out = (model_peer){"kube_scale", "kube/scale.h"};
    else if (strpbrk(text, "./"))
        read_foreign(r, arg, text, out);
    else
        read_own(r, arg, text, out);
}

static bool has_verb(const method_reader *r, const char *name)
{
    for (size_t i = 0; model_verb_names[i]; i++) {
        if (r->of->verbs & 1U << i && strcmp(names_snake(r->b->in, model_verb_names[i]), name) == 0)
            return true;
    }
    return false;
}

/* get_scale and update_scale are there already where the CRD has the scale subresource. */
static bool is_scale(const model_method *method)
{
    const char *name = strcmp(method->verb, "get") == 0 ? "get_scale" : "update_scale";
    return strcmp(method->subresource, "scale") == 0 && strcmp(method->name, name) == 0 &&
           strcmp(method->result.c_name, "kube_scale") == 0;
}

static bool read_method(const method_reader *r, model_method *out)
{
    const char *name = text_of(r, "method");
    out->name = names_snake(r->b->in, name);
    out->verb = text_of(r, "verb");
    out->subresource = text_of(r, "subresource");
    read_peer(r, "input", &out->input);
    read_peer(r, "result", &out->result);
    if (!names_is_kind(name))
        diag_error(r->b->to, place_of(r, "method"),
                   "'%s' is not the name of a method: it takes letters and digits in CamelCase",
                   name);
    if (!names_is_label(out->subresource))
        diag_error(r->b->to, place_of(r, "subresource"),
                   "'%s' is not a subresource: it takes lower-case letters, digits and '-'",
                   out->subresource);
    if (strcmp(out->verb, "get") == 0 && text_of(r, "input"))
        diag_error(r->b->to, place_of(r, "input"), "the verb get sends nothing: remove 'input'");
    if (!has_verb(r, out->name))
        return true;
    if (!is_scale(out))
        diag_error(r->b->to, place_of(r, "method"),
                   "the client has a call %s_%s already: leave it out with '+genclient:skipVerbs', "
                   "or name the method otherwise",
                   r->of->c_plural, out->name);
    return false;
}

static void read_all(builder *b, const attached *above, model_resource *made)
{
    VEC(model_method) methods = {0};
    for (size_t m = 0; m < above->len; m++) {
        const method_reader r = {b, made, &above->markers[m]};
        model_method method = {0};
        if (r.read->id == MARKER_METHOD && read_method(&r, &method))
            *VEC_ADD(&methods) = method;
    }
    made->methods = VEC_KEEP(b->in, &methods);
    made->method_len = methods.len;
}

void methods_read(builder *b)
{
    size_t at = 0; /* the Kinds are in the order of their structs */
    for (size_t i = 0; at < b->resources.len; i++) {
        if (b->structs.items[i]->made->resource)
            read_all(b, &b->structs.items[i]->above, b->resources.items[at++]);
    }
}
