/* SPDX-License-Identifier: Apache-2.0 */
/* Which form the answer takes. Protobuf and CBOR are never sent: the next clause counts then. */
#include "apiserver/core/request.h"
#include "base/text.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

#define ONLY "only the following media types are accepted: "
#define MEDIA_TYPES "application/json, application/yaml, application/vnd.kubernetes.protobuf"

/* The forms of a watch. */
#define STREAM_TYPES                                                                               \
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"

enum { CLAUSE_LIMIT = 64 };

typedef struct clause {
    const char *type;
    const char *subtype;
    const char *parameters; /* what follows the first ';', "" = none */
    double quality;
} clause;

typedef struct conversion {
    const char *kind;
    const char *group;
    const char *version;
} conversion;

/* @text without blanks around it. */
static const char *trimmed(kube_ctx *ctx, const char *text, size_t len)
{
    while (len && *text == ' ') {
        text++;
        len--;
    }
    while (len && text[len - 1] == ' ')
        len--;
    return kube__text_or_empty(kube_ctx_strndup(ctx, text, len));
}

/* The value of "name=value" among parameters; "" = absent. */
static const char *parameter(kube_ctx *ctx, const char *parameters, const char *name)
{
    const char *found = "";
    while (*parameters) {
        size_t len = strcspn(parameters, ";");
        const char *equals = memchr(parameters, '=', len);
        if (equals && !memchr(equals + 1, '=', len - (size_t)(equals + 1 - parameters)) &&
            strcmp(trimmed(ctx, parameters, (size_t)(equals - parameters)), name) == 0)
            found = trimmed(ctx, equals + 1, len - (size_t)(equals + 1 - parameters));
        parameters += len + (parameters[len] == ';');
    }
    return found;
}

static bool read_clause(kube_ctx *ctx, const char *text, clause *out)
{
    size_t len = strcspn(text, ";");
    const char *type = trimmed(ctx, text, len);
    const char *slash = strchr(type, '/');
    if (!slash && strcmp(type, "*") != 0)
        return false;
    if (slash && strchr(slash + 1, '/'))
        return false;
    out->type = slash ? trimmed(ctx, type, (size_t)(slash - type)) : type;
    out->subtype = slash ? trimmed(ctx, slash + 1, strlen(slash + 1)) : "*";
    out->parameters = text[len] ? text + len + 1 : "";
    const char *quality = parameter(ctx, out->parameters, "q");
    out->quality = *quality ? kube__text_to_double(quality) : 1.0;
    return *out->subtype != '\0';
}

static bool goes_before(const clause *a, const clause *b)
{
    return a->quality > b->quality || (*a->type != '*' && *b->type == '*') ||
           (*a->subtype != '*' && *b->subtype == '*');
}

/* By quality, then the exact before the open; else as sent. */
static size_t read_clauses(kube_ctx *ctx, const char *header, clause *clauses)
{
    size_t count = 0;
    while (*header && count < CLAUSE_LIMIT) {
        size_t len = strcspn(header, ",");
        clause one;
        if (read_clause(ctx, trimmed(ctx, header, len), &one)) {
            size_t at = count++;
            for (; at && goes_before(&one, &clauses[at - 1]); at--)
                clauses[at] = clauses[at - 1];
            clauses[at] = one;
        }
        header += len + (header[len] == ',');
    }
    return count;
}

static bool names(const clause *c, const char *subtype)
{
    if (strcmp(c->type, "*") == 0)
        return strcmp(c->subtype, "*") == 0;
    return strcmp(c->type, "application") == 0 &&
           (strcmp(c->subtype, "*") == 0 || strcmp(c->subtype, subtype) == 0);
}

static bool is_exactly(const char *text, const char *a, const char *b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

/* Whether the clause's conversion, if it has one, can be done; then *@view is it. */
static bool read_view(kube_ctx *ctx, const clause *c, kube__api_view *view, bool *of_list)
{
    const conversion as = {.kind = parameter(ctx, c->parameters, "as"),
                           .group = parameter(ctx, c->parameters, "g"),
                           .version = parameter(ctx, c->parameters, "v")};
    const char *stream = parameter(ctx, c->parameters, "stream");
    *view = KUBE__API_VIEW_OBJECT;
    *of_list = false;
    if (*stream && strcmp(stream, "watch") != 0)
        return false;
    if (!*as.kind && !*as.group && !*as.version)
        return true;
    if (strcmp(as.group, "meta.k8s.io") != 0 || !is_exactly(as.version, "v1", "v1beta1"))
        return false;
    *of_list = strcmp(as.kind, "PartialObjectMetadataList") == 0;
    if (strcmp(as.kind, "Table") == 0)
        *view = KUBE__API_VIEW_TABLE;
    else if (*of_list || strcmp(as.kind, "PartialObjectMetadata") == 0)
        *view = KUBE__API_VIEW_METADATA;
    return *view != KUBE__API_VIEW_OBJECT;
}

/* The router in front of the built-ins looks at media types alone, and knows but one wildcard. */
static bool router_accepts(const clause *clauses, size_t count)
{
    static const char *const subtypes[] = {"json", "yaml", "vnd.kubernetes.protobuf", NULL};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(clauses[i].type, "*") == 0)
            return true;
        if (strcmp(clauses[i].type, "application") == 0 &&
            kube__api_is_one_of(clauses[i].subtype, subtypes))
            return true;
    }
    return false;
}

