/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "rbac/rbac_read.h"
#include "support/diag.h"
#include "support/json_value.h"
#include "support/spdx.h"
#include "support/str.h"
#include "support/yaml.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct source_list {
    arena *in;
    VEC(const char *) paths; /* in order */
    const char *first_with_rule;
} source_list;

/* ---- which files --------------------------------------------------------------------------- */

static int is_source(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (str_has_suffix(entry->d_name, ".h") || str_has_suffix(entry->d_name, ".c"));
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static const char *no_slash(arena *in, const char *path)
{
    size_t len = strlen(path);

    while (len > 1 && path[len - 1] == '/')
        len--;
    return arena_strndup(in, path, len);
}

/* Adds the sources of a directory, or the file that @input is; false after a line on stderr. */
static bool list_input(source_list *sources, const char *input)
{
    const char *dir = no_slash(sources->in, input);
    struct dirent **entries = NULL;
    struct stat status;
    int count;

    if (stat(dir, &status) == 0 && !S_ISDIR(status.st_mode)) {
        *VEC_ADD(&sources->paths) = dir;
        return true;
    }
    count = scandir(dir, &entries, is_source, compare_entries);
    if (count < 0)
        fprintf(stderr, "kubegen: cannot read %s: %s\n", dir, strerror(errno));
    else if (count == 0)
        fprintf(stderr, "kubegen: %s has no .h and no .c files\n", dir);
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(sources->in, "%s/%s", dir, entries[i]->d_name);

        /* Directories and pipes may be called so too. What cannot be found is an error later. */
        if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
            *VEC_ADD(&sources->paths) = path;
        free(entries[i]);
    }
    free(entries);
    return count > 0;
}

static bool is_listed_before(const source_list *sources, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(sources->paths.items[i], sources->paths.items[index]) == 0)
            return true;
    }
    return false;
}

/* The rest of such a file would not be read, and its rules would be missing. */
static void report_nul(const char *path, const str *contents, diag *to)
{
    diag_loc loc = {path, 1, 1};

    for (size_t at = 0; at < contents->len; at++) {
        if (contents->data[at] == '\0') {
            diag_error(to, loc, "the byte 0x00 is no text: nothing behind it would be read");
            return;
        }
        loc.column++;
        if (contents->data[at] == '\n') {
            loc.line++;
            loc.column = 1;
        }
    }
}

/* Reads all files; false after a line on stderr. */
static bool read_sources(source_list *sources, const char *role_name, rbac_roles *out, diag *to)
{
    for (size_t i = 0; i < sources->paths.len; i++) {
        const char *path = sources->paths.items[i];
        const char *text;
        str contents = {0};

        if (is_listed_before(sources, i))
            continue;
        if (!str_read_file(&contents, path)) {
            fprintf(stderr, "kubegen: cannot read %s: %s\n", path, strerror(errno));
            str_free(&contents);
            return false;
        }
        text = arena_strdup(sources->in, str_text(&contents));
        report_nul(path, &contents, to);
        str_free(&contents);
        if (rbac_read(sources->in, path, text, role_name, out, to) && !sources->first_with_rule)
            sources->first_with_rule = path;
    }
    return true;
}

/* ---- what is written ----------------------------------------------------------------------- */

static void add_texts(json_value *rule, const char *name, const model_texts *texts)
{
    json_value *list;

    if (!texts->len)
        return;
    list = json_set(rule, name, json_array());
    for (size_t i = 0; i < texts->len; i++)
        json_push(list, json_string(texts->items[i]));
}

static void write_role(const rbac_role *role, str *out)
{
    json_value *root = json_object();
    json_value *part;

    json_set_text(root, "apiVersion", "rbac.authorization.k8s.io/v1");
    json_set_text(root, "kind", role->namespace_ ? "Role" : "ClusterRole");
    part = json_set(root, "metadata", json_object());
    json_set_text(part, "name", role->name);
    json_set_text(part, "namespace", role->namespace_);
    part = json_set(root, "rules", json_array());
    for (size_t i = 0; i < role->rules.len; i++) {
        const rbac_rule *rule = &role->rules.items[i];
        json_value *row = json_push(part, json_object());

        add_texts(row, "apiGroups", &rule->groups);
        add_texts(row, "nonResourceURLs", &rule->urls);
        add_texts(row, "resourceNames", &rule->resource_names);
        add_texts(row, "resources", &rule->resources);
        add_texts(row, "verbs", &rule->verbs);
    }
    str_add(out, "---\n");
    yaml_write(root, out);
    json_free(root);
}

