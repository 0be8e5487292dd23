/* SPDX-License-Identifier: Apache-2.0 */
/* The texts are those of Kubernetes' own servers; the reason is shown, though. */
#include "control/manager/health.h"
#include "control/manager/query.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static kube__health *health;
static kube_ctx *ctx;
static kube_code store_code; /* what the check "store" says */
static int store_runs;

static kube_code check_store(void *arg, kube_error *err)
{
    store_runs++;
    if (store_code && arg)
        kube_error_set(err, store_code, "%s", (const char *)arg);
    return store_code;
}

static void set_up(void)
{
    ctx = kube_ctx_new();
    store_code = KUBE_OK;
    store_runs = 0;
    ck_assert_int_eq(kube__health_new("readyz", &health, NULL), KUBE_OK);
    ck_assert_int_eq(kube__health_add(health, "store", check_store, (void *)"3 of 4 are in", NULL),
                     KUBE_OK);
}

static void tear_down(void)
{
    kube__health_free(health);
    kube_ctx_free(ctx);
}

static kube__http_answer ask(const char *path, const char *query)
{
    char *parsed = kube__query_parse(query);
    kube__http_server_request request = {.path = path, .query = parsed};
    kube__http_answer answer = {200, "text/plain", NULL};
    kube__health_answer(health, ctx, &request, &answer);
    free(parsed);
    return answer;
}

static void expect(const char *path, const char *query, int status, const char *body)
{
    kube__http_answer answer = ask(path, query);
    ck_assert_str_eq(answer.body, body);
    ck_assert_int_eq(answer.status, status);
}

FIXTURE(set_up, tear_down);

TEST(all_is_well_in_one_word)
{
    expect("/readyz", "", 200, "ok");
    expect("/readyz/", "", 200, "ok");
    ck_assert_int_eq(store_runs, 2);
}

TEST(verbose_names_each_check)
{
    expect("/readyz", "verbose", 200, "[+]ping ok\n[+]store ok\nreadyz check passed\n");
}

TEST(a_failure_names_each_check_and_why)
{
    store_code = KUBE_ERR_UNAVAILABLE;
    expect("/readyz", "", 500, "[+]ping ok\n[-]store failed: 3 of 4 are in\nreadyz check failed\n");
    ck_assert_int_eq(kube__health_add(health, "mute", check_store, NULL, NULL), KUBE_OK);
    expect("/readyz", "", 500,
           "[+]ping ok\n[-]store failed: 3 of 4 are in\n[-]mute failed: unavailable\n"
           "readyz check failed\n");
}

TEST(excluded_checks_are_not_run)
{
    store_code = KUBE_ERR_UNAVAILABLE;
    expect("/readyz", "exclude=store", 200, "ok");
    expect("/readyz", "exclude=ping&verbose=1&exclude=store", 200,
           "[+]ping excluded: ok\n[+]store excluded: ok\nreadyz check passed\n");
    ck_assert_int_eq(store_runs, 0);
}

TEST(excluding_what_is_not_there_is_told)
{
    expect("/readyz", "exclude=stroe&verbose", 200,
           "[+]ping ok\n[+]store ok\n"
           "warn: some health checks cannot be excluded: no matches for stroe\n"
           "readyz check passed\n");
}

TEST(one_check_has_its_own_path)
{
    expect("/readyz/ping", "", 200, "ok");
    ck_assert_int_eq(store_runs, 0);
    store_code = KUBE_ERR_UNAVAILABLE;
    expect("/readyz/store", "", 500, "internal server error: 3 of 4 are in\n");
    expect("/readyz/none", "", 404, "readyz has no check none\n");
}

/* Adds "name: reason" of each check that fails to the text at @arg. */
static void note_failure(void *arg, const char *name, const kube_error *err)
{
    const char **text = arg;
    if (err) {
        ck_assert_int_eq(err->code, KUBE_ERR_UNAVAILABLE);
        *text = kube_printf(ctx, "%s%s: %s\n", *text, name, err->message);
    }
}

TEST(each_check_tells_its_failure)
{
    const char *text = "";
    kube__health_each(health, note_failure, &text);
    ck_assert_str_eq(text, "");
    store_code = KUBE_ERR_UNAVAILABLE;
    kube__health_each(health, note_failure, &text);
    ck_assert_str_eq(text, "store: 3 of 4 are in\n");
    ck_assert_int_eq(store_runs, 2);
}

TEST(names_must_be_new_and_fit_into_a_path)
{
    kube_error err;
    ck_assert_int_eq(kube__health_add(health, "store", check_store, NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "readyz: there is already a check store");
    ck_assert_int_eq(kube__health_add(health, "ping", check_store, NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube__health_add(health, "a/b", check_store, NULL, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "readyz: \"a/b\" cannot be the name of a check");
    ck_assert_int_eq(kube__health_add(health, "", check_store, NULL, &err), KUBE_ERR_ARGUMENT);
}

static bool use_once(void *arg)
{
    kube__health *own = NULL;
    kube_ctx *page = kube_ctx_new();
    kube__http_server_request request = {.path = "/healthz", .query = "verbose\0\0"};
    kube__http_answer answer = {200, "text/plain", NULL};
    (void)arg;
    if (page && !kube__health_new("healthz", &own, NULL) &&
        !kube__health_add(own, "store", check_store, NULL, NULL))
        kube__health_answer(own, page, &request, &answer);
    kube__health_free(own);
    kube_ctx_free(page);
    return answer.body != NULL;
}

TEST(without_memory_it_fails_and_loses_nothing)
{
    ck_assert_uint_gt(fail_malloc_replay(use_once, NULL), 0);
}
