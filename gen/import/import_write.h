/* SPDX-License-Identifier: Apache-2.0 */
/* import_write() writes the text of a types.h. */
#ifndef KUBEGEN_IMPORT_WRITE_H
#define KUBEGEN_IMPORT_WRITE_H

#include "import.h"

/* Appends the header of all that was read; false after an error. */
bool import_write(importer *im, str *out);

#endif /* KUBEGEN_IMPORT_WRITE_H */
