/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac_program.h"

#include "support/diag_log.h"
#include "support/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the records say of a resource. */
typedef struct resource_facts {
    bool is_cluster_wide;
    bool is_watched;
} resource_facts;

/* ---- records ------------------------------------------------------------------------------- */

/* Takes the next word, up to a blank, from @at. */
static const char *take(arena *in, const char **at)
{
    size_t len = strcspn(*at, " ");
    const char *word = arena_strndup(in, *at, len);
    *at += len + ((*at)[len] == ' ');
    return word;
}

/* Whether it can be a group, a resource or verbs. */
static bool is_plain(const char *text)
{
    return !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-./,*")];
}

static model_texts split_verbs(arena *in, const char *text)
{
    model_texts verbs = {0};
    text_list list = {0};
    while (*text) {
        size_t len = strcspn(text, ",");
        if (len)
            *VEC_ADD(&list) = arena_strndup(in, text, len);
        text += len + (text[len] == ',');
    }
    verbs.len = list.len;
    verbs.items = VEC_KEEP(in, &list);
    return verbs;
}

static bool refuse(const rbac_program *program, const char *record)
{
    diag_log_line(DIAG_ERROR,
                  "%s: the record '%.200s' is none that this kubegen knows: use the kubegen that "
                  "came with the headers of the program",
                  program->path, record);
    return false;
}

/* What is known of a resource, whichever records name it. */
static resource_facts *facts_of(rbac_program *program, const rbac_right *right)
{
    const char *key = arena_printf(program->in, "%s %s", right->group, right->resource);
    void **at = text_map_at(&program->resources, program->in, key);
    if (!*at)
        *at = arena_alloc(program->in, sizeof(resource_facts));
    return *at;
}

/* "DESCRIPTOR GROUP RESOURCE NAMESPACED" */
static bool read_type(rbac_program *program, const char *record)
{
    const char *at = record;
    const char *name = take(program->in, &at);
    rbac_right *type = arena_alloc(program->in, sizeof *type);
    type->group = take(program->in, &at);
    type->resource = take(program->in, &at);
    type->namespaced = strcmp(at, "true") == 0;
    if (!*name || !*type->resource || !is_plain(type->group) || !is_plain(type->resource))
        return refuse(program, record);
    *text_map_at(&program->types, program->in, name) = type;
    facts_of(program, type)->is_cluster_wide |= !type->namespaced;
    return true;
}

static void say_unknown(const rbac_program *program, const char *function, const char *kind,
                        const char *verbs)
{
    bool is_name = kind[0] == '&' && !kind[1 + strspn(kind + 1, "abcdefghijklmnopqrstuvwxyz"
                                                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                                "0123456789_")];
    if (is_name && str_has_suffix(kind, "_type"))
        diag_log_line(DIAG_WARNING,
                      "%s: %s is in another file, so that the right to %s it is not in the "
                      "role: name the library that has it with a further --from",
                      program->path, kind + 1, verbs);
    else
        diag_log_line(
            DIAG_WARNING,
            "%s: the Kind in %s(… %s …) is known only at run time, so that the right "
            "to %s it is not in the role: use the function that kubegen has written for the "
            "Kind, or say what comes with KUBE_NEEDS() and call (%s)(…)",
            program->path, function, kind, verbs, function);
}

/* "use VERBS SUBRESOURCE FUNCTION KIND" */
static bool read_use(rbac_program *program, const char *record, const char *at)
{
    const char *verbs = take(program->in, &at);
    const char *subresource = take(program->in, &at);
    const char *function = take(program->in, &at);
    const rbac_right *type = NULL;
    rbac_right *right;
    if (!*verbs || !*at || !is_plain(verbs) || !is_plain(subresource))
        return refuse(program, record);
    if (*at == '&')
        type = text_map_get(&program->types, at + 1);
    if (!type) {
        say_unknown(program, function, at, verbs);
        return true;
    }
    right = VEC_ADD(&program->rights);
    *right = *type;
    right->purpose = "-";
    right->verbs = split_verbs(program->in, verbs);
    if (strcmp(subresource, "-") != 0)
        right->resource = arena_printf(program->in, "%s/%s", type->resource, subresource);
    return true;
}

/* "need PURPOSE VERBS RESOURCE GROUP" */
static bool read_need(rbac_program *program, const char *record, const char *at)
{
    rbac_right right = {.purpose = take(program->in, &at)};
    const char *verbs = take(program->in, &at);
    right.resource = take(program->in, &at);
    right.group = at;
    right.verbs = split_verbs(program->in, verbs);
    if (!right.verbs.len || !*right.resource || !is_plain(verbs) || !is_plain(right.resource) ||
        !is_plain(right.group) || (strcmp(right.purpose, "-") != 0 && !is_plain(right.purpose)))
        return refuse(program, record);
    right.namespaced =
        strcmp(right.purpose, "metrics-auth") != 0 && !facts_of(program, &right)->is_cluster_wide;
    *VEC_ADD(&program->rights) = right;
    return true;
}

