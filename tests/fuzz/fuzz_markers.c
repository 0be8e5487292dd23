/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as a C file with markers, and as a value of one. A value that is read in the strict form
 * is also one in the loose form, and the same.
 */
#include "front/literal.h"
#include "fuzz.h"
#include "rbac/rbac_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_value *read_value(const char *text, bool loose)
{
    const char *why = NULL;
    size_t fault = 0;
    json_value *value = literal_parse(text, loose, &fault, &why);
    must((value == NULL) == (why != NULL), "a value and an error, or neither");
    must(fault <= strlen(text), "a fault behind the text");
    return value;
}

/* Whether it is a value in one of the forms. */
static bool read_values(const char *text)
{
    json_value *strict = read_value(text, false);
    json_value *loose = read_value(text, true);
    bool accepted = loose != NULL;
    if (strict) {
        must(loose != NULL, "JSON that the loose form does not take");
        must(literal_equal(strict, loose), "JSON that the loose form reads in another way");
    }
    json_free(strict);
    json_free(loose);
    return accepted;
}

/* Whether it says something of a role. */
static bool read_file(const char *text)
{
    arena *in = arena_new();
    diag *messages = diag_new();
    rbac_roles roles = {0};
    bool accepted;
    rbac_read(in, "fuzz.c", text, "role", &roles, messages);
    for (size_t i = 0; i < roles.len; i++) {
        rbac_merge(in, &roles.items[i]);
        free(roles.items[i].rules.items);
    }
    accepted = roles.len > 0;
    free(roles.items);
    diag_free(messages);
    arena_free(in);
    return accepted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = copy_part((fuzz_text){(const char *)data, len});
    count_input("values", read_values(text));
    count_input("roles", read_file(text));
    free(text);
    return 0;
}
