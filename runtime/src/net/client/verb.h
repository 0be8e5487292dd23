/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the calls of kube/client.h share. */
#ifndef KUBE_NET_VERB_H
#define KUBE_NET_VERB_H

#include "request.h"

/* Metadata of @object, which need not say its type; NULL if @object is. */
const kube_object_meta *kube__verb_metadata(const kube_type *type, const kube_object *object);
/*
 * The first thing of each call: refuses a failed @ctx, and checks that @ns goes with the type's
 * scope. A single object (@one) of a namespaced type needs one: @ns, else that of @metadata (may be
 * NULL).
 */
KUBE__CHECKED kube_code kube__verb_namespace(const kube_ctx *ctx, const kube_type *type,
                                             const char *verb, const char *ns,
                                             const kube_object_meta *metadata, bool one,
                                             const char **out, kube_error *err);
/*
 * Refuses an @object that lost members when it was decoded: a PUT replaces, and what is not there
 * would be erased on the server. @losses_that_count are flags of its block.
 */
KUBE__CHECKED kube_code kube__verb_check_whole(const kube__target *target,
                                               const kube_object *object,
                                               unsigned losses_that_count,
                                               const kube_write_options *options, kube_error *err);
/* Starts the request for @target: its URL. Ended with kube__verb_send…() or kube__buffer_fini(). */
KUBE__CHECKED kube_code kube__verb_begin(kube_client *client, const char *method,
                                         const kube__target *target, kube__request *request,
                                         kube_error *err);
/* Sends it and gives its URL back. */
KUBE__CHECKED kube_code kube__verb_send(kube_client *client, kube_ctx *ctx, kube__request *request,
                                        void *out, kube_error *err);
/* The same with @object as the body, encoded in a scratch context. */
KUBE__CHECKED kube_code kube__verb_send_object(kube_client *client, kube_ctx *ctx,
                                               kube__request *request, const kube_object *object,
                                               kube_encode_mode mode, const char *content_type,
                                               void *out, kube_error *err);

#endif /* KUBE_NET_VERB_H */
