/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of the processes of test_ha_http2.c: stands for election, and while it leads several threads
 * patch Networks through a fenced client as fast as they can. They do not heed the ctx: each tries
 * one more write after it was cancelled, so that nothing but the fence holds them up.
 *
 * It says "lost" whenever it lost the Lease, and at the end how many requests that change something
 * were answered over which HTTP. That is curl's word, taken where the transport asks for it.
 */
#include <curl/curl.h>
#include <kube/controller.h>
#include <kube/elector.h>
#include <kube/flags.h>
#include <pthread.h>
#include <samplecrd/v1/api.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRITERS = 6,
    NOTE_BYTES = 24 << 10, /* more than a frame of HTTP/2 holds */
};

static const char *kubeconfig;
static const char *namespace_;
static const char *identity;
static int64_t lease_ms;
static int64_t renew_ms;
static int64_t retry_ms;
static bool unfenced;

static kube_client *client;
static atomic_bool cancelled; /* what the work's ctx says */
static atomic_uint fenced_off;
static atomic_uint http2;
static atomic_uint other_http;

/* ---- which HTTP ---------------------------------------------------------------------------- */

CURLMsg *__real_curl_multi_info_read(CURLM *multi, int *left);
CURLMsg *__wrap_curl_multi_info_read(CURLM *multi, int *left);

CURLMsg *__wrap_curl_multi_info_read(CURLM *multi, int *left)
{
    CURLMsg *message = __real_curl_multi_info_read(multi, left);
    const char *method = NULL;
    long version = 0;
    if (!message || message->msg != CURLMSG_DONE || message->data.result != CURLE_OK)
        return message;
    curl_easy_getinfo(message->easy_handle, CURLINFO_EFFECTIVE_METHOD, &method);
    curl_easy_getinfo(message->easy_handle, CURLINFO_HTTP_VERSION, &version);
    if (method && strcmp(method, "GET") != 0)
        atomic_fetch_add(version == CURL_HTTP_VERSION_2_0 ? &http2 : &other_http, 1);
    return message;
}

/* ---- work ---------------------------------------------------------------------------------- */

/* One in @WRITERS sends much, the others little. */
static void *run_writer(void *arg)
{
    const int *number = arg;
    kube_ctx *ctx = kube_ctx_new();
    kube_error err;
    bool last = false;
    for (unsigned i = 0; !last; i++) {
        const char *name = kube_printf(ctx, "net-%d", *number);
        const char *patch = kube_printf(ctx, "{\"metadata\":{\"annotations\":{\"note\":\"%0*u\"}}}",
                                        *number ? 1 : NOTE_BYTES, i);
        kube_code rc;
        last = atomic_load(&cancelled);
        rc = samplecrd_v1_networks_patch(client, ctx, kube_key_of(namespace_, name),
                                         KUBE_PATCH_MERGE, patch, strlen(patch), NULL, NULL, &err);
        if (rc == KUBE_ERR_FENCED)
            atomic_fetch_add(&fenced_off, 1);
        else if (rc)
            fprintf(stderr, "%s\n", err.message);
        last = last || rc == KUBE_ERR_FENCED;
        kube_ctx_reset(ctx);
    }
    kube_ctx_free(ctx);
    return NULL;
}

static void lead(void *arg, kube_ctx *ctx)
{
    pthread_t threads[WRITERS];
    int numbers[WRITERS];
    (void)arg;
    atomic_store(&cancelled, false);
    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, run_writer, &numbers[i]) != 0)
            abort();
    }
    while (kube_ctx_sleep_ms(ctx, INT32_MAX, NULL) == KUBE_OK) {
    }
    atomic_store(&cancelled, true);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- the process --------------------------------------------------------------------------- */

static kube_code make_client(const kube_client_options *client_options, kube_client **out,
                             kube_error *err)
{
    const kube_config_options options = {.kubeconfig = kubeconfig};
    kube_config *config = NULL;
    kube_code rc = kube_config_load(&options, &config, err);
    if (!rc)
        rc = kube_client_new(config, client_options, out, err);
    kube_config_free(config);
    return rc;
}

static kube_code stand(kube_ctx *ctx, kube_client *for_election, kube_fence *fence, kube_error *err)
{
    const kube_elector_options options = {
        .namespace_ = namespace_,
        .name = "writers",
        .identity = identity,
        .lease_duration_ms = lease_ms,
        .renew_deadline_ms = renew_ms,
        .retry_period_ms = retry_ms,
        .lead = lead,
        .fence = fence,
    };
    kube_elector *elector = NULL;
    kube_code rc = kube_elector_new(for_election, &options, &elector, err);
    if (rc)
        return rc;
    while ((rc = kube_elector_run(elector, ctx, err)) == KUBE_ERR_FENCED) {
        puts("lost");
        fflush(stdout);
    }
    kube_elector_free(elector);
    return rc;
}

static kube_code run(kube_ctx *ctx, kube_error *err)
{
    kube_fence *fence = kube_fence_new(NULL);
    kube_client *for_election = NULL;
    kube_client_options options = {0};
    kube_code rc = KUBE_ERR_NO_MEMORY;
    if (!unfenced) { /* as the manager has it: a fifth of what is left stays between them */
        options.fence = fence;
        options.fence_grace_ms = (lease_ms - renew_ms) * 4 / 5;
    }
    if (fence)
        rc = make_client(NULL, &for_election, err);
    if (!rc)
        rc = make_client(&options, &client, err);
    if (!rc)
        rc = stand(ctx, for_election, fence, err);
    kube_client_free(client);
    kube_client_free(for_election);
    kube_fence_free(fence);
    return rc;
}

int main(int argc, char **argv)
{
    const kube_flag flags[] = {
        {.name = "kubeconfig", .text = &kubeconfig, .help = "whose server, and as whom"},
        {.name = "namespace", .text = &namespace_, .help = "of the Lease and the Networks"},
        {.name = "identity", .text = &identity, .help = "whom the Lease names"},
        {.name = "lease-duration", .duration_ms = &lease_ms, .help = "of the election"},
        {.name = "renew-deadline", .duration_ms = &renew_ms, .help = "of the election"},
        {.name = "retry-period", .duration_ms = &retry_ms, .help = "of the election"},
        {.name = "unfenced", .truth = &unfenced, .help = "for a test of the test"},
        {.name = NULL},
    };
    const kube_flags_about about = {.program = "fenced-writer"};
    kube_ctx *ctx = kube_ctx_new_signal();
    kube_error err = {.message = "out of memory"};
    kube_code rc = kube_flags_parse(&about, flags, NULL, argc, argv, &err);
    if (!rc)
        rc = run(ctx, &err);
    if (rc)
        fprintf(stderr, "fenced-writer: %s\n", err.message);
    printf("http/2 %u other %u fenced off %u\n", atomic_load(&http2), atomic_load(&other_http),
           atomic_load(&fenced_off));
    kube_ctx_free(ctx);
    return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}
