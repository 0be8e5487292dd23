/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    _Alignas(16) int32_t a;
    int32_t b __attribute__((deprecated));
    int64_t c __attribute__((packed));
    __attribute__((aligned(64))) const char *d;
} errors_v1_thing;

typedef struct __attribute__((packed)) errors_v1_packed {
    bool a;
    int64_t b;
} errors_v1_packed;

typedef struct errors_v1_aligned {
    int64_t b;
} __attribute__((aligned(64))) errors_v1_aligned;

#pragma pack(push, 1)
typedef struct errors_v1_by_pragma {
    int64_t b;
    bool a;
} errors_v1_by_pragma;
#pragma pack(pop)

typedef const char *errors_v1_wide __attribute__((aligned(256)));
typedef int32_t errors_v1_wide_number __attribute__((aligned(64)));
KUBE_DECLARE_LIST(errors_v1_wide_number);

typedef struct errors_v1_wide_thing {
    errors_v1_wide text;
    errors_v1_wide other;
    errors_v1_wide_number_list numbers;
} errors_v1_wide_thing;

#endif
/* expect:
8:26: error: 'a' is aligned or packed by hand, and objects are not allocated so: remove '_Alignas' or the attribute
9:13: error: generated code uses all members, and compilers would warn of 'b': say in its comment that it is deprecated
10:13: error: 'c' is aligned or packed by hand, and objects are not allocated so: remove '_Alignas' or the attribute
11:46: error: 'd' is aligned or packed by hand, and objects are not allocated so: remove '_Alignas' or the attribute
14:40: error: 'errors_v1_packed' is aligned or packed by hand, and objects are not allocated so: remove the attribute or '#pragma pack'
19:16: error: 'errors_v1_aligned' is aligned or packed by hand, and objects are not allocated so: remove the attribute or '#pragma pack'
24:16: error: 'errors_v1_by_pragma' is aligned or packed by hand, and objects are not allocated so: remove the attribute or '#pragma pack'
30:21: error: 'errors_v1_wide' is aligned by hand, and objects are not allocated so: remove the attribute
31:17: error: 'errors_v1_wide_number' is aligned by hand, and objects are not allocated so: remove the attribute
*/
