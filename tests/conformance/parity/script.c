/* SPDX-License-Identifier: Apache-2.0 */
#include "script.h"

#include "base/buffer.h"
#include "matrix.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 12, /* of values within values */
    EACH_MAX = 4,
    TEXT_MAX = 8 << 20,
};

typedef struct parity_variable {
    const char *name;
    const char *value;
    struct parity_variable *next;
} parity_variable;

/* One scenario before its variants are made. */
typedef struct parity_block {
    const char *name;
    const char *file;
    const char *module;
    int line;
    char **lines;
    size_t count;
    const char *each_name[EACH_MAX];
    const char *each_values[EACH_MAX];
    size_t each_count;
    struct parity_block *next;
} block;

typedef struct variant {
    parity_script *script;
    const block *block;
    const char *value[EACH_MAX];
    const char *id;
} variant;

static void fault(const char *file, int line, const char *what, const char *detail)
{
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, detail);
    exit(EXIT_FAILURE);
}

/* ---- values --------------------------------------------------------------------------------- */

static const char *lookup(const parity_script *script, const char *name)
{
    for (const parity_variable *v = script->variables; v; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v->value;
    return NULL;
}

/* "custom.coll"; what "away.like" names lends to "away" what that lacks. */
static const char *member(const parity_script *script, const char *of, const char *name)
{
    const char *found = NULL;
    for (int depth = 0; of && !found && depth < DEPTH_MAX; depth++) {
        found = lookup(script, kube_printf(script->ctx, "%s.%s", of, name));
        of = lookup(script, kube_printf(script->ctx, "%s.like", of));
    }
    return found;
}

/* $name: one of the scenario's `each`, else a member of one of those values, else a variable. */
static const char *value_of(void *arg, const char *name)
{
    variant *v = arg;
    const char *found;
    if (strcmp(name, "id") == 0)
        return v->id;
    if (strcmp(name, "ns") == 0)
        return v->id;
    for (size_t i = 0; i < v->block->each_count; i++)
        if (strcmp(v->block->each_name[i], name) == 0)
            return v->value[i];
    for (size_t i = 0; i < v->block->each_count; i++) {
        found = member(v->script, v->value[i], name);
        if (found)
            return found;
    }
    return lookup(v->script, name);
}

static size_t name_len(const char *text)
{
    size_t len = 0;
    if (!islower((unsigned char)*text))
        return 0;
    while (isalnum((unsigned char)text[len]) || text[len] == '_')
        len++;
    return len;
}

static const char *substitute_once(kube_ctx *ctx, const char *text, parity_value *value, void *arg,
                                   bool *changed)
{
    kube__buffer out;
    const char *made;
    kube__buffer_init(&out, TEXT_MAX);
    while (*text) {
        const char *dollar = strchr(text, '$');
        size_t len = dollar ? name_len(dollar + 1) : 0;
        const char *found = NULL;
        if (!dollar) {
            kube__buffer_add_text(&out, text);
            break;
        }
        kube__buffer_add(&out, text, (size_t)(dollar - text));
        if (len > 0)
            found = value(arg, kube_ctx_strndup(ctx, dollar + 1, len));
        kube__buffer_add_text(&out, found ? found : "$");
        *changed |= found != NULL;
        text = dollar + 1 + (found ? len : 0);
    }
    made = kube_ctx_strndup(ctx, out.data ? out.data : "", out.len);
    kube__buffer_fini(&out);
    return made;
}

const char *parity_substitute(kube_ctx *ctx, const char *text, parity_value *value, void *arg)
{
    bool changed = text != NULL;
    for (int depth = 0; changed && depth < DEPTH_MAX; depth++) {
        changed = false;
        text = substitute_once(ctx, text, value, arg, &changed);
    }
    return text;
}

const char *parity_fill(kube_ctx *ctx, const char *text)
{
    const char *fill = text ? strstr(text, "${fill:") : NULL;
    kube__buffer out;
    unsigned long count;
    char *end;
    if (!fill)
        return text;
    kube__buffer_init(&out, TEXT_MAX);
    kube__buffer_add(&out, text, (size_t)(fill - text));
    count = strtoul(fill + strlen("${fill:"), &end, 10);
    for (unsigned long i = 0; i < count; i++)
        kube__buffer_add(&out, "a", 1);
    kube__buffer_add_text(&out, end + 1);
    text = kube_ctx_strndup(ctx, out.data ? out.data : "", out.len);
    kube__buffer_fini(&out);
    return text;
}

/* ---- one scenario --------------------------------------------------------------------------- */

/* Cuts the next word off *@text. */
static const char *word(kube_ctx *ctx, const char **text)
{
    const char *begin = *text + strspn(*text, " ");
    size_t len = strcspn(begin, " ");
    *text = begin + len + strspn(begin + len, " ");
    return kube_ctx_strndup(ctx, begin, len);
}

static const struct {
    const char *word;
    const char *method;
    const char *type;
} methods[] = {
    {"GET", "GET", NULL},
    {"HEAD", "HEAD", NULL},
    {"OPTIONS", "OPTIONS", NULL},
    {"POST", "POST", NULL},
    {"PUT", "PUT", NULL},
    {"DELETE", "DELETE", NULL},
    {"PATCH", "PATCH", NULL},
    {"JSON", "PATCH", "Content-Type: application/json-patch+json"},
    {"MERGE", "PATCH", "Content-Type: application/merge-patch+json"},
    {"STRATEGIC", "PATCH", "Content-Type: application/strategic-merge-patch+json"},
    {"APPLY", "PATCH", "Content-Type: application/apply-patch+yaml"},
    {"UNTIL", "GET", NULL},
    {"WATCH", "GET", NULL},
};

static parity_step *new_step(parity_script *script, parity_scenario *scenario, int line)
{
    parity_step **at = &scenario->steps;
    parity_step *step = kube_ctx_alloc(script->ctx, sizeof *step);
    if (!step)
        fault(scenario->file, line, "memory", "out");
    while (*at)
        at = &(*at)->next;
    *at = step;
    step->line = line;
    return step;
}

/* "[-] [as WHO] METHOD PATH", "UNTIL PATH WHERE VALUE", "WATCH NAME PATH", "EVENTS NAME COUNT",
 * "STOP NAME". False when @text is none of them. */
static bool read_step(parity_script *script, parity_scenario *scenario, const char *text, int line)
{
    kube_ctx *ctx = script->ctx;
    const char *rest = text;
    const char *first = word(ctx, &rest);
    bool quiet = strcmp(first, "-") == 0;
    const char *as = NULL;
    parity_step *step;
    if (quiet)
        first = word(ctx, &rest);
    if (strcmp(first, "as") == 0) {
        as = word(ctx, &rest);
        first = word(ctx, &rest);
    }
    if (strcmp(first, "EVENTS") == 0 || strcmp(first, "STOP") == 0) {
        step = new_step(script, scenario, line);
        step->kind = *first == 'E' ? PARITY_EVENTS : PARITY_STOP;
        step->watch = word(ctx, &rest);
        step->request.events = (size_t)strtoul(rest, NULL, 10);
        return true;
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(first, methods[i].word) != 0)
            continue;
        step = new_step(script, scenario, line);
        step->quiet = quiet;
        step->request.method = methods[i].method;
        step->request.as = as;
        if (strcmp(first, "WATCH") == 0) {
            step->kind = PARITY_WATCH;
            step->watch = word(ctx, &rest);
        }
        step->request.path = word(ctx, &rest);
        if (strcmp(first, "UNTIL") == 0) {
            step->kind = PARITY_UNTIL;
            step->wanted_path = word(ctx, &rest);
            step->wanted = kube_ctx_strdup(ctx, rest);
        }
        if (methods[i].type)
            step->request.headers[step->request.header_count++] = methods[i].type;
        return true;
    }
    return false;
}

