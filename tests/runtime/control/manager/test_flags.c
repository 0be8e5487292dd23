/* SPDX-License-Identifier: Apache-2.0 */
/* Options by table: what is read, from where, what is refused, and what --help says. */
#include "support/suite.h"

#include <kube/flags.h>
#include <kube/version.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 8, OUTPUT_MAX = 8192, DAY_MS = 24 * 3600 * 1000 };

static const char *state_dir;
static const char *context;
static bool verbose;
static bool elect;
static int64_t workers;
static int64_t depth;
static int64_t resync_ms;
static int64_t pause_ms;
static kube_error err;

static const kube_flags_about about = {.program = "network-controller",
                                       .summary = "Keeps networks."};

static const kube_flag own[] = {
    {.name = "state-dir", .value = "DIR", .help = "where networks are kept", .text = &state_dir},
    {.name = "workers",
     .help = "reconcile that many objects at once",
     .number = &workers,
     .least = 1,
     .most = 64},
    {.name = "verbose", .help = "log more", .truth = &verbose},
    {.name = NULL},
};
static const kube_flag standard[] = {
    {.name = "context", .help = "of the kubeconfig", .text = &context},
    {.name = "resync",
     .help = "look at every object again after that long, whether it has changed or not, 0 = never",
     .duration_ms = &resync_ms,
     .most = DAY_MS},
    {.name = "leader-elect-with-a-long-name", .help = "elect", .truth = &elect},
    {.name = "depth", .help = "any number", .number = &depth},
    {.name = "pause", .help = "at least 1s", .duration_ms = &pause_ms, .least = 1000, .most = -1},
    {.name = "workers", .help = "in the shadow of the other one", .number = &depth},
    {.name = NULL},
};

static void set_up(void)
{
    state_dir = "networks";
    context = NULL;
    verbose = false;
    elect = true;
    workers = 2;
    depth = 0;
    resync_ms = 30000;
    pause_ms = 1000;
    unsetenv("NETWORK_CONTROLLER_WORKERS");
    unsetenv("NETWORK_CONTROLLER_STATE_DIR");
    unsetenv("NETWORK_CONTROLLER_RESYNC");
    unsetenv("NETWORK_CONTROLLER_VERBOSE");
}

/* With up to a NULL. */
static kube_code parse_all(const char *const arguments[])
{
    char *argv[ARGUMENTS_MAX + 2] = {"network-controller"};
    int argc = 1;
    for (; arguments[argc - 1]; argc++) {
        ck_assert_int_le(argc, ARGUMENTS_MAX);
        argv[argc] = (char *)arguments[argc - 1];
    }
    return kube_flags_parse(&about, own, standard, argc, argv, &err);
}

#define parse(...) parse_all((const char *const[]){__VA_ARGS__, NULL})

/* ---- what is read -------------------------------------------------------------------------- */

FIXTURE(set_up, NULL);

TEST(nothing_given_leaves_the_defaults)
{
    ck_assert_int_eq(parse(NULL), KUBE_OK);
    ck_assert_str_eq(state_dir, "networks");
    ck_assert_ptr_null(context);
    ck_assert(!verbose && elect);
    ck_assert_int_eq(workers, 2);
    ck_assert_int_eq(resync_ms, 30000);
}

TEST(a_value_is_the_next_argument_or_follows_an_equals_sign)
{
    ck_assert_int_eq(parse("--state-dir", "/var/a=b", "--workers=7", "--context=", "--verbose"),
                     KUBE_OK);
    ck_assert_str_eq(state_dir, "/var/a=b");
    ck_assert_int_eq(workers, 7);
    ck_assert_str_eq(context, "");
    ck_assert(verbose);
}

TEST(a_value_may_look_like_an_option)
{
    ck_assert_int_eq(parse("--state-dir", "--help", "--depth", "-12"), KUBE_OK);
    ck_assert_str_eq(state_dir, "--help");
    ck_assert_int_eq(depth, -12);
}

TEST(a_bool_is_true_false_1_or_0)
{
    ck_assert_int_eq(parse("--verbose=1", "--leader-elect-with-a-long-name=false"), KUBE_OK);
    ck_assert(verbose && !elect);
    ck_assert_int_eq(parse("--verbose=0", "--leader-elect-with-a-long-name=true"), KUBE_OK);
    ck_assert(!verbose && elect);
}

TEST(the_last_one_counts)
{
    ck_assert_int_eq(parse("--workers", "3", "--workers=4"), KUBE_OK);
    ck_assert_int_eq(workers, 4);
}

TEST(of_two_options_of_one_name_the_first_one_is_meant)
{
    setenv("NETWORK_CONTROLLER_WORKERS", "6", 1);
    ck_assert_int_eq(parse(NULL), KUBE_OK);
    ck_assert_int_eq(workers, 6);
    ck_assert_int_eq(parse("--workers", "5"), KUBE_OK);
    ck_assert_int_eq(workers, 5);
    ck_assert_int_eq(depth, 0);
}

