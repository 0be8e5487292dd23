/* SPDX-License-Identifier: Apache-2.0 */
#include "revision.h"

#include "support/path.h"
#include "support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_DIRS = 20 };

/* Runs git, and returns the first line that it prints, or NULL. */
static const char *git_line(arena *in, const char *const *argv, str *error)
{
    const program_options options = {0};
    str out = {0};
    const char *line = NULL;
    if (program_run(argv, &options, &out, error))
        line = arena_strndup(in, str_text(&out), strcspn(str_text(&out), "\n"));
    str_free(&out);
    return line;
}

static const char *find_hash(arena *in, const char *name, str *error)
{
    const char *argv[] = {"git", "rev-parse", "--verify", "--quiet", name, NULL};
    return *name && *name != '-' ? git_line(in, argv, error) : NULL;
}

/* Returns the hash of the revision's tree: git takes it for nothing else. In ":/message", which is
 * a revision, "^{tree}" would be a part of the message. */
static const char *find_tree(arena *in, const char *name, str *error)
{
    const char *hash = find_hash(in, name, error);
    if (hash)
        hash = find_hash(in, arena_printf(in, "%s^{tree}", hash), error);
    if (!hash && !error->len)
        str_printf(error, "git knows no revision %s", name);
    return hash;
}

static bool find_place(arena *in, revision *of, str *error)
{
    static const char *const top[] = {"git", "rev-parse", "--show-toplevel", NULL};
    static const char *const prefix[] = {"git", "rev-parse", "--show-prefix", NULL};
    of->top = git_line(in, top, error);
    of->prefix = of->top ? git_line(in, prefix, error) : NULL;
    if (!of->prefix && !error->len)
        str_add(error, "a revision is looked for in the repository of the current directory");
    return of->prefix != NULL;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}

/*
 * Starts a process that removes the directory when this one ends, whatever signal ends it: it waits
 * for the end of a pipe to which nobody writes. It is no part of what a terminal interrupts.
 */
static void guard(const revision *of)
{
    int ends[2];
    char none;
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    child = fork();
    if (child == 0) {
        setsid();
        for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
            close(i);
        close(ends[1]);
        while (read(ends[0], &none, sizeof none) < 0 && errno == EINTR)
            continue;
        remove_tree(of->scratch);
        _exit(0);
    }
    close(ends[0]);
    if (child < 0)
        close(ends[1]);
}

static bool make_scratch(arena *in, revision *of, str *error)
{
    const char *parent = getenv("TMPDIR");
    char *made = arena_printf(in, "%s/kubegen-diff-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(made)) {
        str_printf(error, "cannot make a directory %s: %s", made, strerror(errno));
        return false;
    }
    made = realpath(made, NULL);
    of->scratch = arena_strdup(in, made ? made : "");
    of->tree = arena_printf(in, "%s/tree", of->scratch);
    free(made);
    guard(of);
    return true;
}

static bool write_list(const char *path, const str *names, str *error)
{
    FILE *out = fopen(path, "we");
    bool ok = out && fwrite(str_text(names), 1, names->len, out) == names->len;
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        str_printf(error, "cannot write %s: %s", path, strerror(errno));
    return ok;
}

/* The files of the repository, by an index of our own; its hooks are no part of them. */
#define GIT_OF(top) "git", "-C", top, "-c", "core.hooksPath=/dev/null"

/*
 * Reads the tree into an index of our own, and what is wanted of it into another, which has no
 * .gitattributes: with none in its working tree either, no filter runs for a file that is written.
 */
static bool take_files(arena *in, const revision *of, const char *tree, str *error)
{
    const char *list = arena_printf(in, "%s/list", of->scratch);
    const program_options all = {NULL, "GIT_INDEX_FILE", arena_printf(in, "%s/all", of->scratch)};
    const char *index = arena_printf(in, "%s/index", of->scratch);
    const program_options wanted = {NULL, "GIT_INDEX_FILE", index};
    const program_options with_list = {list, "GIT_INDEX_FILE", index};
    const char *work_tree = arena_printf(in, "--work-tree=%s", of->tree);
    const char *read_tree[] = {GIT_OF(of->top), "read-tree", tree, NULL};
    const char *list_files[] = {GIT_OF(of->top), "ls-files", "-s",    "-z",     "--", "*.h",
                                "*.inc",         "*.yaml",   "*.yml", "*.json", NULL};
    const char *add_files[] = {GIT_OF(of->top), "update-index", "-z", "--index-info", NULL};
    const char *check_out[] = {GIT_OF(of->top),
                               "-c",
                               "core.attributesFile=/dev/null",
                               work_tree,
                               "checkout-index",
                               "-a",
                               NULL};
    str names = {0};
    str nothing = {0};
    bool ok = mkdir(of->tree, S_IRWXU) == 0 && program_run(read_tree, &all, &nothing, error) &&
              program_run(list_files, &all, &names, error) && write_list(list, &names, error) &&
              program_run(add_files, &with_list, &nothing, error) &&
              program_run(check_out, &wanted, &nothing, error);
    if (!ok && !error->len)
        str_printf(error, "git cannot take the files of %s", of->name);
    str_free(&names);
    str_free(&nothing);
    return ok;
}

bool revision_take(arena *in, const char *name, revision *out, str *error)
{
    const char *tree;
    *out = (revision){.name = name};
    if (!find_place(in, out, error))
        return false;
    tree = find_tree(in, name, error);
    return tree && make_scratch(in, out, error) && take_files(in, out, tree, error);
}

void revision_remove(revision *of)
{
    if (of->scratch && *of->scratch)
        remove_tree(of->scratch);
    of->scratch = NULL;
}

const char *revision_path(arena *in, const revision *of, const char *path)
{
    const char *dir = *path == '/' ? revision_dir(in, of, path) : NULL;
    return dir ? dir : arena_printf(in, "%s/%s%s", of->tree, of->prefix, path);
}

/* As realpath(), but what does not exist below a directory that does may stand at the end. */
static const char *real_path(arena *in, const char *path)
{
    char *real = realpath(path, NULL);
    const char *slash = strrchr(path, '/');
    const char *made = real ? arena_strdup(in, real) : NULL;
    free(real);
    if (made || slash == path || strcmp(path, ".") == 0)
        return made;
    made = real_path(in, slash ? arena_strndup(in, path, (size_t)(slash - path)) : ".");
    return made ? arena_printf(in, "%s/%s", made, slash ? slash + 1 : path) : NULL;
}

const char *revision_dir(arena *in, const revision *of, const char *dir)
{
    const char *real = real_path(in, dir);
    size_t len = strlen(of->top);
    if (real && strncmp(real, of->top, len) == 0 && (real[len] == '/' || !real[len]))
        return arena_printf(in, "%s%s", of->tree, real + len);
    return NULL;
}