/* What may stand below a request. */
static bool read_note(parity_script *script, parity_step *step, const char *text)
{
    kube_ctx *ctx = script->ctx;
    const char *rest = text;
    const char *first = word(ctx, &rest);
    if (strcmp(first, "save") == 0 && step->save_count < PARITY_NOTES_MAX) {
        parity_note *note = &step->saves[step->save_count++];
        note->name = word(ctx, &rest);
        note->path = kube_ctx_strdup(ctx, rest);
    } else if (strcmp(first, "only") == 0) {
        step->only = kube_ctx_strdup(ctx, rest);
    } else if (strcmp(first, "ignore") == 0 && step->ignored_count < PARITY_NOTES_MAX) {
        step->ignored[step->ignored_count++] = kube_ctx_strdup(ctx, rest);
    } else if (strcmp(first, "take") == 0) {
        step->request.events = (size_t)strtoul(rest, NULL, 10);
    } else if (isupper((unsigned char)*text) && text[strcspn(text, ": ")] == ':' &&
               step->request.header_count < PARITY_HEADERS_MAX) {
        /* Another Content-Type takes the place of the method's own. */
        size_t len = strcspn(text, ":") + 1;
        size_t at = step->request.header_count;
        for (size_t i = 0; i < step->request.header_count; i++)
            if (strncmp(step->request.headers[i], text, len) == 0)
                at = i;
        step->request.headers[at] = kube_ctx_strdup(ctx, text);
        step->request.header_count += at == step->request.header_count;
    } else {
        return false;
    }
    return true;
}