static const struct {
    const char *text;
    int64_t ms;
} durations[] = {
    {"30", 30000},  {"0", 0},     {"0s", 0},       {"1m30s", 90000},  {"1.5s", 1500},
    {"250ms", 250}, {"500us", 1}, {"24h", DAY_MS}, {"86400", DAY_MS},
};

TEST_EACH(a_duration_is_go_s_spelling_or_whole_seconds, durations)
{
    ck_assert_msg(parse("--resync", durations[_i].text) == KUBE_OK, "%s", err.message);
    ck_assert_int_eq(resync_ms, durations[_i].ms);
}

TEST(two_dashes_end_the_options)
{
    ck_assert_int_eq(parse("--workers", "3", "--"), KUBE_OK);
    ck_assert_int_eq(parse("--", "--workers"), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "unknown argument \"--workers\"; see --help");
}

/* ---- the environment ----------------------------------------------------------------------- */

TEST(the_environment_goes_before_the_default_and_the_command_line_before_both)
{
    setenv("NETWORK_CONTROLLER_WORKERS", "9", 1);
    setenv("NETWORK_CONTROLLER_STATE_DIR", "/from/environment", 1);
    setenv("NETWORK_CONTROLLER_RESYNC", "2m", 1);
    setenv("NETWORK_CONTROLLER_VERBOSE", "true", 1);
    ck_assert_int_eq(parse("--resync", "5"), KUBE_OK);
    ck_assert_int_eq(workers, 9);
    ck_assert_str_eq(state_dir, "/from/environment");
    ck_assert_int_eq(resync_ms, 5000);
    ck_assert(verbose);
}

TEST(an_empty_variable_is_none)
{
    setenv("NETWORK_CONTROLLER_WORKERS", "", 1);
    setenv("NETWORK_CONTROLLER_STATE_DIR", "", 1);
    ck_assert_int_eq(parse(NULL), KUBE_OK);
    ck_assert_int_eq(workers, 2);
    ck_assert_str_eq(state_dir, "networks");
}

TEST(a_bad_variable_is_named)
{
    setenv("NETWORK_CONTROLLER_WORKERS", "2x", 1);
    ck_assert_int_eq(parse("--workers", "3"), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "NETWORK_CONTROLLER_WORKERS=2x: must be a number from 1 to 64");
}

TEST(other_variables_of_the_prefix_are_somebody_else_s)
{
    setenv("NETWORK_CONTROLLER_PORT", "tcp://10.0.0.1:80", 1);
    ck_assert_int_eq(parse(NULL), KUBE_OK);
    unsetenv("NETWORK_CONTROLLER_PORT");
}

/* ---- mistakes ------------------------------------------------------------------------------ */

static const struct {
    const char *arguments[3];
    const char *said;
} mistakes[] = {
    {{"--colour"}, "unknown argument \"--colour\"; see --help"},
    {{"--state-dri", "x"}, "unknown argument \"--state-dri\"; did you mean --state-dir?"},
    {{"--State_Dir=x"}, "unknown argument \"--State_Dir=x\"; did you mean --state-dir?"},
    {{"--work", "1"}, "unknown argument \"--work\"; did you mean --workers?"},
    {{"-workers=1"}, "unknown argument \"-workers=1\"; did you mean --workers?"},
    {{"--hlep"}, "unknown argument \"--hlep\"; did you mean --help?"},
    {{"-x"}, "unknown argument \"-x\"; see --help"},
    {{"-"}, "unknown argument \"-\"; see --help"},
    {{""}, "unknown argument \"\"; see --help"},
    {{"extra"}, "unknown argument \"extra\"; see --help"},
    {{"--verbose", "extra"}, "unknown argument \"extra\"; see --help"},
    {{"--verbose", "false"}, "--verbose false: write --verbose=false"},
    {{"--verbose=maybe"}, "--verbose maybe: must be true or false"},
    {{"--workers"}, "--workers needs a value; see --help"},
    {{"--workers", ""}, "--workers : must be a number from 1 to 64"},
    {{"--workers", "0"}, "--workers 0: must be a number from 1 to 64"},
    {{"--workers", "65"}, "--workers 65: must be a number from 1 to 64"},
    {{"--workers", " 2"}, "--workers  2: must be a number from 1 to 64"},
    {{"--workers=two"}, "--workers two: must be a number from 1 to 64"},
    {{"--depth", "99999999999999999999"}, "--depth 99999999999999999999: must be a number"},
    {{"--resync", "-1"}, "--resync -1: must be a time from 0s to 24h0m0s, such as 30s or 1m30s"},
    {{"--resync", "25h"}, "--resync 25h: must be a time from 0s to 24h0m0s, such as 30s or 1m30s"},
    {{"--resync", "10000000000000000"},
     "--resync 10000000000000000: must be a time from 0s to 24h0m0s, such as 30s or 1m30s"},
    {{"--resync", "soon"},
     "--resync soon: must be a time from 0s to 24h0m0s, such as 30s or 1m30s"},
    {{"--pause", "999ms"}, "--pause 999ms: must be a time from 1s, such as 30s or 1m30s"},
};

