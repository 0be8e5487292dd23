/* SPDX-License-Identifier: Apache-2.0 */
/* import_api() runs the parts of an import. */
#ifndef KUBEGEN_IMPORT_API_H
#define KUBEGEN_IMPORT_API_H

#include "import.h"
#include "support/output.h"

/*
 * Plans the header, and the file of schemas if one is asked for. Returns false with a line in
 * @error.
 */
bool import_api(const import_options *options, const openapi *api, output_set *files, str *error);
/* Frees what the parts have made; @im itself is the caller's. */
void import_free(importer *im);

#endif /* KUBEGEN_IMPORT_API_H */
