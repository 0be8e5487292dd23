/* SPDX-License-Identifier: Apache-2.0 */
#include "fault.h"

#include "apiserver/value/random.h"
#include "apiserver/value/text.h"
#include "base/thread.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct fault_rule {
    kube_fault_rule rule; /* strings copied, NULL = all */
    uint64_t number;      /* in the order of adding, since the start */
    uint64_t matches;
    uint64_t fired;
    struct fault_rule *next;
} fault_rule;

struct kube__api_faults {
    kube__mutex mutex;
    uint64_t seed;
    uint64_t added;
    fault_rule *first; /* in the order of adding */
    fault_rule *last;
    atomic_bool any; /* rules: the usual server has none and takes no lock for that */
    uint64_t fired[KUBE_FAULT_KIND_COUNT_];
};

static const char *const kind_names[KUBE_FAULT_KIND_COUNT_] = {
    [KUBE_FAULT_STATUS] = "status",
    [KUBE_FAULT_TEXT] = "text",
    [KUBE_FAULT_UNAUTHORIZED] = "unauthorized",
    [KUBE_FAULT_DROP] = "drop",
    [KUBE_FAULT_GONE] = "gone",
    [KUBE_FAULT_ERROR_EVENT] = "error event",
    [KUBE_FAULT_END] = "end",
    [KUBE_FAULT_BOOKMARKS] = "bookmarks",
    [KUBE_FAULT_VERSION_BACK] = "version back",
    [KUBE_FAULT_WRONG_KIND] = "wrong kind",
    [KUBE_FAULT_OVERSIZE] = "oversize",
    [KUBE_FAULT_CERTIFICATE] = "certificate",
};

const char *kube_fault_kind_name(kube_fault_kind kind)
{
    assert(kind < KUBE_FAULT_KIND_COUNT_);
    return kind_names[kind];
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* Every text of a rule, so that copying forgets none. */
enum { TEXT_COUNT = 6 };

static void texts_of(kube_fault_rule *rule, const char **texts[TEXT_COUNT])
{
    const char **const all[TEXT_COUNT] = {
        &rule->verb,        &rule->resource,   &rule->path_prefix,
        &rule->subresource, &rule->namespace_, &rule->name,
    };
    memcpy(texts, all, sizeof all);
}

static void rule_free(fault_rule *r)
{
    const char **texts[TEXT_COUNT];
    if (!r)
        return;
    texts_of(&r->rule, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++)
        free((char *)(uintptr_t)*texts[i]);
    free(r);
}

static fault_rule *rule_new(const kube_fault_rule *rule)
{
    fault_rule *r = calloc(1, sizeof *r);
    const char **texts[TEXT_COUNT];
    bool copied = true;
    if (!r)
        return NULL;
    r->rule = *rule;
    texts_of(&r->rule, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        const char *given = *texts[i];
        *texts[i] = given && copied ? strdup(given) : NULL;
        copied = copied && (!given || *texts[i]);
    }
    if (!copied) {
        rule_free(r);
        return NULL;
    }
    if (!r->rule.http_status)
        r->rule.http_status = rule->kind == KUBE_FAULT_TEXT ? 429 : 503;
    if (!r->rule.oversize_bytes)
        r->rule.oversize_bytes = (size_t)2 << 20;
    return r;
}

/* Those of kube_api_call: in lower case of resources, else the method. */
static bool is_verb(const char *verb)
{
    static const char *const verbs[] = {
        "get", "list", "watch", "create", "update", "patch",  "delete",  "deletecollection",
        "GET", "HEAD", "POST",  "PUT",    "PATCH",  "DELETE", "OPTIONS", NULL};
    return kube__api_is_one_of(verb, verbs);
}

static kube_code check_rule(const kube_fault_rule *rule, kube_error *err)
{
    if ((unsigned)rule->kind >= KUBE_FAULT_KIND_COUNT_)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "fault rule: no fault has the number %d",
                              (int)rule->kind);
    if (!(rule->probability >= 0 && rule->probability <= 1))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "fault rule: probability %g is not between 0 and 1",
                              rule->probability);
    if (rule->nth && rule->probability > 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "fault rule: nth and probability exclude each other");
    if (rule->verb && !is_verb(rule->verb))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "fault rule: there is no verb \"%s\"; those of resources are get, "
                              "list, watch, create, update, patch, delete and deletecollection",
                              rule->verb);
    if (rule->http_status && (rule->http_status < 400 || rule->http_status > 599))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "fault rule: http status %d is not between 400 and 599",
                              rule->http_status);
    return KUBE_OK;
}

kube_code kube__api_faults_add(kube__api_faults *faults, const kube_fault_rule *rule,
                               kube_error *err)
{
    kube_code rc = check_rule(rule, err);
    fault_rule *r;
    if (rc)
        return rc;
    r = rule_new(rule);
    if (!r)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for a fault rule");
    kube__lock(&faults->mutex);
    r->number = ++faults->added;
    *(faults->last ? &faults->last->next : &faults->first) = r;
    faults->last = r;
    atomic_store(&faults->any, true);
    kube__unlock(&faults->mutex);
    return KUBE_OK;
}

