/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Reads command-line options and environment variables, as described by a table.
 */
#ifndef KUBE_FLAGS_H
#define KUBE_FLAGS_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

/**
 * One option. It is written `--name VALUE` or `--name=VALUE`, a bool also `--name`. Exactly one of
 * the four targets (text, truth, number, duration_ms) must be set; it holds the default before
 * kube_flags_parse(). A table ends with an entry whose name is NULL.
 *
 * The environment variable PREFIX_NAME replaces the default unless it is empty, and the command
 * line replaces both. A name consists of fewer than 64 characters of a-z, 0-9 and '-', and needs a
 * help text. It cannot be "port": the kubelet sets that variable for a Service with the program's
 * name.
 */
typedef struct kube_flag {
    const char *name;  /* "state-dir" */
    const char *value; /* placeholder for --help, "DIR"; NULL = a word for its kind */
    const char *help;  /* "where the networks are kept" */
    const char **text;
    bool *truth; /* "true", "false", "1" or "0" */
    int64_t *number;
    int64_t *duration_ms; /* "1m30s" as in Go, or whole seconds, "30" */
    int64_t least;        /* bounds of a number, or of a duration in ms; both 0 = no bounds */
    int64_t most;         /* smaller than least = no upper bound */
} kube_flag;

/** What messages, `--help` and `--version` say about the program. */
typedef struct kube_flags_about {
    const char *program; /* "network-controller"; the PREFIX is then NETWORK_CONTROLLER */
    const char *summary; /* one line for --help; may be NULL */
    const char *version; /* for --version; NULL = libkube's */
} kube_flags_about;

/**
 * Reads the environment and the command line into the targets of @p flags and @p more (may be
 * NULL). If both tables have an option of one name, that of @p flags is used. Texts point into argv
 * and the environment; they are not copied.
 *
 * `--help`, `-h` and `--version` print and return KUBE_ERR_CLOSED; the program should then end with
 * status 0. An unknown option or a bad value is KUBE_ERR_ARGUMENT; the message names the option or
 * variable, and the option that was probably meant. Variables with the PREFIX that no option has
 * are ignored.
 */
KUBE_CHECKED kube_code kube_flags_parse(const kube_flags_about *about, const kube_flag *flags,
                                        const kube_flag *more, int argc, char **argv,
                                        kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_FLAGS_H */
