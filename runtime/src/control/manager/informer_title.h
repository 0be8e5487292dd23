/* SPDX-License-Identifier: Apache-2.0 */
/* What metrics and pages call an informer: "pods.v1", and "pods.v1 web" for one of its own. */
#ifndef KUBE_CONTROL_MANAGER_INFORMER_TITLE_H
#define KUBE_CONTROL_MANAGER_INFORMER_TITLE_H

#include "control/events/type_name.h"

#include <kube/informer.h>

enum { KUBE__INFORMER_TITLE_MAX = KUBE__TYPE_NAME_MAX + 64 };

static inline const char *kube__informer_title(const kube_informer *informer,
                                               char text[KUBE__INFORMER_TITLE_MAX])
{
    const char *name = kube_informer_name(informer);
    size_t len;
    kube__type_name(kube_informer_type(informer), text);
    len = strlen(text);
    snprintf(text + len, KUBE__INFORMER_TITLE_MAX - len, "%s%s", *name ? " " : "", name);
    return text;
}

#endif /* KUBE_CONTROL_MANAGER_INFORMER_TITLE_H */
