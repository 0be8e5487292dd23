/* SPDX-License-Identifier: Apache-2.0 */
/* Checks certificates when the configuration is loaded, so that an error names the file. */
#ifndef KUBE_NET_CERTIFICATES_H
#define KUBE_NET_CERTIFICATES_H

#include "config.h"

/* At least one certificate, all of them readable. @what begins the message. */
KUBE__CHECKED kube_code kube__certificates_check_ca(const kube__pem *ca, const char *what,
                                                    kube_error *err);
/* Certificate and key, and that they belong together. */
KUBE__CHECKED kube_code kube__certificates_check_pair(const kube__pem *certificate,
                                                      const kube__pem *key, const char *what,
                                                      kube_error *err);

/* Makes the OpenSSL context @ssl refuse a server whose certificate has no alternative names. */
void kube__certificates_require_names(void *ssl);
/* Whether @text is what OpenSSL says of a certificate that was refused for that. */
bool kube__certificates_lacks_names(const char *text);

/* The calling thread needs OpenSSL no more; it would find that out itself, but only at its end. */
void kube__certificates_end_thread(void);

#endif /* KUBE_NET_CERTIFICATES_H */
