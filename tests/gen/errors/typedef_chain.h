/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef kube_time t1;
typedef bool b1;
typedef const char *s1;
typedef kube_string_list l1;
typedef t1 t2;
typedef b1 b2;
typedef s1 s2;
typedef l1 l2;
typedef t2 t3;
typedef b2 b3;
typedef s2 s3;
typedef l2 l3;
typedef t3 t4;
typedef b3 b4;
typedef s3 s4;
typedef l3 l4;
typedef t4 t5;
typedef b4 b5;
typedef s4 s5;
typedef l4 l5;
typedef t5 t6;
typedef b5 b6;
typedef s5 s6;
typedef l5 l6;
typedef t6 t7;
typedef b6 b7;
typedef s6 s7;
typedef l6 l7;
typedef t7 t8;
typedef b7 b8;
typedef s7 s8;
typedef l7 l8;
typedef t8 t9;
typedef b8 b9;
typedef s8 s9;
typedef l8 l9;
typedef t9 t10;
typedef b9 b10;
typedef s9 s10;
typedef l9 l10;
typedef t10 t11;
typedef b10 b11;
typedef s10 s11;
typedef l10 l11;
typedef t11 t12;
typedef b11 b12;
typedef s11 s12;
typedef l11 l12;
typedef t12 t13;
typedef b12 b13;
typedef s12 s13;
typedef l12 l13;
typedef t13 t14;
typedef b13 b14;
typedef s13 s14;
typedef l13 l14;
typedef t14 t15;
typedef b14 b15;
typedef s14 s15;
typedef l14 l15;
typedef t15 t16;
typedef b15 b16;
typedef s15 s16;
typedef l15 l16;
typedef t16 t17;
typedef b16 b17;
typedef s16 s17;
typedef l16 l17;

typedef struct errors_v1_thing {
    t15 near_time; /* kube_time is the 16th */
    t16 far_time;
    b17 far_bool;
    s17 far_string;
    l15 near_list;
    l16 far_list;
    s17 *far_pointer;
} errors_v1_thing;

#endif
/* expect:
78:9: error: unsupported type 't16': it is behind more than 16 typedefs
79:9: error: unsupported type 'b17': it is behind more than 16 typedefs
80:9: error: unsupported type 's17': it is behind more than 16 typedefs
82:9: error: unsupported type 'l16': it is behind more than 16 typedefs
83:10: error: unsupported type 's17': it is behind more than 16 typedefs
*/
