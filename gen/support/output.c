/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "diff.h"
#include "vec.h"
#include "xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct output_file {
    char *path;
    char *text;
    char *input; /* NULL = none was named */
    char *draft; /* where the new text lies until all are renamed; NULL = nothing to do */
} output_file;

struct output_set {
    VEC(output_file) files;
    char *input; /* of what is planned next */
    str fault;
};

output_set *output_new(void)
{
    return xcalloc(1, sizeof(output_set));
}

static void remove_draft(output_file *file)
{
    if (file->draft)
        unlink(file->draft);
    free(file->draft);
    file->draft = NULL;
}

void output_free(output_set *output)
{
    if (!output)
        return;
    for (size_t i = 0; i < output->files.len; i++) {
        remove_draft(&output->files.items[i]);
        free(output->files.items[i].path);
        free(output->files.items[i].text);
        free(output->files.items[i].input);
    }
    free(output->files.items);
    free(output->input);
    str_free(&output->fault);
    free(output);
}

void output_set_input(output_set *output, const char *input)
{
    free(output->input);
    output->input = xstrdup(input);
}

static void add_fault(output_set *output, const output_file *file)
{
    if (output->fault.len)
        return;
    str_printf(&output->fault, "%s would be written twice", file->path);
    if (file->input && output->input)
        str_printf(&output->fault,
                   ", for %s and for %s: run kubegen apart for them, into different "
                   "directories",
                   file->input, output->input);
}

void output_add(output_set *output, const char *path, const char *text)
{
    output_file *file;
    for (size_t i = 0; i < output->files.len; i++)
        if (strcmp(output->files.items[i].path, path) == 0 &&
            strcmp(output->files.items[i].text, text) != 0)
            add_fault(output, &output->files.items[i]);
    file = VEC_ADD(&output->files);
    file->path = xstrdup(path);
    file->text = xstrdup(text);
    file->input = output->input ? xstrdup(output->input) : NULL;
}

const char *output_fault(const output_set *output)
{
    return output->fault.len ? str_text(&output->fault) : NULL;
}

size_t output_count(const output_set *output)
{
    return output->files.len;
}

const char *output_path(const output_set *output, size_t index)
{
    return output->files.items[index].path;
}

const char *output_text(const output_set *output, size_t index)
{
    return output->files.items[index].text;
}

/*
 * Devices and pipes are written to, never read or replaced: /dev/null must stay what it is. A link
 * to one is replaced like any link, but for those of the system: /dev/stdout, /dev/fd/63.
 */
static bool is_special(const char *path)
{
    struct stat status;
    bool is_system = str_has_prefix(path, "/dev/") || str_has_prefix(path, "/proc/");
    return (is_system ? stat(path, &status) : lstat(path, &status)) == 0 &&
           !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Returns false if there is no regular file at @path, also behind a link. */
static bool read_old(const char *path, str *old)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && str_read_file(old, path);
}

static bool is_current(const output_file *file)
{
    str old = {0};
    bool same = read_old(file->path, &old) && old.len == strlen(file->text) &&
                memcmp(str_text(&old), file->text, old.len) == 0;
    str_free(&old);
    return same;
}

static bool make_parents(const char *path)
{
    char *copy = xstrdup(path);
    bool ok = true;
    char *slash;
    for (slash = strchr(copy + 1, '/'); slash && ok; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return ok;
}

/* Closes @fd. */
static bool write_to(int fd, const char *text)
{
    FILE *out = fdopen(fd, "w");
    bool ok;
    if (!out) {
        close(fd);
        return false;
    }
    ok = fputs(text, out) >= 0;
    return (fclose(out) == 0) && ok;
}

/* The rights that the new file gets: those of the old one, or those of any new file. */
static mode_t mode_of(const char *path)
{
    struct stat status;
    mode_t mask;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        return status.st_mode & 0777;
    mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Beside the file, under a name that nobody can foresee: no link leads the text elsewhere. */
static bool write_draft(output_file *file)
{
    str name = {0};
    int fd;
    str_printf(&name, "%s.XXXXXX", file->path);
    fd = mkostemp(name.data, O_CLOEXEC);
    if (fd < 0) {
        str_free(&name);
        return false;
    }
    file->draft = name.data;
    if (fchmod(fd, mode_of(file->path)) == 0)
        return write_to(fd, file->text);
    close(fd);
    return false;
}

static bool put_in_place(output_file *file)
{
    if (rename(file->draft, file->path) != 0)
        return false;
    free(file->draft);
    file->draft = NULL;
    return true;
}

static bool write_special(const output_file *file)
{
    int fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return fd >= 0 && write_to(fd, file->text);
}

static void block_signals(sigset_t *before)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGHUP);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, before);
}

bool output_write(output_set *output, str *error)
{
    const char *verb = "write";
    output_file *file = NULL;
    bool ok = true;
    int saved;
    sigset_t before;
    if (output_fault(output)) {
        str_add(error, output_fault(output));
        return false;
    }
    block_signals(&before); /* no draft is left behind */
    for (size_t i = 0; i < output->files.len && ok; i++) {
        file = &output->files.items[i];
        if (is_directory(file->path)) {
            errno = EISDIR; /* which rename() would find too late */
            ok = false;
        } else if (!is_special(file->path) && !is_current(file)) {
            ok = make_parents(file->path) && write_draft(file);
        }
    }
    for (size_t i = 0; i < output->files.len && ok; i++) {
        file = &output->files.items[i];
        verb = "replace";
        ok = !file->draft || put_in_place(file);
    }
    saved = errno;
    for (size_t i = 0; i < output->files.len; i++)
        remove_draft(&output->files.items[i]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    for (size_t i = 0; i < output->files.len && ok; i++) {
        file = &output->files.items[i];
        verb = "write";
        ok = !is_special(file->path) || write_special(file);
    }
    if (!ok)
        str_printf(error, "cannot %s %s: %s", verb, file->path, strerror(errno));
    return ok;
}

size_t output_compare(const output_set *output, FILE *diffs)
{
    size_t stale = 0;
    for (size_t i = 0; i < output->files.len; i++) {
        const output_file *file = &output->files.items[i];
        str old = {0};
        if (is_current(file))
            continue;
        stale++;
        if (!read_old(file->path, &old))
            str_clear(&old);
        diff_print(file->path, str_text(&old), file->text, diffs);
        str_free(&old);
    }
    return stale;
}