void kube__api_faults_clear(kube__api_faults *faults)
{
    fault_rule *r;
    kube__lock(&faults->mutex);
    while ((r = faults->first)) {
        faults->first = r->next;
        rule_free(r);
    }
    faults->last = NULL;
    atomic_store(&faults->any, false);
    kube__unlock(&faults->mutex);
}

/* ---- whether one acts ----------------------------------------------------------------------- */

static bool same_or_any(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

static bool matches(const kube_fault_rule *rule, const kube__api_fault_place *place)
{
    return same_or_any(rule->verb, place->verb) && same_or_any(rule->resource, place->resource) &&
           same_or_any(rule->subresource, place->subresource) &&
           same_or_any(rule->namespace_, place->namespace_) &&
           same_or_any(rule->name, place->name) &&
           (!rule->path_prefix ||
            strncmp(rule->path_prefix, place->path, strlen(rule->path_prefix)) == 0);
}

/* Counts a match of @r and says whether it acts. */
static bool acts(const kube__api_faults *faults, fault_rule *r)
{
    uint64_t nth = ++r->matches;
    if (r->rule.times && r->fired == r->rule.times)
        return false;
    if (r->rule.nth)
        return nth == r->rule.nth;
    return r->rule.probability <= 0 ||
           kube__api_random_draw(faults->seed, r->number, nth) < r->rule.probability;
}

static bool ask(kube__api_faults *faults, bool (*is_asked)(kube_fault_kind, const char *path),
                const kube__api_fault_place *place, kube__api_fault *out)
{
    fault_rule *r;
    if (!atomic_load(&faults->any))
        return false;
    kube__lock(&faults->mutex);
    for (r = faults->first; r; r = r->next) {
        if (is_asked(r->rule.kind, place->path) && matches(&r->rule, place) && acts(faults, r))
            break;
    }
    if (r) {
        r->fired++;
        faults->fired[r->rule.kind]++;
        *out = (kube__api_fault){
            .kind = r->rule.kind,
            .http_status = r->rule.http_status,
            .retry_after_s = r->rule.retry_after_s ? r->rule.retry_after_s : -1,
            .oversize_bytes = r->rule.oversize_bytes,
        };
        if (r->rule.retry_after_s < 0)
            out->retry_after_s = 0;
    }
    kube__unlock(&faults->mutex);
    return r;
}

/* Whether the query of @path has a continue token. */
static bool has_continue(const char *path)
{
    const char *query = strchr(path, '?');
    static const char name[] = "continue=";
    while (query) {
        query++;
        if (strncmp(query, name, sizeof name - 1) == 0)
            return query[sizeof name - 1] && query[sizeof name - 1] != '&';
        query = strchr(query, '&');
    }
    return false;
}

static bool is_of_request(kube_fault_kind kind, const char *path)
{
    switch (kind) {
    case KUBE_FAULT_STATUS:
    case KUBE_FAULT_TEXT:
    case KUBE_FAULT_UNAUTHORIZED:
    case KUBE_FAULT_DROP:
    case KUBE_FAULT_CERTIFICATE:
        return true;
    case KUBE_FAULT_GONE:
        return has_continue(path);
    default:
        return false;
    }
}

static bool is_of_event(kube_fault_kind kind, const char *path)
{
    (void)path;
    return kind == KUBE_FAULT_GONE || !is_of_request(kind, "");
}

bool kube__api_faults_any(kube__api_faults *faults)
{
    return atomic_load(&faults->any);
}

bool kube__api_faults_on_request(kube__api_faults *faults, const kube__api_fault_place *place,
                                 kube__api_fault *out)
{
    return ask(faults, is_of_request, place, out);
}

bool kube__api_faults_on_event(kube__api_faults *faults, const kube__api_fault_place *place,
                               kube__api_fault *out)
{
    return ask(faults, is_of_event, place, out);
}

uint64_t kube__api_faults_count(kube__api_faults *faults, kube_fault_kind kind)
{
    uint64_t count;
    kube__lock(&faults->mutex);
    count = faults->fired[kind];
    kube__unlock(&faults->mutex);
    return count;
}

/* ---- life ----------------------------------------------------------------------------------- */

kube__api_faults *kube__api_faults_new(uint64_t seed)
{
    kube__api_faults *faults = calloc(1, sizeof *faults);
    if (!faults)
        return NULL;
    if (kube__mutex_init(&faults->mutex, NULL)) {
        free(faults);
        return NULL;
    }
    faults->seed = seed;
    atomic_init(&faults->any, false);
    return faults;
}

void kube__api_faults_free(kube__api_faults *faults)
{
    if (!faults)
        return;
    kube__api_faults_clear(faults);
    kube__mutex_fini(&faults->mutex);
    free(faults);
}
