/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A manager's process seen from outside: signals, the exit status, what does not return. The
 * process is this program, started once more (run_as_child()).
 */
#include "manager_world.h"

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

/* main() of a controller; @argv is its command line, beginning with what it does. */
static int run_as_child(int argc, char **argv)
{
    bool hangs = strcmp(argv[0], "says") != 0;
    bool gives_up = strcmp(argv[0], "gives up") == 0;
    kube_manager_options options = {.name = "child", .stop_timeout_ms = gives_up ? 300 : 0};
    const kube_controller_options networks = {
        .name = "networks", .for_ = &samplecrd_v1_network_type, .reconcile = hangs ? hang : say};
    kube_manager *manager = NULL;
    kube_code rc = kube_manager_options_parse(&options, argc, argv, &err);
    if (!rc)
        rc = kube_manager_new(&options, &manager, &err);
    if (!rc)
        rc = kube_manager_add_controller(manager, &networks, NULL, &err);
    if (!rc)
        rc = kube_manager_run(manager, &err);
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

TEST(a_reconcile_that_never_returns_is_named_and_ends_the_process)
{
    child *c = start_child("gives up", NULL);
    expect_said(c, "hangs at blue");
    child_signal(c, SIGTERM);
    ck_assert_msg(child_wait(c) == 1, "%s", child_output(c));
    expect_said(c, "s: networks; ending the process");
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
