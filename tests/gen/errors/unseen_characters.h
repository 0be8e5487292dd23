/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// ﻿+genclient
typedef struct errors_v1_thing {
    // +optional
    const char *a;
    // ​+optional
    const char *b;
    // + optional
    const char *c;
    // +optional 
    const char *d;
    // +kubebuilder:validation:​MinLength=3
    const char *e;
    // +kubebuilder:validation:MaxLength= 3
    const char *f;
    // ＋optional
    const char *g;
    // +	optional
    const char *h;
    // A blank in text + is text, and​so is +optional.
    //	+optional
    const char *i;
    // +kubebuilder:validation:Pattern="^ +$"
    const char *j;
    // ️+optional
    int32_t k0;
    // 󠄀+optional
    int32_t k1;
    // ͏+optional
    int32_t k2;
    // ᅟ+optional
    int32_t k3;
    // ឴+optional
    int32_t k4;
    // ﾠ+optional
    int32_t k5;
    // 𝅳+optional
    int32_t k6;
    // ̀+optional
    int32_t k7;
    // ⁺optional
    int32_t l0;
    // ﹢optional
    int32_t l1;
} errors_v1_thing;

#endif
/* expect:
7:4: error: the character U+FEFF here makes this line plain text; write '// +genclient'
9:7: error: the character U+00A0 here makes this line plain text; write '// +optional'
11:8: error: the character U+200B here makes this line plain text; write '// +optional'
13:9: error: the character U+00A0 here makes this line plain text; write '// +optional'
15:17: error: the character U+00A0, which is not seen, stands in this marker: remove it
17:32: error: the character U+200B, which is not seen, stands in this marker: remove it
19:42: error: the character U+00A0, which is not seen, stands in this marker: remove it
21:8: error: the character U+FF0B here makes this line plain text; write '// +optional'
23:8: error: a blank after the '+' makes this line plain text; did you mean '+optional'?
30:8: error: the character U+FE0F here makes this line plain text; write '// +optional'
32:8: error: the character U+E0100 here makes this line plain text; write '// +optional'
34:8: error: the character U+034F here makes this line plain text; write '// +optional'
36:8: error: the character U+115F here makes this line plain text; write '// +optional'
38:8: error: the character U+17B4 here makes this line plain text; write '// +optional'
40:8: error: the character U+FFA0 here makes this line plain text; write '// +optional'
42:8: error: the character U+1D173 here makes this line plain text; write '// +optional'
44:8: error: the character U+0300 here makes this line plain text; write '// +optional'
46:8: error: the character U+207A here makes this line plain text; write '// +optional'
48:8: error: the character U+FE62 here makes this line plain text; write '// +optional'
*/
