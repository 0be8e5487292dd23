/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The example's Network controller, through the fault proxy, on an embedded server: with its
 * provider in memory, and on a clock that goes as fast as anybody waits for it.
 */
#ifndef TESTS_TESTING_SOAK_RIG_H
#define TESTS_TESTING_SOAK_RIG_H

#include "controller.h"            /* examples/network-controller */
#include "tests/memory_provider.h" /* of the example */

#include <kube/testing/apiserver.h>
#include <kube/testing/clock.h>
#include <kube/testing/proxy.h>
#include <kube/testing/recorder.h>
#include <pthread.h>

typedef struct rig {
    uint64_t seed;
    bool tls;
    char data_file[64];
    kube_ctx *ctx; /* for what the test itself asks */
    kube_apiserver *server;
    kube_fault_proxy *proxy;
    kube_client *own; /* the test's, straight to the server */
    /* the controller's process */
    unsigned lives; /* it begins with seed % 2 */
    kube_fake_clock *clock;
    struct network_controller network;
    kube_fake_recorder *recorder;
    kube_ctx *run_ctx;
    kube_client *client;
    kube_informer_factory *factory;
    kube_controller *controller;
    pthread_t thread;
    kube_code ended; /* what kube_controller_run() returned */
    kube_error end;
} rig;

/* These abort with a message when they fail: without a rig there is no test. */
void rig_open(rig *r, uint64_t seed, bool tls);
void rig_close(rig *r);
/* The controller goes and comes back; its provider stays. */
void rig_stop_controller(rig *r);
void rig_start_controller(rig *r);
/* The server goes and comes back with what it had stored; not with TLS: its CA would be another. */
void rig_restart_server(rig *r);

/* Lets fake time pass for who waits for less than a minute, and gives others a moment of the real
 * one, or until the provider is called. */
void rig_let_time_pass(rig *r);

#endif /* TESTS_TESTING_SOAK_RIG_H */
