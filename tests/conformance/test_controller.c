/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Network controller as a program, with the rights of its config/rbac/role.yaml and no others,
 * on a real server that is worked on with kubectl. What it did is read from its files and its
 * Events.
 */
#include "cluster_world.h"
#include "support/child.h"

#include <core/v1/api.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 16, ENOUGH_MS = 30000 };

static const char *program;
static const char *kubeconfig; /* of the user "user" */
static char *state;            /* the controller's directory */
static child *controller;
static kube_error err;

/* ---- around the controller ----------------------------------------------------------------- */

static void shell(const char *command)
{
    ck_assert_msg(system(command) == 0, "%s", command);
}

static void set_up(void)
{
    case_set_up();
    kube_ctx_set_timeout_ms(ctx, 10 * POLL_PATIENCE_MS);
    state = kube_printf(ctx, "%s/%s-networks", real_server_directory(server), ns);
    kubeconfig = kube_printf(ctx, "%s/%s.kubeconfig", real_server_directory(server), ns);
    shell(kube_printf(ctx, "sed 's/^current-context:.*/current-context: user/' '%s' >'%s'",
                      real_server_kubeconfig(server), kubeconfig));
    controller = NULL;
}

static void tear_down(void)
{
    child_free(controller);
    real_server_must_kubectl(server, NULL, "delete networks --all --all-namespaces --wait=false");
    case_tear_down();
}

/* Runs the program with up to a NULL. */
static child *run_program(const char *first, const char *const rest[])
{
    const char *arguments[ARGUMENTS_MAX] = {program, first};
    for (size_t i = 0; rest && rest[i]; i++) {
        ck_assert_uint_lt(i + 3, ARGUMENTS_MAX);
        arguments[i + 2] = rest[i];
    }
    return child_start(arguments, kube_printf(ctx, "%s.log", state));
}

static bool said(const char *text)
{
    ck_assert_msg(!child_ended(controller), "it ended: %s", child_output(controller));
    return strstr(child_output(controller), text) != NULL;
}

static void launch(const char *resync, const char *workers)
{
    const char *const rest[] = {kubeconfig, "--state-dir", state,   "--resync",
                                resync,     "--workers",   workers, NULL};
    child_free(controller);
    controller = run_program("--kubeconfig", rest);
}

static void start(const char *resync)
{
    launch(resync, "2");
    eventually(said("caches are synced"), child_output(controller));
}

/* Ends it as one should, which takes no long time. */
static void stop(void)
{
    int64_t begin = poll_now_ms();
    child_signal(controller, SIGTERM);
    ck_assert_msg(child_wait(controller) == 0, "%s", child_output(controller));
    ck_assert_int_lt(poll_now_ms() - begin, ENOUGH_MS);
}

/* ---- what it did --------------------------------------------------------------------------- */

static const char *file_of(const char *name)
{
    return kube_printf(ctx, "%s/%s/%s", state, ns, name);
}

static bool exists(const char *name)
{
    return access(file_of(name), F_OK) == 0;
}

