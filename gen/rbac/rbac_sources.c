/* SPDX-License-Identifier: Apache-2.0 */
#include "rbac_sources.h"

#include "support/diag_log.h"
#include "support/path.h"
#include "support/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_source(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (str_has_suffix(entry->d_name, ".h") || str_has_suffix(entry->d_name, ".c"));
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

bool rbac_list_input(rbac_sources *sources, const char *input)
{
    const char *dir = path_trimmed(sources->in, input);
    struct dirent **entries = NULL;
    struct stat status;
    int count;
    if (stat(dir, &status) == 0 && !S_ISDIR(status.st_mode)) {
        text_list_add_once(&sources->paths, dir);
        return true;
    }
    count = scandir(dir, &entries, is_source, compare_entries);
    if (count < 0)
        diag_log_line(DIAG_ERROR, "cannot read %s: %s", dir, strerror(errno));
    else if (count == 0)
        diag_log_line(DIAG_ERROR, "%s has no .h and no .c files", dir);
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(sources->in, "%s/%s", dir, entries[i]->d_name);
        /* Directories and pipes may be called so too. What cannot be found is an error later. */
        if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
            text_list_add_once(&sources->paths, path);
        free(entries[i]);
    }
    free(entries);
    return count > 0;
}

/* The rest of such a file would not be read, and its rules would be missing. */
static void report_nul(const char *path, const str *contents, diag *to)
{
    diag_loc loc = {path, 1, 1};
    for (size_t at = 0; at < contents->len; at++) {
        if (contents->data[at] == '\0') {
            diag_error(to, loc, "this is a zero byte: nothing after it would be read");
            return;
        }
        loc.column++;
        if (contents->data[at] == '\n') {
            loc.line++;
            loc.column = 1;
        }
    }
}

bool rbac_read_sources(rbac_sources *sources, const char *role_name, rbac_roles *out, diag *to)
{
    for (size_t i = 0; i < sources->paths.len; i++) {
        const char *path = sources->paths.items[i];
        const char *text;
        str contents = {0};
        if (!str_read_file(&contents, path)) {
            diag_log_line(DIAG_ERROR, "cannot read %s: %s", path, strerror(errno));
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
