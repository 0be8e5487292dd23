/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets of the API server share. */
#ifndef TESTS_FUZZ_API_KIT_H
#define TESTS_FUZZ_API_KIT_H

#include "apiserver/core/request.h"
#include "fuzz.h"

#include <kube/testing/apiserver.h>

/* NULL when it is no JSON. */
kube__json *fuzz_parse(kube_ctx *ctx, const char *text, size_t len);
/* What is written is read as the same. */
void fuzz_same_again(kube_ctx *ctx, const kube__json *value);

/* A server that serves a CRD with every keyword, "gadgets" of example.com/v1. */
kube_apiserver *fuzz_server(void);
/* Hands a request with method, headers and body to it, and checks the answer. Returns its status.
 */
int fuzz_ask(kube_apiserver *server, kube__api_request *request, const char *target);
/* The same with a body of JSON or @type. */
int fuzz_send(kube_apiserver *server, const char *method, const char *target, const char *type,
              fuzz_text body);

#endif /* TESTS_FUZZ_API_KIT_H */
