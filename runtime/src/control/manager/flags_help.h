/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the texts of --help and --version. */
#ifndef KUBE_CONTROL_FLAGS_HELP_H
#define KUBE_CONTROL_FLAGS_HELP_H

#include <kube/flags.h>

/* To stdout, with the targets' values as the defaults. @more may be NULL. */
void kube__flags_print_help(const kube_flags_about *about, const kube_flag *flags,
                            const kube_flag *more);
void kube__flags_print_version(const kube_flags_about *about);
/* "network-controller", "state-dir": NETWORK_CONTROLLER_STATE_DIR. */
void kube__flags_variable(const char *program, const char *name, char *out, size_t size);

#endif /* KUBE_CONTROL_FLAGS_HELP_H */
