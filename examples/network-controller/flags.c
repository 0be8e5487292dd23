/* SPDX-License-Identifier: Apache-2.0 */
#include "flags.h"

#include <errno.h>
#include <getopt.h>
#include <kube/log.h>
#include <kube/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 64, MAX_RESYNC_S = 24 * 3600 };

/* Beyond all characters: what getopt_long() reports below is a short option, and there are none. */
enum { KUBECONFIG = 256, MASTER, STATE_DIR, WORKERS, RESYNC, VERBOSE, HELP, VERSION };

static const char help[] =
    "usage: network-controller [options]\n"
    "\n"
    "Keeps one real network for every Network object (samplecrd.k8s.io/v1).\n"
    "\n"
    "  --kubeconfig FILE   how to reach the cluster; without it: in-cluster, then\n"
    "                      $KUBECONFIG, then ~/.kube/config\n"
    "  --master URL        the API server's address, in place of the kubeconfig's\n"
    "  --state-dir DIR     where the networks are kept (networks)\n"
    "  --workers N         reconcile that many objects at once (2)\n"
    "  --resync SECONDS    look at every object again after that long, 0 = never (30)\n"
    "  --verbose           log more; twice for all there is\n"
    "  --help, --version\n";

/* Reads a whole number between @least and @most. */
static bool parse_number(const char *option, const char *text, long least, long most, long *out)
{
    char *end;

    errno = 0;
    *out = strtol(text, &end, 10);
    if (errno || end == text || *end || *out < least || *out > most) {
        fprintf(stderr, "network-controller: --%s %s: want a number from %ld to %ld\n", option,
                text, least, most);
        return false;
    }
    return true;
}

static void tell_bad_option(char **argv)
{
    if (optopt > 0 && optopt < KUBECONFIG)
        fprintf(stderr, "network-controller: what is \"-%c\"? try --help\n", optopt);
    else
        fprintf(stderr, "network-controller: what is \"%s\"? try --help\n", argv[optind - 1]);
}

bool flags_parse(struct flags *flags, int argc, char **argv)
{
    static const struct option options[] = {
        {"kubeconfig", required_argument, NULL, KUBECONFIG},
        {"master", required_argument, NULL, MASTER},
        {"state-dir", required_argument, NULL, STATE_DIR},
        {"workers", required_argument, NULL, WORKERS},
        {"resync", required_argument, NULL, RESYNC},
        {"verbose", no_argument, NULL, VERBOSE},
        {"help", no_argument, NULL, HELP},
        {"version", no_argument, NULL, VERSION},
        {NULL, 0, NULL, 0},
    };
    int level = KUBE_LOG_INFO;
    long number;
    int option;

    *flags = (struct flags){.state_dir = "networks", .workers = 2, .resync_s = 30};
    opterr = 0; /* one line a mistake, all of one form */
    while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        switch (option) {
        case KUBECONFIG:
            flags->kubeconfig = optarg;
            break;
        case MASTER:
            flags->master = optarg;
            break;
        case STATE_DIR:
            flags->state_dir = optarg;
            break;
        case WORKERS:
            if (!parse_number("workers", optarg, 1, MAX_WORKERS, &number))
                return false;
            flags->workers = (int)number;
            break;
        case RESYNC:
            if (!parse_number("resync", optarg, 0, MAX_RESYNC_S, &number))
                return false;
            flags->resync_s = number;
            break;
        case VERBOSE:
            level = level < KUBE_LOG_TRACE ? level + 1 : level;
            kube_log_set_level((kube_log_level)level);
            break;
        case HELP:
            fputs(help, stdout);
            exit(0);
        case VERSION:
            printf("network-controller, libkube %s\n", kube_version());
            exit(0);
        case ':':
            fprintf(stderr, "network-controller: %s wants a value; try --help\n", argv[optind - 1]);
            return false;
        default:
            tell_bad_option(argv);
            return false;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "network-controller: what is \"%s\"? try --help\n", argv[optind]);
        return false;
    }
    return true;
}
