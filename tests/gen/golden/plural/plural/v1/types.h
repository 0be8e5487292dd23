/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=plural.example.org
#ifndef PLURAL_V1_TYPES_H
#define PLURAL_V1_TYPES_H

#include <kube/meta.h>

/** Endpoints is its own plural: without cPlural its list type and its list call would clash. */
// +genclient
// +genclient:onlyVerbs=get,list
// +resourceName=endpoints
// +cPlural=endpoints_objects
typedef struct plural_v1_endpoints {
    kube_object base;
    kube_object_meta metadata;
} plural_v1_endpoints;

#endif /* PLURAL_V1_TYPES_H */
