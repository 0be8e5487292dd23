/* SPDX-License-Identifier: Apache-2.0 */
/* This file finds the headers that the command line names, and the directories of their includes.
 */
#include "load.h"

#include "build.h"
#include "names.h"
#include "scan.h"
#include "support/path.h"
#include "support/str.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* ---- paths --------------------------------------------------------------------------------- */

/* Whether the last @count names of the path say where it lies, without `.` and `..`. */
static bool has_names(arena *in, const char *path, int count)
{
    for (; count > 0; count--) {
        const char *name = path_last(path);
        if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            return false;
        if (count > 1 && !strchr(path, '/'))
            return false;
        path = path_parent(in, path);
    }
    return true;
}

static char *absolute(arena *in, const char *path)
{
    char *real = realpath(path, NULL);
    char *copy = arena_strdup(in, real ? real : path);
    free(real);
    return copy;
}

/* ---- inputs -------------------------------------------------------------------------------- */

/* Whether a directory has the headers of an API's versions below it: <dir>/v1/types.h. */
static bool has_versions(arena *in, const char *dir)
{
    glob_t found = {0};
    bool has = false;
    if (glob(arena_printf(in, "%s/v[1-9]*/types.h", dir), 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !has; i++)
            has = names_is_version(path_last(path_parent(in, found.gl_pathv[i])));
    }
    globfree(&found);
    return has;
}

/* Where a header of shared structs is found below one of the -I directories. */
static bool locate_in_dirs(arena *in, model_package *package, const model_options *options)
{
    const char *real = absolute(in, package->header);
    for (size_t i = 0; options && i < options->include_len; i++) {
        const char *dir = path_trimmed(in, options->include_dirs[i]);
        const char *below = absolute(in, dir);
        size_t len = strlen(below);
        if (!str_has_prefix(real, below) || real[len] != '/')
            continue;
        package->root = dir;
        package->include = real + len + 1;
        return true;
    }
    return false;
}

/*
 * A header of structs that belong to no API of their own, such as kube/meta.h. Included as
 * <dir/header.h>, or <group/dir/header.h> if it lies below a group.
 */
static void locate_library(arena *in, model_package *package, const model_options *options)
{
    const char *dir = path_parent(in, package->header);
    const char *name = path_last(package->header);
    const char *parent;
    if (!has_names(in, dir, 1))
        dir = absolute(in, dir);
    parent = path_parent(in, dir);
    package->group_dir = path_last(dir);
    if (locate_in_dirs(in, package, options))
        return;
    package->root = parent;
    package->include = arena_printf(in, "%s/%s", path_last(dir), name);
    if (!names_is_version(path_last(dir)) && !has_versions(in, parent))
        return;
    if (!has_names(in, dir, 2))
        parent = path_parent(in, absolute(in, dir));
    package->root = path_parent(in, parent);
    package->include = arena_printf(in, "%s/%s", path_last(parent), package->include);
}

static void locate_api(arena *in, model_package *package)
{
    const char *dir = path_parent(in, package->header);
    if (!has_names(in, dir, 2))
        dir = absolute(in, dir);
    package->version = path_last(dir);
    package->group_dir = path_last(path_parent(in, dir));
    package->root = path_parent(in, path_parent(in, dir));
    package->include = arena_printf(in, "%s/%s/types.h", package->group_dir, package->version);
}

/*
 * Whether a header declares structs that several APIs share: it is not called types.h, or it has a
 * prefix, but neither the directory of a version nor markers that name a group or a version.
 */
static bool is_library(arena *in, const model_package *package)
{
    const comments *read;
    str text = {0};
    bool is;
    if (strcmp(path_last(package->header), "types.h") != 0)
        return true;
    if (names_is_version(path_last(path_parent(in, absolute(in, package->header)))) ||
        !str_read_file(&text, package->header))
        return false;
    read = comments_read(in, scan_file(in, package->header, str_text(&text)));
    is = comments_have_header_marker(read, "prefix") &&
         !comments_have_header_marker(read, "groupName") &&
         !comments_have_header_marker(read, "versionName");
    str_free(&text);
    return is;
}