static void read_cells(variant *v, parity_scenario *scenario, const char *text, int line)
{
    kube_ctx *ctx = v->script->ctx;
    const char *rest = text;
    const char *verbs = word(ctx, &rest);
    const char *classes = word(ctx, &rest);
    const char *outcomes = word(ctx, &rest);
    if (!parity_matrix_cover(verbs, classes, outcomes, scenario->name))
        fault(scenario->file, line, "bad cells", text);
}

/* The lines of a block with the variant's values: steps, each with notes and a body up to an
 * empty line. */
static void read_lines(variant *v, parity_scenario *scenario)
{
    const block *b = v->block;
    parity_step *step = NULL;
    const char *body = NULL;
    for (size_t i = 0; i < b->count; i++) {
        int line = b->line + 1 + (int)i;
        kube_ctx *ctx = v->script->ctx;
        const char *text = parity_substitute(ctx, b->lines[i], value_of, v);
        if (strncmp(text, "each ", 5) == 0) {
            continue;
        } else if (!*text) {
            step = NULL;
            body = NULL;
        } else if (strncmp(text, "cells ", 6) == 0) {
            read_cells(v, scenario, text + 6, line);
        } else if (strcmp(text, "alone") == 0) {
            scenario->alone = true;
        } else if (strcmp(text, "first") == 0) {
            scenario->first = true;
        } else if (!body && read_step(v->script, scenario, text, line)) {
            step = scenario->steps;
            while (step->next)
                step = step->next;
        } else if (step && !body && read_note(v->script, step, text)) {
            continue;
        } else if (step) {
            body = body ? kube_printf(ctx, "%s\n%s", body, text) : text;
            step->request.body = body;
        } else {
            fault(b->file, line, "not understood", text);
        }
    }
}

static void make_variant(variant *v)
{
    parity_script *script = v->script;
    const block *b = v->block;
    parity_scenario *made = kube_ctx_alloc(script->ctx, sizeof *made);
    const char *suffix = "";
    if (!made)
        fault(b->file, b->line, "memory", "out");
    for (size_t i = 0; i < b->each_count; i++)
        suffix = kube_printf(script->ctx, "%s%s%s", suffix, i ? "," : "[", v->value[i]);
    made->name =
        kube_printf(script->ctx, "%s/%s%s%s", b->module, b->name, suffix, b->each_count ? "]" : "");
    made->module = b->module;
    made->file = b->file;
    made->number = (int)++script->count;
    v->id = kube_printf(script->ctx, "p%d", made->number);
    read_lines(v, made);
    for (const parity_step *s = made->steps; s; s = s->next) {
        const char *space = kube_printf(script->ctx, "/namespaces/%s", v->id);
        made->namespaced |= s->request.path && strstr(s->request.path, space) != NULL;
    }
    if (script->last)
        script->last->next = made;
    else
        script->first = made;
    script->last = made;
}

static void make_variants(variant *v, size_t depth)
{
    const char *rest;
    if (depth == EACH_MAX || depth == v->block->each_count) {
        make_variant(v);
        return;
    }
    rest = v->block->each_values[depth];
    while (*rest) {
        v->value[depth] = word(v->script->ctx, &rest);
        make_variants(v, depth + 1);
    }
}

/* ---- files ---------------------------------------------------------------------------------- */

