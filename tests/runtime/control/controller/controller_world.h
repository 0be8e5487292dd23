/* SPDX-License-Identifier: Apache-2.0 */
/* A controller on a server by script, by a clock that the test moves. */
#ifndef TESTS_CONTROL_CONTROLLER_WORLD_H
#define TESTS_CONTROL_CONTROLLER_WORLD_H

#include "runtime/cache/objects.h"
#include "runtime/cache/script.h"
#include "support/gate.h"
#include "support/suite.h"

#include <kube/controller.h>
#include <kube/log.h>

enum { RUNS_MAX = 64, HOUR_MS = 3600 * 1000 };

/* What one reconcile was told. */
typedef struct run {
    char name[32];
    char what[16];
    char old_version[16];
    char new_version[16];
    char changed[64];
    int attempt;
    bool found; /* in the cache */
    char bad[32];
} run;

/* Made by set_up(), and make(), for each test anew. */
extern kube_fake_clock *fake;
extern script *server;
extern answer *stream;
extern kube_ctx *ctx;
extern kube_informer_factory *factory;
extern kube_controller *controller;
extern kube__thread runner;
extern kube_code run_code;
extern kube_error run_error;
extern kube_error err;

extern kube__mutex mutex; /* of the runs */
extern run runs[RUNS_MAX];
extern int run_len;
extern gate ran; /* once for each run, as it begins */
/* Of make()'s caches. */
extern bool exit_on_no_memory;
/* What a run does when it has been noted; NULL = nothing. */
extern kube_reconcile *behave;
/* The last line of the workers at each level; read when they have ended. */
extern char logged[KUBE_LOG_TRACE + 1][1200];

void set_up(void);
void tear_down(void);

void make(kube_controller_options options, int64_t resync_ms);
/* Runs it, until stop(). */
void go(void);
void stop(void);
/* A controller of one worker that has seen the network "a" in version 1. */
void start_with_a(int64_t resync_ms, kube_rate_limiter *limiter);

void event(kube_watch_event_type type, const char *name, const char *version, const char *cidr);
void enqueue(const char *name);
void expect_run(int index, const char *name, const char *what, const char *old_version,
                const char *new_version, const char *changed);
/* The queue's delay, by the factory's clock: waits until there is one beside the watch's idle
 * deadline, and lets it pass. */
void pass(int64_t ms);

#endif /* TESTS_CONTROL_CONTROLLER_WORLD_H */
