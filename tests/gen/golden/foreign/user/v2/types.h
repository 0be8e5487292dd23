/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=user.example.org
#ifndef USER_V2_TYPES_H
#define USER_V2_TYPES_H

#include <base/v1/types.h>
#include <kube/meta.h>

/** Thing uses structs of another API and of the runtime. */
// +genclient
typedef struct user_v2_thing {
    kube_object base;
    kube_object_meta metadata;
    base_v1_place home;
    base_v1_place_list visited;
    kube_condition_list conditions;
    kube_managed_fields_entry manager;
    kube_owner_reference *owner;
    base_v1_claim claim;
} user_v2_thing;

#endif /* USER_V2_TYPES_H */
