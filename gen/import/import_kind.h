/* SPDX-License-Identifier: Apache-2.0 */
/* import_read_paths() reads what the document's paths say of a kind. */
#ifndef KUBEGEN_IMPORT_KIND_H
#define KUBEGEN_IMPORT_KIND_H

#include "import.h"

/* Fills in the name in URLs, the scope, the verbs and the subresources of a kind. False after an
 * error. */
bool import_read_paths(importer *im, import_struct *kind);

#endif /* KUBEGEN_IMPORT_KIND_H */
