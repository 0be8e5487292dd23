/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in the files that a configuration names for TLS. They may be replaced at any time: a
 * certificate authority and a client's certificate with its key are taken up by the next request
 * (CFG-6). curl compares the texts, so that this request opens a connection of its own.
 */
#ifndef KUBE_NET_TLS_FILES_H
#define KUBE_NET_TLS_FILES_H

#include "net/config/config.h"

#include <sys/stat.h>

typedef struct kube__tls_file {
    const char *path; /* NULL = the configuration has the text itself, or none */
    struct stat seen; /* when it was read; zero = never, or it could not be */
    bool unread;      /* it could not be read the last time */
    char *text;
    size_t len;
} kube__tls_file;

typedef struct kube__tls_files {
    const kube_config *config; /* not counted */
    kube__tls_file ca, certificate, key;
} kube__tls_files;

/* Reads the files of @config, which must be good. */
KUBE__CHECKED kube_code kube__tls_files_init(kube__tls_files *files, const kube_config *config,
                                             kube_error *err);
/* Reads again what has changed, or could not be read. Until a file is good, and certificate and key
 * belong together, the last good ones stay; a warning says so once. */
void kube__tls_files_refresh(kube__tls_files *files);
/* What counts now: of the file, or of the configuration. */
kube__pem kube__tls_file_pem(const kube__tls_file *file, const kube__pem *configured);
void kube__tls_files_fini(kube__tls_files *files);

#endif /* KUBE_NET_TLS_FILES_H */
