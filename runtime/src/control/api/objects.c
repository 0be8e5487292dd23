/* SPDX-License-Identifier: Apache-2.0 */
/* Group, version and resource of the objects in objects.h. */
#include "objects.h"

#include <kube/generated.h>

extern const kube_schema kube__wire_core_event_schema;
extern const kube_schema kube__wire_event_schema;
extern const kube_schema kube__wire_lease_schema;
extern const kube_schema kube__wire_token_review_schema;
extern const kube_schema kube__wire_access_review_schema;

KUBE_CHECK_ROOT(kube__wire_core_event);
const kube_type kube__wire_core_event_type = {
    .group = "",
    .version = "v1",
    .api_version = "v1",
    .kind = "Event",
    .list_kind = "EventList",
    .resource = "events",
    .singular = "event",
    .schema = &kube__wire_core_event_schema,
    .metadata_offset = offsetof(kube__wire_core_event, metadata),
    .namespaced = true,
    .abi = kube_abi_2,
};

KUBE_CHECK_ROOT(kube__wire_event);
const kube_type kube__wire_event_type = {
    .group = "events.k8s.io",
    .version = "v1",
    .api_version = "events.k8s.io/v1",
    .kind = "Event",
    .list_kind = "EventList",
    .resource = "events",
    .singular = "event",
    .schema = &kube__wire_event_schema,
    .metadata_offset = offsetof(kube__wire_event, metadata),
    .namespaced = true,
    .abi = kube_abi_2,
};

KUBE_CHECK_ROOT(kube__wire_lease);
const kube_type kube__wire_lease_type = {
    .group = "coordination.k8s.io",
    .version = "v1",
    .api_version = "coordination.k8s.io/v1",
    .kind = "Lease",
    .list_kind = "LeaseList",
    .resource = "leases",
    .singular = "lease",
    .schema = &kube__wire_lease_schema,
    .metadata_offset = offsetof(kube__wire_lease, metadata),
    .namespaced = true,
    .abi = kube_abi_2,
};

KUBE_CHECK_ROOT(kube__wire_token_review);
const kube_type kube__wire_token_review_type = {
    .group = "authentication.k8s.io",
    .version = "v1",
    .api_version = "authentication.k8s.io/v1",
    .kind = "TokenReview",
    .list_kind = "TokenReviewList",
    .resource = "tokenreviews",
    .singular = "tokenreview",
    .schema = &kube__wire_token_review_schema,
    .metadata_offset = offsetof(kube__wire_token_review, metadata),
    .abi = kube_abi_2,
};

KUBE_CHECK_ROOT(kube__wire_access_review);
const kube_type kube__wire_access_review_type = {
    .group = "authorization.k8s.io",
    .version = "v1",
    .api_version = "authorization.k8s.io/v1",
    .kind = "SubjectAccessReview",
    .list_kind = "SubjectAccessReviewList",
    .resource = "subjectaccessreviews",
    .singular = "subjectaccessreview",
    .schema = &kube__wire_access_review_schema,
    .metadata_offset = offsetof(kube__wire_access_review, metadata),
    .abi = kube_abi_2,
};
