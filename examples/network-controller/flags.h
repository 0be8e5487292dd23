/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. */
#ifndef NETWORK_CONTROLLER_FLAGS_H
#define NETWORK_CONTROLLER_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

struct flags {
    const char *kubeconfig; /* NULL = search */
    const char *master;
    const char *state_dir;
    int workers;
    int64_t resync_s;
};

/* False after a mistake, which it has told. --help and --version end the process. */
bool flags_parse(struct flags *flags, int argc, char **argv);

#endif /* NETWORK_CONTROLLER_FLAGS_H */
