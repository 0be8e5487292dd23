/* SPDX-License-Identifier: Apache-2.0 */
/* Two answers to the same request, and every difference between them as a line. */
#ifndef TESTS_PARITY_COMPARE_H
#define TESTS_PARITY_COMPARE_H

#include "conformance/parity/normal.h"
#include "conformance/parity/script.h"

enum { PARITY_DIFFERENCES_MAX = 60 };

/* "body.message: "a" and "b"": where it differs, then both sides. */
typedef struct parity_differences {
    kube_ctx *ctx;
    const char *lines[PARITY_DIFFERENCES_MAX];
    size_t count;
    bool more;
} parity_differences;

void parity_add_difference(parity_differences *list, const char *line);
/* names[0] and names[1] remember what each side called things. */
void parity_compare(parity_differences *list, const parity_step *step, parity_names *names[2],
                    const parity_response *answers[2]);
/* Whether resource versions rise, fall and stay on both sides alike. */
void parity_compare_versions(parity_differences *list, parity_names *names[2]);
/* The value at "a.b[0].c[name=x]['key.with.dots']"; NULL when there is none. */
kube__json *parity_pick(kube_ctx *ctx, kube__json *value, const char *path);

#endif /* TESTS_PARITY_COMPARE_H */