/* Returns false after an error. */
static bool locate(arena *in, const char *input, model_package *package,
                   const model_options *options, diag *to)
{
    const char *path = path_trimmed(in, input);
    package->input = input;
    package->header = path;
    if (path_is_dir(path))
        package->header = arena_printf(in, "%s/types.h", path);
    if (access(package->header, R_OK) != 0) {
        diag_error(to, (diag_loc){package->header, 0, 0}, "cannot read this file: %s",
                   strerror(errno));
        if (path_is_dir(path) || !str_has_suffix(path, ".h"))
            diag_note(to, (diag_loc){0},
                      "the directory of an API is <group>/<version> and holds a types.h");
        return false;
    }
    if (!is_file(package->header)) {
        diag_error(to, (diag_loc){package->header, 0, 0}, "this is not a file");
        return false;
    }
    if (is_library(in, package))
        locate_library(in, package, options);
    else
        locate_api(in, package);
    return true;
}

/* ---- where included headers are ------------------------------------------------------------ */

static void add_dir(text_list *dirs, const char *dir)
{
    if (*dir)
        *VEC_ADD(dirs) = dir;
}

/* Returns the directory of the running program, or NULL if it is unknown. */
static char *program_dir(arena *in)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    if (len <= 0)
        return NULL;
    path[len] = '\0';
    return path_parent(in, path);
}

/*
 * The runtime's headers: beside an installed program, or where a file next to a program that was
 * only built says they are. So no path of the build is in the program.
 */
static void add_runtime(arena *in, text_list *dirs)
{
    const char *dir = program_dir(in);
    const char *installed;
    str note = {0};
    if (!dir)
        return;
    installed = arena_printf(in, "%s/include", path_parent(in, dir));
    if (is_file(arena_printf(in, "%s/kube/meta.h", installed))) {
        add_dir(dirs, installed);
        add_dir(dirs, arena_printf(in, "%s/kube/apis", installed));
    }
    if (str_read_file(&note, arena_printf(in, "%s/kubegen.include", dir)))
        add_dir(dirs, arena_strndup(in, str_text(&note), strcspn(str_text(&note), "\r\n")));
    str_free(&note);
}

void model_add_dirs(arena *in, const model_options *options, text_list *dirs)
{
    for (size_t i = 0; options && i < options->include_len; i++)
        add_dir(dirs, path_trimmed(in, options->include_dirs[i]));
    path_split(in, getenv("KUBEGEN_INCLUDE"), dirs);
    add_runtime(in, dirs);
}

/* ---- loading ------------------------------------------------------------------------------- */

static void load_package(arena *in, model_package *package, const model_options *options, diag *to)
{
    builder b = {.in = in, .to = to, .package = package};
    text_list dirs = {0};
    add_dir(&dirs, package->root);
    model_add_dirs(in, options, &dirs);
    b.unit = parse_header(in, package->header, dirs.items, dirs.len, to);
    if (b.unit)
        build_package(&b);
    free(dirs.items);
    free(b.enum_prefixes.items);
    free(b.structs.items);
    free(b.containers.items);
    free(b.alias_list.items);
    free(b.resources.items);
}

static bool is_repeat(arena *in, const model *of, const model_package *package)
{
    const char *path = absolute(in, package->header);
    for (size_t i = 0; i < of->package_len; i++) {
        if (strcmp(absolute(in, of->packages[i]->header), path) == 0)
            return true;
    }
    return false;
}

model *model_load(const char *const *inputs, size_t input_len, const model_options *options,
                  diag *to)
{
    arena *in = arena_new();
    model *made = arena_alloc(in, sizeof *made);
    size_t before = diag_error_count(to);
    made->arena = in;
    made->packages = arena_alloc(in, input_len * sizeof *made->packages);
    for (size_t i = 0; i < input_len; i++) {
        model_package *package = arena_alloc(in, sizeof *package);
        if (!locate(in, inputs[i], package, options, to) || is_repeat(in, made, package))
            continue;
        load_package(in, package, options, to);
        made->packages[made->package_len++] = package;
    }
    if (diag_error_count(to) == before)
        return made;
    model_free(made);
    return NULL;
}
