/* SPDX-License-Identifier: Apache-2.0 */
#include "tls_files.h"

#include "net/config/certificates.h"
#include "net/config/file.h"

#include <kube/log.h>
#include <string.h>

enum { MAX_PEM_BYTES = 4 << 20 };

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Whether there is another file than the one seen last, which counts as seen from now on. */
static bool has_changed(kube__tls_file *file)
{
    struct stat now;
    if (!file->path || stat(file->path, &now) != 0 || is_same(&now, &file->seen))
        return false;
    file->seen = now;
    return true;
}

/* What cannot be read now may be later, though the file does not change: want of descriptors. */
static kube_code read_again(kube__tls_file *file, kube__tls_file *out, kube_error *err)
{
    kube_code rc = KUBE_OK;
    *out = *file;
    out->text = NULL;
    if (file->path)
        rc = kube__file_read(file->path, MAX_PEM_BYTES, &out->text, &out->len, NULL, err);
    if (rc)
        file->seen = (struct stat){0};
    file->unread = rc != KUBE_OK;
    out->unread = file->unread;
    return rc;
}

static void replace(kube__tls_file *file, kube__tls_file *by)
{
    kube__file_free(file->text, file->len);
    *file = *by;
    by->text = NULL;
}

kube__pem kube__tls_file_pem(const kube__tls_file *file, const kube__pem *configured)
{
    if (!file->path)
        return *configured;
    return (kube__pem){.data = file->text, .data_len = file->len, .data_name = file->path};
}

static kube_code renew_ca(kube__tls_files *files, kube_error *err)
{
    kube__tls_file ca;
    kube_code rc = KUBE_OK;
    if (!has_changed(&files->ca))
        return KUBE_OK;
    rc = read_again(&files->ca, &ca, err);
    if (!rc) {
        kube__pem pem = kube__tls_file_pem(&ca, NULL);
        rc = kube__certificates_check_ca(&pem, "certificate authority", err);
    }
    if (!rc)
        replace(&files->ca, &ca);
    else
        kube__file_free(ca.text, ca.len);
    return rc;
}

static kube_code renew_pair(kube__tls_files *files, kube_error *err)
{
    kube__tls_file certificate;
    kube__tls_file key = {0};
    bool changed = has_changed(&files->certificate);
    kube_code rc;
    changed = has_changed(&files->key) || changed;
    if (!changed)
        return KUBE_OK;
    rc = read_again(&files->certificate, &certificate, err);
    if (!rc)
        rc = read_again(&files->key, &key, err);
    if (!rc) {
        const kube_config *config = files->config;
        kube__pem pem = kube__tls_file_pem(&certificate, &config->certificate);
        kube__pem key_pem = kube__tls_file_pem(&key, &config->key);
        rc = kube__certificates_check_pair(&pem, &key_pem, "client certificate", err);
    }
    if (!rc) {
        replace(&files->certificate, &certificate);
        replace(&files->key, &key);
    }
    kube__file_free(certificate.text, certificate.len);
    kube__file_free(key.text, key.len);
    return rc;
}

kube_code kube__tls_files_init(kube__tls_files *files, const kube_config *config, kube_error *err)
{
    kube_code rc;
    files->config = config;
    files->ca.path = config->ca.file;
    files->certificate.path = config->certificate.file;
    files->key.path = config->key.file;
    rc = renew_ca(files, err);
    return rc ? rc : renew_pair(files, err);
}

static bool is_pair_unread(const kube__tls_files *files)
{
    return files->certificate.unread || files->key.unread;
}

void kube__tls_files_refresh(kube__tls_files *files)
{
    kube_error error;
    bool said = files->ca.unread;
    if (renew_ca(files, &error) && !(said && files->ca.unread))
        kube_log_warn("keeping the last certificate authority: %s", error.message);
    said = is_pair_unread(files);
    if (renew_pair(files, &error) && !(said && is_pair_unread(files)))
        kube_log_warn("keeping the last client certificate: %s", error.message);
}

void kube__tls_files_fini(kube__tls_files *files)
{
    kube__file_free(files->ca.text, files->ca.len);
    kube__file_free(files->certificate.text, files->certificate.len);
    kube__file_free(files->key.text, files->key.len);
    *files = (kube__tls_files){0};
}
