/* SPDX-License-Identifier: Apache-2.0 */
#include "journal.h"

#include "apiserver/core/apiserver.h"
#include "journal_file.h"
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct kube__api_journal {
    kube_apiserver *server;
    kube__api_journal_loader *load;
    char *path;
    int fd;
    size_t len;        /* bytes of the file that are whole */
    size_t live;       /* its length when it was written anew */
    kube__buffer wait; /* the frame of changes that are not in the file yet */
    size_t begin;      /* where that frame begins; there is one when wait.len is not 0 */
    bool lost;         /* a change could not be noted: all must be written anew */
};

/* Frames hold what one request changed; a file that is written anew is made of several. */
enum { MOST_FRAME = 1 << 30, NEW_FRAME = 4 << 20, LEAST_HISTORY = 4 << 20 };

/* ---- writing -------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *data, size_t len, size_t offset)
{
    while (len) {
        ssize_t done = pwrite(fd, data, len, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        data += done;
        offset += (size_t)done;
        len -= (size_t)done;
    }
    return true;
}

static void note(kube__api_journal *journal, const kube__record *record)
{
    if (!journal->wait.len)
        journal->begin = kube__frame_begin(&journal->wait);
    kube__frame_add(&journal->wait, record);
    journal->lost |= journal->wait.failed;
}

static void observe(void *arg, const kube__api_change *change)
{
    const kube__api_object *object = change->object;
    bool gone = change->type == KUBE__API_DELETED;
    note(arg, &(kube__record){
                  .type = gone ? KUBE__RECORD_DELETE : KUBE__RECORD_PUT,
                  .group = kube__api_collection_group(object->collection),
                  .plural = kube__api_collection_plural(object->collection),
                  .namespace_ = object->namespace_,
                  .name = object->name,
                  .text = object->text,
                  .len = gone ? 0 : object->len,
              });
}

static void observe_drop(void *arg, kube__api_collection *collection)
{
    note(arg, &(kube__record){
                  .type = KUBE__RECORD_DROP,
                  .group = kube__api_collection_group(collection),
                  .plural = kube__api_collection_plural(collection),
                  .namespace_ = "",
                  .name = "",
                  .text = "",
              });
}

/* ---- writing anew --------------------------------------------------------------------------- */

typedef struct copying {
    kube__buffer out;
    size_t begin;
    uint64_t version;
    int fd;
    size_t len;
    bool failed;
} copying;

static void flush(copying *c)
{
    if (c->out.len)
        kube__frame_end(&c->out, c->begin, c->version);
    c->failed |= c->out.failed || !write_all(c->fd, c->out.data, c->out.len, c->len);
    c->len += c->out.len;
    kube__buffer_reset(&c->out);
}

static bool copy_object(void *arg, kube__api_object *object)
{
    copying *c = arg;
    if (!c->out.len)
        c->begin = kube__frame_begin(&c->out);
    kube__frame_add(&c->out, &(kube__record){
                                 .type = KUBE__RECORD_PUT,
                                 .group = kube__api_collection_group(object->collection),
                                 .plural = kube__api_collection_plural(object->collection),
                                 .namespace_ = object->namespace_,
                                 .name = object->name,
                                 .text = object->text,
                                 .len = object->len,
                             });
    if (c->out.len >= NEW_FRAME)
        flush(c);
    return !c->failed && !c->out.failed;
}

static bool copy_all(const kube__api_store *store, copying *c)
{
    kube__api_collection *collection;
    kube__buffer_init(&c->out, MOST_FRAME);
    c->version = kube__api_store_version(store);
    c->failed = !write_all(c->fd, KUBE__JOURNAL_HEAD, KUBE__JOURNAL_HEAD_LEN, 0);
    c->len = KUBE__JOURNAL_HEAD_LEN;
    for (size_t i = 0; (collection = kube__api_store_collection_at(store, i)); i++)
        kube__api_store_each(collection, "", copy_object, c);
    if (!c->out.len) /* at least the version */
        c->begin = kube__frame_begin(&c->out);
    flush(c);
    kube__buffer_fini(&c->out);
    return !c->failed && fsync(c->fd) == 0;
}

