/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A network is the file <directory>/<namespace>/<name> of two lines, cidr and gateway. A name may
 * be as long as a file's, so nothing is added to it; what is being written has a name of its own in
 * <directory>. Namespaces that became empty stay: removing one would race with another worker.
 *
 * No name is trusted, although libkube lets none through that is a path, and neither is what lies
 * in the directory: each step is one name in an open directory, no link is followed, and no file
 * that exists is written to. So nothing outside is read, changed or removed.
 */
#include "provider.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".new-"

enum { FILE_MAX = 512 };

struct files {
    struct provider provider;
    int directory;       /* open, so that a renamed parent changes nothing */
    char *path;          /* for messages */
    atomic_uint written; /* numbers temporary files */
};

static kube_code failed(const struct files *files, const char *what, const char *name,
                        kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_CONFIG, "%s %s/%s: %s", what, files->path, name,
                          strerror(errno));
}

static const char *file_name(kube_ctx *ctx, kube_key key)
{
    return kube_printf(ctx, "%s/%s", key.namespace_, key.name);
}

/* Hidden files are ours or somebody else's. */
static bool is_file_name(const char *name)
{
    return name && *name && *name != '.' && !strchr(name, '/');
}

static kube_code check_names(kube_key key, kube_error *err)
{
    if (is_file_name(key.namespace_) && is_file_name(key.name))
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "a network with this name cannot be a file");
}

