/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the end of a JSON value that comes in pieces of any size. It looks only at brackets and
 * quotes, 64 bytes at a time, and at each byte once.
 */
#ifndef KUBE_OBJECT_EXTENT_H
#define KUBE_OBJECT_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kube__extent {
    int64_t depth;
    uint64_t in_string; /* all bits set inside a string */
    uint64_t escaped;   /* 1 when the next byte is escaped */
    bool started;
    bool scalar; /* a number or literal: ends before what cannot be part of it */
} kube__extent;

/* Looks for the end from @p on; blanks before the value are allowed. Returns the place behind the
 * value; NULL when it goes on beyond @end, and then everything up to there has been looked at. */
const char *kube__extent_find(kube__extent *extent, const char *p, const char *end);

#endif /* KUBE_OBJECT_EXTENT_H */