/* Makes a rename last. */
static bool sync_directory(const char *path)
{
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    if (len >= sizeof directory)
        return false;
    memcpy(directory, path, len);
    directory[len] = '\0';
    int fd = open(slash ? (len ? directory : "/") : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return done;
}

/* Writes all objects to a new file, which then takes the place of the old one. The lock on it is
 * taken before it can be found. */
static bool rewrite(kube__api_journal *journal)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s.new", journal->path);
    if (len < 0 || (size_t)len >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    copying c = {.fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    if (c.fd < 0)
        return false;
    if (flock(c.fd, LOCK_EX | LOCK_NB) != 0 || !copy_all(journal->server->store, &c) ||
        rename(path, journal->path) != 0) {
        int error = errno;
        unlink(path);
        close(c.fd);
        errno = error;
        return false;
    }
    sync_directory(journal->path);
    close(journal->fd);
    journal->fd = c.fd;
    journal->len = c.len;
    journal->live = c.len;
    journal->lost = false;
    kube__buffer_reset(&journal->wait);
    return true;
}

static bool is_mostly_history(const kube__api_journal *journal)
{
    size_t history = journal->len - journal->live;
    return history > LEAST_HISTORY && history > journal->live;
}

/* Brings the file up to date. A frame of which only a part could be written is cut off again, and
 * tried once more with the next request. */
static bool catch_up(kube__api_journal *journal)
{
    if (journal->lost)
        return rewrite(journal);
    if (!journal->wait.len)
        return true;
    kube__frame_end(&journal->wait, journal->begin,
                    kube__api_store_version(journal->server->store));
    if (!write_all(journal->fd, journal->wait.data, journal->wait.len, journal->len) ||
        fdatasync(journal->fd) != 0) {
        int error = errno;
        if (ftruncate(journal->fd, (off_t)journal->len) != 0)
            journal->lost = true;
        errno = error;
        return false;
    }
    journal->len += journal->wait.len;
    kube__buffer_reset(&journal->wait);
    if (is_mostly_history(journal))
        rewrite(journal); /* when it fails, the old file is as good as it was */
    return true;
}

kube__api_failure *kube__api_journal_check(kube__api_journal *journal, kube_ctx *ctx)
{
    errno = 0;
    if (catch_up(journal))
        return NULL;
    return kube__api_fail(ctx, 500, "InternalError", "Internal error occurred: write %s: %s",
                          journal->path, strerror(errno));
}

/* ---- opening -------------------------------------------------------------------------------- */

static kube_code failed(kube_error *err, const char *what, const char *path)
{
    return kube_error_set(err, KUBE_ERR_INVALID, "%s %s: %s", what, path, strerror(errno));
}

/* Whether @path still leads to the open file: another server may have written it anew. */
static bool is_same_file(int fd, const char *path)
{
    struct stat open_one;
    struct stat found;
    return fstat(fd, &open_one) == 0 && stat(path, &found) == 0 &&
           open_one.st_dev == found.st_dev && open_one.st_ino == found.st_ino;
}

static kube_code open_locked(const char *path, int *out, kube_error *err)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            return failed(err, "open", path);
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            bool held = errno == EWOULDBLOCK;
            kube_code rc = held ? kube_error_set(err, KUBE_ERR_INVALID,
                                                 "open %s: another server has it open", path)
                                : failed(err, "lock", path);
            close(fd);
            return rc;
        }
        *out = fd;
        if (is_same_file(fd, path))
            return KUBE_OK;
        close(fd);
    }
}

static kube_code read_all(int fd, const char *path, kube__buffer *out, kube_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return failed(err, "read", path);
    size_t size = (size_t)info.st_size;
    char *room = size ? kube__buffer_reserve(out, size) : NULL;
    if (size && !room)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "read %s: out of memory", path);
    while (out->len < size) {
        ssize_t done = pread(fd, room + out->len, size - out->len, (off_t)out->len);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return failed(err, "read", path);
        if (done == 0)
            break;
        out->len += (size_t)done;
    }
    return KUBE_OK;
}

static kube_code load_file(kube__api_journal *journal, kube_error *err)
{
    kube__buffer contents;
    kube__buffer_init(&contents, SIZE_MAX / 2);
    kube_code rc = read_all(journal->fd, journal->path, &contents, err);
    if (!rc)
        rc = journal->load(journal->server, contents.data ? contents.data : "", contents.len, err);
    kube__buffer_fini(&contents);
    if (rc)
        kube_error_prefix(err, "load %s", journal->path);
    return rc;
}

static void release(kube__api_journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    kube__buffer_fini(&journal->wait);
    free(journal->path);
    free(journal);
}

static kube_code follow(kube__api_journal *journal, kube_error *err)
{
    kube__api_store *store = journal->server->store;
    if (!rewrite(journal))
        return failed(err, "write", journal->path);
    if (!kube__api_store_observe(store, observe, journal) ||
        !kube__api_store_observe_drops(store, observe_drop, journal))
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "open %s: out of memory", journal->path);
    return KUBE_OK;
}

kube_code kube__api_journal_open(kube_apiserver *server, const char *path,
                                 kube__api_journal_loader *load, kube__api_journal **out,
                                 kube_error *err)
{
    *out = NULL;
    kube__api_journal *journal = calloc(1, sizeof *journal);
    if (!journal)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "open %s: out of memory", path);
    journal->server = server;
    journal->load = load;
    journal->fd = -1;
    kube__buffer_init(&journal->wait, MOST_FRAME);
    journal->path = strdup(path);
    kube_code rc = journal->path ? open_locked(path, &journal->fd, err)
                                 : kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    kube__lock(&server->lock);
    if (!rc)
        rc = load_file(journal, err);
    if (rc) {
        release(journal);
    } else {
        *out = journal; /* the store may know it from here on: close() frees it */
        rc = follow(journal, err);
    }
    kube__unlock(&server->lock);
    return rc;
}

void kube__api_journal_close(kube__api_journal *journal)
{
    if (!journal)
        return;
    catch_up(journal);
    release(journal);
}
