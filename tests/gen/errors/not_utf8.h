/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

/* Nobody reads this: Größe. */


/**
 * Thing is grÃ¶ÃŸer â‚¬ ðŸ˜€.
 * But not größer.
 */
typedef struct errors_v1_thing {
    /** A surrogate: í €. */
    int32_t a;
    // +kubebuilder:default=cut â‚
    const char *b;
    int32_t c; /* café */
} errors_v1_thing;

#endif
/* expect:
12:14: error: the byte 0xf6 is not UTF-8
15:22: error: the byte 0xed is not UTF-8
17:33: error: the byte 0xe2 is not UTF-8
*/
