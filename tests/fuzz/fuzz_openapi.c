/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as an OpenAPI document of which the kind Widget of toys.example.com/v1 is imported. What
 * is written are comments, directives and declarations: braces and quotes are in pairs.
 */
#include "fuzz.h"
#include "import/import_api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *kinds[] = {"Widget"};
    const import_options options = {
        .group = "toys.example.com",
        .version = "v1",
        .output = "apis/toys/v1",
        .schema = "schemas.json",
        .kinds = {kinds, 1, 1},
        .docs = true,
        .own_all = true,
    };
    openapi *api = openapi_new();
    output_set *files = output_new();
    str error = {0};
    str text = {0};
    bool read;
    bool written;
    str_add_len(&text, (const char *)data, len);
    read = openapi_add(api, "document", &text, &error);
    written = read && import_api(&options, api, files, &error);
    must(written == !error.len, "a header and an error, or neither");
    must(!written || output_count(files) == 2, "not two files");
    count_input("documents", read);
    count_input("headers", written);
    output_free(files);
    openapi_free(api);
    str_free(&error);
    str_free(&text);
    return 0;
}
