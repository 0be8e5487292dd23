/* SPDX-License-Identifier: Apache-2.0 */
/* fetch_text() reads a file, standard input, or what a URL names. */
#ifndef KUBEGEN_FETCH_H
#define KUBEGEN_FETCH_H

#include "support/str.h"

/* How a server is asked; all may be NULL. */
typedef struct fetch_options {
    const char *token_file; /* a bearer token */
    const char *ca_file;    /* the authorities to trust instead of the system's */
    const char *cert_file;  /* client certificate and its key */
    const char *key_file;
    const char *token; /* these four: the same as texts */
    const char *ca;
    const char *cert;
    const char *key;
    bool is_insecure; /* any server is taken for the one that is meant */
} fetch_options;

/* Appends all of @name; "-" is standard input. Returns false with a line in @error. */
bool fetch_text(const char *name, const fetch_options *options, str *out, str *error);

#endif /* KUBEGEN_FETCH_H */
