/* SPDX-License-Identifier: Apache-2.0 */
#include "announce.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 512 };

/* No name of Kubernetes has an underscore, so no two keys share a file. */
static const char *path_of(kube_ctx *ctx, const char *dir, kube_key key, const char *suffix)
{
    return kube_printf(ctx, "%s/%s_%s%s", dir, key.namespace_, key.name, suffix);
}

static bool has_text(const char *path, const char *text)
{
    char found[TEXT_MAX + 1];
    FILE *file = fopen(path, "r");
    size_t len;
    if (!file)
        return false;
    len = fread(found, 1, TEXT_MAX, file);
    fclose(file);
    found[len] = '\0';
    return strcmp(found, text) == 0;
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool written;
    if (!file)
        return false;
    written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

kube_code announce_put(kube_ctx *ctx, const char *dir, kube_key key, const char *text,
                       kube_error *err)
{
    const char *path = path_of(ctx, dir, key, "");
    const char *fresh = path_of(ctx, dir, key, ".new");
    if (has_text(path, text))
        return KUBE_OK;
    /* Under another name first, so that nobody reads half of it. */
    if (!write_text(fresh, text) || rename(fresh, path) != 0) {
        kube_code rc =
            kube_error_set(err, KUBE_ERR_UNAVAILABLE, "cannot write %s: %s", path, strerror(errno));
        unlink(fresh);
        return rc;
    }
    return KUBE_OK;
}

kube_code announce_withdraw(kube_ctx *ctx, const char *dir, kube_key key, kube_error *err)
{
    const char *path = path_of(ctx, dir, key, "");
    if (unlink(path) != 0 && errno != ENOENT)
        return kube_error_set(err, KUBE_ERR_UNAVAILABLE, "cannot remove %s: %s", path,
                              strerror(errno));
    return KUBE_OK;
}
