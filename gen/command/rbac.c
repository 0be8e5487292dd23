/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "rbac/rbac_sources.h"
#include "rbac/rbac_write.h"
#include "support/spdx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes to the file that was asked for, or to stdout; returns the exit status. */
static int write_output(const arg_set *args, arena *in, const char *text)
{
    const char *path = args->output;
    output_set *files;
    int status;
    if (!path && args->output_dir)
        path = arena_printf(in, "%s/role.yaml", args->output_dir);
    if (!path || strcmp(path, "-") == 0) {
        if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
            return EXIT_OK;
        fprintf(stderr, "kubegen: cannot write: %s\n", strerror(errno));
        return EXIT_FAILED;
    }
    files = output_new();
    output_add(files, path, text);
    status = command_write(files);
    output_free(files);
    return status;
}

static int write_roles(const arg_set *args)
{
    const char *role_name = args->role_name ? args->role_name : "manager-role";
    rbac_sources sources = {.in = arena_new()};
    diag *messages = diag_new();
    rbac_roles roles = {0};
    int status = EXIT_FAILED;
    str text = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < args->inputs.len; i++)
        ok = rbac_list_input(&sources, args->inputs.items[i]);
    ok = ok && rbac_read_sources(&sources, role_name, &roles, messages) && diag_report(messages);
    if (ok && !roles.len) {
        fputs("kubegen: no file has a rule: write // +kubebuilder:rbac:… where it is needed\n",
              stderr);
    } else if (ok) {
        rbac_write(sources.in, &roles, spdx_find(sources.in, sources.first_with_rule), &text);
        status = write_output(args, sources.in, str_text(&text));
    }
    for (size_t i = 0; i < roles.len; i++)
        free(roles.items[i].rules.items);
    free(roles.items);
    free(sources.paths.items);
    str_free(&text);
    diag_free(messages);
    arena_free(sources.in);
    return status;
}

static int run(arg_set *args)
{
    if (args->output && args->output_dir)
        return args_usage("rbac", "rbac takes -o or --output-dir, not both");
    if (args->role_name && !rbac_is_role_name(args->role_name))
        return args_usage("rbac",
                          "--role-name is not a role's name: it cannot have '/', '%%' or blanks");
    return write_roles(args);
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
    .options = ARG_OUTPUT_DIR | ARG_RBAC,
    .needs = "a directory of headers and C files",
    .run = run,
};
