/* SPDX-License-Identifier: Apache-2.0 */
/* What a list or watch asks for in its query, checked as the real server does. */
#ifndef KUBE_APISERVER_LIST_OPTIONS_H
#define KUBE_APISERVER_LIST_OPTIONS_H

#include "apiserver/core/request.h"
#include "store.h"

typedef struct kube__api_list_options {
    const kube__api_selector *labels;
    const kube__api_selector *fields;
    bool watch;
    bool bookmarks;
    bool has_initial_events; /* sendInitialEvents is given */
    bool initial_events;
    int64_t timeout_s;        /* 0 = not given */
    int64_t limit;            /* 0 = none */
    const char *continue_;    /* "" = none */
    const char *version_text; /* "" = unset */
    uint64_t version;
    const char *version_match; /* "", "Exact", "NotOlderThan" */
} kube__api_list_options;

kube__api_failure *kube__api_read_list_options(kube__api_request *request,
                                               const kube__api_resource *resource,
                                               kube__api_list_options *out);
/* Parses an unsigned version as Go does; false leaves *@why saying what Go says. */
bool kube__api_parse_version(kube_ctx *ctx, const char *text, uint64_t *out, const char **why);
/* 504: a version that is still to come. */
kube__api_failure *kube__api_version_too_large(kube_ctx *ctx, uint64_t asked, uint64_t current);
/* Whether both selectors match. */
bool kube__api_list_matches(const kube__api_list_options *options, const kube__api_object *object);

#endif /* KUBE_APISERVER_LIST_OPTIONS_H */
