/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server by script: a kube__list_watch whose answers a test writes down, before or while they are
 * read, and which notes what it was asked.
 */
#ifndef TESTS_CACHE_SCRIPT_H
#define TESTS_CACHE_SCRIPT_H

#include "base/thread.h"
#include "cache/list_watch.h"

#include <kube/testing/clock.h>

typedef struct script script;
typedef struct answer answer;

/* @fake NULL = no answer moves the clock. */
script *script_new(kube_fake_clock *fake);
void script_free(script *s);
kube__list_watch *script_source(script *s);

/* Answers come in the order in which they were added; an open beyond the last one waits. */
answer *script_add(script *s);
/* The request itself fails. */
void script_refuse(script *s, const kube_error *err);
/* Each appends to what the answer sends. Objects: the caller's reference goes to the answer. */
void answer_object(answer *a, kube_watch_event_type type, kube_object *object);
void answer_bookmark(answer *a, const char *version);
void answer_initial_end(answer *a, const char *version);
void answer_error(answer *a, const kube_error *err); /* an ERROR event */
void answer_bad(answer *a, const char *message);
/* One whose key is known. */
void answer_bad_object(answer *a, kube_watch_event_type type, const char *name,
                       const char *message);
void answer_bad_object_in(answer *a, kube_watch_event_type type, const char *ns, const char *name,
                          const char *message);
/* How the answer ends once all was read; without it, a reader waits. @after_ms: the clock moves
 * by that much just before. */
void answer_end(answer *a, kube_code code, const char *message, int64_t after_ms);
/* Ends a list cleanly. */
void answer_list_end(answer *a, const char *version, const char *continue_token);

/* What was asked so far, one request a line: "stream rv=7", "list rv=0 limit=500",
 * "list continue=c limit=500", "watch rv=7". Valid until the next call. */
const char *script_requests(script *s);
/* Options of the last open. */
kube__result_stream_options script_last_options(script *s);
size_t script_open_count(script *s);
/* Whether the next open (@opening), or the next read of what was opened last, would wait. */
bool script_would_wait(script *s, bool opening);
/* Waits until that many requests have come. */
void script_wait_opens(script *s, size_t count);
/* Events that were added and have not been read. */
size_t script_unread(script *s);
size_t script_closed_count(script *s);

#endif /* TESTS_CACHE_SCRIPT_H */
