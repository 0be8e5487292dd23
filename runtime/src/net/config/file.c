/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_BYTES = 4096 };

static const char *describe(int number)
{
    switch (number) {
    case ENOENT:
        return "no such file";
    case EACCES:
        return "permission denied";
    case EISDIR:
        return "it is a directory";
    case ENOTDIR:
        return "a part of its path is not a directory";
    default:
        return strerror(number);
    }
}

static kube_code fail(const char *path, int number, bool *missing, kube_error *err)
{
    if (missing)
        *missing = number == ENOENT || number == ENOTDIR;
    return kube_error_set(err, KUBE_ERR_CONFIG, "cannot read %s: %s", path, describe(number));
}

kube_code kube__file_read(const char *path, size_t max_bytes, char **out, size_t *len,
                          bool *missing, kube_error *err)
{
    kube__buffer text;
    kube_code rc = KUBE_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *out = NULL;
    *len = 0;
    if (missing)
        *missing = false;
    if (fd < 0)
        return fail(path, errno, missing, err);
    kube__buffer_init(&text, max_bytes + READ_BYTES);
    while (!rc) {
        char *room = kube__buffer_reserve(&text, READ_BYTES);
        ssize_t got = room ? read(fd, room, READ_BYTES) : -1;
        if (text.len > max_bytes) {
            rc = kube_error_set(err, KUBE_ERR_CONFIG, "cannot read %s: it is too large", path);
        } else if (!room) {
            rc = kube__no_memory(err, "%s", path);
        } else if (got == 0) {
            room[0] = '\0';
            break;
        } else if (got > 0) {
            text.len += (size_t)got;
        } else if (errno != EINTR) {
            rc = fail(path, errno, missing, err);
        }
    }
    close(fd);
    if (rc) {
        kube__buffer_fini(&text);
        return rc;
    }
    *out = text.data;
    *len = text.len;
    return KUBE_OK;
}

void kube__wipe(void *data, size_t len)
{
    volatile unsigned char *bytes = data;
    while (len > 0)
        bytes[--len] = 0;
}

void kube__file_free(char *text, size_t len)
{
    if (text) {
        kube__wipe(text, len);
        free(text);
    }
}
