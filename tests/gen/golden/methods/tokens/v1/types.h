/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=tokens.example.org
#ifndef TOKENS_V1_TYPES_H
#define TOKENS_V1_TYPES_H
#include <kube/meta.h>

/** TokenRequest asks for a token. */
// +genclient
// +genclient:noVerbs
typedef struct tokens_v1_token_request {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    const char *token;
} tokens_v1_token_request;

#endif
