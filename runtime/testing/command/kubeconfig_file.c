/* SPDX-License-Identifier: Apache-2.0 */
#include "kubeconfig_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int file, const char *text)
{
    size_t len = strlen(text);
    while (len) {
        ssize_t written = write(file, text, len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text += written;
        len -= (size_t)written;
    }
    return true;
}

kube_code kubeconfig_write(const char *path, const char *text, kube_error *err)
{
    char *temporary = NULL;
    kube_code rc = KUBE_OK;
    int file = -1;
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "write %s: out of memory", path);
    file = mkostemp(temporary, O_CLOEXEC); /* readable by its owner only */
    if (file < 0) {
        rc = kube_error_set(err, KUBE_ERR_CONFIG, "write %s: %s", path, strerror(errno));
    } else {
        bool written = write_all(file, text);
        int reason = errno;
        if (close(file) && written) {
            written = false;
            reason = errno;
        }
        if (written && rename(temporary, path)) {
            written = false;
            reason = errno;
        }
        if (!written) {
            unlink(temporary);
            rc = kube_error_set(err, KUBE_ERR_CONFIG, "write %s: %s", path, strerror(reason));
        }
    }
    free(temporary);
    return rc;
}
