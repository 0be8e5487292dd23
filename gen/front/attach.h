/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out which markers and which text belong to which declaration of a header, and reports the
 * markers that belong to no declaration.
 */
#ifndef KUBEGEN_ATTACH_H
#define KUBEGEN_ATTACH_H

#include "comments.h"
#include "markers.h"

/* What stands above a declaration. */
typedef struct attached {
    const marker *markers; /* only such as may stand there, single ones once */
    size_t len;
    const marker *items; /* those about the elements of a list */
    size_t item_len;
    const char *doc; /* "" = none */
} attached;

/* The annotated comments of one file. */
typedef struct annotations {
    arena *in;
    diag *to;
    comments *comments;
    const parse_file *file;
    attached header; /* what stands above the file's first directive or declaration */
} annotations;

annotations *attach_read(arena *in, const parse_file *file, diag *to);

/*
 * Reads the two groups of comments above a declaration that begins on @line (G-3). @place is
 * MARKER_TYPE of a struct, MARKER_TYPEDEF of a typedef of something else.
 */
attached attach_type(annotations *of, unsigned line, unsigned place);
/* Reads the comments directly above a member that begins on @line (G-4). */
attached attach_field(annotations *of, unsigned line);

/* A struct's lines, to say where a lost marker could go. */
typedef struct attach_body {
    unsigned first_line;
    unsigned last_line;
} attach_body;

/*
 * Reports the markers that nobody read, and those in comments that are never read. Call it when
 * all declarations of the file were asked for.
 */
void attach_report_lost(annotations *of, const attach_body *bodies, size_t body_len);

/*
 * Reports the marker @name, with its `+`, in a comment that is never read; returns false for a line
 * that is read.
 */
bool attach_report_unread(diag *to, diag_loc loc, const comment_group *group,
                          const comment_line *line, const char *name);

/* Returns the marker of this id, or NULL if there is no such marker. */
const marker *attached_find(const attached *in, marker_id id);
/* Returns its value, whose place goes to @loc, or NULL if there is no such marker. */
const char *attached_value(const attached *in, marker_id id, diag_loc *loc);

#endif /* KUBEGEN_ATTACH_H */
