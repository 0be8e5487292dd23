/* SPDX-License-Identifier: Apache-2.0 */
#include "controller.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* No name of Kubernetes has an underscore, so no two keys share a file. */
static const char *path_of(kube_ctx *ctx, const char *dir, kube_key key, const char *suffix)
{
    return kube_printf(ctx, "%s/%s_%s%s", dir, key.namespace_, key.name, suffix);
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    bool written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && written;
}

kube_code announce_put(kube_ctx *ctx, const char *dir, kube_key key, const char *text,
                       kube_error *err)
{
    const char *path = path_of(ctx, dir, key, "");
    const char *fresh = path_of(ctx, dir, key, ".new"); /* nobody is to read half of it */
    if (write_text(fresh, text) && rename(fresh, path) == 0)
        return KUBE_OK;
    kube_error_set(err, KUBE_ERR_UNAVAILABLE, "cannot write %s: %s", path, strerror(errno));
    unlink(fresh);
    return KUBE_ERR_UNAVAILABLE;
}

kube_code announce_withdraw(kube_ctx *ctx, const char *dir, kube_key key, kube_error *err)
{
    const char *path = path_of(ctx, dir, key, "");
    if (unlink(path) != 0 && errno != ENOENT)
        return kube_error_set(err, KUBE_ERR_UNAVAILABLE, "cannot remove %s: %s", path,
                              strerror(errno));
    return KUBE_OK;
}
