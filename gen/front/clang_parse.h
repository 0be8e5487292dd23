/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse_header() reads a header with libclang into plain structs: declarations, types, tokens,
 * files. clang_parse.c is the only file that includes clang-c.
 */
#ifndef KUBEGEN_CLANG_PARSE_H
#define KUBEGEN_CLANG_PARSE_H

#include "support/arena.h"
#include "support/diag.h"
#include "support/text_map.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum parse_kind {
    PARSE_VOID,
    PARSE_BOOL,
    PARSE_CHAR,    /* plain char */
    PARSE_INTEGER, /* any other integer */
    PARSE_DOUBLE,
    PARSE_FLOAT, /* any other real or complex number */
    PARSE_POINTER,
    PARSE_ARRAY,
    PARSE_FUNCTION,
    PARSE_STRUCT,
    PARSE_UNION,
    PARSE_ENUM,
    PARSE_OTHER,
} parse_kind;

enum { PARSE_DEPTH_MAX = 16 }; /* of typedefs, and of pointers and arrays, in one type */

typedef struct parse_type parse_type;
typedef struct parse_record parse_record;

struct parse_type {
    parse_kind kind;
    const char *spelling; /* as a message shows it */
    const char **aliases; /* the typedefs it goes through, from the one that was written on */
    size_t alias_len;
    bool is_far; /* behind more typedefs: what it is was not read, and it is an OTHER */
    bool is_const;
    bool is_volatile;
    const parse_type *target;   /* of a POINTER or ARRAY */
    const parse_record *record; /* of a STRUCT or UNION */
};

typedef struct parse_field {
    const char *name; /* "" = none */
    diag_loc loc;     /* of the name */
    unsigned first_line;
    parse_type *type;
    bool is_bit_field;
    bool is_deprecated;
    bool is_laid_out; /* _Alignas or an attribute says how it lies in the struct */
} parse_field;

typedef struct parse_token {
    size_t offset; /* in the file's text */
    size_t len;
    unsigned line;
    unsigned column;
    unsigned last_line;
    bool is_comment;
} parse_token;

typedef struct parse_file {
    size_t index;        /* in the unit's files */
    const char *path;    /* as it was opened */
    const char *include; /* as an #include names it; the path when no include directory has it */
    bool is_system;
    const char *text;    /* NULL of headers of the system and the runtime with no used record */
    parse_token *tokens; /* with comments; a directive is a row of tokens too */
    size_t token_len;
} parse_file;

/* A struct or union. */
struct parse_record {
    size_t index;             /* less than the unit's known_len */
    const char *tag;          /* "" = none */
    const char *typedef_name; /* NULL = none was met */
    diag_loc loc;             /* of the tag, or of what stands for it */
    unsigned first_line;      /* of the declaration: of the word typedef where there is one */
    unsigned last_line;
    const parse_file *file;
    bool is_defined;
    long long size;        /* bytes; less than 0 = unknown */
    long long align;       /* likewise */
    long long usual_align; /* what its members' types make of it */
    parse_field *fields;
    size_t field_len;
};

/* A typedef of a file that is not the system's. */
typedef struct parse_typedef {
    const char *name;
    diag_loc loc; /* of the name */
    unsigned first_line;
    const parse_file *file;
    parse_type *type; /* the name as a type; NULL unless it is the main file's */
    bool is_laid_out; /* an attribute aligns it */
} parse_typedef;

typedef enum parse_name_kind {
    PARSE_NAME_FUNCTION,
    PARSE_NAME_VARIABLE,
    PARSE_NAME_TYPE, /* a typedef of anything but a struct that it names */
    PARSE_NAME_CONSTANT,
} parse_name_kind;

/* What headers declare beside structs; not those of the system and of libkube. */
typedef struct parse_name {
    const char *name;
    parse_name_kind kind;
    diag_loc loc;
} parse_name;

typedef struct parse_unit {
    const parse_file *main;
    const parse_file **files; /* the main one first, then as they are included first */
    size_t file_len;
    const parse_record **records; /* structs defined at the top level of the main file, in order */
    size_t record_len;
    size_t known_len;               /* structs and unions that were met anywhere */
    const parse_typedef **typedefs; /* of the top level of the main file, in order */
    size_t typedef_len;
    text_map typedef_names; /* those and the ones that a type goes through */
    const parse_name *names;
    size_t name_len;
} parse_unit;

/*
 * Parses the header at @path. Everything lies in the arena. Returns NULL if the header does not
 * compile; what the compiler says is in @to then.
 */
const parse_unit *parse_header(arena *in, const char *path, const char *const *include_dirs,
                               size_t include_len, diag *to);

/* For tests: how long a header may take, instead of a minute. */
void parse_set_seconds(unsigned seconds);

#endif /* KUBEGEN_CLANG_PARSE_H */