static int open_directory(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The contents of a file, cut to FILE_MAX - 1 bytes; -1 and errno when it cannot be read. */
static ssize_t read_file(int ns, const char *name, char text[FILE_MAX])
{
    int fd = openat(ns, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t len;
    if (fd < 0)
        return -1;
    len = read(fd, text, FILE_MAX - 1);
    if (len >= 0)
        text[len] = '\0';
    close(fd);
    return len;
}

static bool write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t written = write(fd, text, len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text += written;
        len -= (size_t)written;
    }
    return fsync(fd) == 0;
}

static int create(const struct files *files, const char *name)
{
    return openat(files->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
}

static kube_code write_temporary(const struct files *files, const char *temporary, const char *text,
                                 kube_error *err)
{
    int fd = create(files, temporary);
    kube_code rc = KUBE_OK;
    if (fd < 0 && errno == EEXIST && unlinkat(files->directory, temporary, 0) == 0)
        fd = create(files, temporary);
    if (fd < 0)
        return failed(files, "create", temporary, err);
    if (!write_all(fd, text, strlen(text)))
        rc = failed(files, "write", temporary, err);
    close(fd);
    return rc;
}

/*
 * Writes beside it, then renames: whoever looks sees the old file or the new one, after a crash of
 * the machine too. Which of them it is then does not matter: the next start puts it right.
 */
static kube_code write_file(struct files *files, kube_ctx *ctx, int ns, kube_key key,
                            const char *text, kube_error *err)
{
    const char *temporary = kube_printf(ctx, TEMPORARY "%u", atomic_fetch_add(&files->written, 1));
    kube_code rc = write_temporary(files, temporary, text, err);
    if (!rc && renameat(files->directory, temporary, ns, key.name) != 0)
        rc = failed(files, "put in place", file_name(ctx, key), err);
    if (rc)
        unlinkat(files->directory, temporary, 0);
    return rc;
}

static kube_code ensure_in(struct files *files, kube_ctx *ctx, int ns,
                           const struct real_network *wanted, bool *changed, kube_error *err)
{
    const char *text = kube_printf(ctx, "cidr=%s\ngateway=%s\n", wanted->cidr, wanted->gateway);
    char present[FILE_MAX];
    ssize_t len = read_file(ns, wanted->key.name, present);
    if (len < 0 && errno != ENOENT && errno != ELOOP) /* a link is replaced */
        return failed(files, "read", file_name(ctx, wanted->key), err);
    if (len >= 0 && (size_t)len == strlen(text) && memcmp(present, text, (size_t)len) == 0)
        return KUBE_OK;
    *changed = true;
    return write_file(files, ctx, ns, wanted->key, text, err);
}

static kube_code ensure(struct provider *provider, kube_ctx *ctx, const struct real_network *wanted,
                        bool *changed, kube_error *err)
{
    struct files *files = (struct files *)provider;
    const char *namespace_ = wanted->key.namespace_;
    kube_code rc = check_names(wanted->key, err);
    int ns;
    *changed = false;
    if (rc)
        return rc;
    if (mkdirat(files->directory, namespace_, 0755) != 0 && errno != EEXIST)
        return failed(files, "make", namespace_, err);
    ns = open_directory(files->directory, namespace_);
    if (ns < 0)
        return failed(files, "open", namespace_, err);
    rc = ensure_in(files, ctx, ns, wanted, changed, err);
    close(ns);
    return rc;
}

static kube_code remove_network(struct provider *provider, kube_ctx *ctx, kube_key key,
                                bool *existed, kube_error *err)
{
    struct files *files = (struct files *)provider;
    kube_code rc = check_names(key, err);
    int ns;
    *existed = false;
    if (rc)
        return rc;
    ns = open_directory(files->directory, key.namespace_);
    if (ns < 0)
        return errno == ENOENT ? KUBE_OK : failed(files, "open", key.namespace_, err);
    *existed = unlinkat(ns, key.name, 0) == 0;
    if (!*existed && errno != ENOENT)
        rc = failed(files, "remove", file_name(ctx, key), err);
    close(ns);
    return rc;
}

/* Splits "cidr=…\ngateway=…\n" in place; the members stay NULL when it is anything else. */
static void parse_contents(char *text, struct real_network *network)
{
    char *first = strchr(text, '\n');
    char *second = first ? strchr(first + 1, '\n') : NULL;
    if (!second || strncmp(text, "cidr=", 5) != 0 || strncmp(first + 1, "gateway=", 8) != 0)
        return;
    *first = '\0';
    *second = '\0';
    network->cidr = text + strlen("cidr=");
    network->gateway = first + 1 + strlen("gateway=");
}

static DIR *list_directory(const struct files *files, const char *name)
{
    int fd = open_directory(files->directory, name);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir && fd >= 0)
        close(fd);
    return dir;
}

/* Visits the networks of one namespace; false when the visitor had enough. */
static bool list_namespace(const struct files *files, const char *ns,
                           bool (*visit)(void *arg, const struct real_network *network), void *arg)
{
    DIR *dir = list_directory(files, ns);
    const struct dirent *entry;
    bool more = true;
    if (!dir)
        return true; /* not ours, or gone */
    while (more && (entry = readdir(dir)) != NULL) {
        struct real_network network = {.key = {ns, entry->d_name}};
        char text[FILE_MAX];
        if (!is_file_name(entry->d_name))
            continue;
        if (read_file(dirfd(dir), entry->d_name, text) >= 0)
            parse_contents(text, &network);
        more = visit(arg, &network);
    }
    closedir(dir);
    return more;
}

static kube_code list(struct provider *provider, kube_ctx *ctx,
                      bool (*visit)(void *arg, const struct real_network *network), void *arg,
                      kube_error *err)
{
    struct files *files = (struct files *)provider;
    DIR *dir = list_directory(files, ".");
    const struct dirent *entry;
    bool more = true;
    (void)ctx;
    if (!dir)
        return failed(files, "list", ".", err);
    while (more && (entry = readdir(dir)) != NULL) {
        if (is_file_name(entry->d_name))
            more = list_namespace(files, entry->d_name, visit, arg);
    }
    closedir(dir);
    return KUBE_OK;
}

/* What a crash in the middle of a write left behind. */
static void remove_temporaries(const struct files *files)
{
    DIR *dir = list_directory(files, ".");
    const struct dirent *entry;
    if (!dir)
        return;
    while ((entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) == 0)
            unlinkat(files->directory, entry->d_name, 0);
    }
    closedir(dir);
}

static void free_files(struct provider *provider)
{
    struct files *files = (struct files *)provider;
    if (files->directory >= 0)
        close(files->directory);
    free(files->path);
    free(files);
}

kube_code provider_files_new(const char *directory, struct provider **out, kube_error *err)
{
    struct files *files = calloc(1, sizeof *files);
    *out = NULL;
    if (files)
        files->path = strdup(directory);
    if (!files || !files->path) {
        free(files);
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for a provider");
    }
    files->provider = (struct provider){ensure, remove_network, list, free_files};
    if (mkdir(directory, 0755) != 0 && errno != EEXIST) {
        files->directory = -1;
    } else {
        files->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (files->directory < 0) {
        kube_code rc = kube_error_set(err, KUBE_ERR_CONFIG, "state directory %s: %s", directory,
                                      strerror(errno));
        free_files(&files->provider);
        return rc;
    }
    remove_temporaries(files);
    *out = &files->provider;
    return KUBE_OK;
}

void provider_free(struct provider *provider)
{
    if (provider)
        provider->free(provider);
}
