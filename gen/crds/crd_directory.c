/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_directory.h"

#include "front/names.h"
#include "support/ascii.h"
#include "support/str.h"
#include "support/text_list.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- a name for it ------------------------------------------------------------------------- */

/* The first labels of a group; names in C begin with them, and so with a letter: g3scale. */
static const char *first_labels(arena *in, const char *group, int count)
{
    str name = {0};
    const char *made;
    if (ascii_is_digit(*group))
        str_add_char(&name, 'g');
    for (const char *at = group; *at && (*at != '.' || --count > 0); at++)
        str_add_char(&name, *at == '.' ? '-' : *at);
    made = arena_strdup(in, str_text(&name));
    str_free(&name);
    return made;
}

static bool is_builtin(const char *directory)
{
    static const char *const builtin[] = {"admissionregistration",
                                          "apiextensions",
                                          "apiregistration",
                                          "apps",
                                          "authentication",
                                          "authorization",
                                          "autoscaling",
                                          "batch",
                                          "certificates",
                                          "coordination",
                                          "core",
                                          "discovery",
                                          "events",
                                          "flowcontrol",
                                          "kube",
                                          "networking",
                                          "node",
                                          "policy",
                                          "rbac",
                                          "resource",
                                          "scheduling",
                                          "storage",
                                          "generated",
                                          NULL};
    return str_is_one_of(directory, builtin);
}

/* Whether another group has the directory, by the file of names or by this import so far. */
static bool is_noted(const json_value *directories, const char *directory, const char *group)
{
    for (const json_value *at = json_first(directories); at; at = json_next(at))
        if (json_text(at) && strcmp(json_text(at), directory) == 0 &&
            strcmp(json_key(at), group) != 0)
            return true;
    return false;
}

/* Whether another group of this import begins with the same labels. */
static bool is_shared(arena *in, const crd_versions *all, const char *directory, const char *group,
                      int labels)
{
    for (size_t i = 0; i < all->len; i++) {
        const char *other = all->items[i].group;
        if (strcmp(other, group) != 0 && strcmp(first_labels(in, other, labels), directory) == 0)
            return true;
    }
    return false;
}

const char *crd_directory_choose(arena *in, const crd_versions *all, json_value *names,
                                 const char *group)
{
    json_value *noted = (json_value *)json_get(names, "directories");
    const char *directory = json_text(json_get(noted, group));
    const char *whole = first_labels(in, group, INT_MAX);
    int labels = 1;
    if (directory && names_is_dir(directory) && !strchr(directory, '.') &&
        !is_noted(noted, directory, group))
        return directory;
    directory = first_labels(in, group, labels);
    while (strcmp(directory, whole) != 0 &&
           (is_builtin(directory) || is_noted(noted, directory, group) ||
            is_shared(in, all, directory, group, labels)))
        directory = first_labels(in, group, ++labels);
    for (int i = 2; is_noted(noted, directory, group); i++)
        directory = arena_printf(in, "%s-%d", whole, i);
    if (json_kind_of(noted) != JSON_OBJECT)
        noted = json_put(names, "directories", json_object());
    json_put(noted, group, json_string(directory));
    return directory;
}

/* ---- what is there ------------------------------------------------------------------------- */

/* What a header says of itself that an import must not overwrite unseen. */
typedef struct header_text {
    const char *group; /* NULL = it does not say */
    text_list kinds;
} header_text;

static const char *after(const char *line, const char *start)
{
    return str_has_prefix(line, start) ? line + strlen(start) : NULL;
}

/* Reads the markers and the structs of a header, a line each, as an import writes them. */
static void read_header(arena *in, const char *text, const char *prefix, header_text *out)
{
    const char *kind = NULL;
    bool is_kind = false;
    while (*text) {
        size_t len = strcspn(text, "\n");
        const char *line = arena_strndup(in, text, len);
        const char *name = after(line, "typedef struct ");
        text += len + (text[len] == '\n');
        out->group = after(line, "// +groupName=") ? after(line, "// +groupName=") : out->group;
        kind = after(line, "// +kind=") ? after(line, "// +kind=") : kind;
        is_kind |= strcmp(line, "// +genclient") == 0;
        if (!name)
            continue;
        name = arena_strndup(in, name, strcspn(name, " {"));
        if (is_kind && !kind && str_has_prefix(name, prefix) && name[strlen(prefix)] == '_')
            kind = names_kind(in, name + strlen(prefix) + 1);
        if (is_kind && kind)
            *VEC_ADD(&out->kinds) = kind;
        kind = NULL;
        is_kind = false;
    }
}

static bool is_imported(const crd_version *versions, size_t len, const char *kind)
{
    for (size_t i = 0; i < len; i++)
        if (strcmp(versions[i].kind, kind) == 0)
            return true;
    return false;
}

bool crd_directory_check(arena *in, const char *path, const char *directory, const char *prefix,
                         const crd_version *versions, size_t len, diag *to)
{
    const char *group = versions[0].group;
    header_text there = {0};
    str text = {0};
    bool ok = true;
    if (str_read_file(&text, path))
        read_header(in, str_text(&text), prefix, &there);
    if (text.len && strcmp(there.group ? there.group : directory, group) != 0) {
        diag_error(to, (diag_loc){path, 0, 0},
                   "this header is of the group %s, and the one of %s would take its place: give "
                   "%s a directory of its own with --names FILE, in which stands 'directories: "
                   "{%s: <directory>}'",
                   there.group ? there.group : directory, group, group, group);
        ok = false;
    }
    for (size_t i = 0; ok && i < there.kinds.len; i++) {
        ok = is_imported(versions, len, there.kinds.items[i]);
        if (!ok)
            diag_error(to, (diag_loc){path, 0, 0},
                       "this header has the Kind %s, which the import would remove: import its CRD "
                       "along, or delete the header first",
                       there.kinds.items[i]);
    }
    free(there.kinds.items);
    str_free(&text);
    return ok;
}
