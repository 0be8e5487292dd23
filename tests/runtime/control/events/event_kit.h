/* SPDX-License-Identifier: Apache-2.0 */
/* Events by hand, on a clock that the test moves. */
#ifndef TESTS_RUNTIME_CONTROL_EVENT_KIT_H
#define TESTS_RUNTIME_CONTROL_EVENT_KIT_H

#include "control/events/event_object.h"
#include "support/suite.h"

#include <kube/testing/clock.h>
#include <samplecrd/v1/register.h>
#include <string.h>

static kube_fake_clock *fake;
static kube_ctx *ctx;
static int event_number;

static inline void kit_set_up(void)
{
    fake = kube_fake_clock_new();
    ctx = kube_ctx_new();
    ck_assert_ptr_nonnull(fake);
    ck_assert_ptr_nonnull(ctx);
    event_number = 0;
}

static inline void kit_tear_down(void)
{
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
}

static inline samplecrd_v1_network network(const char *ns, const char *name)
{
    return (samplecrd_v1_network){
        .base = {.type = &samplecrd_v1_network_type},
        .metadata = {.name = name, .namespace_ = ns, .uid = "u-1", .resource_version = "7"},
    };
}

/* An event about team/@name, named by its number. */
static inline kube__event *event_of(const char *name, kube_event_type type, const char *reason,
                                    const char *message)
{
    const samplecrd_v1_network object = network("team", name);
    const kube_event_note note = {.regarding = &object.base, .type = type, .reason = reason};
    kube__event *event = kube__event_new(kube_fake_clock_clock(fake), &note, "Act", message);
    ck_assert_ptr_nonnull(event);
    kube__event_set_name(event, ++event_number);
    return event;
}

#endif /* TESTS_RUNTIME_CONTROL_EVENT_KIT_H */
