/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_APISERVER_TIMEOUT_H
#define KUBE_APISERVER_TIMEOUT_H

#include "apiserver/core/failure.h"
#include "apiserver/core/request.h"

/* 400 unless ?timeout= is absent or a duration; watches may say what they like. */
kube__api_failure *kube__api_check_timeout(const kube__api_request *request);

#endif /* KUBE_APISERVER_TIMEOUT_H */
