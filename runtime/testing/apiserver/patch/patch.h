/* SPDX-License-Identifier: Apache-2.0 */
/* The three patches that are no server-side apply. They change no input. */
#ifndef KUBE_APISERVER_PATCH_H
#define KUBE_APISERVER_PATCH_H

#include "apiserver/schema/schema.h"

/* RFC 6902. Failures as the server's: 422 when an operation cannot be done, 400 when the patch is
 * none. */
kube__api_failure *kube__api_json_patch(kube_ctx *ctx, const kube__json *object,
                                        const kube__json *patch, kube__json **out);
/* RFC 7396. @patch has passed kube__api_check_merge_patch(). */
kube__json *kube__api_merge_patch(kube_ctx *ctx, const kube__json *object, const kube__json *patch);
/* NULL when it is an object; 400 as the server's decoder puts it. */
kube__api_failure *kube__api_check_merge_patch(kube_ctx *ctx, const kube__json *patch);
/* Strategic merge by the merge keys of @schema: $patch, $retainKeys, $setElementOrder/…,
 * $deleteFromPrimitiveList/…. */
kube__api_failure *kube__api_strategic_patch(kube_ctx *ctx, const kube__api_schema *schema,
                                             const kube__json *object, const kube__json *patch,
                                             kube__json **out);

/* For the files of patches: 400 "…json: cannot unmarshal array into Go value of type T", where
 * @go_type is "value of type T" or "struct field S.f of type T". */
kube__api_failure *kube__api_wrong_patch(kube_ctx *ctx, const char *prefix, const kube__json *value,
                                         const char *go_type);

#endif /* KUBE_APISERVER_PATCH_H */
