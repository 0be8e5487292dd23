/* SPDX-License-Identifier: Apache-2.0 */
#include "health.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"
#include "query.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 20 };

typedef struct named_check {
    char *name;
    kube_health_check *check;
    void *arg;
    _Atomic int running; /* calls */
} named_check;

struct kube__health {
    char *name;
    named_check *checks;
    size_t len;
};

static kube_code be_there(void *arg, kube_error *err)
{
    (void)arg, (void)err;
    return KUBE_OK;
}

kube_code kube__health_new(const char *name, kube__health **out, kube_error *err)
{
    kube__health *health = calloc(1, sizeof *health);
    kube_code rc;
    *out = NULL;
    if (!health)
        return kube__no_memory(err, "%s", name);
    health->name = strdup(name);
    rc = health->name ? kube__health_add(health, "ping", be_there, NULL, err)
                      : kube__no_memory(err, "%s", name);
    if (rc) {
        kube__health_free(health);
        return rc;
    }
    *out = health;
    return KUBE_OK;
}

void kube__health_free(kube__health *health)
{
    if (!health)
        return;
    for (size_t i = 0; i < health->len; i++)
        free(health->checks[i].name);
    free(health->checks);
    free(health->name);
    free(health);
}

static named_check *find(const kube__health *health, const char *name)
{
    for (size_t i = 0; i < health->len; i++) {
        if (strcmp(health->checks[i].name, name) == 0)
            return &health->checks[i];
    }
    return NULL;
}

kube_code kube__health_add(kube__health *health, const char *name, kube_health_check *check,
                           void *arg, kube_error *err)
{
    named_check added = {.check = check, .arg = arg};
    named_check *grown;
    if (!name || !*name || strchr(name, '/'))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: \"%s\" cannot be the name of a check",
                              health->name, kube__text_or_empty(name));
    if (!check)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: check %s has no function", health->name,
                              name);
    if (find(health, name))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: there is already a check %s",
                              health->name, name);
    added.name = strdup(name);
    if (!added.name)
        return kube__no_memory(err, "%s", health->name);
    grown = realloc(health->checks, (health->len + 1) * sizeof *grown);
    if (!grown) {
        free(added.name);
        return kube__no_memory(err, "%s", health->name);
    }
    grown[health->len++] = added;
    health->checks = grown;
    return KUBE_OK;
}

/* A check that forgot to say why has failed all the same. */
static kube_code run(named_check *check, kube_error *err)
{
    kube_code rc;
    kube_error_set(err, KUBE_OK, "%s", "");
    atomic_fetch_add(&check->running, 1);
    rc = check->check(check->arg, err);
    atomic_fetch_sub(&check->running, 1);
    if (rc && !*err->message)
        kube_error_set(err, rc, "%s", kube_code_name(rc));
    return rc;
}

void kube__health_each(kube__health *health,
                       void (*visit)(void *arg, const char *name, const kube_error *err), void *arg)
{
    for (size_t i = 0; i < health->len; i++) {
        kube_error err;
        bool failed = run(&health->checks[i], &err) != KUBE_OK;
        visit(arg, health->checks[i].name, failed ? &err : NULL);
    }
}

const char *kube__health_running(const kube__health *health)
{
    for (size_t i = 0; i < health->len; i++) {
        if (atomic_load(&health->checks[i].running) > 0)
            return health->checks[i].name;
    }
    return NULL;
}

/* ---- answers --------------------------------------------------------------------------------- */

static const char *give(kube_ctx *ctx, kube__buffer *text)
{
    const char *copy = text->failed ? NULL : kube_ctx_strdup(ctx, kube__text_or_empty(text->data));
    kube__buffer_fini(text);
    return copy;
}

static void answer_one(named_check *check, kube_ctx *ctx, kube__http_answer *answer)
{
    kube_error err;
    answer->body = "ok";
    if (run(check, &err)) {
        answer->status = 500;
        answer->body = kube_printf(ctx, "internal server error: %s\n", err.message);
    }
}

static bool is_excluded(const kube__http_server_request *request, const char *name)
{
    const char *excluded = NULL;
    while ((excluded = kube__query_next(request->query, "exclude", excluded)) != NULL) {
        if (strcmp(excluded, name) == 0)
            return true;
    }
    return false;
}

static void warn_of_unknown(const kube__health *health, const kube__http_server_request *request,
                            kube__buffer *text)
{
    const char *excluded = NULL;
    while ((excluded = kube__query_next(request->query, "exclude", excluded)) != NULL) {
        if (!find(health, excluded))
            kube__buffer_printf(
                text, "warn: some health checks cannot be excluded: no matches for %s\n", excluded);
    }
}

/* Runs all checks, also after one that failed; whether all are well. */
static bool run_all(const kube__health *health, const kube__http_server_request *request,
                    kube__buffer *text)
{
    bool well = true;
    for (size_t i = 0; i < health->len; i++) {
        named_check *check = &health->checks[i];
        kube_error err;
        if (is_excluded(request, check->name)) {
            kube__buffer_printf(text, "[+]%s excluded: ok\n", check->name);
        } else if (run(check, &err)) {
            kube__buffer_printf(text, "[-]%s failed: %s\n", check->name, err.message);
            well = false;
        } else {
            kube__buffer_printf(text, "[+]%s ok\n", check->name);
        }
    }
    return well;
}

static void answer_all(const kube__health *health, kube_ctx *ctx,
                       const kube__http_server_request *request, kube__http_answer *answer)
{
    bool verbose = kube__query_next(request->query, "verbose", NULL) != NULL;
    kube__buffer text;
    bool well;
    kube__buffer_init(&text, MAX_TEXT);
    well = run_all(health, request, &text);
    warn_of_unknown(health, request, &text);
    kube__buffer_printf(&text, "%s check %s\n", health->name, well ? "passed" : "failed");
    answer->status = well ? 200 : 500;
    answer->body = give(ctx, &text);
    if (well && !verbose)
        answer->body = "ok";
}

void kube__health_answer(kube__health *health, kube_ctx *ctx,
                         const kube__http_server_request *request, kube__http_answer *answer)
{
    const char *rest = strchr(request->path + 1, '/'); /* behind the name */
    named_check *check = rest && rest[1] ? find(health, rest + 1) : NULL;
    if (check) {
        answer_one(check, ctx, answer);
    } else if (rest && rest[1]) {
        answer->status = 404;
        answer->body = kube_printf(ctx, "%s has no check %s\n", health->name, rest + 1);
    } else {
        answer_all(health, ctx, request, answer);
    }
}
