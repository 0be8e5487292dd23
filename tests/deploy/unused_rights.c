/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unused_rights OBJECTS AUDIT USER: the rights that the Roles and ClusterRoles in OBJECTS (a List,
 * as kubectl prints it) grant and that no request of USER in the audit log AUDIT made use of. A
 * line each: "VERB RESOURCE.GROUP" ("VERB RESOURCE" in the core group), then " named NAME" and
 * " in NAMESPACE" where the right is bound to these. A wildcard is always among them, for nobody
 * uses all that it stands for.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One verb of one resource, as granted. Strings belong to the JSON. */
typedef struct right {
    const char *group;
    const char *resource; /* with "/" and the subresource */
    const char *verb;
    const char *name;       /* "" = any */
    const char *namespace_; /* "" = all */
    bool used;
} right;

static right *rights;
static size_t right_count;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "unused_rights: %s: %s\n", what, why);
    exit(2);
}

static const char *text_of(const cJSON *in, const char *member)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(in, member));
    return text ? text : "";
}

static const cJSON *inside(const cJSON *in, const char *member)
{
    return cJSON_GetObjectItemCaseSensitive(in, member);
}

/* ---- granted ------------------------------------------------------------------------------- */

static void grant(const char *group, const char *resource, const char *verb, const char *name,
                  const char *namespace_)
{
    rights = realloc(rights, (right_count + 1) * sizeof *rights);
    if (!rights)
        die(resource, "out of memory");
    rights[right_count++] = (right){group, resource, verb, name, namespace_, false};
}

static void grant_verb(const cJSON *rule, const char *verb, const char *namespace_)
{
    const cJSON *names = inside(rule, "resourceNames");
    const cJSON *group;
    const cJSON *resource;
    const cJSON *name;
    cJSON_ArrayForEach(group, inside(rule, "apiGroups"))
    {
        cJSON_ArrayForEach(resource, inside(rule, "resources"))
        {
            if (!cJSON_GetArraySize(names))
                grant(group->valuestring, resource->valuestring, verb, "", namespace_);
            cJSON_ArrayForEach(name, names)
            {
                grant(group->valuestring, resource->valuestring, verb, name->valuestring,
                      namespace_);
            }
        }
    }
}

/* Rights to what is not a resource: "VERB /PATH". */
static void grant_paths(const cJSON *rule, const char *verb)
{
    const cJSON *path;
    cJSON_ArrayForEach(path, inside(rule, "nonResourceURLs"))
    {
        grant("", path->valuestring, verb, "", "");
    }
}

static void read_role(const cJSON *role)
{
    const char *namespace_ = text_of(inside(role, "metadata"), "namespace");
    const cJSON *rule;
    const cJSON *verb;
    cJSON_ArrayForEach(rule, inside(role, "rules"))
    {
        cJSON_ArrayForEach(verb, inside(rule, "verbs"))
        {
            grant_verb(rule, verb->valuestring, namespace_);
            grant_paths(rule, verb->valuestring);
        }
    }
}

static void read_roles(const cJSON *objects)
{
    const cJSON *object;
    cJSON_ArrayForEach(object, inside(objects, "items"))
    {
        const char *kind = text_of(object, "kind");
        if (strcmp(kind, "Role") == 0 || strcmp(kind, "ClusterRole") == 0)
            read_role(object);
    }
}

/* ---- used ---------------------------------------------------------------------------------- */

static bool is_resource(const char *granted, const cJSON *object)
{
    const char *resource = text_of(object, "resource");
    const char *subresource = text_of(object, "subresource");
    size_t len = strlen(resource);
    if (strncmp(granted, resource, len) != 0)
        return false;
    if (!*subresource)
        return granted[len] == '\0';
    return granted[len] == '/' && strcmp(granted + len + 1, subresource) == 0;
}

static bool is_bound(const char *bound, const char *to)
{
    return !*bound || strcmp(bound, to) == 0;
}

static void use(const cJSON *entry)
{
    const cJSON *object = inside(entry, "objectRef");
    const char *verb = text_of(entry, "verb");
    for (size_t i = 0; object && i < right_count; i++) {
        right *r = &rights[i];
        if (strcmp(r->verb, verb) == 0 && is_resource(r->resource, object) &&
            strcmp(r->group, text_of(object, "apiGroup")) == 0 &&
            is_bound(r->name, text_of(object, "name")) &&
            is_bound(r->namespace_, text_of(object, "namespace")))
            r->used = true;
    }
}

static bool was_refused(const cJSON *entry)
{
    const cJSON *code = inside(inside(entry, "responseStatus"), "code");
    return cJSON_IsNumber(code) && code->valueint == 403;
}

static void read_audit(const char *path, const char *user)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t len;
    size_t requests = 0;
    if (!file)
        die(path, strerror(errno));
    while ((len = getline(&line, &size, file)) > 0 && line[len - 1] == '\n') {
        cJSON *entry = cJSON_ParseWithLength(line, (size_t)len);
        if (!entry)
            die(path, "a line is no JSON");
        if (strcmp(text_of(inside(entry, "user"), "username"), user) == 0 && !was_refused(entry)) {
            requests++;
            use(entry);
        }
        cJSON_Delete(entry);
    }
    free(line);
    fclose(file);
    if (!requests)
        die(path, "no request of this user");
}

/* ---- main ---------------------------------------------------------------------------------- */

static cJSON *read_json(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t len;
    cJSON *root;
    if (!file)
        die(path, strerror(errno));
    len = getdelim(&text, &size, '\0', file);
    root = len > 0 ? cJSON_ParseWithLength(text, (size_t)len) : NULL;
    free(text);
    fclose(file);
    if (!root)
        die(path, "no JSON");
    return root;
}

static void print(const right *r)
{
    printf("%s %s", r->verb, r->resource);
    if (*r->group)
        printf(".%s", r->group);
    if (*r->name)
        printf(" named %s", r->name);
    if (*r->namespace_)
        printf(" in %s", r->namespace_);
    putchar('\n');
}

int main(int argc, char **argv)
{
    cJSON *objects;
    if (argc != 4) {
        fputs("usage: unused_rights OBJECTS AUDIT USER\n", stderr);
        return 2;
    }
    objects = read_json(argv[1]);
    read_roles(objects);
    if (!right_count)
        die(argv[1], "grants nothing");
    read_audit(argv[2], argv[3]);
    for (size_t i = 0; i < right_count; i++)
        if (!rights[i].used)
            print(&rights[i]);
    free(rights);
    cJSON_Delete(objects);
    return 0;
}
