/* SPDX-License-Identifier: Apache-2.0 */
/* From the data file's records to the store. */
#ifndef KUBE_APISERVER_JOURNAL_LOAD_H
#define KUBE_APISERVER_JOURNAL_LOAD_H

#include "apiserver/core/apiserver.h"

/* Puts what a file's contents end with into the store, CRDs first, which are served at once. */
KUBE__CHECKED kube_code kube__journal_load(kube_apiserver *server, const char *data, size_t len,
                                           kube_error *err);

#endif /* KUBE_APISERVER_JOURNAL_LOAD_H */
