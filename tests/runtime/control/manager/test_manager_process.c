/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A manager's process seen from outside: signals, the exit status, what does not return. The
 * process is this program, started once more (run_as_child()).
 */
#include "manager_world.h"
#include "support/forked.h"
#include "testing/apiserver/http_peer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With one Network, blue. */
static void set_up(void)
{
    set_up_server();
    kube_log_set_level(KUBE_LOG_INFO);
    load_crd();
    load_network("blue");
}

/* ---- the process ---------------------------------------------------------------------------- */

static kube_code hang(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                      kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    (void)run_err;
    printf("hangs at %s\n", request->key.name);
    fflush(stdout);
    while (pause() < 0)
        continue;
    return KUBE_OK;
}

static kube_code say(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                     kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    (void)run_err;
    printf("reconciles %s\n", request->key.name);
    fflush(stdout);
    return KUBE_OK;
}

/* Starts a program, and ends it by a signal. */
static kube_code start_program(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                               kube_error *run_err)
{
    (void)run_ctx;
    (void)request;
    (void)result;
    (void)run_err;
    printf("a program ended by %d\n", forked_program_end_by(SIGTERM));
    fflush(stdout);
    return KUBE_OK;
}

/* One of two managers. */
static void *run_another(void *arg)
{
    kube_error failure;
    kube_code rc = kube_manager_run(arg, &failure);
    printf("the other ended with %d\n", rc);
    fflush(stdout);
    return NULL;
}

static kube_code hang_in_check(void *arg, kube_error *check_err)
{
    (void)arg;
    (void)check_err;
    printf("hangs in a check\n");
    fflush(stdout);
    for (;;)
        pause();
    return KUBE_OK;
}

static bool hang_in_predicate(const kube_predicate *predicate, const kube_change *change)
{
    (void)predicate;
    (void)change;
    printf("hangs in a predicate\n");
    fflush(stdout);
    for (;;)
        pause();
    return true;
}

static const kube_predicate hanging = {.passes = hang_in_predicate};

/* main() of a controller; @argv is its command line, beginning with what it does. */
static int run_as_child(int argc, char **argv)
{
    const char *what = argv[0];
    bool gives_up = strncmp(what, "gives up", strlen("gives up")) == 0;
    kube_manager_options options = {.name = "child", .stop_timeout_ms = gives_up ? 300 : 0};
    kube_controller_options networks = {
        .name = "networks", .for_ = &samplecrd_v1_network_type, .reconcile = say};
    kube_manager *manager = NULL;
    kube_manager *other = NULL;
    pthread_t thread;
    kube_code rc = kube_manager_options_parse(&options, argc, argv, &err);
    if (strcmp(what, "hangs") == 0 || strcmp(what, "gives up") == 0)
        networks.reconcile = hang;
    if (strcmp(what, "says what it starts") == 0)
        networks.reconcile = start_program;
    if (strcmp(what, "gives up a predicate") == 0)
        networks.predicate = &hanging;
    if (!rc && strcmp(what, "says, at the second try") == 0) {
        const kube_manager_options wrong = {.name = "child", .kubeconfig = "/nowhere"};
        if (kube_manager_new(&wrong, &manager, &err) == KUBE_OK)
            return 3;
    }
    if (!rc)
        rc = kube_manager_new(&options, &manager, &err);
    if (!rc)
        rc = kube_manager_add_controller(manager, &networks, NULL, &err);
    if (!rc && strcmp(what, "gives up a check") == 0)
        rc = kube_manager_add_health_check(manager, "stuck", hang_in_check, NULL, &err);
    if (!rc && strcmp(what, "says, as one of two") == 0) {
        rc = kube_manager_new(&options, &other, &err);
        if (!rc && pthread_create(&thread, NULL, run_another, other) != 0)
            return 3;
    }
    if (!rc)
        rc = kube_manager_run(manager, &err);
    if (other)
        pthread_join(thread, NULL);
    kube_manager_free(other);
    return kube_manager_end(manager, rc, &err);
}

static child *start_child(const char *what, const char *further)
{
    const char *const arguments[] = {"/proc/self/exe", what,    "--kubeconfig",
                                     kubeconfig,       further, NULL};
    return child_start(arguments, kube_printf(ctx, "%s.log", kubeconfig));
}

static void forget_child(child *c)
{
    child_free(c);
    unlink(kube_printf(ctx, "%s.log", kubeconfig));
}

#define expect_said(c, text)                                                                       \
    eventually(strstr(child_output(c), text) || child_ended(c), child_output(c));                  \
    ck_assert_msg(strstr(child_output(c), text), "no %s in %s", text, child_output(c))