/* The Go type that a message of the real server names. */
static const char *go_type(kube_ctx *ctx, const kube__api_resource *resource, bool list)
{
    static const char *const packages[][2] = {
        {"", "core"},
        {"apps", "apps"},
        {"coordination.k8s.io", "coordination"},
        {"events.k8s.io", "core"},
        {"rbac.authorization.k8s.io", "rbac"},
        {"apiextensions.k8s.io", "apiextensions"},
    };
    if (resource->custom)
        return list ? "*unstructured.UnstructuredList" : "*unstructured.Unstructured";
    const char *package = resource->group;
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        if (strcmp(packages[i][0], resource->group) == 0)
            package = packages[i][1];
    }
    return kube__api_text(ctx, "*%s.%s%s", package, resource->kind, list ? "List" : "");
}

/* What can be said against a form only when it is known which one it is. */
static kube__api_failure *check_view(kube_ctx *ctx, const kube__api_request *request,
                                     const kube__api_resource *resource, kube__api_view view,
                                     bool of_list)
{
    const char *include = kube__api_query(request, "includeObject");
    bool list = strcmp(request->verb, "list") == 0;
    if (view == KUBE__API_VIEW_TABLE && *include && strcmp(include, "Object") != 0 &&
        !is_exactly(include, "None", "Metadata"))
        return kube__api_bad_request(ctx,
                                     "Unable to convert to Table as requested: includeObject: "
                                     "Invalid value: \"%s\": must be 'Metadata', 'Object', "
                                     "'None', or empty",
                                     include);
    if (view != KUBE__API_VIEW_METADATA || list == of_list || !resource ||
        strcmp(request->verb, "watch") == 0)
        return NULL;
    if (resource->custom && of_list)
        return kube__api_fail(ctx, 500, "", "content is not a list");
    const char *type = go_type(ctx, resource, list);
    return kube__api_fail(ctx, 406, "NotAcceptable",
                          "you requested PartialObjectMetadata%s, but the requested "
                          "object is %sa list (%s)",
                          of_list ? "List" : "", of_list ? "not " : "", type);
}

kube__api_failure *kube__api_accept(kube_ctx *ctx, const kube__api_request *request,
                                    const kube__api_resource *resource, kube__api_view *view,
                                    kube__api_media *media)
{
    clause clauses[CLAUSE_LIMIT];
    const char *header = kube__api_header(request, "accept");
    bool of_list = false;
    *view = KUBE__API_VIEW_OBJECT;
    *media = KUBE__API_MEDIA_JSON;
    if (!*header)
        return NULL;
    size_t count = read_clauses(ctx, header, clauses);
    if (resource && !resource->custom && !router_accepts(clauses, count)) {
        bool streams = !*request->name && strcmp(request->method, "GET") == 0;
        kube__api_failure *failure =
            kube__api_fail(ctx, 406, "NotAcceptable",
                           "406: Not Acceptable\n\nAvailable representations: " MEDIA_TYPES "%s%s",
                           streams ? ", " : "", streams ? STREAM_TYPES : "");
        failure->has_details = true;
        return failure;
    }
    for (size_t i = 0; i < count; i++) {
        bool json = names(&clauses[i], "json");
        if (!json && !names(&clauses[i], "yaml"))
            continue;
        if (read_view(ctx, &clauses[i], view, &of_list) &&
            (resource || *view == KUBE__API_VIEW_OBJECT)) {
            *media = json ? KUBE__API_MEDIA_JSON : KUBE__API_MEDIA_YAML;
            if (!json && strcmp(request->verb, "watch") == 0)
                return kube__api_fail(ctx, 406, "NotAcceptable", ONLY STREAM_TYPES);
            return check_view(ctx, request, resource, *view, of_list);
        }
    }
    *view = KUBE__API_VIEW_OBJECT;
    return kube__api_fail(ctx, 406, "NotAcceptable", ONLY MEDIA_TYPES);
}

bool kube__api_accepts_aggregated(kube_ctx *ctx, const kube__api_request *request)
{
    clause clauses[CLAUSE_LIMIT];
    size_t count = read_clauses(ctx, kube__api_header(request, "accept"), clauses);
    for (size_t i = 0; i < count; i++) {
        kube__api_view view;
        bool of_list = false;
        const char *parameters = clauses[i].parameters;
        if (!names(&clauses[i], "json"))
            continue;
        if (strcmp(parameter(ctx, parameters, "as"), "APIGroupDiscoveryList") == 0 &&
            strcmp(parameter(ctx, parameters, "g"), "apidiscovery.k8s.io") == 0 &&
            strcmp(parameter(ctx, parameters, "v"), "v2") == 0)
            return true;
        if (read_view(ctx, &clauses[i], &view, &of_list) && view == KUBE__API_VIEW_OBJECT)
            return false;
    }
    return false;
}

const char *kube__api_view_version(kube_ctx *ctx, const kube__api_request *request)
{
    clause clauses[CLAUSE_LIMIT];
    const char *header = kube__api_header(request, "accept");
    size_t count = strstr(header, "v1beta1") ? read_clauses(ctx, header, clauses) : 0;
    for (size_t i = 0; i < count; i++) {
        kube__api_view view;
        bool of_list = false;
        if ((names(&clauses[i], "json") || names(&clauses[i], "yaml")) &&
            read_view(ctx, &clauses[i], &view, &of_list))
            return strcmp(parameter(ctx, clauses[i].parameters, "v"), "v1beta1") == 0
                       ? "meta.k8s.io/v1beta1"
                       : "meta.k8s.io/v1";
    }
    return "meta.k8s.io/v1";
}
