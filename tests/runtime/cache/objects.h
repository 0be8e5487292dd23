/* SPDX-License-Identifier: Apache-2.0 */
/* Networks for tests of the cache. */
#ifndef TESTS_CACHE_OBJECTS_H
#define TESTS_CACHE_OBJECTS_H

#include <kube/object.h>
#include <samplecrd/v1/register.h>

/* One that looks decoded; the caller's reference. @uid and @version may be NULL. */
kube_object *network(const char *ns, const char *name, const char *uid, const char *version);
/* With labels as "a=1,b=2". */
kube_object *labeled(const char *ns, const char *name, const char *version, const char *labels);
/* With another cidr, to index by. */
kube_object *network_with_cidr(const char *ns, const char *name, const char *version,
                               const char *cidr);

static inline const samplecrd_v1_network *as_network(const kube_object *object)
{
    return (const samplecrd_v1_network *)(const void *)object;
}
static inline const char *name_of(const kube_object *object)
{
    return as_network(object)->metadata.name;
}
static inline const char *version_of(const kube_object *object)
{
    return as_network(object)->metadata.resource_version;
}

#endif /* TESTS_CACHE_OBJECTS_H */
