/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "support/diag_log.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static int complete(arg_set *args);

static const command completion_command = {
    .name = "completion",
    .summary = "write a script for a shell that completes options",
    .help = "usage: kubegen completion bash|zsh|fish\n"
            "\n"
            "Writes a script to standard output by which the shell completes kubegen's commands,\n"
            "their options, and what follows these. `cmake --install` puts the three where the\n"
            "shells look for them. To have it without that:\n"
            "\n"
            "  bash: source <(kubegen completion bash)\n"
            "  zsh:  kubegen completion zsh >\"${fpath[1]}/_kubegen\"\n"
            "  fish: kubegen completion fish >~/.config/fish/completions/kubegen.fish\n",
    .words = "bash zsh fish",
    .run = complete,
};

static const command *const commands[] = {
    &generate_command, &verify_command,  &crd_command,    &docs_command,       &rbac_command,
    &diff_command,     &explain_command, &import_command, &completion_command,
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int complete(arg_set *args)
{
    if (args->inputs.len == 1 && completion_print(args->inputs.items[0], commands, COMMAND_COUNT))
        return EXIT_OK;
    return args_usage("completion", "completion needs the name of a shell: bash, zsh or fish");
}

static void print_help(FILE *out)
{
    fputs("usage: kubegen COMMAND [ARGUMENT]...\n"
          "\n"
          "Writes typed Kubernetes APIs in C from annotated headers.\n"
          "\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
    fputs(
        "  help        show the options of a command: kubegen help generate\n"
        "\n"
        "  --version, --help\n"
        "\n"
        "A first API: write apis/samplecrd/v1/types.h with a struct that is marked // +genclient,\n"
        "then run `kubegen generate apis/samplecrd/v1`. `kubegen explain` lists all markers.\n"
        "\n"
        "With --diagnostics=json or sarif any command writes its messages as one document, for\n"
        "editors and CI. --diagnostics=text is what it does without.\n"
        "\n"
        "Exit status: 0 done, 1 errors in the input or stale output, 2 wrong usage.\n",
        out);
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *words[COMMAND_COUNT + 1];
    const char *meant;
    if (*name == '-')
        return args_usage(NULL, "there is no option %s", name);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        words[i] = commands[i]->name;
    words[COMMAND_COUNT] = "help";
    meant = diag_nearest(name, words, COMMAND_COUNT + 1);
    if (meant)
        return args_usage(NULL, "there is no command %s: did you mean %s?", name, meant);
    return args_usage(NULL, "there is no command %s", name);
}

static int help(const char *name)
{
    const command *found;
    if (!name || strcmp(name, "help") == 0) {
        print_help(stdout);
        return EXIT_OK;
    }
    found = find_command(name);
    if (!found)
        return unknown_command(name);
    fputs(found->help, stdout);
    return EXIT_OK;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int error_status(const command *of)
{
    return of->error_status ? of->error_status : EXIT_FAILED;
}

static int run(const command *found, int argc, char **argv)
{
    arg_set args;
    int status = EXIT_USAGE;
    if (args_parse(&args, found->name, found->options, argc, argv)) {
        if (found->needs && !args.inputs.len)
            args_usage(found->name, "%s needs %s", found->name, found->needs);
        else
            status = found->run(&args);
    }
    args_free(&args);
    return status;
}

/*
 * libclang reads what is nested by recursion, and has no bound for that of pointers. So the work is
 * done in a process of its own, whose end by a signal becomes an error like any other.
 */
static int run_apart(const command *found, int argc, char **argv)
{
    int status;
    pid_t child = fork();
    if (child <= 0) {
#ifdef __linux__
        if (child == 0)
            prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
        return run(found, argc, argv);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status)); /* the child has written what there is */
    if (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGPIPE)
        raise(WTERMSIG(status));
    diag_log_line(DIAG_ERROR,
                  "error: kubegen crashed (signal %d). If nothing in the input is nested "
                  "thousands deep, please report this",
                  WTERMSIG(status));
    return error_status(found);
}

/* Returns the exit status of `kubegen WORD…`, and whether that means that it is done. */
static int run_words(int argc, char **argv, bool *done)
{
    const command *found;
    int status;
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        puts("kubegen " KUBEGEN_VERSION);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(NULL);
    if (strcmp(argv[1], "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    found = find_command(argv[1]);
    if (!found)
        return unknown_command(argv[1]);
    if (asks_for_help(argc - 2, argv + 2))
        return help(found->name);
    status = run_apart(found, argc - 2, argv + 2);
    /* A full disk or a closed pipe must not look like success. */
    if (fflush(stdout) != 0 && status == EXIT_OK) {
        diag_log_line(DIAG_ERROR, "standard output: %s", strerror(errno));
        status = error_status(found);
    }
    *done = status < error_status(found);
    return status;
}

int main(int argc, char **argv)
{
    int status = EXIT_USAGE;
    bool done = false;
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (args_set_diagnostics(argc - 2, argv + 2)) {
        status = run_words(argc, argv, &done);
        diag_log_end(KUBEGEN_VERSION, status, done || status == EXIT_OK, stderr);
    }
    return status;
}
