/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors that no child process inherits. hack/check-style.sh refuses all others. */
#ifndef KUBE_NET_DESCRIPTOR_H
#define KUBE_NET_DESCRIPTOR_H

/* As socket() and pipe(), but close-on-exec: at once, where the system can do that. */
int kube__socket(int family, int type, int protocol);
int kube__pipe(int ends[2]);

#endif /* KUBE_NET_DESCRIPTOR_H */
