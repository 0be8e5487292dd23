/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

#include "apiserver/core/resource.h"
#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

struct kube__api_registry {
    kube__api_resource **items; /* in the order of discovery */
    size_t len;
};

kube__api_registry *kube__api_registry_new(void)
{
    return calloc(1, sizeof(kube__api_registry));
}

void kube__api_registry_free(kube__api_registry *registry)
{
    if (!registry)
        return;
    for (size_t i = 0; i < registry->len; i++)
        kube__api_resource_unref(registry->items[i]);
    free(registry->items);
    free(registry);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* v2 before v1 before v1beta2 before v1alpha1 before what is no such version, by name. */
static bool parse_version(const char *version, unsigned long *major, int *stage,
                          unsigned long *minor)
{
    char *end;
    *minor = 0;
    if (*version != 'v' || !kube__is_digit(version[1]))
        return false;
    *major = strtoul(version + 1, &end, 10);
    if (!*end) {
        *stage = 2;
        return true;
    }
    *stage = strncmp(end, "beta", 4) == 0 ? 1 : strncmp(end, "alpha", 5) == 0 ? 0 : -1;
    if (*stage < 0)
        return false;
    end += *stage == 1 ? 4 : 5;
    if (!kube__is_digit(*end))
        return false;
    *minor = strtoul(end, &end, 10);
    return !*end;
}

static int compare_versions(const char *a, const char *b)
{
    unsigned long major[2];
    unsigned long minor[2];
    int stage[2];
    bool known_a = parse_version(a, &major[0], &stage[0], &minor[0]);
    bool known_b = parse_version(b, &major[1], &stage[1], &minor[1]);
    if (known_a != known_b)
        return known_a ? -1 : 1;
    if (!known_a)
        return strcmp(a, b);
    if (stage[0] != stage[1])
        return stage[0] > stage[1] ? -1 : 1;
    if (major[0] != major[1])
        return major[0] > major[1] ? -1 : 1;
    if (minor[0] != minor[1])
        return minor[0] > minor[1] ? -1 : 1;
    return 0;
}

/* Built-in groups as the real server's priorities have them; custom ones by name behind. */
static int group_rank(const char *group)
{
    static const char *const groups[] = {
        "",
        "apps",
        "events.k8s.io",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "rbac.authorization.k8s.io",
        "apiextensions.k8s.io",
        "coordination.k8s.io",
    };
    int count = (int)(sizeof(groups) / sizeof *groups);
    for (int i = 0; i < count; i++) {
        if (strcmp(groups[i], group) == 0)
            return i;
    }
    return count;
}

static int compare_resources(const kube__api_resource *a, const kube__api_resource *b)
{
    int order = group_rank(a->group) - group_rank(b->group);
    if (!order)
        order = strcmp(a->group, b->group);
    if (!order)
        order = compare_versions(a->version, b->version);
    return order ? order : strcmp(a->plural, b->plural);
}

/* ---- the table ------------------------------------------------------------------------------ */

bool kube__api_registry_put(kube__api_registry *registry, kube__api_resource *resource)
{
    size_t at = 0;
    while (at < registry->len && compare_resources(registry->items[at], resource) < 0)
        at++;
    if (at < registry->len && compare_resources(registry->items[at], resource) == 0) {
        kube__api_resource_unref(registry->items[at]);
        registry->items[at] = resource;
        return true;
    }
    kube__api_resource **grown =
        realloc(registry->items, (registry->len + 1) * sizeof *registry->items);
    if (!grown) {
        kube__api_resource_unref(resource);
        return false;
    }
    registry->items = grown;
    memmove(grown + at + 1, grown + at, (registry->len - at) * sizeof *grown);
    grown[at] = resource;
    registry->len++;
    return true;
}

void kube__api_registry_remove(kube__api_registry *registry, const char *group, const char *plural)
{
    size_t kept = 0;
    for (size_t i = 0; i < registry->len; i++) {
        kube__api_resource *resource = registry->items[i];
        if (strcmp(resource->group, group) == 0 && strcmp(resource->plural, plural) == 0)
            kube__api_resource_unref(resource);
        else
            registry->items[kept++] = resource;
    }
    registry->len = kept;
}

static bool is_of(const kube__api_resource *resource, const char *group, const char *version)
{
    return strcmp(resource->version, version) == 0 && strcmp(resource->group, group) == 0;
}

kube__api_resource *kube__api_registry_find(const kube__api_registry *registry, const char *group,
                                            const char *version, const char *plural)
{
    for (size_t i = 0; i < registry->len; i++) {
        kube__api_resource *resource = registry->items[i];
        if (strcmp(resource->plural, plural) == 0 && is_of(resource, group, version))
            return resource;
    }
    return NULL;
}

kube__api_resource *kube__api_registry_find_kind(const kube__api_registry *registry,
                                                 const char *group, const char *version,
                                                 const char *kind)
{
    for (size_t i = 0; i < registry->len; i++) {
        kube__api_resource *resource = registry->items[i];
        if (strcmp(resource->kind, kind) == 0 && is_of(resource, group, version))
            return resource;
    }
    return NULL;
}

kube__api_resource *kube__api_registry_at(const kube__api_registry *registry, size_t index)
{
    return index < registry->len ? registry->items[index] : NULL;
}

bool kube__api_registry_has_group(const kube__api_registry *registry, const char *group)
{
    for (size_t i = 0; i < registry->len; i++) {
        if (strcmp(registry->items[i]->group, group) == 0)
            return true;
    }
    return false;
}

bool kube__api_registry_has_version(const kube__api_registry *registry, const char *group,
                                    const char *version)
{
    for (size_t i = 0; i < registry->len; i++) {
        if (is_of(registry->items[i], group, version))
            return true;
    }
    return false;
}

/* ---- names ---------------------------------------------------------------------------------- */
