/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

#ifdef __cplusplus
struct errors_v1_of_cxx {
    int a;
};
#endif
#define ERRORS_V1_MODE_FAST "Fast"
#ifdef WITH_SLOW
#define ERRORS_V1_MODE_SLOW "Slow"
#endif

#if WITH_EXTRAS
/** Not there for kubegen. */
typedef struct errors_v1_extras {
    int32_t a;
} errors_v1_extras;
#else
typedef struct errors_v1_others {
    int32_t a;
} errors_v1_others;
#endif

typedef struct errors_v1_thing {
#ifdef WITH_SIZE
    int32_t size;
#elif defined(WITH_WIDTH)
    int32_t width;
#else
    int32_t weight;
#endif
    const char *name;
#include <kube/shapes.h>
  # /* blanks, too */ if \
        1
    const char *other;
%: endif
    int32_t count; /* a comment behind it */
#define ERRORS_V1_OTHER_LEN \
    # a
    // +enum=ERRORS_V1_MODE
    const char *mode;
#
} errors_v1_thing;

#endif
/* expect:
14:9: error: this value of '+enum=ERRORS_V1_MODE' is there under a condition only, but CRDs are generated once: remove the condition
13:1: note: the condition is here
19:16: error: this struct is there under a condition only, but code is generated once: remove the condition, or put what is optional into a header of its own
17:1: note: the condition is here
29:1: error: a struct has the same members for every compiler: remove '#ifdef', and mark what may be left out '+optional'
37:1: error: members stand in the header with their markers: write them here, or as a struct of their own that is '+inline', instead of '#include'
38:3: error: a struct has the same members for every compiler: remove '#if', and mark what may be left out '+optional'
43:1: error: '#define' stands in a struct: move it out
*/
