/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include "xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 64 << 20 };

extern char **environ;

/* Starts the program with @output as its standard output. Returns 0, or errno. */
static int start(const char *const *argv, const char *input, int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc)
        return rc;
    rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input ? input : "/dev/null",
                                          O_RDONLY, 0);
    if (!rc)
        rc = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!rc)
        rc = posix_spawnp(child, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static bool read_output(int from, str *out)
{
    FILE *in = fdopen(from, "re");
    bool ok = in && str_read_stream(out, in, OUTPUT_MAX);
    if (in)
        fclose(in);
    else
        close(from);
    return ok;
}

static bool run(const char *const *argv, const char *input, str *out, str *error)
{
    int status = 0;
    pid_t child = 0;
    int ends[2];
    bool read_all;
    int rc = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (!rc) {
        rc = start(argv, input, ends[1], &child);
        close(ends[1]);
        if (rc)
            close(ends[0]);
    }
    if (rc) {
        str_printf(error, "cannot run %s: %s", argv[0], strerror(rc));
        return false;
    }
    read_all = read_output(ends[0], out);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return read_all && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool program_run(const char *const *argv, const program_options *options, str *out, str *error)
{
    const char *before = options->variable ? getenv(options->variable) : NULL;
    char *kept = before ? xstrdup(before) : NULL;
    bool ok;
    if (options->variable)
        setenv(options->variable, options->value, 1);
    ok = run(argv, options->input, out, error);
    if (kept)
        setenv(options->variable, kept, 1);
    else if (options->variable)
        unsetenv(options->variable);
    free(kept);
    return ok;
}
