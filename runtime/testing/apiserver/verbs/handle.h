/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_APISERVER_HANDLE_H
#define KUBE_APISERVER_HANDLE_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"

/* Answers @request, under the lock. Never fails: a failure is an answer. Authentication has been
 * done. */
void kube__api_handle(kube_apiserver *server, kube__api_request *request,
                      kube__api_response *response);

#endif /* KUBE_APISERVER_HANDLE_H */