static bool is_network(const char *name, const char *cidr, const char *gateway)
{
    const char *wanted = kube_printf(ctx, "cidr=%s\ngateway=%s\n", cidr, gateway);
    FILE *file = fopen(file_of(name), "r");
    char text[512];
    size_t len;
    if (!file)
        return false;
    len = fread(text, 1, sizeof text - 1, file);
    text[len] = '\0';
    fclose(file);
    return strcmp(text, wanted) == 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_msg(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", path);
}

/* How often the Events say @reason of @name, with @part in the message. */
static int count_events(const char *name, const char *reason, const char *part)
{
    core_v1_event_list *list;
    kube_ctx *scope = kube_ctx_child(ctx);
    int count = 0;
    expect_ok(core_v1_events_list(client, scope, ns, NULL, &list, &err), &err);
    for (size_t i = 0; i < list->len; i++) {
        const core_v1_event *event = list->items[i];
        if (strcmp(event->involved_object.name, name) == 0 && strcmp(event->reason, reason) == 0 &&
            strstr(event->message, part)) {
            ck_assert_str_eq(event->involved_object.kind, "Network");
            ck_assert_str_eq(event->source.component, "network-controller");
            ck_assert_str_eq(event->type, strcmp(reason, "Synced") == 0 ? "Normal" : "Warning");
            count += event->count.value;
        }
    }
    kube_ctx_free(scope);
    return count;
}

#define wait_for_network(name, cidr, gateway)                                                      \
    eventually(is_network(name, cidr, gateway), child_output(controller))
#define wait_for_event(name, reason, part, count)                                                  \
    eventually(count_events(name, reason, part) >= (count), child_output(controller));             \
    ck_assert_int_eq(count_events(name, reason, part), count)

/* ---- what is done to it -------------------------------------------------------------------- */

static const char *manifest(const char *name, const char *cidr, const char *gateway)
{
    return kube_printf(ctx,
                       "apiVersion: samplecrd.k8s.io/v1\n"
                       "kind: Network\n"
                       "metadata:\n"
                       "  name: %s\n"
                       "spec:\n"
                       "  cidr: \"%s\"\n"
                       "  gateway: \"%s\"\n"
                       "---\n",
                       name, cidr, gateway);
}

static void apply(const char *name, const char *cidr, const char *gateway)
{
    real_server_must_kubectl(server, manifest(name, cidr, gateway), "-n %s apply -f -", ns);
}

static void set_gateway(const char *name, const char *gateway)
{
    real_server_must_kubectl(server, NULL,
                             "-n %s patch network %s --type=merge "
                             "-p '{\"spec\":{\"gateway\":\"%s\"}}'",
                             ns, name, gateway);
}

static void delete (const char *name)
{
    real_server_must_kubectl(server, NULL, "-n %s delete network %s", ns, name);
}

/* ---- a network's life ---------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(a_network_is_made_follows_its_object_and_goes)
{
    start("30");
    apply("blue", "10.1.0.0/16", "10.1.0.1");
    wait_for_network("blue", "10.1.0.0/16", "10.1.0.1");
    wait_for_event("blue", "Synced", "network 10.1.0.0/16 with gateway 10.1.0.1 is up", 1);
    set_gateway("blue", "10.1.255.254");
    wait_for_network("blue", "10.1.0.0/16", "10.1.255.254");
    wait_for_event("blue", "Synced", "gateway 10.1.255.254", 1);
    delete ("blue");
    eventually(!exists("blue"), child_output(controller));
    stop();
    ck_assert_int_eq(count_events("blue", "Synced", ""), 2);
    ck_assert_int_eq(count_events("blue", "InvalidSpec", ""), 0);
}

TEST(ipv6_networks_are_networks_too)
{
    start("30");
    apply("green", "fd00:1::/64", "fd00:1::1");
    wait_for_network("green", "fd00:1::/64", "fd00:1::1");
    wait_for_event("green", "Synced", "network fd00:1::/64 with gateway fd00:1::1 is up", 1);
    apply("green", "10.1.0.0/16", "10.1.0.1");
    wait_for_network("green", "10.1.0.0/16", "10.1.0.1");
    apply("green", "10.1.0.0/16", "fd00:1::1");
    wait_for_event("green", "InvalidSpec", "are of two families", 1);
    stop();
}

TEST(networks_there_before_it_started_are_made)
{
    apply("blue", "10.1.0.0/16", "10.1.0.1");
    apply("red", "10.3.0.0/16", "10.4.0.1");
    start("30");
    wait_for_network("blue", "10.1.0.0/16", "10.1.0.1");
    wait_for_event("red", "InvalidSpec", "outside", 1);
    ck_assert(!exists("red"));
    stop();
}

TEST(many_networks_by_many_workers)
{
    enum { MANY = 60 };
    kube_ctx *scope = kube_ctx_child(ctx);
    const char *all = "";

    launch("30", "8");
    for (int i = 0; i < MANY; i++)
        all = kube_printf(scope, "%s%s", all,
                          manifest(kube_printf(scope, "n%d", i),
                                   kube_printf(scope, "10.%d.0.0/16", i),
                                   kube_printf(scope, "10.%d.0.1", i)));
    real_server_must_kubectl(server, all, "-n %s create -f -", ns);
    for (int i = 0; i < MANY; i++)
        wait_for_network(kube_printf(scope, "n%d", i), kube_printf(scope, "10.%d.0.0/16", i),
                         kube_printf(scope, "10.%d.0.1", i));
    real_server_must_kubectl(server, NULL, "-n %s delete networks --all --wait=false", ns);
    for (int i = 0; i < MANY; i++)
        eventually(!exists(kube_printf(scope, "n%d", i)), child_output(controller));
    kube_ctx_free(scope);
    stop();
}

/* ---- bad specs, changed files, resync ------------------------------------------------------ */

/* Changes a file, waits until a resync has put it right, and that this was told @count times. */
static void see_a_resync(const char *name, int count)
{
    write_file(file_of(name), "changed by somebody\n");
    wait_for_network(name, "10.9.0.0/16", "10.9.0.1");
    wait_for_event(name, "Synced", "network 10.9.0.0/16", count);
}

TEST(a_bad_spec_is_told_once_for_each_change_and_not_at_resync)
{
    start("1");
    apply("witness", "10.9.0.0/16", "10.9.0.1");
    wait_for_event("witness", "Synced", "", 1);
    apply("blue", "10.1.0.0/16", "10.1.0.1");
    wait_for_network("blue", "10.1.0.0/16", "10.1.0.1");
    set_gateway("blue", "192.168.0.1");
    wait_for_event("blue", "InvalidSpec", "192.168.0.1 lies outside spec.cidr 10.1.0.0/16", 1);
    for (int i = 2; i < 5; i++)
        see_a_resync("witness", i); /* by then the bad one was looked at again as well */
    ck_assert_int_eq(count_events("blue", "InvalidSpec", ""), 1);
    ck_assert(is_network("blue", "10.1.0.0/16", "10.1.0.1")); /* the last good spec's */

    real_server_must_kubectl(server, NULL, "-n %s label network blue still=bad", ns);
    wait_for_event("blue", "InvalidSpec", "outside", 2); /* the same Event, counted up */
    set_gateway("blue", "10.1.0.300");
    wait_for_event("blue", "InvalidSpec", "\"10.1.0.300\" is no address", 1);
    set_gateway("blue", "10.1.0.2");
    wait_for_network("blue", "10.1.0.0/16", "10.1.0.2");
    stop();
    ck_assert_int_eq(count_events("blue", "InvalidSpec", ""), 3);
    ck_assert_int_eq(count_events("blue", "Synced", ""), 2);
    ck_assert_int_eq(count_events("witness", "Synced", ""), 4);
}

TEST(a_removed_file_is_made_again_at_resync)
{
    start("1");
    apply("witness", "10.9.0.0/16", "10.9.0.1");
    wait_for_event("witness", "Synced", "", 1);
    ck_assert_int_eq(unlink(file_of("witness")), 0);
    wait_for_network("witness", "10.9.0.0/16", "10.9.0.1");
    wait_for_event("witness", "Synced", "", 2);
    stop();
}

TEST(a_bad_object_that_is_deleted_takes_its_network_along)
{
    start("30");
    apply("blue", "10.1.0.0/16", "10.1.0.1");
    wait_for_network("blue", "10.1.0.0/16", "10.1.0.1");
    set_gateway("blue", "192.168.0.1");
    wait_for_event("blue", "InvalidSpec", "", 1);
    delete ("blue");
    eventually(!exists("blue"), child_output(controller));
    stop();
}

TEST(what_happened_while_it_was_down_is_put_right_at_its_start)
{
    start("30");
    apply("blue", "10.1.0.0/16", "10.1.0.1");
    apply("green", "10.2.0.0/16", "10.2.0.1");
    apply("same", "10.3.0.0/16", "10.3.0.1");
    wait_for_network("blue", "10.1.0.0/16", "10.1.0.1");
    wait_for_network("green", "10.2.0.0/16", "10.2.0.1");
    wait_for_event("same", "Synced", "", 1);
    stop();
    delete ("blue");
    write_file(file_of("green"), "changed by somebody\n");
    write_file(file_of("never"), "cidr=10.7.0.0/16\ngateway=10.7.0.1\n");
    start("0");
    eventually(!exists("blue") && !exists("never"), child_output(controller));
    wait_for_network("green", "10.2.0.0/16", "10.2.0.1");
    wait_for_event("green", "Synced", "", 2);
    stop();
    ck_assert(is_network("same", "10.3.0.0/16", "10.3.0.1"));
    ck_assert_int_eq(count_events("same", "Synced", ""), 1); /* nothing had to be done */
}

TEST(a_bad_spec_found_at_the_start_is_told_once)
{
    apply("blue", "10.1.0.0/16", "192.168.0.1");
    shell(kube_printf(ctx, "mkdir -p '%s/%s'", state, ns));
    write_file(file_of("blue"), "cidr=10.1.0.0/16\ngateway=10.1.0.1\n"); /* of its last good spec */
    apply("witness", "10.9.0.0/16", "10.9.0.1");
    start("1");
    wait_for_event("witness", "Synced", "", 1);
    see_a_resync("witness", 2);
    see_a_resync("witness", 3);
    stop();
    ck_assert_int_eq(count_events("blue", "InvalidSpec", ""), 1);
    ck_assert(is_network("blue", "10.1.0.0/16", "10.1.0.1"));
}

/* ---- the server ---------------------------------------------------------------------------- */

TEST(it_outlives_its_server_and_catches_up)
{
    start("30");
    apply("blue", "10.1.0.0/16", "10.1.0.1");
    apply("green", "10.2.0.0/16", "10.2.0.1");
    wait_for_network("blue", "10.1.0.0/16", "10.1.0.1");
    wait_for_event("green", "Synced", "", 1);
    real_server_kill(server);
    real_server_move(server); /* where the controller does not look */
    delete ("blue");
    set_gateway("green", "10.2.0.2");
    real_server_kill(server);
    real_server_restart(server, NULL);
    eventually(!exists("blue"), child_output(controller));
    wait_for_network("green", "10.2.0.0/16", "10.2.0.2");
    wait_for_event("green", "Synced", "gateway 10.2.0.2", 1);
    stop();
}

TEST(a_server_that_cannot_be_reached_is_told_and_waited_for)
{
    const char *const rest[] = {"http://127.0.0.1:1", "--state-dir", state, NULL};
    controller = run_program("--master", rest);
    eventually(said("refused") || said("connect"), child_output(controller));
    stop();
}

/* Roles count a moment after they were written. */
static bool may_watch(void)
{
    return real_server_kubectl(server, NULL, NULL, 0,
                               "auth can-i watch networks.samplecrd.k8s.io --all-namespaces "
                               "--as=user") == 0;
}

TEST(a_missing_right_is_told_and_waited_for)
{
    real_server_must_kubectl(server, NULL, "delete clusterrolebinding tester");
    eventually(!may_watch(), "the user may still watch networks");
    launch("30", "2");
    eventually(said("not allowed to list networks in all namespaces; the missing ClusterRole rule: "
                    "{apiGroups: [\"samplecrd.k8s.io\"], resources: [\"networks\"], "
                    "verbs: [\"list\", \"watch\"]}"),
               child_output(controller));
    real_server_must_kubectl(server, NULL,
                             "create clusterrolebinding tester --clusterrole=network-controller "
                             "--user=user");
    eventually(said("caches are synced"), child_output(controller));
    stop();
}

/* ---- its end ------------------------------------------------------------------------------- */

static const int stop_signals[] = {SIGTERM, SIGINT};

TEST_EACH(a_signal_ends_it_in_order, stop_signals)
{
    int64_t begin;
    start("30");
    begin = poll_now_ms();
    child_signal(controller, stop_signals[_i]);
    ck_assert_msg(child_wait(controller) == 0, "%s", child_output(controller));
    ck_assert_int_lt(poll_now_ms() - begin, ENOUGH_MS);
    ck_assert_ptr_nonnull(
        strstr(child_output(controller), "a second signal ends the process at once"));
}

/* To all processes of the server. */
static void signal_server(const char *name)
{
    shell(kube_printf(ctx, "cut -d' ' -f1 '%s/pids' | xargs kill -%s",
                      real_server_directory(server), name));
}

/*
 * With an Event that a stopped server does not take, the orderly end takes two seconds. Both
 * signals are there before the controller, stopped too, goes on.
 */
TEST(a_second_signal_ends_it_at_once)
{
    start("1");
    apply("witness", "10.9.0.0/16", "10.9.0.1");
    wait_for_event("witness", "Synced", "", 1);
    signal_server("STOP");
    ck_assert_int_eq(unlink(file_of("witness")), 0);
    wait_for_network("witness", "10.9.0.0/16", "10.9.0.1");
    child_signal(controller, SIGSTOP);
    child_signal(controller, SIGINT);
    child_signal(controller, SIGTERM);
    child_signal(controller, SIGCONT);
    eventually(child_ended(controller), child_output(controller));
    signal_server("CONT");
    ck_assert_msg(child_wait(controller) == 1, "%s", child_output(controller));
}

TEST(a_server_that_hangs_does_not_hold_up_its_end)
{
    start("1");
    apply("witness", "10.9.0.0/16", "10.9.0.1");
    wait_for_event("witness", "Synced", "", 1);
    signal_server("STOP");
    ck_assert_int_eq(unlink(file_of("witness")), 0);
    wait_for_network("witness", "10.9.0.0/16", "10.9.0.1");
    stop();
    signal_server("CONT");
}

/* ---- its command line ---------------------------------------------------------------------- */

static const struct {
    const char *arguments[3];
    const char *said;
} mistakes[] = {
    {{"--colour"}, "unknown argument \"--colour\"; see --help"},
    {{"-x"}, "unknown argument \"-x\"; see --help"},
    {{"--help=me"}, "unknown argument \"--help=me\"; did you mean --help?"},
    {{"extra"}, "unknown argument \"extra\"; see --help"},
    {{"--workers"}, "--workers needs a value; see --help"},
    {{"--workers", ""}, "--workers : must be a number from 1 to 64"},
    {{"--workers", "0"}, "--workers 0: must be a number from 1 to 64"},
    {{"--workers", "65"}, "--workers 65: must be a number from 1 to 64"},
    {{"--workers", "2x"}, "--workers 2x: must be a number from 1 to 64"},
    {{"--workers=two"}, "--workers two: must be a number from 1 to 64"},
    {{"--resync", "-1"}, "--resync -1: must be a time from 0s to 24h0m0s, such as 30s or 1m30s"},
    {{"--resync", "99999999999999999999"},
     "--resync 99999999999999999999: must be a time from 0s to 24h0m0s, such as 30s or 1m30s"},
    {{"--state-dri", "x"}, "unknown argument \"--state-dri\"; did you mean --state-dir?"},
};

TEST_EACH(a_mistake_on_the_command_line_is_one_line_and_status_2, mistakes)
{
    controller = run_program(mistakes[_i].arguments[0], mistakes[_i].arguments + 1);
    ck_assert_int_eq(child_wait(controller), 2);
    ck_assert_str_eq(child_output(controller),
                     kube_printf(ctx, "network-controller: %s\n", mistakes[_i].said));
}

/* It cannot start: status 1, and one line with @part in it. */
static void expect_no_start(const char *flag, const char *value, const char *part)
{
    const char *const rest[] = {value, "--state-dir", state, NULL};
    const char *output;
    controller = run_program(flag, rest);
    ck_assert_int_eq(child_wait(controller), 1);
    output = child_output(controller);
    ck_assert_msg(strncmp(output, "network-controller: ", strlen("network-controller: ")) == 0 &&
                      strstr(output, part) && strchr(output, '\n') == output + strlen(output) - 1,
                  "want %s in one line: %s", part, output);
    child_free(controller);
    controller = NULL;
}

TEST(what_keeps_it_from_starting_is_one_line_and_status_1)
{
    const char *broken = kube_printf(ctx, "%s.broken", kubeconfig);
    expect_no_start("--kubeconfig", "/nowhere/kubeconfig", "/nowhere/kubeconfig");
    write_file(broken, "apiVersion: v1\nkind: Config\nclusters: [\n");
    expect_no_start("--kubeconfig", broken, broken);
    expect_no_start("--master", "ftp://nowhere", "ftp://nowhere");
    shell(kube_printf(ctx, "rm -rf '%s' && touch '%s'", state, state));
    expect_no_start("--kubeconfig", kubeconfig, "Not a directory");
}

TEST(help_tells_all_flags_and_version_the_version)
{
    static const char *const flags[] = {"--kubeconfig", "--master",  "--state-dir", "--workers",
                                        "--resync",     "--verbose", "--help",      "--version"};
    controller = run_program("--help", NULL);
    ck_assert_int_eq(child_wait(controller), 0);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        ck_assert_ptr_nonnull(strstr(child_output(controller), flags[i]));
    child_free(controller);
    controller = run_program("--version", NULL);
    ck_assert_int_eq(child_wait(controller), 0);
    ck_assert_str_eq(
        child_output(controller),
        kube_printf(ctx, "network-controller %s, libkube %s\n", kube_version(), kube_version()));
}

int main(void)
{
    const char *rbac = getenv("NETWORK_CONTROLLER_RBAC");
    int status;
    program = getenv("NETWORK_CONTROLLER");
    if (!program || !rbac) {
        fputs("NETWORK_CONTROLLER and NETWORK_CONTROLLER_RBAC must be set\n", stderr);
        return EXIT_FAILURE;
    }
    world_start(NULL);
    real_server_must_kubectl(server, NULL, "apply -f '%s'", rbac);
    real_server_must_kubectl(server, NULL,
                             "create clusterrolebinding tester --clusterrole=network-controller "
                             "--user=user");
    real_server_until_kubectl(server, "auth can-i watch networks.samplecrd.k8s.io "
                                      "--all-namespaces --as=user");
    status = suite_run();
    world_stop();
    return status;
}
