/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "base/text.h"
#include "token.h"

#include <string.h>
#include <strings.h>

/* The token of an Authorization header, NULL when it holds none: then it counts for nothing. */
static const char *bearer(kube_ctx *ctx, const char *header)
{
    while (*header == ' ')
        header++;
    if (strncasecmp(header, "bearer ", 7) != 0)
        return NULL;
    const char *token = header + 7;
    size_t len = strcspn(token, " ");
    return len ? kube_ctx_strndup(ctx, token, len) : NULL;
}

/* What is known of a user besides: which certificate showed who he is. */
static const kube__json *credential(kube_ctx *ctx, const char *fingerprint)
{
    kube__json *extra = kube__json_object(ctx);
    kube__json *ids =
        kube__json_ensure_array(ctx, extra, "authentication.kubernetes.io/credential-id");
    kube__json_append(ids, kube__json_stringf(ctx, "X509SHA256=%s", fingerprint));
    return extra;
}

/* As the certificate says: CN is the user, each O a group. */
static void take_subject(kube_ctx *ctx, kube__api_user *user, const char *common_name,
                         const char *const *organizations)
{
    size_t count = 0;
    while (organizations && organizations[count])
        count++;
    const char **groups = kube_ctx_alloc_array(ctx, count + 2, sizeof *groups);
    for (size_t i = 0; groups && i < count; i++)
        groups[i] = kube_ctx_strdup(ctx, organizations[i]);
    if (groups)
        groups[count] = "system:authenticated";
    *user = (kube__api_user){.name = kube__text_or_empty(kube_ctx_strdup(ctx, common_name)),
                             .uid = "",
                             .groups = groups};
}

kube__api_failure *kube__api_authenticate(kube_apiserver *server, kube__api_request *request,
                                          const char *common_name, const char *const *organizations,
                                          const char *fingerprint)
{
    static const char *const nobody[] = {"system:unauthenticated", NULL};
    static const char *const masters[] = {"system:masters", "system:authenticated", NULL};
    kube_ctx *ctx = request->ctx;
    if (common_name && *common_name) {
        take_subject(ctx, &request->user, common_name, organizations);
        if (fingerprint)
            request->user.extra = credential(ctx, fingerprint);
        return kube__api_impersonate(server, request);
    }
    const char *token = bearer(ctx, kube__api_header(request, "authorization"));
    if (!token) {
        /* Clients send no credentials over plain HTTP, so there everybody is the administrator. */
        request->user =
            server->options.tls
                ? (kube__api_user){.name = "system:anonymous", .uid = "", .groups = nobody}
                : (kube__api_user){.name = "system:unsecured", .uid = "", .groups = masters};
        return kube__api_impersonate(server, request);
    }
    kube__json *granted = NULL;
    const char *fault = "";
    if (!kube__api_token_check(server, ctx, token, NULL, &request->user, &granted, &fault))
        return kube__api_fail(ctx, 401, "Unauthorized", "Unauthorized");
    return kube__api_impersonate(server, request);
}
