/* SPDX-License-Identifier: Apache-2.0 */
/* import_put_crd_markers() writes what a CRD says of a Kind beside its schema. */
#ifndef KUBEGEN_IMPORT_KIND_MARKERS_H
#define KUBEGEN_IMPORT_KIND_MARKERS_H

#include "import_marker.h"

void import_put_crd_markers(import_writer *w, const import_struct *kind);

#endif /* KUBEGEN_IMPORT_KIND_MARKERS_H */
