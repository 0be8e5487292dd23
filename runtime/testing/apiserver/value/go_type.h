/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Go's types, which messages about wrong JSON types hold. */
#ifndef KUBE_APISERVER_GO_TYPE_H
#define KUBE_APISERVER_GO_TYPE_H

#include <kube/ctx.h>

/* "v1.PullPolicy" of "Container" and "imagePullPolicy"; NULL = the type is what the JSON's is. */
const char *kube__api_go_field(kube_ctx *ctx, const char *type, const char *field);
/* "ProbeHandler" of "Probe" and "httpGet"; NULL = the field is the struct's own. */
const char *kube__api_go_embedded(const char *type, const char *field);

#endif /* KUBE_APISERVER_GO_TYPE_H */
