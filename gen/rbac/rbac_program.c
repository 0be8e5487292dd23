/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac_program.h"

#include "support/diag_log.h"
#include "support/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static model_texts split(arena *in, const char *text)
{
    model_texts parts = {0};
    text_list list = {0};
    while (*text) {
        size_t len = strcspn(text, ",");
        if (len)
            *VEC_ADD(&list) = arena_strndup(in, text, len);
        text += len + (text[len] == ',');
    }
    parts.len = list.len;
    parts.items = VEC_KEEP(in, &list);
    return parts;
}

static bool refuse(const rbac_program *program, const char *record)
{
    diag_log_line(DIAG_ERROR,
                  "%s: the record '%.200s' is none that this kubegen knows: use the kubegen that "
                  "came with the headers of the program",
                  program->path, record);
    return false;
}

/* Where the type that has this resource is kept: NULL there if no descriptor has it. */
static void **type_of(rbac_program *program, const char *group, const char *resource, size_t len)
{
    const char *key = arena_printf(program->in, "%s %.*s", group, (int)len, resource);
    return text_map_at(&program->resources, program->in, key);
}

/* "DESCRIPTOR GROUP RESOURCE NAMESPACED" */
static bool read_type(rbac_program *program, const char *record)
{
    const char *at = record;
    const char *name = take(program->in, &at);
    rbac_right *type = arena_alloc(program->in, sizeof *type);
    type->group = take(program->in, &at);
    type->resource = take(program->in, &at);
    type->scope = strcmp(at, "true") == 0 ? RBAC_NAMESPACED : RBAC_CLUSTER;
    if (!*name || !*type->resource || !is_plain(type->group) || !is_plain(type->resource))
        return refuse(program, record);
    *text_map_at(&program->types, program->in, name) = type;
    *type_of(program, type->group, type->resource, strlen(type->resource)) = type;
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
    for (const char *c = at; *c; c++)
        if ((unsigned char)*c < ' ')
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
    right->is_source = strcmp(function, "kube_controller_owns") == 0 ||
                       strcmp(function, "kube_controller_watches") == 0;
    right->verbs = split(program->in, verbs);
    if (strcmp(subresource, "-") != 0)
        right->resource = arena_printf(program->in, "%s/%s", type->resource, subresource);
    return true;
}

/* A subresource is where its resource is. */
static rbac_scope scope_of(rbac_program *program, const rbac_right *right)
{
    const rbac_right *type;
    if (strcmp(right->purpose, "metrics-auth") == 0)
        return RBAC_CLUSTER;
    if (strcmp(right->purpose, "-") != 0 || strcmp(right->resource, "events") == 0)
        return RBAC_NAMESPACED;
    type = *type_of(program, right->group, right->resource, strcspn(right->resource, "/"));
    return type ? type->scope : RBAC_UNKNOWN;
}

/* "need PURPOSE VERBS RESOURCE GROUP" */
static bool read_need(rbac_program *program, const char *record, const char *at)
{
    rbac_right right = {.purpose = take(program->in, &at)};
    const char *verbs = take(program->in, &at);
    const char *resource = take(program->in, &at);
    model_texts resources = split(program->in, resource);
    right.group = strcmp(at, "core") == 0 ? "" : at;
    right.verbs = split(program->in, verbs);
    if (!right.verbs.len || !resources.len || !is_plain(verbs) || !is_plain(resource) ||
        !is_plain(right.group) || (strcmp(right.purpose, "-") != 0 && !is_plain(right.purpose))) {
        diag_log_line(
            DIAG_ERROR,
            "%s: there is a KUBE_NEEDS() that no server could match, in the record "
            "'%.200s': write KUBE_NEEDS(\"apps\", \"deployments/scale\", \"get,update\"), "
            "with commas and no blanks",
            program->path, record);
        return false;
    }
    for (size_t i = 0; i < resources.len; i++) {
        right.resource = resources.items[i];
        right.scope = scope_of(program, &right);
        *VEC_ADD(&program->rights) = right;
    }
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
    if (strcmp(word, "controller") != 0)
        return refuse(program, record);
    *VEC_ADD(&program->controllers) = at;
    return true;
}

/* ---- controllers --------------------------------------------------------------------------- */

static bool has_verb(const rbac_right *right, const char *verb)
{
    for (size_t i = 0; i < right->verbs.len; i++)
        if (strcmp(right->verbs.items[i], verb) == 0)
            return true;
    return false;
}

/* "things.group", sorted: what is watched as a .for_ can be, or as a source of controllers. */
static void list_watched(const rbac_program *program, bool as_source, text_list *out)
{
    for (size_t i = 0; i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        if (right->is_source == as_source && has_verb(right, "list") && has_verb(right, "watch"))
            *VEC_ADD(out) = *right->group
                                ? arena_printf(program->in, "%s.%s", right->resource, right->group)
                                : right->resource;
    }
    text_list_sort(out);
}