TEST_EACH(a_mistake_is_one_line_that_names_it, mistakes)
{
    ck_assert_int_eq(parse_all(mistakes[_i].arguments), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, mistakes[_i].said);
}

TEST(a_mistake_in_a_table_is_told)
{
    static const kube_flag bad[] = {
        {.name = "two-targets", .help = "", .text = &context, .truth = &verbose},
        {.name = NULL},
    };
    char *argv[] = {"x", NULL};
    ck_assert_int_eq(kube_flags_parse(&about, bad, NULL, 1, argv, &err), KUBE_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "\"two-targets\" needs one target"));
    static const kube_flag port[] = {
        {.name = "port", .help = "a Service's variable", .text = &context},
        {.name = NULL},
    };
    ck_assert_int_eq(kube_flags_parse(&about, port, NULL, 1, argv, &err), KUBE_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "an option cannot be \"port\""));
}

/* ---- help ---------------------------------------------------------------------------------- */

/* What is printed to stdout while arguments are parsed. */
static const char *printed_by(const char *const arguments[], kube_code wanted)
{
    static char output[OUTPUT_MAX];
    FILE *file = tmpfile();
    int before = dup(STDOUT_FILENO);
    kube_code rc;
    size_t len;
    ck_assert(file && before >= 0);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    rc = parse_all(arguments);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    rewind(file);
    len = fread(output, 1, sizeof output - 1, file);
    output[len] = '\0';
    fclose(file);
    ck_assert_int_eq(rc, wanted);
    return output;
}

#define printed(code, ...) printed_by((const char *const[]){__VA_ARGS__, NULL}, code)

TEST(help_lists_both_tables_with_defaults_and_the_rule_of_the_environment)
{
    ck_assert_str_eq(
        printed(KUBE_ERR_CLOSED, "--help"),
        "usage: network-controller [options]\n"
        "\n"
        "Keeps networks.\n"
        "\n"
        "  --state-dir DIR         where networks are kept (networks)\n"
        "  --workers N             reconcile that many objects at once (2)\n"
        "  --verbose               log more\n"
        "\n"
        "  --context TEXT          of the kubeconfig\n"
        "  --resync TIME           look at every object again after that long, whether it\n"
        "                          has changed or not, 0 = never (30s)\n"
        "  --leader-elect-with-a-long-name\n"
        "                          elect (true)\n"
        "  --depth N               any number (0)\n"
        "  --pause TIME            at least 1s (1s)\n"
        "\n"
        "  --help                  print this help\n"
        "  --version               print the version\n"
        "\n"
        "Defaults are in parentheses. An option that is not given is read from the\n"
        "environment: --state-dir from NETWORK_CONTROLLER_STATE_DIR, and so on.\n");
}

TEST(help_wins_over_mistakes_and_shows_what_is_so_without_options)
{
    setenv("NETWORK_CONTROLLER_WORKERS", "junk", 1);
    ck_assert_ptr_nonnull(strstr(printed(KUBE_ERR_CLOSED, "--colour", "--state-dir=x", "--help"),
                                 "where networks are kept (networks)"));
    ck_assert_ptr_nonnull(strstr(printed(KUBE_ERR_CLOSED, "-x", "-h"), "usage: "));
}

TEST(h_stands_for_help_but_not_as_a_value_or_after_the_options)
{
    char help[OUTPUT_MAX];
    snprintf(help, sizeof help, "%s", printed(KUBE_ERR_CLOSED, "--help"));
    ck_assert_str_eq(printed(KUBE_ERR_CLOSED, "-h"), help);
    ck_assert_int_eq(parse("--state-dir", "-h"), KUBE_OK);
    ck_assert_str_eq(state_dir, "-h");
    ck_assert_int_eq(parse("--", "-h"), KUBE_ERR_ARGUMENT);
}

TEST(a_mistake_prints_nothing)
{
    ck_assert_str_eq(printed(KUBE_ERR_ARGUMENT, "--colour"), "");
}

TEST(version_is_libkube_s_and_the_program_s)
{
    static const kube_flags_about versioned = {.program = "p", .version = "1.2"};
    char *argv[] = {"p", "--version", NULL};
    char wanted[64];
    snprintf(wanted, sizeof wanted, "network-controller, libkube %s\n", kube_version());
    ck_assert_str_eq(printed(KUBE_ERR_CLOSED, "--version"), wanted);
    ck_assert_int_eq(kube_flags_parse(&versioned, NULL, NULL, 2, argv, &err), KUBE_ERR_CLOSED);
}
