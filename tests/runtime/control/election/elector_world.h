/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates for a Lease on the embedded server, by a clock that the test moves. */
#ifndef TESTS_CONTROL_ELECTOR_WORLD_H
#define TESTS_CONTROL_ELECTOR_WORLD_H

#include "control/election/elector_state.h"
#include "support/gate.h"
#include "support/suite.h"

#include <coordination/v1/api.h>
#include <kube/testing/apiserver.h>
#include <kube/testing/clock.h>
#include <sched.h>
#include <string.h>

#define NS "default"
#define NAME "ctl"

/* Made by set_up(), for each test anew. */
extern kube_apiserver *server;
extern kube_client *client;
extern kube_fake_clock *fake;
extern kube_ctx *ctx;  /* by the machine's clock */
extern kube_ctx *root; /* by the fake one */
extern kube_fence *fence;
extern kube_error err;

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

void set_up(void);
void tear_down(void);

/* An elector that runs. */
typedef struct candidate {
    kube_elector *elector;
    kube_ctx *ctx;
    kube_code code;
    kube_error error;
    kube__thread thread;
    gate led;      /* the work began */
    gate let;      /* it may end, if `stubborn` */
    gate stopping; /* it was told to end */
    bool stubborn;
} candidate;

/* Whose work waits for its end. */
kube_elector_options options_for(candidate *c, const char *identity);
void candidate_init(candidate *c, kube_client *by, const kube_elector_options *options);
void candidate_start(candidate *c);
/* Waits until its run has returned @want. */
void candidate_join(candidate *c, kube_code want);
void candidate_stop(candidate *c);
void candidate_fini(candidate *c);

/* Waits until the next thing to come by the clock is at most @most_ms away: no call is under way,
 * which would be given 5 s. */
int64_t rests(int64_t least_ms, int64_t most_ms);

/* The Lease as the server has it; "" = nobody holds it. */
coordination_v1_lease *lease_now(void);
const char *holder_now(void);
/* Somebody's Lease, last renewed in another century. */
void put_lease(const char *holder, int32_t seconds, int32_t transitions);
/* "get update" … of Leases, without the test's own; watches left out. */
const char *lease_calls(void);
void wait_writes(const char *verb, size_t n);
void fail_leases(const char *verb, int status, unsigned times);

#endif /* TESTS_CONTROL_ELECTOR_WORLD_H */
