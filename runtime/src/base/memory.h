/* SPDX-License-Identifier: Apache-2.0 */
/* Being out of memory, and structs that grow from version to version. */
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

/*
 * A struct of options may get members at its end: a program that was built before passes a shorter
 * one, with its size. Returns @options, or @own filled with it and with zeros for what it lacks;
 * NULL is a struct of zeros. @options of a program that was built with a newer library is longer:
 * what this one does not know is told in the log, unless it is zero.
 */
const void *kube__sized(const void *options, size_t size, void *own, size_t own_size);
/* The other way: fills the program's @stats of @size bytes from @own; what it lacks is zero. */
void kube__sized_out(void *stats, size_t size, const void *own, size_t own_size);

#endif /* KUBE_BASE_MEMORY_H */