/* A value may be given below its use: variants are made when all files are read. */
static void expand_block(parity_script *script, block *b)
{
    variant v = {.script = script, .block = b};
    for (size_t i = 0; i < b->count; i++) {
        const char *rest = b->lines[i] + 5;
        if (strncmp(b->lines[i], "each ", 5) != 0)
            continue;
        if (b->each_count == EACH_MAX)
            fault(b->file, b->line, "too many", "each");
        b->each_name[b->each_count] = word(script->ctx, &rest);
        b->each_values[b->each_count++] = parity_substitute(script->ctx, rest, value_of, &v);
    }
    make_variants(&v, 0);
    free(b->lines);
}

static void end_block(parity_script *script, block *b)
{
    block *kept;
    if (!b->name)
        return;
    kept = kube_ctx_alloc(script->ctx, sizeof *kept);
    if (!kept)
        fault(b->file, b->line, "memory", "out");
    *kept = *b;
    if (script->last_block)
        script->last_block->next = kept;
    else
        script->first_block = kept;
    script->last_block = kept;
    *b = (block){.file = b->file, .module = b->module};
}

static void set_variable(parity_script *script, const char *text)
{
    const char *rest = text;
    parity_variable *made = kube_ctx_alloc(script->ctx, sizeof *made);
    if (!made)
        fault(text, 0, "memory", "out");
    made->name = word(script->ctx, &rest);
    made->value = kube_ctx_strdup(script->ctx, rest);
    made->next = script->variables;
    script->variables = made;
}

static void read_empty(parity_script *script, const char *file, int line, const char *text)
{
    const char *rest = text;
    const char *verbs = word(script->ctx, &rest);
    const char *classes = word(script->ctx, &rest);
    const char *outcomes = word(script->ctx, &rest);
    if (!*rest)
        fault(file, line, "an empty cell without a reason", text);
    if (!parity_matrix_excuse(verbs, classes, outcomes, kube_ctx_strdup(script->ctx, rest)))
        fault(file, line, "bad cells", text);
}

static void read_line(parity_script *script, block *b, char *text, int line)
{
    if (*text == '#')
        *text = '\0';
    if (!*text && !b->name)
        return;
    if (strncmp(text, "=== ", 4) == 0) {
        end_block(script, b);
        b->name = kube_ctx_strdup(script->ctx, text + 4);
        b->line = line;
    } else if (strncmp(text, "let ", 4) == 0) {
        set_variable(script, text + 4);
    } else if (strncmp(text, "empty ", 6) == 0) {
        read_empty(script, b->file, line, text + 6);
    } else if (!b->name) {
        fault(b->file, line, "outside of a scenario", text);
    } else {
        b->lines = realloc(b->lines, (b->count + 1) * sizeof *b->lines);
        if (!b->lines)
            fault(b->file, line, "memory", "out");
        b->lines[b->count++] = kube_ctx_strdup(script->ctx, text);
    }
}

static void read_file(parity_script *script, const char *directory, const char *name)
{
    char path[4096];
    char *text = NULL;
    size_t size = 0;
    ssize_t len;
    int line = 0;
    FILE *file;
    const char *begin = name + strspn(name, "0123456789-");
    block b = {.module = kube_ctx_strndup(script->ctx, begin, strcspn(begin, "."))};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    b.file = kube_ctx_strdup(script->ctx, path);
    file = fopen(path, "r");
    if (!file)
        fault(path, 0, "cannot open", name);
    while ((len = getline(&text, &size, file)) >= 0) {
        text[strcspn(text, "\n")] = '\0';
        read_line(script, &b, text, ++line);
    }
    end_block(script, &b);
    free(text);
    fclose(file);
}

static int is_case_file(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);
    return len > 4 && strcmp(entry->d_name + len - 4, ".txt") == 0;
}

void parity_script_read(parity_script *script, kube_ctx *ctx, const char *directory)
{
    struct dirent **names;
    int count = scandir(directory, &names, is_case_file, alphasort);
    *script = (parity_script){.ctx = ctx};
    if (count <= 0)
        fault(directory, 0, "no cases in", directory);
    for (int i = 0; i < count; i++) {
        read_file(script, directory, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    for (block *b = script->first_block; b; b = b->next)
        expand_block(script, b);
}
