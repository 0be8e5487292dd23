/* SPDX-License-Identifier: Apache-2.0 */
#include "elector_world.h"

kube_apiserver *server;
kube_client *client;
kube_fake_clock *fake;
kube_ctx *ctx;
kube_ctx *root;
kube_fence *fence;
kube_error err;

void set_up(void)
{
    ctx = kube_ctx_new();
    fake = kube_fake_clock_new();
    root = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    fence = kube_fence_new(kube_fake_clock_clock(fake));
    EXPECT_OK(kube_apiserver_start(NULL, &server, &err));
    EXPECT_OK(kube_apiserver_client(server, &client, &err));
}

void tear_down(void)
{
    kube_client_free(client);
    kube_apiserver_stop(server);
    kube_fence_free(fence);
    kube_ctx_free(root);
    kube_fake_clock_free(fake);
    kube_ctx_free(ctx);
}

/* ---- an elector that runs ------------------------------------------------------------------- */

static void lead(void *arg, kube_ctx *scope)
{
    candidate *c = arg;
    gate_pass(&c->led);
    kube_ctx_sleep_ms(scope, INT64_C(1) << 40, NULL);
    gate_pass(&c->stopping);
    if (c->stubborn)
        gate_wait(&c->let, 1);
}

kube_elector_options options_for(candidate *c, const char *identity)
{
    return (kube_elector_options){.namespace_ = NS,
                                  .name = NAME,
                                  .identity = identity,
                                  .lead = lead,
                                  .arg = c,
                                  .clock = kube_fake_clock_clock(fake),
                                  .seed = 7};
}

void candidate_init(candidate *c, kube_client *by, const kube_elector_options *options)
{
    gate_init(&c->led);
    gate_init(&c->let);
    gate_init(&c->stopping);
    EXPECT_OK(kube_elector_new(by, options, &c->elector, &err));
}

static void *run(void *arg)
{
    candidate *c = arg;
    c->code = kube_elector_run(c->elector, c->ctx, &c->error);
    return NULL;
}

void candidate_start(candidate *c)
{
    c->ctx = kube_ctx_child(root);
    EXPECT_OK(kube__thread_start(&c->thread, "candidate", run, c, &err));
}

void candidate_join(candidate *c, kube_code want)
{
    kube__thread_join(&c->thread);
    ck_assert_msg(c->code == want, "%s: %s", kube_code_name(c->code), c->error.message);
    kube_ctx_free(c->ctx);
}

void candidate_stop(candidate *c)
{
    kube_ctx_cancel(c->ctx);
    candidate_join(c, KUBE_OK);
}

void candidate_fini(candidate *c)
{
    kube_elector_free(c->elector);
    gate_fini(&c->led);
    gate_fini(&c->let);
    gate_fini(&c->stopping);
}

int64_t rests(int64_t least_ms, int64_t most_ms)
{
    int64_t next;
    while ((next = kube_fake_clock_next_ms(fake)) < least_ms || next > most_ms)
        sched_yield();
    return next;
}

/* ---- the Lease ------------------------------------------------------------------------------ */

coordination_v1_lease *lease_now(void)
{
    coordination_v1_lease *lease;
    EXPECT_OK(coordination_v1_leases_get(client, ctx, kube_key_of(NS, NAME), NULL, &lease, &err));
    return lease;
}

const char *holder_now(void)
{
    const char *holder = lease_now()->spec.holder_identity;
    return holder ? holder : "";
}

void put_lease(const char *holder, int32_t seconds, int32_t transitions)
{
    const coordination_v1_lease lease = {.metadata = {.namespace_ = NS, .name = NAME},
                                         .spec = {.holder_identity = holder,
                                                  .lease_duration_seconds = KUBE_SOME(seconds),
                                                  .lease_transitions = KUBE_SOME(transitions),
                                                  .acquire_time = {.sec = 1000, .set = true},
                                                  .renew_time = {.sec = 1000, .set = true}}};
    EXPECT_OK(kube_apiserver_load_object(server, &coordination_v1_lease_type, &lease.base, &err));
}

const char *lease_calls(void)
{
    const kube_api_call_filter leases = {.resource = "leases"};
    kube_api_call_list calls;
    const char *text = "";
    EXPECT_OK(kube_apiserver_calls(server, ctx, &leases, &calls, &err));
    for (size_t i = 0; i < calls.len; i++) {
        if (strcmp(calls.items[i].verb, "watch") != 0)
            text = kube_printf(ctx, "%s%s%s", text, *text ? " " : "", calls.items[i].verb);
    }
    return text;
}

void wait_writes(const char *verb, size_t n)
{
    const kube_api_call_filter filter = {.verb = verb, .resource = "leases"};
    EXPECT_OK(kube_apiserver_wait_for_calls(server, ctx, &filter, n, &err));
}

void fail_leases(const char *verb, int status, unsigned times)
{
    const kube_fault_rule rule = {.kind = KUBE_FAULT_STATUS,
                                  .verb = verb,
                                  .resource = "leases",
                                  .http_status = status,
                                  .times = times};
    EXPECT_OK(kube_apiserver_add_fault(server, &rule, &err));
}
