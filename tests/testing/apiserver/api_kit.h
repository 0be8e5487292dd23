/* SPDX-License-Identifier: Apache-2.0 */
/* A whole API server, asked from inside its process. */
#ifndef TESTS_TESTING_API_KIT_H
#define TESTS_TESTING_API_KIT_H

#include "apiserver/controllers/controllers_parts.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/verbs/loopback.h"

#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

typedef struct api_kit {
    kube_apiserver *server;
    kube_ctx *ctx;
} api_kit;

static inline void api_kit_start(api_kit *kit, const kube_apiserver_options *options)
{
    kube_error err = {0};
    kit->ctx = kube_ctx_new();
    kube_code rc = kube_apiserver_start(options, &kit->server, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
}

static inline void api_kit_stop(api_kit *kit)
{
    kube_apiserver_stop(kit->server);
    kube_ctx_free(kit->ctx);
}

/* Apostrophes stand for quotation marks, so that documents can be read. */
static inline kube__json *api_json(api_kit *kit, const char *text)
{
    char *copy = kube_ctx_strdup(kit->ctx, text);
    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    kube__json *value = kube__json_parse(kit->ctx, copy, strlen(copy), NULL, NULL, NULL);
    ck_assert_msg(value != NULL, "no JSON: %s", text);
    return value;
}

/* A request; the answer's document, or NULL and the failure's HTTP status in *@status (may be
 * NULL). @body: see api_json(); NULL = none. */
static inline kube__json *api_ask(api_kit *kit, const char *method, const char *path,
                                  const char *body, int *status)
{
    kube__api_failure *failure = NULL;
    kube__json *document = body ? api_json(kit, body) : NULL;
    const char *type =
        strcmp(method, "PATCH") == 0 ? "application/merge-patch+json" : "application/json";
    kube__lock(&kit->server->lock);
    kube__json *answer =
        kube__api_loopback(kit->server, kit->ctx, method, path, type, document, &failure);
    kube__unlock(&kit->server->lock);
    if (status)
        *status = answer ? 200 : failure->http_status;
    else
        ck_assert_msg(answer != NULL, "%s %s: %s", method, path, failure ? failure->message : "");
    return answer;
}

static inline kube__json *api_get(api_kit *kit, const char *path)
{
    return api_ask(kit, "GET", path, NULL, NULL);
}

static inline bool api_exists(api_kit *kit, const char *path)
{
    int status;
    api_ask(kit, "GET", path, NULL, &status);
    ck_assert_msg(status == 200 || status == 404, "GET %s: %d", path, status);
    return status == 200;
}

/* How many objects a list has. */
static inline size_t api_count(api_kit *kit, const char *path)
{
    const kube__json *items = kube__json_get(api_get(kit, path), "items");
    return items ? items->len : 0;
}

/* Waits until the controllers have nothing left to do. */
static inline void api_settle(api_kit *kit)
{
    kube__mutex *lock = &kit->server->lock;
    kube__lock(lock);
    while (!kube__jobs_empty(kit->server->controllers->jobs) || kit->server->controllers->rescan) {
        kube__unlock(lock);
        sched_yield();
        kube__lock(lock);
    }
    kube__unlock(lock);
}

#endif /* TESTS_TESTING_API_KIT_H */
