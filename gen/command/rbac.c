/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "front/names.h"
#include "rbac/rbac_program.h"
#include "rbac/rbac_sources.h"
#include "rbac/rbac_write.h"
#include "support/diag_log.h"
#include "support/path.h"
#include "support/spdx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_name[] = "manager-role";

/* Writes to the file that was asked for, or to stdout; returns the exit status. */
static int write_output(const arg_set *args, const char *text)
{
    str in_dir = {0};
    const char *path = args->output;
    output_set *files;
    int status;
    if (!path && args->output_dir) {
        str_printf(&in_dir, "%s/role.yaml", args->output_dir);
        path = str_text(&in_dir);
    }
    if (!path || strcmp(path, "-") == 0) {
        if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
            return EXIT_OK;
        diag_log_line(DIAG_ERROR, "cannot write: %s", strerror(errno));
        return EXIT_FAILED;
    }
    files = output_new();
    output_add(files, path, text);
    status = command_write(files);
    output_free(files);
    str_free(&in_dir);
    return status;
}

/* Reads the markers of @inputs into @out. Returns false after printing the errors. */
static bool read_markers(const text_list *inputs, const char *role_name, rbac_sources *sources,
                         rbac_roles *out)
{
    diag *messages = diag_new();
    bool ok = true;
    for (size_t i = 0; ok && i < inputs->len; i++)
        ok = rbac_list_input(sources, inputs->items[i]);
    ok = ok && rbac_read_sources(sources, role_name, out, messages) && diag_report(messages);
    diag_free(messages);
    return ok;
}

bool command_roles(const text_list *inputs, const char *role_name, str *out)
{
    rbac_sources sources = {.in = arena_new()};
    rbac_roles roles = {0};
    bool ok = read_markers(inputs, role_name ? role_name : default_name, &sources, &roles);
    if (ok && !roles.len) {
        diag_log_line(DIAG_ERROR,
                      "no file has a rule: write // +kubebuilder:rbac:… where it is needed");
        ok = false;
    }
    if (ok)
        rbac_write(sources.in, &roles, "+kubebuilder:rbac markers",
                   spdx_find(sources.in, sources.first_with_rule), out);
    rbac_roles_free(&roles);
    free(sources.paths.items);
    arena_free(sources.in);
    return ok;
}

/* A comment has one line, whatever the name of the program is. */
static const char *source_of(arena *in, const char *path)
{
    char *source = arena_printf(in, "the records of %s", path_last(path));
    for (char *c = source; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\x7f')
            *c = '?';
    return source;
}

/* What the program can use, written unless it is only held against markers. */
static int run_program(const arg_set *args, const char *role_name)
{
    const rbac_program_options options = {role_name, args->namespace_, args->lease};
    rbac_sources sources = {.in = arena_new()};
    rbac_program program = {.in = sources.in};
    rbac_roles markers = {0};
    rbac_roles roles = {0};
    int status = EXIT_FAILED;
    str text = {0};
    diag *messages = diag_new();
    if (rbac_program_read(&program, &args->from) &&
        read_markers(&args->inputs, role_name, &sources, &markers)) {
        status = EXIT_OK;
        if (args->inputs.len)
            rbac_program_compare(&program, &markers, messages);
        rbac_program_roles(&program, &options, &roles);
        rbac_write(sources.in, &roles, source_of(sources.in, program.path), NULL, &text);
        if (!args->inputs.len || args->output || args->output_dir)
            status = write_output(args, str_text(&text));
        if (!diag_report(messages))
            status = EXIT_FAILED;
    }
    rbac_roles_free(&markers);
    rbac_roles_free(&roles);
    rbac_program_free(&program);
    free(sources.paths.items);
    str_free(&text);
    diag_free(messages);
    arena_free(sources.in);
    return status;
}

static int run_markers(const arg_set *args, const char *role_name)
{
    str text = {0};
    int status = EXIT_FAILED;
    if (command_roles(&args->inputs, role_name, &text))
        status = write_output(args, str_text(&text));
    str_free(&text);
    return status;
}

static int run(arg_set *args)
{
    const char *role_name = args->role_name ? args->role_name : default_name;
    if (args->output && args->output_dir)
        return args_usage("rbac", "rbac takes -o or --output-dir, not both");
    if (!rbac_is_role_name(role_name))
        return args_usage("rbac",
                          "--role-name is not a role's name: it cannot have '/', '%%' or blanks");
    if (!args->inputs.len && !args->from.len)
        return args_usage("rbac", "rbac needs a directory of headers and C files, or --from");
    if (!args->from.len && (args->namespace_ || args->lease))
        return args_usage("rbac",
                          "--namespace and --lease are for --from: a marker says it itself");
    if (args->namespace_ && !names_is_label(args->namespace_))
        return args_usage("rbac", "--namespace is not one: it takes a-z, 0-9 and '-'");
    if (args->lease && !names_is_group(args->lease))
        return args_usage("rbac", "--lease is not a name: it takes a-z, 0-9, '-' and dots");
    return args->from.len ? run_program(args, role_name) : run_markers(args, role_name);
}

const command rbac_command = {
    .name = "rbac",
    .summary = "write roles in YAML from +kubebuilder:rbac markers, or from a program",
    .help = "usage: kubegen rbac [OPTION]... DIR...\n"
            "       kubegen rbac --from PROGRAM [OPTION]... [DIR...]\n"
            "\n"
            "Reads the .h and .c files of each DIR, which need not compile, and writes the rights\n"
            "that their // +kubebuilder:rbac lines ask for: a ClusterRole, and a Role for each\n"
            "namespace. Rules are merged and sorted as controller-gen does. DIR may be a file.\n"
            "\n"
            "With --from, writes the rights that the linked PROGRAM can use: each call, informer,\n"
            "owner reference and event that the linker kept has left a record in it. Those of the\n"
            "leader election and of secure metrics are roles of their own. DIRs are then only\n"
            "compared: markers that ask for more or for less are errors, and what is written goes\n"
            "where -o or --output-dir says.\n"
            "\n"
            "  --output-dir DIR  write DIR/role.yaml\n"
            "  -o FILE           write FILE; without both, to standard output\n"
            "  --role-name NAME  the role of rules without roleName= (default: manager-role)\n"
            "  --from PROGRAM    an ELF file; repeat it for libraries with calls or Kinds\n"
            "  --namespace NS    with --from: the program is started for this namespace, so that\n"
            "                    a Role there will do; Kinds of the cluster have a ClusterRole,\n"
            "                    and events about them a Role in the namespace default\n"
            "  --lease NAME      with --from: the name of its Lease, to bind the right to it\n"
            "\n"
            "example: kubegen rbac src --role-name network-controller -o config/rbac/role.yaml\n"
            "example: kubegen rbac --from build/network-controller --lease network-controller\n",
    .options = ARG_OUTPUT_DIR | ARG_RBAC,
    .run = run,
};
