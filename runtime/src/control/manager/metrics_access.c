/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics_access.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "control/api/objects.h"
#include "control/election/election_client.h"

#include <gnutls/crypto.h>
#include <kube/log.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    REVIEW_MS = 10000,
    YES_SECONDS = 60,
    NO_SECONDS = 30,
    VERDICTS_MAX = 64,
    DIGEST_SIZE = 32,
};

/* What the API server has said about a token and a path. */
typedef struct verdict {
    unsigned char digest[DIGEST_SIZE]; /* of both and the verb; nobody is to find a token here */
    int status;                        /* 200, 401 or 403; 0 = an unused place */
    int64_t until_ns;
    char *text; /* of the answer; NULL with 200 */
} verdict;

struct kube__metrics_access {
    kube_client *client;
    bool client_is_ours;
    kube_clock *clock;
    kube__mutex mutex; /* of the rest */
    verdict verdicts[VERDICTS_MAX];
};

kube_code kube__metrics_access_new(kube_client *client, const kube_config *config,
                                   kube_metrics *metrics, kube_clock *clock,
                                   kube__metrics_access **out, kube_error *err)
{
    kube__metrics_access *access = calloc(1, sizeof *access);
    kube_code rc = KUBE_OK;
    *out = NULL;
    if (!access || kube__mutex_init(&access->mutex, NULL)) {
        free(access);
        return kube__no_memory(err, "access to the metrics");
    }
    access->client = client;
    access->clock = clock;
    if (!client) {
        rc = kube__special_client_new(config, "metrics-access", REVIEW_MS, metrics, &access->client,
                                      err);
        access->client_is_ours = true;
    }
    if (rc) {
        kube__metrics_access_free(access);
        return rc;
    }
    *out = access;
    return KUBE_OK;
}

void kube__metrics_access_free(kube__metrics_access *access)
{
    if (!access)
        return;
    for (int i = 0; i < VERDICTS_MAX; i++)
        free(access->verdicts[i].text);
    if (access->client_is_ours)
        kube_client_free(access->client);
    kube__mutex_fini(&access->mutex);
    free(access);
}

/* ---- what is remembered ---------------------------------------------------------------------- */

static bool make_digest(const kube__http_server_request *request, const char *token,
                        unsigned char out[DIGEST_SIZE])
{
    gnutls_hash_hd_t hash;
    if (gnutls_hash_init(&hash, GNUTLS_DIG_SHA256) < 0)
        return false;
    gnutls_hash(hash, request->verb, strlen(request->verb) + 1);
    gnutls_hash(hash, request->path, strlen(request->path) + 1);
    gnutls_hash(hash, token, strlen(token));
    gnutls_hash_deinit(hash, out);
    return true;
}

/* Whether there is a verdict that holds, which is then in @answer. */
static bool recall(kube__metrics_access *access, kube_ctx *ctx,
                   const unsigned char digest[DIGEST_SIZE], kube__http_answer *answer)
{
    int64_t now = access->clock->now_ns(access->clock);
    bool found = false;
    kube__lock(&access->mutex);
    for (int i = 0; i < VERDICTS_MAX && !found; i++) {
        const verdict *v = &access->verdicts[i];
        found = v->status && v->until_ns > now && memcmp(v->digest, digest, DIGEST_SIZE) == 0;
        if (found) {
            answer->status = v->status;
            answer->body = v->text ? kube_ctx_strdup(ctx, v->text) : NULL;
        }
    }
    kube__unlock(&access->mutex);
    return found;
}

/* Whether @a is to make room before @b: what does not hold any more, then a no, then the older. */
static bool goes_before(const verdict *a, const verdict *b, int64_t now)
{
    bool a_yes = a->status == 200 && a->until_ns > now;
    bool b_yes = b->status == 200 && b->until_ns > now;
    return a_yes != b_yes ? b_yes : a->until_ns < b->until_ns;
}

static void remember(kube__metrics_access *access, const unsigned char digest[DIGEST_SIZE],
                     const kube__http_answer *answer)
{
    bool yes = answer->status == 200;
    int64_t now = access->clock->now_ns(access->clock);
    verdict v = {.status = answer->status};
    verdict *place = access->verdicts;
    v.until_ns = now + (yes ? YES_SECONDS : NO_SECONDS) * KUBE__NS_PER_S;
    v.text = yes || !answer->body ? NULL : strdup(answer->body);
    memcpy(v.digest, digest, DIGEST_SIZE);
    if (!yes && !v.text)
        return;
    kube__lock(&access->mutex);
    for (int i = 1; i < VERDICTS_MAX; i++) {
        if (goes_before(&access->verdicts[i], place, now))
            place = &access->verdicts[i];
    }
    free(place->text);
    *place = v;
    kube__unlock(&access->mutex);
}