static void add_names(str *out, const char *before, const text_list *names)
{
    for (size_t i = 0; i < names->len; i++)
        str_printf(out, "%s%s", i ? ", " : before, names->items[i]);
}

/*
 * The Kind of a controller stands in its options, where no record can see it. There is an informer
 * of it if its reconcile function reads the cache. There must be as many as controllers.
 */
static void say_controllers(const rbac_program *program)
{
    text_list kinds = {0};
    text_list sources = {0};
    str text = {0};
    list_watched(program, false, &kinds);
    list_watched(program, true, &sources);
    if (program->controllers.len > kinds.len) {
        str_printf(&text, "%s: it makes controllers at %zu places (", program->path,
                   program->controllers.len);
        for (size_t i = 0; i < program->controllers.len; i++) {
            const char *at = program->controllers.items[i];
            const char *line = take(program->in, &at);
            str_printf(&text, "%s%s:%s", i ? ", " : "", at, line);
        }
        str_printf(&text, "), and reads %zu Kinds from caches", kinds.len);
        add_names(&text, ": ", &kinds);
        add_names(&text, "; .owns and .watches are of ", &sources);
        str_add(&text, ". Unless each .for_ is among the former, write KUBE_NEEDS(group, resource, "
                       "\"list,watch\"); beside the controller");
        diag_log_line(DIAG_WARNING, "%s", str_text(&text));
    }
    str_free(&text);
    free(kinds.items);
    free(sources.items);
}

/* ---- libraries ----------------------------------------------------------------------------- */

/* Whether it is of the system, or libkube or what that needs: none of them has records. */
static bool is_known_library(const char *name)
{
    static const char *const known[] = {
        "ld",        "libc",     "libm",      "libpthread",    "libdl",     "librt",
        "libresolv", "libgcc_s", "libc++",    "libubsan",      "libstdc++", "libasan",
        "liblsan",   "libtsan",  "libatomic", "libkube",       "libcurl",   "libssl",
        "libcrypto", "libcjson", "libyaml",   "libmicrohttpd", "libgnutls", "libz"};
    size_t len = strcspn(name, ".-");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == len && strncmp(known[i], name, len) == 0)
            return true;
    return false;
}

static void say_libraries(const rbac_program *program)
{
    text_map told = {0};
    for (size_t i = 0; i < program->files.len; i++)
        for (size_t n = 0; n < program->files.items[i].given.len; n++)
            text_map_add(&told, program->in, program->files.items[i].given.items[n]);
    for (size_t i = 0; i < program->files.len; i++) {
        const text_list *needed = &program->files.items[i].needed;
        for (size_t n = 0; n < needed->len; n++) {
            if (!is_known_library(needed->items[n]) &&
                text_map_add(&told, program->in, needed->items[n]))
                diag_log_line(DIAG_WARNING,
                              "%s: it needs %s, which was not read: if that calls API servers, its "
                              "rights are not in the role: name it with a further --from",
                              program->path, needed->items[n]);
        }
    }
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
        say_libraries(program);
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
    free(program->controllers.items);
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

static void add_right(const rbac_program *program, const rbac_program_options *options,
                      const rbac_right *right, const char *purpose, const char *ns, rbac_roles *out)
{
    arena *in = program->in;
    const char *name = options->role_name;
    bool is_lease = strcmp(right->purpose, "leader-election") == 0;
    if (strcmp(purpose, "-") != 0)
        name = arena_printf(in, "%s-%s", name, purpose);
    for (size_t v = 0; v < right->verbs.len; v++)
        rbac_program_add(in, rbac_role_of(in, out, ns, name), right, right->verbs.items[v],
                         is_lease ? options->lease : NULL);
}

/* Events are in the namespace of what they are about: the Lease's, and "default" for the cluster's.
 */
static void add_events(const rbac_program *program, const rbac_program_options *options,
                       const rbac_right *events, rbac_roles *out)
{
    for (size_t i = 0; i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        if (strcmp(right->purpose, "leader-election") == 0)
            add_right(program, options, events, right->purpose, "", out);
        else if (strcmp(right->purpose, "-") == 0 && right->scope != RBAC_NAMESPACED)
            add_right(program, options, events, "-", "default", out);
    }
}

void rbac_program_roles(const rbac_program *program, const rbac_program_options *options,
                        rbac_roles *out)
{
    for (size_t i = 0; i < program->rights.len; i++) {
        const rbac_right *right = &program->rights.items[i];
        const char *ns = right->scope == RBAC_NAMESPACED ? options->namespace_ : NULL;
        if (strcmp(right->purpose, "leader-election") == 0)
            ns = "";
        add_right(program, options, right, right->purpose, ns, out);
        if (options->namespace_ && strcmp(right->resource, "events") == 0)
            add_events(program, options, right, out);
        if (options->namespace_ && right->scope == RBAC_UNKNOWN)
            diag_log_line(DIAG_WARNING,
                          "%s: whether %s are in namespaces is not known, so that the right of the "
                          "KUBE_NEEDS() is in the ClusterRole: link their Kind, or move it",
                          program->path, right->resource);
    }
}
