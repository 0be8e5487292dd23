/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of built-ins. Descriptions are left out. */
#include "view.h"

#include <string.h>

#define NAME                                                                                       \
    {                                                                                              \
        "Name", "string", "name", "", NULL, 0                                                      \
    }
#define TEXT(name)                                                                                 \
    {                                                                                              \
        name, "string", "", "", NULL, 0                                                            \
    }
#define NUMBER(name)                                                                               \
    {                                                                                              \
        name, "integer", "", "", NULL, 0                                                           \
    }
#define WIDE(name)                                                                                 \
    {                                                                                              \
        name, "string", "", "", NULL, 1                                                            \
    }
#define AGE TEXT("Age")

#define COUNT(columns) (sizeof(columns) / sizeof *(columns))

static const kube__api_column pods[] = {
    NAME,       TEXT("Ready"), TEXT("Status"),         TEXT("Restarts"),        AGE,
    WIDE("IP"), WIDE("Node"),  WIDE("Nominated Node"), WIDE("Readiness Gates"),
};
static const kube__api_column services[] = {
    NAME, TEXT("Type"),     TEXT("Cluster-IP"), TEXT("External-IP"), TEXT("Port(s)"),
    AGE,  WIDE("Selector"),
};
static const kube__api_column config_maps[] = {NAME, TEXT("Data"), AGE};
static const kube__api_column secrets[] = {NAME, TEXT("Type"), TEXT("Data"), AGE};
static const kube__api_column namespaces[] = {NAME, TEXT("Status"), AGE};
static const kube__api_column nodes[] = {
    NAME,
    TEXT("Status"),
    TEXT("Roles"),
    AGE,
    TEXT("Version"),
    WIDE("Internal-IP"),
    WIDE("External-IP"),
    WIDE("OS-Image"),
    WIDE("Kernel-Version"),
    WIDE("Container-Runtime"),
};
static const kube__api_column events[] = {
    TEXT("Last Seen"), TEXT("Type"),
    TEXT("Reason"),    TEXT("Object"),
    WIDE("Subobject"), WIDE("Source"),
    TEXT("Message"),   WIDE("First Seen"),
    WIDE("Count"),     {"Name", "string", "name", "", NULL, 1},
};
static const kube__api_column service_accounts[] = {NAME, AGE};
static const kube__api_column endpoints[] = {NAME, TEXT("Endpoints"), AGE};
static const kube__api_column deployments[] = {
    NAME, TEXT("Ready"),      TEXT("Up-to-date"), TEXT("Available"),
    AGE,  WIDE("Containers"), WIDE("Images"),     WIDE("Selector"),
};
static const kube__api_column replica_sets[] = {
    NAME, NUMBER("Desired"),  NUMBER("Current"), NUMBER("Ready"),
    AGE,  WIDE("Containers"), WIDE("Images"),    WIDE("Selector"),
};
static const kube__api_column stateful_sets[] = {
    NAME, TEXT("Ready"), AGE, WIDE("Containers"), WIDE("Images"),
};
static const kube__api_column daemon_sets[] = {
    NAME,
    NUMBER("Desired"),
    NUMBER("Current"),
    NUMBER("Ready"),
    NUMBER("Up-to-date"),
    NUMBER("Available"),
    TEXT("Node Selector"),
    AGE,
    WIDE("Containers"),
    WIDE("Images"),
    WIDE("Selector"),
};
static const kube__api_column revisions[] = {NAME, TEXT("Controller"), TEXT("Revision"), AGE};
static const kube__api_column leases[] = {NAME, TEXT("Holder"), AGE};
static const kube__api_column bindings[] = {
    NAME, TEXT("Role"), AGE, WIDE("Users"), WIDE("Groups"), WIDE("ServiceAccounts"),
};
static const kube__api_column definitions[] = {
    NAME,          TEXT("Scope"), TEXT("Versions"),   {"Created At", "date", "", "", NULL, 0},
    WIDE("Group"), WIDE("Kind"),  WIDE("ShortNames"), {"Established", "boolean", "", "", NULL, 1},
};
/* Kinds for which the real server has no columns of their own: Role and ClusterRole. */
static const kube__api_column plain[] = {NAME, {"Created At", "date", "", "", NULL, 0}};

#define RBAC "rbac.authorization.k8s.io"

static const struct {
    const char *group;
    const char *plural;
    const kube__api_column *columns;
    size_t count;
} kinds[] = {
    {"", "pods", pods, COUNT(pods)},
    {"", "services", services, COUNT(services)},
    {"", "configmaps", config_maps, COUNT(config_maps)},
    {"", "secrets", secrets, COUNT(secrets)},
    {"", "namespaces", namespaces, COUNT(namespaces)},
    {"", "nodes", nodes, COUNT(nodes)},
    {"", "events", events, COUNT(events)},
    {"", "serviceaccounts", service_accounts, COUNT(service_accounts)},
    {"", "endpoints", endpoints, COUNT(endpoints)},
    {"apps", "deployments", deployments, COUNT(deployments)},
    {"apps", "replicasets", replica_sets, COUNT(replica_sets)},
    {"apps", "statefulsets", stateful_sets, COUNT(stateful_sets)},
    {"apps", "daemonsets", daemon_sets, COUNT(daemon_sets)},
    {"apps", "controllerrevisions", revisions, COUNT(revisions)},
    {"coordination.k8s.io", "leases", leases, COUNT(leases)},
    {"events.k8s.io", "events", events, COUNT(events)},
    {RBAC, "rolebindings", bindings, COUNT(bindings)},
    {RBAC, "clusterrolebindings", bindings, COUNT(bindings)},
    {"apiextensions.k8s.io", "customresourcedefinitions", definitions, COUNT(definitions)},
};

const kube__api_column *kube__api_builtin_columns(const char *group, const char *plural,
                                                  size_t *count)
{
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (strcmp(kinds[i].group, group) == 0 && strcmp(kinds[i].plural, plural) == 0) {
            *count = kinds[i].count;
            return kinds[i].columns;
        }
    }
    *count = COUNT(plain);
    return plain;
}
