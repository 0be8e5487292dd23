/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A register of services outside the cluster: a directory with a file for each AppService. The
 * garbage collector does not know it, so a finalizer sees to it that files go with their objects.
 */
#ifndef APPSERVICE_CONTROLLER_ANNOUNCE_H
#define APPSERVICE_CONTROLLER_ANNOUNCE_H

#include <kube/kube.h>

/* Puts DIR/<namespace>_<name> there with that text, in one step; a file that has it stays as it
 * is. */
kube_code announce_put(kube_ctx *ctx, const char *dir, kube_key key, const char *text,
                       kube_error *err);
/* Takes it away; KUBE_OK also when it was not there. */
kube_code announce_withdraw(kube_ctx *ctx, const char *dir, kube_key key, kube_error *err);

#endif /* APPSERVICE_CONTROLLER_ANNOUNCE_H */
