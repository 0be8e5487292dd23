/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of CEL that markers stand for, as controller-gen writes them. */
#ifndef KUBEGEN_CEL_H
#define KUBEGEN_CEL_H

#include "support/arena.h"

#include <stddef.h>

typedef enum cel_choice { CEL_AT_MOST_ONE, CEL_EXACTLY_ONE, CEL_AT_LEAST_ONE } cel_choice;

/* A rule and what the server says where it is broken. */
typedef struct cel_rule {
    const char *rule;
    const char *message;
} cel_rule;

/* How many of an object's members are set. @names are those of the JSON. */
cel_rule cel_choose(arena *in, cel_choice choice, const char *const *names, size_t len);
/* That a member which is set stays set. */
cel_rule cel_stays(arena *in, const char *name);

#endif /* KUBEGEN_CEL_H */
