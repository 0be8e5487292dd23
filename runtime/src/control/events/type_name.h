/* SPDX-License-Identifier: Apache-2.0 */
/* One text for a type, as kubectl takes it: "networks.v1.samplecrd.k8s.io", "pods.v1". */
#ifndef KUBE_CONTROL_TYPE_NAME_H
#define KUBE_CONTROL_TYPE_NAME_H

#include <kube/object.h>
#include <stdio.h>
#include <string.h>

enum { KUBE__TYPE_NAME_MAX = 256 };

static inline const char *kube__type_name(const kube_type *type, char text[KUBE__TYPE_NAME_MAX])
{
    const char *slash = strchr(type->api_version, '/');
    if (slash)
        snprintf(text, KUBE__TYPE_NAME_MAX, "%s.%s.%.*s", type->resource, slash + 1,
                 (int)(slash - type->api_version), type->api_version);
    else
        snprintf(text, KUBE__TYPE_NAME_MAX, "%s.%s", type->resource, type->api_version);
    return text;
}

#endif /* KUBE_CONTROL_TYPE_NAME_H */
