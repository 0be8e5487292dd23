/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults on order: rules, and the two questions the server asks of them. What the nth match of a
 * rule decides hangs on the seed, the rule's number and n alone, so it is the same in every run,
 * however threads take their turns.
 *
 * Threads: any; it has its own lock and asks nobody.
 */
#ifndef KUBE_APISERVER_FAULT_H
#define KUBE_APISERVER_FAULT_H

#include <kube/testing/apiserver.h>

typedef struct kube__api_faults kube__api_faults;

/* What the server has to do now. */
typedef struct kube__api_fault {
    kube_fault_kind kind;
    int http_status;       /* of STATUS and TEXT: never 0 */
    int retry_after_s;     /* of STATUS and TEXT: the header's value; -1 = no such header */
    size_t oversize_bytes; /* of OVERSIZE: never 0 */
} kube__api_fault;

/* What a rule's conditions are held against; no member is NULL. */
typedef struct kube__api_fault_place {
    const char *verb; /* of an event "watch" */
    const char *resource;
    const char *subresource;
    const char *namespace_; /* of an event its object's, as the name */
    const char *name;
    const char *path; /* with the query; of an event that of the watch's request */
} kube__api_fault_place;

/* Returns NULL if out of memory. @seed is not 0. */
kube__api_faults *kube__api_faults_new(uint64_t seed);
/* NULL allowed. */
void kube__api_faults_free(kube__api_faults *faults);
/* As kube_apiserver_add_fault() and the like. */
KUBE__CHECKED kube_code kube__api_faults_add(kube__api_faults *faults, const kube_fault_rule *rule,
                                             kube_error *err);
void kube__api_faults_clear(kube__api_faults *faults);
uint64_t kube__api_faults_count(kube__api_faults *faults, kube_fault_kind kind);

/* Whether there is any rule. */
bool kube__api_faults_any(kube__api_faults *faults);

/*
 * Asked once a request, after it is parsed and authenticated and before it is handled. True = do
 * @out, one of:
 *   STATUS, TEXT, UNAUTHORIZED  answer that instead of handling it
 *   GONE                        (a list with `continue` only) answer 410 instead
 *   DROP                        handle it, then close the connection without a byte of answer
 *   CERTIFICATE                 handle it; connections from now on see a new certificate
 */
bool kube__api_faults_on_request(kube__api_faults *faults, const kube__api_fault_place *place,
                                 kube__api_fault *out);
/*
 * Asked once an event of a watch (an object's; initial ones too; no bookmark), before it is
 * delivered. True = do @out, one of:
 *   END          end the watch in order instead of sending the event
 *   GONE         send the ERROR event 410 Expired instead, then end the watch
 *   ERROR_EVENT  the same with 500 InternalError
 *   BOOKMARKS    first a hundred bookmarks of the version before this event (or, within initial
 *                events, none of them): a client may start from what a bookmark says
 *   VERSION_BACK first a bookmark of a version older than that
 *   WRONG_KIND   first an event ADDED whose object is of another kind (a Status, say)
 *   OVERSIZE     the event with an annotation of oversize_bytes more in its object
 * Bookmarks are left out when the watch did not ask for them.
 */
bool kube__api_faults_on_event(kube__api_faults *faults, const kube__api_fault_place *place,
                               kube__api_fault *out);

#endif /* KUBE_APISERVER_FAULT_H */
