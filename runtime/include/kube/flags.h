/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Command-line options and the environment, from one table.
 */
#ifndef KUBE_FLAGS_H
#define KUBE_FLAGS_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

/**
 * One option: `--name VALUE` or `--name=VALUE`; of a bool `--name` or `--name=VALUE`. Exactly one
 * of the four targets is set, and holds the default beforehand. A table ends with a NULL name. The
 * environment's PREFIX_NAME, unless it is empty, comes before the default, the command line before
 * both. Names are of a-z, 0-9 and '-'; not "port", whose variable the kubelet sets for a Service of
 * the program's name.
 */
typedef struct kube_flag {
    const char *name;  /* "state-dir" */
    const char *value; /* what it stands for in --help: "DIR"; NULL = by kind */
    const char *help;  /* "where the networks are kept" */
    const char **text;
    bool *truth; /* true, false, 1, 0 */
    int64_t *number;
    int64_t *duration_ms; /* Go's spelling, "1m30s", or whole seconds, "30" */
    int64_t least;        /* of a number; of a duration in ms. Both 0 = no bounds */
    int64_t most;         /* below least = none */
} kube_flag;

/** What is put before and after the options of `--help`. */
typedef struct kube_flags_about {
    const char *program; /* "network-controller": for messages, and PREFIX in capitals */
    const char *summary; /* one line; may be NULL */
    const char *version; /* what --version prints; NULL = libkube's */
} kube_flags_about;

/**
 * Reads the environment and the command line into the targets of one or two tables (@p more may be
 * NULL); of two options of one name the first one counts. Texts point into argv and the
 * environment. `--help`, `-h` and `--version` print and give KUBE_ERR_CLOSED: end with status 0.
 * Anything unknown or ill-formed is KUBE_ERR_ARGUMENT, with one line that names the option or the
 * variable, and the option that was probably meant; other variables of the PREFIX are left alone.
 */
KUBE_CHECKED kube_code kube_flags_parse(const kube_flags_about *about, const kube_flag *flags,
                                        const kube_flag *more, int argc, char **argv,
                                        kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_FLAGS_H */