/* ---- reviews --------------------------------------------------------------------------------- */

static bool refuse(kube__http_answer *answer, int status, const char *body)
{
    answer->status = status;
    answer->body = body;
    return false;
}

/* @user NULL = the token is nobody's. */
static kube_code review_token(kube__metrics_access *access, kube_ctx *ctx, const char *token,
                              const kube__wire_user_info **user, kube_error *err)
{
    const kube__wire_token_review asked = {.spec = {.token = token}};
    const kube__wire_token_review *review;
    kube_object *out;
    kube_code rc = kube_client_create(access->client, ctx, &kube__wire_token_review_type, NULL,
                                      &asked.base, NULL, &out, err);
    *user = NULL;
    if (rc)
        return rc;
    review = (const kube__wire_token_review *)out;
    if (!review->status.authenticated.set || !review->status.authenticated.value)
        return KUBE_OK;
    *user = &review->status.user;
    if (!*kube__text_or_empty((*user)->username))
        return kube_error_set(err, KUBE_ERR_SERVER, "the token's owner has no name");
    return KUBE_OK;
}

static kube_code review_access(kube__metrics_access *access, kube_ctx *ctx,
                               const kube__http_server_request *request,
                               const kube__wire_user_info *user, bool *allowed, kube_error *err)
{
    kube__wire_path_attributes attributes = {.path = request->path, .verb = request->verb};
    const kube__wire_access_review asked = {
        .spec = {.non_resource_attributes = &attributes,
                 .user = user->username,
                 .extra = user->extra},
    };
    const kube__wire_access_review *review;
    kube_object *out;
    kube_code rc = kube_client_create(access->client, ctx, &kube__wire_access_review_type, NULL,
                                      &asked.base, NULL, &out, err);
    if (rc)
        return rc;
    review = (const kube__wire_access_review *)out;
    *allowed = review->status.allowed.set && review->status.allowed.value &&
               !(review->status.denied.set && review->status.denied.value);
    return KUBE_OK;
}

/* The texts are those of controller-runtime. */
static bool ask(kube__metrics_access *access, kube_ctx *ctx,
                const kube__http_server_request *request, const char *token,
                kube__http_answer *answer)
{
    const kube__wire_user_info *user;
    bool allowed;
    kube_error err;
    kube_ctx_set_timeout_ms(ctx, REVIEW_MS);
    if (review_token(access, ctx, token, &user, &err)) {
        kube_log_error("metrics: the token of a request cannot be reviewed: %s", err.message);
        return refuse(answer, 500, "Authentication failed\n");
    }
    if (!user)
        return refuse(answer, 401, "Unauthorized\n");
    if (review_access(access, ctx, request, user, &allowed, &err)) {
        kube_log_error("metrics: the access of %s cannot be reviewed: %s", user->username,
                       err.message);
        return refuse(answer, 500,
                      kube_printf(ctx, "Authorization for user %s failed\n", user->username));
    }
    if (!allowed)
        return refuse(answer, 403,
                      kube_printf(ctx, "Authorization denied for user %s\n", user->username));
    return true;
}

/* Returns the token of "Bearer <token>", or "". */
static const char *token_of(const char *authorization)
{
    static const char scheme[] = "bearer ";
    if (strncasecmp(authorization, scheme, sizeof scheme - 1) != 0)
        return "";
    authorization += sizeof scheme - 1;
    return authorization + strspn(authorization, " ");
}

bool kube__metrics_access_allows(kube__metrics_access *access, kube_ctx *ctx,
                                 const kube__http_server_request *request,
                                 kube__http_answer *answer)
{
    const char *token = token_of(request->authorization);
    unsigned char digest[DIGEST_SIZE];
    if (!*token)
        return refuse(answer, 401, "Unauthorized\n");
    if (!make_digest(request, token, digest))
        return refuse(answer, 500, "Authentication failed\n");
    if (recall(access, ctx, digest, answer))
        return answer->status == 200;
    if (ask(access, ctx, request, token, answer))
        answer->status = 200;
    if (answer->status != 500)
        remember(access, digest, answer);
    return answer->status == 200;
}
