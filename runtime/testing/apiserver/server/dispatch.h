/* SPDX-License-Identifier: Apache-2.0 */
/* From a request that was read to its answer, whatever carries them. */
#ifndef KUBE_APISERVER_DISPATCH_H
#define KUBE_APISERVER_DISPATCH_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"

/* The largest body that is taken, as the real server's. */
#define KUBE__API_MAX_BODY ((size_t)3 << 20)
/* What one that writes an object may hold in memory besides its body and its answer. The documents,
 * their field sets and what is compared can take 160 times the bytes of the object. */
#define KUBE__API_MAX_MEMORY ((size_t)256 << 20)

/* The one at the other end, as his client certificate says. */
typedef struct kube__api_peer {
    const char *common_name;          /* NULL = he showed none */
    const char *const *organizations; /* NULL-terminated */
    const char *fingerprint;          /* of the certificate: SHA-256, in hexadecimal */
    bool refused;                     /* he showed one that is not signed by our CA */
} kube__api_peer;

/* What the transport has read. */
typedef struct kube__api_message {
    const char *target; /* "/path?query" */
    const kube__api_peer *peer;
    bool body_too_large;
    bool body_is_broken; /* its chunks are none from some point on */
} kube__api_message;

/*
 * Fills the rest of @request, of which ctx, method, headers and body are set; authenticates,
 * records, lets faults act, handles; fills @response, which is initialised. Takes the server's
 * lock. The answer is in its final form but for compression.
 */
void kube__api_dispatch(kube_apiserver *server, kube__api_request *request,
                        const kube__api_message *message, kube__api_response *response);
/*
 * Answers a path of the server's health without its lock, and so without a record: for the time in
 * which it handles another request. Returns false if the request is another one, or shows
 * credentials that would have to be looked at.
 */
KUBE__CHECKED bool kube__api_dispatch_health(kube__api_request *request,
                                             const kube__api_message *message,
                                             kube__api_response *response);

#endif /* KUBE_APISERVER_DISPATCH_H */
