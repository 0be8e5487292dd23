/* SPDX-License-Identifier: Apache-2.0 */
/* The defaults of a manager's options. */
#ifndef KUBE_CONTROL_MANAGER_OPTIONS_H
#define KUBE_CONTROL_MANAGER_OPTIONS_H

#include <kube/manager.h>

/* Puts the default into each member that says nothing. */
void kube__manager_options_complete(kube_manager_options *options);

#endif /* KUBE_CONTROL_MANAGER_OPTIONS_H */
