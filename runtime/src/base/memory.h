/* SPDX-License-Identifier: Apache-2.0 */
/* The one function that sets the error "out of memory". */
#ifndef KUBE_BASE_MEMORY_H
#define KUBE_BASE_MEMORY_H

#include <kube/error.h>
#include <stddef.h>
#include <stdnoreturn.h>

/* Fills @err (may be NULL) with "out of memory: WHAT" and returns KUBE_ERR_NO_MEMORY. */
kube_code kube__no_memory(kube_error *err, const char *what, ...) KUBE_PRINTF(2, 3);

/* Ends the process with status 1 and the line "out of memory: WANTED bytes for WHAT" on standard
 * error. It allocates nothing and takes no lock: no exit handler runs, and the log is passed by. */
noreturn void kube__end_without_memory(size_t wanted, const char *what, ...) KUBE_PRINTF(2, 3);

#endif /* KUBE_BASE_MEMORY_H */
