/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data file: every change is appended and checked by a sum before the request is answered, so
 * that a crash loses nothing that was acknowledged and a torn last record is dropped. Written anew
 * at the start, and when most of it is history.
 */
#ifndef KUBE_APISERVER_JOURNAL_H
#define KUBE_APISERVER_JOURNAL_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/failure.h"

/* Puts what a file's contents end with into the server's store; see journal_load.h. */
typedef kube_code kube__api_journal_loader(kube_apiserver *server, const char *data, size_t len,
                                           kube_error *err);

/*
 * Reads @path (a missing file is an empty one) with @load into the server's store, then follows
 * the store. Another server that has it open is an error; a damaged file is told with the offset.
 */
KUBE__CHECKED kube_code kube__api_journal_open(kube_apiserver *server, const char *path,
                                               kube__api_journal_loader *load,
                                               kube__api_journal **out, kube_error *err);
/* NULL, or what went wrong with writing since the last call: the request is answered with 500. */
kube__api_failure *kube__api_journal_check(kube__api_journal *journal, kube_ctx *ctx);
void kube__api_journal_close(kube__api_journal *journal);

#endif /* KUBE_APISERVER_JOURNAL_H */
