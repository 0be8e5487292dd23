/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what a CRD says of each struct of the headers that are named:
 *
 *   struct_schemas HEADER… > schemas.json
 *
 * as one JSON object, which has under "core/v1/types.h core_v1_pod_spec" the schema of that struct.
 * A struct that holds itself has none. KUBEGEN_INCLUDE names the directories of included headers.
 */
#include "crd/crd_schema.h"
#include "front/load.h"
#include "import/import_schema.h"
#include "support/diag_log.h"
#include "support/json_value.h"
#include "support/str.h"

#include <stdio.h>
#include <stdlib.h>

/* A struct that is no Kind gets the schema that it would have as one; one that holds itself none.
 */
static void add_struct(json_value *out, const model_struct *of)
{
    const model_resource resource = {.record = of};
    diag *messages = diag_new();
    const crd_options none = {0};
    json_value *schema = crd_schema(&resource, &none, NULL, messages);
    str key = {0};
    str_printf(&key, "%s %s", of->include, of->name);
    if (diag_error_count(messages))
        json_free(schema);
    else
        json_set(out, str_text(&key), schema);
    str_free(&key);
    diag_free(messages);
}

int main(int argc, char **argv)
{
    const model_options options = {0};
    diag *messages = diag_new();
    model *input =
        model_load((const char *const *)(argv + 1), (size_t)argc - 1, &options, messages);
    json_value *schemas = json_object();
    str text = {0};
    bool ok;
    for (size_t p = 0; input && p < input->package_len; p++)
        for (size_t i = 0; i < input->packages[p]->struct_len; i++)
            add_struct(schemas, input->packages[p]->structs[i]);
    ok = diag_report(messages) && input;
    import_json_text(&text, schemas);
    if (ok)
        puts(str_text(&text));
    str_free(&text);
    json_free(schemas);
    model_free(input);
    diag_free(messages);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
