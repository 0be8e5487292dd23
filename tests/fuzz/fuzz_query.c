/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the parameters of a request for the manager's pages. */
#include "control/manager/query.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *text = copy_part((fuzz_text){(const char *)data, len});
    char *query = kube__query_parse(text);
    size_t found = 0;
    must(query != NULL, "out of memory");
    for (const char *at = query; *at;) { /* each name leads to its value, or to one before */
        const char *name = at;
        const char *value = name + strlen(name) + 1;
        const char *first = kube__query_next(query, name, NULL);
        must(first && first <= value, "a parameter that is not found");
        for (const char *next = first; next && next < value;)
            next = kube__query_next(query, name, next);
        at = value + strlen(value) + 1;
        found++;
    }
    must(found <= len, "more parameters than bytes");
    count_input("parameters", found > 1);
    free(query);
    free(text);
    return 0;
}
