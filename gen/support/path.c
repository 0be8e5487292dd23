/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include <string.h>
#include <sys/stat.h>

bool path_is_dir(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

char *path_trimmed(arena *in, const char *path)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    return arena_strndup(in, path, len);
}

char *path_parent(arena *in, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return arena_strdup(in, ".");
    while (slash > path && slash[-1] == '/')
        slash--;
    return arena_strndup(in, path, slash == path ? 1 : (size_t)(slash - path));
}

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void path_split(arena *in, const char *text, text_list *out)
{
    while (text && *text) {
        size_t len = strcspn(text, ":");
        if (len > 0)
            *VEC_ADD(out) = arena_strndup(in, text, len);
        text += len + (text[len] == ':');
    }
}
