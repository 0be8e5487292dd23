/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and certificates for tests of TLS, made on the spot. */
#ifndef TESTS_SUPPORT_PKI_H
#define TESTS_SUPPORT_PKI_H

typedef struct pki_pair {
    char *certificate; /* PEM */
    char *key;         /* PEM */
} pki_pair;

/* An authority of that name. */
pki_pair pki_ca(const char *name);
/*
 * A certificate of @ca for @name. @san as OpenSSL writes it ("IP:127.0.0.1,DNS:a.test"), NULL =
 * none; valid from a day ago to @days from now (negative = it has expired).
 */
pki_pair pki_issue(const pki_pair *ca, const char *name, const char *san, int days);
void pki_free(pki_pair *pair);

#endif /* TESTS_SUPPORT_PKI_H */
