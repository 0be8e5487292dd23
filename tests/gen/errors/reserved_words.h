/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    const char *namespace;
    const char *template;
    bool not;
    const char *linux;
    const char *operator_;
} errors_v1_thing;

#endif
/* expect:
8:17: error: 'namespace' is a reserved word or a macro in C or C++: name the member 'namespace_'
9:17: error: 'template' is a reserved word or a macro in C or C++: name the member 'template_'
10:10: error: 'not' is a reserved word or a macro in C or C++: name the member 'not_'
11:17: error: 'linux' is a reserved word or a macro in C or C++: name the member 'linux_'
*/
