/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=names.example.org
// +versionName=v1alpha3
// +prefix=short
#ifndef NAMES_V1_TYPES_H
#define NAMES_V1_TYPES_H

#include <kube/meta.h>

/** Names that need care. */
typedef struct short_spec {
    const char *default_;
    const char *namespace_;
    bool linux_;
    // +json=podCIDR
    const char *pod_cidr;
    const char *exactly_twenty_nine_letters_ab;
    const char *just_thirty_characters_long_abc;
    int32_t preferred_during_scheduling_ignored_during_execution;
} short_spec;

/**
 * Route has a Kind that is not its name in CamelCase, and a comment whose second line is so long
 * that it has to go on in another line when it is put behind the margin of a comment block here.
 */
// +genclient
// +kind=HTTPRoute
typedef struct short_http_route {
    kube_object base;
    kube_object_meta metadata;
    short_spec spec;
} short_http_route;

#endif /* NAMES_V1_TYPES_H */
