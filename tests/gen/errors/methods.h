/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +genclient:method=Get,verb=get,subresource=part
// +genclient:method=GetPart,verb=get,subresource=part,input=Thing
// +genclient:method=watchPart,verb=watch,subresource=part
// +genclient:method=updatePart,verb=update,subresource=a/b
// +genclient:method=A,verb=update,subresource=part,input=Thin
// +genclient:method=B,verb=update,subresource=part,input=k8s.io/api/authentication/v1.TokenRequest
// +genclient:method=C,verb=update,subresource=part,input=v1.TokenRequest
// +genclient:method=D,verb=update
// +genclient:method=E,verb=update,subresource=part,name=x
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:22: error: the client has a call errors_v1_things_get already: leave it out with '+genclient:skipVerbs', or name the method otherwise
9:62: error: the verb get sends nothing: remove 'input'
10:37: error: 'watch' is not a value of 'verb', which is one of get, create, update, apply
11:22: error: 'updatePart' is not the name of a method: it takes letters and digits in CamelCase
11:57: error: 'a/b' is not a subresource: it takes lower-case letters, digits and '-'
12:59: error: the header has no Kind 'Thin'; did you mean 'Thing'?
note: one of another header is written <group>/<version>.<Kind>
13:59: error: nothing declares 'k8s.io/api/authentication/v1.TokenRequest': #include <authentication/v1/types.h> above
14:59: error: 'v1.TokenRequest' is not the Kind of another header: write <group>/<version>.<Kind>
15:4: error: '+genclient:method' needs 'subresource='
16:53: error: '+genclient:method' has no argument 'name'
*/
