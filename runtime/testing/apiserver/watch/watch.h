/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One open watch: what it still has to send, bounded. A watch that does not take its events is
 * ended, as the real server ends a slow watcher, so memory stays bounded; initial events are read
 * from the stored objects as the connection takes them.
 */
#ifndef KUBE_APISERVER_WATCH_H
#define KUBE_APISERVER_WATCH_H

#include "apiserver/core/request.h"
#include "apiserver/store/store.h"

#include <kube/testing/apiserver.h>

struct kube_apiserver;
typedef struct kube__api_watchers kube__api_watchers; /* the open watches, and their one thread */

/* Starts the thread that sends bookmarks, ends watches in time and calls readers; follows
 * server->store, so that exists already. server->watchers is set by the caller. */
KUBE__CHECKED kube_code kube__api_watchers_start(struct kube_apiserver *server,
                                                 kube__api_watchers **out, kube_error *err);
/* Ends all watches and lets the thread call their readers a last time; new ones end at once.
 * Without the server's lock. May be called again. */
void kube__api_watchers_close(kube__api_watchers *watchers);
/* Joins the thread. All watches have been freed. NULL is allowed. */
void kube__api_watchers_free(kube__api_watchers *watchers);
/* Threads: any, with or without the server's lock, as are the next two. */
void kube__api_watchers_end(kube__api_watchers *watchers);
void kube__api_watchers_send_bookmarks(kube__api_watchers *watchers);
/* Open watches that match; @filter NULL = all. */
size_t kube__api_watchers_count(kube__api_watchers *watchers, const kube_api_call_filter *filter);

/* Opens the watch that @request asks for, under the server's lock. */
kube__api_failure *kube__api_watch_open(struct kube_apiserver *server, kube__api_request *request,
                                        kube__api_resource *resource, kube__api_watch **out);

/* Threads: any, without the server's lock. */

/* Bytes copied to @out; 0 = nothing now: @wake (see below) is called once when there is; -1 = the
 * watch has ended and all was read. */
long kube__api_watch_read(kube__api_watch *watch, char *out, size_t size);
/* Called from any thread, without locks held by it, when read() that returned 0 would not any
 * more. Set before the first read. */
void kube__api_watch_on_readable(kube__api_watch *watch, void (*wake)(void *arg), void *arg);
/* Ends it if it is open. After this nothing is called back. */
void kube__api_watch_free(kube__api_watch *watch);

#endif /* KUBE_APISERVER_WATCH_H */