/* ---- cases ---------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down_server);

static const int stop_signals[] = {SIGTERM, SIGINT};

TEST_EACH(the_first_signal_ends_it_with_status_0, stop_signals)
{
    child *c = start_child("says", NULL);
    expect_said(c, "reconciles blue");
    child_signal(c, stop_signals[_i]);
    ck_assert_msg(child_wait(c) == 0, "%s", child_output(c));
    forget_child(c);
}

static const char *const managers[] = {"says, at the second try", "says, as one of two"};

TEST_EACH(no_manager_is_deaf_because_there_was_one_before, managers)
{
    child *c = start_child(managers[_i], NULL);
    expect_said(c, "reconciles blue");
    child_signal(c, SIGTERM);
    ck_assert_msg(child_wait(c) == 0, "%s", child_output(c));
    if (_i == 1) {
        expect_said(c, "the other ended with 0");
    }
    forget_child(c);
}

TEST(a_program_that_a_reconcile_starts_can_be_ended)
{
    child *c = start_child("says what it starts", NULL);
    const char *ended = kube_printf(ctx, "a program ended by %d", SIGTERM);
    expect_said(c, ended);
    child_signal(c, SIGTERM);
    ck_assert_msg(child_wait(c) == 0, "%s", child_output(c));
    forget_child(c);
}

TEST(the_second_signal_ends_it_at_once_with_status_1)
{
    child *c = start_child("hangs", NULL);
    expect_said(c, "hangs at blue");
    child_signal(c, SIGSTOP); /* so that both signals are there when it goes on */
    child_signal(c, SIGINT);
    child_signal(c, SIGTERM);
    child_signal(c, SIGCONT);
    ck_assert_msg(child_wait(c) == 1, "%s", child_output(c)); /* OW-5 */
    ck_assert_ptr_null(strstr(child_output(c), "giving up"));
    forget_child(c);
}

static const struct {
    const char *what;
    const char *says;
    const char *path;
    const char *culprit;
} hanging_parts[] = {
    {"gives up", "hangs at blue", NULL, "s: networks; ending the process"},
    {"gives up a predicate", "hangs in a predicate", NULL, "s: networks; ending the process"},
    {"gives up a check", "hangs in a check", "/healthz", "s: health check stuck; ending"},
};

/* The status page's port, as the log has it; 0 = it is not served yet. */
static int port_of(child *c)
{
    const char *at = strstr(child_output(c), "status page: http://127.0.0.1:");
    return at ? atoi(at + strlen("status page: http://127.0.0.1:")) : 0;
}

TEST_EACH(what_never_returns_is_named_and_ends_the_process, hanging_parts)
{
    child *c = start_child(hanging_parts[_i].what, NULL);
    http_peer peer = {.fd = -1};
    if (hanging_parts[_i].path) {
        eventually(port_of(c) || child_ended(c), child_output(c));
        peer = http_connect((uint16_t)port_of(c));
        http_send(&peer, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    expect_said(c, hanging_parts[_i].says);
    child_signal(c, SIGTERM);
    ck_assert_msg(child_wait(c) == 1, "%s", child_output(c));
    expect_said(c, hanging_parts[_i].culprit);
    if (hanging_parts[_i].path)
        http_close(&peer);
    forget_child(c);
}

static bool has_shown_blue(child *c)
{
    const char *shown = strstr(child_output(c), "child: the last reconciles of ");
    return shown && strstr(shown, "default/blue");
}

TEST(sigusr1_shows_the_last_reconciles)
{
    child *c = start_child("says", NULL);
    expect_said(c, "reconciles blue");
    /* The run speaks before its end is recorded, so a signal may be too early. */
    eventually((child_signal(c, SIGUSR1), has_shown_blue(c)) || child_ended(c), child_output(c));
    ck_assert_msg(has_shown_blue(c), "%s", child_output(c));
    child_signal(c, SIGTERM);
    ck_assert_msg(child_wait(c) == 0, "%s", child_output(c));
    forget_child(c);
}

static const struct {
    const char *option;
    int status;
    const char *said;
} statuses[] = {
    {"--help", 0, "usage: child [options]"},
    {"--version", 0, "child, libkube "},
    {"--colour", 2, "child: unknown argument \"--colour\"; see --help\n"},
    {"--x\x1b[2J\xc2\x9b\xff", 2, "child: unknown argument \"--x [2J \\xff\"; see --help\n"},
    {"--context=nowhere", 1, "child: "},
};

TEST_EACH(the_exit_status_says_whose_fault_it_was, statuses)
{
    child *c = start_child("says", statuses[_i].option);
    ck_assert_int_eq(child_wait(c), statuses[_i].status);
    ck_assert_int_eq(strncmp(child_output(c), statuses[_i].said, strlen(statuses[_i].said)), 0);
    forget_child(c);
}

int main(int argc, char **argv)
{
    return argc > 1 ? run_as_child(argc - 1, argv + 1) : suite_run();
}
