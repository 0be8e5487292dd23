/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comments_read() splits the comments of a file into lines; the other functions say which of them
 * belong to a declaration. The rule is that of Go's generators (G-1 to G-4); libclang attaches
 * comments by another one.
 */
#ifndef KUBEGEN_COMMENTS_H
#define KUBEGEN_COMMENTS_H

#include "clang_parse.h"

typedef enum comment_style {
    COMMENT_LINE,     /* // text */
    COMMENT_DOC_LINE, /* /// text, //! text */
    COMMENT_BLOCK,    /* between slash-star and star-slash */
} comment_style;

typedef struct comment_line {
    const char *text;   /* without comment signs and blanks around */
    const char *indent; /* blanks between the comment's margin and text */
    unsigned line;
    unsigned column; /* of text */
    comment_style style;
    bool is_marker;     /* text begins with `+` and a letter */
    bool is_continued;  /* a backslash at its end makes the next line part of it */
    bool has_directive; /* and that line would be a directive */
} comment_line;

/* Comments that follow each other without a blank line or code between. */
typedef struct comment_group {
    comment_line *lines;
    size_t line_len;
    unsigned first_line;
    unsigned last_line;
    bool is_trailing; /* begins behind code on its line */
    bool is_read;     /* some declaration has it: the reader of markers sets this */
} comment_group;

/* Lines on which code stands, without a gap. */
typedef struct comment_code {
    unsigned first_line;
    unsigned last_line;
} comment_code;

typedef struct comments {
    comment_group *groups; /* in the file's order */
    size_t group_len;
    comment_code *code; /* in the file's order */
    size_t code_len;
    unsigned first_code_line; /* of the first directive or declaration; UINT_MAX = none */
    const parse_file *file;
} comments;

comments *comments_read(arena *in, const parse_file *file);

/* Says whether the header itself has the marker `+name=…`, before its first line of code. */
bool comments_have_header_marker(const comments *of, const char *name);

/* Returns the group that ends on the line above @line, or NULL. */
comment_group *comments_closest(comments *of, unsigned line);
/*
 * Returns the group that one blank line separates from the closest one, or from @line if there is
 * no closest one; or NULL (G-3).
 */
comment_group *comments_second_closest(comments *of, unsigned line);

/*
 * Returns the text of a group without its markers: lines joined by '\n' with their indent, no blank
 * ones at the ends, Doxygen's commands reduced to their text. Outside of code between ``` or ~~~,
 * it goes up to a line that begins with ---, and lines that begin with TODO are left out, as
 * controller-gen does it. NULL group = "".
 */
const char *comments_doc(arena *in, const comment_group *group);

#endif /* KUBEGEN_COMMENTS_H */
