/* SPDX-License-Identifier: Apache-2.0 */
#include "flags.h"

#include "fault_spec.h"

#include <errno.h>
#include <getopt.h>
#include <kube/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond all characters: what getopt_long() reports below is a short option, and there are none. */
enum {
    PORT = 256,
    KUBECONFIG_OUT,
    DATA,
    TLS,
    LOAD,
    RBAC,
    WORKLOADS,
    HISTORY,
    SEED,
    FAULT,
    OWNER,
    HELP,
    VERSION,
};

static const char help[] =
    "usage: kubegen-apiserver [options]\n"
    "\n"
    "A Kubernetes API server for tests and demos: it keeps its objects in memory and is not made\n"
    "to be reached by strangers. It listens on 127.0.0.1 only, until SIGINT or SIGTERM.\n"
    "\n"
    "  --port N               listen there (a free one)\n"
    "  --kubeconfig-out FILE  write a kubeconfig, when everything is loaded: contexts admin,\n"
    "                         user and, with TLS, cert\n"
    "  --data FILE            keep the objects there, and read them again at the next start\n"
    "  --load FILE            create or replace the objects of a YAML or JSON file; may be\n"
    "                         given more than once\n"
    "  --tls                  serve HTTPS with a CA of its own; without it clients send no\n"
    "                         credentials, and whoever calls is the administrator\n"
    "  --rbac                 grant what the stored Roles and bindings say; implies --tls\n"
    "  --workloads            let Deployments have ReplicaSets, and these Pods that are Ready\n"
    "  --history N            changes that a watch can start from (10000)\n"
    "  --seed N               of uids, names and faults (from the machine)\n"
    "  --fault SPEC           a fault on order, such as status=503,verb=list,nth=2 or\n"
    "                         gone,resource=networks,probability=0.1; may be given more than\n"
    "                         once. Faults: status=CODE text=CODE unauthorized drop gone\n"
    "                         error-event end bookmarks version-back wrong-kind\n"
    "                         oversize=BYTES certificate. Conditions: verb resource\n"
    "                         subresource namespace name path times, and nth or probability;\n"
    "                         retry-after=SECONDS goes with status and text\n"
    "  --owner PID            stop when that process has ended\n"
    "  --help, --version\n";

static const struct option options[] = {
    {"port", required_argument, NULL, PORT},
    {"kubeconfig-out", required_argument, NULL, KUBECONFIG_OUT},
    {"data", required_argument, NULL, DATA},
    {"tls", no_argument, NULL, TLS},
    {"load", required_argument, NULL, LOAD},
    {"rbac", no_argument, NULL, RBAC},
    {"workloads", no_argument, NULL, WORKLOADS},
    {"history", required_argument, NULL, HISTORY},
    {"seed", required_argument, NULL, SEED},
    {"fault", required_argument, NULL, FAULT},
    {"owner", required_argument, NULL, OWNER},
    {"help", no_argument, NULL, HELP},
    {"version", no_argument, NULL, VERSION},
    {NULL, 0, NULL, 0},
};

static bool read_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || *out < least || *out > most) {
        fprintf(stderr, "kubegen-apiserver: --%s %s: must be a number from %llu to %llu\n", option,
                text, (unsigned long long)least, (unsigned long long)most);
        return false;
    }
    return true;
}

static bool read_fault(struct flags *flags, char *spec)
{
    kube_error err;
    /* What is parsed is cut up, and the message has to have it whole. */
    char *whole = strdup(spec);
    bool good = whole && !fault_spec_parse(spec, &flags->faults[flags->fault_count++], &err);
    if (!good)
        fprintf(stderr, "kubegen-apiserver: --fault %s: %s\n", whole ? whole : spec,
                whole ? err.message : "out of memory");
    free(whole);
    return good;
}

static bool read_number_option(struct flags *flags, int option)
{
    uint64_t number = 0;
    bool good = false;
    switch (option) {
    case PORT:
        good = read_number("port", optarg, 0, UINT16_MAX, &number);
        flags->server.port = (uint16_t)number;
        break;
    case HISTORY:
        good = read_number("history", optarg, 1, UINT32_MAX, &number);
        flags->server.history = number;
        break;
    case SEED:
        good = read_number("seed", optarg, 1, UINT64_MAX, &number);
        flags->server.seed = number;
        break;
    case OWNER:
        good = read_number("owner", optarg, 1, INT32_MAX, &number);
        flags->owner = (pid_t)number;
        break;
    }
    return good;
}

/* False when the option is no good; told. */
static bool take(struct flags *flags, int option)
{
    switch (option) {
    case PORT:
    case HISTORY:
    case SEED:
    case OWNER:
        return read_number_option(flags, option);
    case KUBECONFIG_OUT:
        flags->kubeconfig_out = optarg;
        return true;
    case DATA:
        flags->server.data_file = optarg;
        return true;
    case LOAD:
        flags->loads[flags->load_count++] = optarg;
        return true;
    case FAULT:
        return read_fault(flags, optarg);
    case RBAC:
        flags->server.authorization = KUBE_APISERVER_RBAC;
        flags->server.tls = true;
        return true;
    case TLS:
        flags->server.tls = true;
        return true;
    case WORKLOADS:
        flags->server.workloads = true;
        return true;
    default:
        return false;
    }
}

/* getopt's own messages differ from system to system. */
static void tell_bad_option(char **argv)
{
    const char *given = argv[optind - 1];
    if (optopt > 0 && optopt < PORT)
        fprintf(stderr, "kubegen-apiserver: unknown argument \"-%c\"; see --help\n", optopt);
    else if (optopt >= PORT && optopt <= VERSION)
        fprintf(stderr, "kubegen-apiserver: %s: %s a value\n", given,
                strchr(given, '=') ? "takes no" : "needs");
    else
        fprintf(stderr, "kubegen-apiserver: unknown argument \"%s\"; see --help\n", given);
}

/* True when the command line only asked for something. */
static bool answered(int option)
{
    if (option == HELP)
        fputs(help, stdout);
    else if (option == VERSION)
        puts("kubegen-apiserver " KUBE_VERSION);
    else
        return false;
    return true;
}

bool flags_parse(struct flags *flags, int argc, char **argv, int *exit_status)
{
    int option;
    *flags = (struct flags){0};
    *exit_status = 2;
    flags->loads = calloc((size_t)argc, sizeof *flags->loads);
    flags->faults = calloc((size_t)argc, sizeof *flags->faults);
    if (!flags->loads || !flags->faults) {
        fputs("kubegen-apiserver: out of memory\n", stderr);
        return false;
    }
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (answered(option)) {
            *exit_status = 0;
            return false;
        }
        if (option == '?')
            tell_bad_option(argv);
        if (option == '?' || !take(flags, option))
            return false;
    }
    if (optind < argc) {
        fprintf(stderr, "kubegen-apiserver: unknown argument \"%s\"; see --help\n", argv[optind]);
        return false;
    }
    return true;
}

void flags_fini(struct flags *flags)
{
    free(flags->loads);
    free(flags->faults);
}
