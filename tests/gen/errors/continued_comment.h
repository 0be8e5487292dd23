/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// Outside of structs it may be so \
   as any compiler has it.
// But not so \
  #define ERRORS_V1_MODE_SLOW "Slow"
typedef struct errors_v1_thing { // the first \
    const char *swallowed;
    // a ??/
    const char *swallowed_too;
    /// a document \
    const char *documented;
    const char *x; // and behind a member \
    const char *y;
    /* In a block it is \
     * only a backslash. */
    const char *z;
} errors_v1_thing;

#endif
/* expect:
9:4: error: the backslash or '??/' at its end makes the next line part of this comment
11:37: error: the backslash or '??/' at its end makes the next line part of this comment
13:8: error: the backslash or '??/' at its end makes the next line part of this comment
15:9: error: the backslash or '??/' at its end makes the next line part of this comment
17:23: error: the backslash or '??/' at its end makes the next line part of this comment
*/