static int compare_roles(const void *left, const void *right)
{
    const rbac_role *a = left;
    const rbac_role *b = right;
    int order = strcmp(a->namespace_ ? a->namespace_ : "", b->namespace_ ? b->namespace_ : "");

    return order ? order : strcmp(a->name, b->name);
}

static void write_roles(arena *in, rbac_roles *roles, const char *spdx, str *out)
{
    str_add(out, "# Code generated by kubegen from +kubebuilder:rbac markers. DO NOT EDIT.\n");
    if (spdx)
        str_printf(out, "# SPDX-License-Identifier: %s\n", spdx);
    qsort(roles->items, roles->len, sizeof *roles->items, compare_roles);
    for (size_t i = 0; i < roles->len; i++) {
        rbac_merge(in, &roles->items[i]);
        write_role(&roles->items[i], out);
    }
}

/* To the file that was asked for, or to stdout. */
static bool write_output(const arg_set *args, arena *in, const char *text)
{
    output_set *files = output_new();
    const char *path = args->output;
    str error = {0};
    bool ok = true;

    if (!path && args->output_dir)
        path = arena_printf(in, "%s/role.yaml", args->output_dir);
    if (path && strcmp(path, "-") != 0) {
        output_add(files, path, text);
        ok = output_write(files, &error);
    } else {
        ok = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
        if (!ok)
            str_printf(&error, "cannot write: %s", strerror(errno));
    }
    if (!ok)
        fprintf(stderr, "kubegen: %s\n", str_text(&error));
    str_free(&error);
    output_free(files);
    return ok;
}

static int write_rbac(const arg_set *args)
{
    const char *role_name = args->role_name ? args->role_name : "manager-role";
    source_list sources = {.in = arena_new()};
    diag *messages = diag_new();
    rbac_roles roles = {0};
    int status = EXIT_FAILED;
    str text = {0};

    for (size_t i = 0; i < args->inputs.len; i++) {
        if (!list_input(&sources, args->inputs.items[i]))
            goto out;
    }
    if (!read_sources(&sources, role_name, &roles, messages))
        goto out;
    if (diag_error_count(messages) > 0) {
        diag_print(messages, stderr, diag_wants_colour(stderr));
        goto out;
    }
    if (!roles.len) {
        fputs("kubegen: no file has a rule: write // +kubebuilder:rbac:… where it is needed\n",
              stderr);
        goto out;
    }
    write_roles(sources.in, &roles, spdx_find(sources.in, sources.first_with_rule), &text);
    if (write_output(args, sources.in, str_text(&text)))
        status = EXIT_OK;
out:
    for (size_t i = 0; i < roles.len; i++)
        free(roles.items[i].rules.items);
    free(roles.items);
    free(sources.paths.items);
    str_free(&text);
    diag_free(messages);
    arena_free(sources.in);
    return status;
}

static int run(int argc, char **argv)
{
    arg_set args;
    int status = EXIT_USAGE;

    if (args_parse(&args, "rbac", ARG_OUTPUT_DIR | ARG_RBAC, argc, argv)) {
        if (!args.inputs.len)
            args_usage("rbac", "rbac needs a directory of headers and C files");
        else if (args.output && args.output_dir)
            args_usage("rbac", "rbac takes -o or --output-dir, not both");
        else if (args.role_name && !rbac_is_role_name(args.role_name))
            args_usage("rbac", "--role-name is not a role's name: it has no '/', '%%' and blanks");
        else
            status = write_rbac(&args);
    }
    args_free(&args);
    return status;
}

const command rbac_command = {
    .name = "rbac",
    .summary = "write roles in YAML from +kubebuilder:rbac markers",
    .help = "usage: kubegen rbac [OPTION]... DIR...\n"
            "\n"
            "Reads the .h and .c files of each DIR, which need not compile, and writes the rights\n"
            "that their // +kubebuilder:rbac lines ask for: a ClusterRole, and a Role for each\n"
            "namespace. Rules are merged and sorted as controller-gen does. DIR may be a file.\n"
            "\n"
            "  --output-dir DIR  write DIR/role.yaml\n"
            "  -o FILE           write FILE; without both, to standard output\n"
            "  --role-name NAME  the role of rules without roleName= (default: manager-role)\n"
            "\n"
            "example: kubegen rbac src --role-name network-controller -o config/rbac/role.yaml\n",
    .run = run,
};