static bool read_record(rbac_program *program, const char *record)
{
    const char *at = record;
    const char *word = take(program->in, &at);
    if (strcmp(word, "use") == 0)
        return read_use(program, record, at);
    if (strcmp(word, "need") == 0)
        return read_need(program, record, at);
    program->has_controller |= strcmp(word, "controller") == 0;
    return strcmp(word, "controller") == 0 || refuse(program, record);
}

/* ---- controllers --------------------------------------------------------------------------- */

static bool has_verb(const rbac_right *right, const char *verb)
{
    for (size_t i = 0; i < right->verbs.len; i++)
        if (strcmp(right->verbs.items[i], verb) == 0)
            return true;
    return false;
}

/* The Kind of a controller stands in its options, where no record can see it. If its reconcile
 * function reads the cache there is an informer; if it reads the server there is a get. */
static void say_controllers(rbac_program *program)
{
    text_list names = {0};
    bool any = false;
    for (size_t i = 0; i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        if (has_verb(right, "list") && has_verb(right, "watch"))
            any = facts_of(program, right)->is_watched = true;
    }
    for (size_t i = 0; program->has_controller && i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        if (has_verb(right, "get") && strcmp(right->purpose, "-") == 0 &&
            !strchr(right->resource, '/') && !facts_of(program, right)->is_watched)
            *VEC_ADD(&names) = right->resource;
    }
    text_list_sort(&names);
    for (size_t i = 0; i < names.len; i++)
        diag_log_line(DIAG_WARNING,
                      "%s: nothing watches %s. If they are the .for_ of a controller, it needs "
                      "KUBE_NEEDS(group, \"%s\", \"list,watch\"); beside it",
                      program->path, names.items[i], names.items[i]);
    if (program->has_controller && !any && !names.len)
        diag_log_line(DIAG_WARNING,
                      "%s: it has a controller, and nothing says of which Kind: write "
                      "KUBE_NEEDS(group, resource, \"list,watch\"); for its .for_",
                      program->path);
    free(names.items);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool read_texts(rbac_program *program, const text_list *texts,
                       bool (*read)(rbac_program *program, const char *text))
{
    bool ok = true;
    for (size_t i = 0; ok && i < texts->len; i++)
        ok = read(program, texts->items[i]);
    return ok;
}

bool rbac_program_read(rbac_program *program, const text_list *paths)
{
    bool ok = true;
    bool any = false;
    for (size_t i = 0; ok && i < paths->len; i++) {
        rbac_elf *file = VEC_ADD(&program->files);
        program->path = paths->items[i];
        ok = rbac_elf_read(program->in, paths->items[i], file) &&
             read_texts(program, &file->types, read_type);
        any |= file->records.len > 0;
    }
    for (size_t i = 0; ok && i < paths->len; i++) {
        program->path = paths->items[i];
        ok = read_texts(program, &program->files.items[i].records, read_record);
    }
    program->path = paths->items[0];
    if (ok && !any) {
        diag_log_line(DIAG_ERROR,
                      "%s: it has no records of rights: either it calls no API server, or it "
                      "was built with KUBE_WITHOUT_RBAC or older headers of libkube",
                      program->path);
        return false;
    }
    if (ok)
        say_controllers(program);
    return ok;
}

void rbac_program_free(rbac_program *program)
{
    for (size_t i = 0; i < program->files.len; i++)
        rbac_elf_free(&program->files.items[i]);
    free(program->files.items);
    free(program->rights.items);
}

static model_texts one(arena *in, const char *text)
{
    return (model_texts){arena_copy(in, &text, sizeof text), 1};
}

void rbac_program_add(arena *in, rbac_role *role, const rbac_right *right, const char *verb,
                      const char *name)
{
    rbac_rule rule = {.groups = one(in, right->group),
                      .resources = one(in, right->resource),
                      .verbs = one(in, verb)};
    /* A right to create cannot be bound to a name. */
    if (name && strcmp(verb, "create") != 0)
        rule.resource_names = one(in, name);
    rbac_add(in, role, &rule);
}

void rbac_program_roles(const rbac_program *program, const rbac_program_options *options,
                        rbac_roles *out)
{
    arena *in = program->in;
    for (size_t i = 0; i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        bool is_main = strcmp(right->purpose, "-") == 0;
        bool is_lease = strcmp(right->purpose, "leader-election") == 0;
        const char *name = options->role_name;
        const char *ns = right->namespaced ? options->namespace_ : NULL;
        if (!is_main)
            name = arena_printf(in, "%s-%s", name, right->purpose);
        for (size_t v = 0; v < right->verbs.len; v++)
            rbac_program_add(in, rbac_role_of(in, out, is_lease ? "" : ns, name), right,
                             right->verbs.items[v], is_lease ? options->lease : NULL);
    }
}
