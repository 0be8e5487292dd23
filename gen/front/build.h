/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that make the model of one header (build, shapes, kinds, check and others) share the
 * builder and what is declared here.
 */
#ifndef KUBEGEN_BUILD_H
#define KUBEGEN_BUILD_H

#include "attach.h"
#include "clang_parse.h"
#include "model.h"
#include "support/text_list.h"
#include "support/vec.h"

/* A struct of the model with the record that it comes from. */
typedef struct built_struct {
    const parse_record *record;
    model_struct *made;
    attached above; /* what stands above it */
} built_struct;

typedef struct builder {
    arena *in;
    diag *to;
    const parse_unit *unit;
    model_package *package;
    annotations **files;      /* by the indexes of the headers; NULL = not used yet */
    built_struct **by_record; /* by the indexes of the records; NULL = not used yet */
    size_t **conditions;      /* likewise, of their tokens: see directive_condition() */
    bool *is_entry; /* by the indexes of the records: the entry of a map that the header declares */
    text_map container_names;
    text_map enum_known;
    text_list enum_prefixes;             /* of all +enum markers of the files that were looked at */
    text_map aliases;                    /* the typedefs that were read, by name */
    VEC(const model_alias *) alias_list; /* in the order in which they were met */
    VEC(built_struct *) structs;         /* the header's own first, in order, then foreign ones */
    VEC(model_container *) containers;   /* in order of first use */
    VEC(model_resource *) resources;
} builder;

/* Fills everything of the package but what its path told, and reports what is wrong. */
void build_package(builder *b);

/* Returns the comments of a header of which a struct is used. */
annotations *annotations_of(builder *b, const parse_file *file);

/* These say what the role of a member is by its type. */
bool shape_is_base(const parse_type *type);
bool shape_is_extra(const parse_type *type);
/* Says whether a struct is a list or a map, not data with a schema of its own. */
bool shape_is_container(const parse_record *record);
/* Notes which structs are entries of maps that the header declares. */
void shape_note_entries(builder *b);
/* Returns the model's struct for a record. It is made at the first call; its members follow later.
 */
model_struct *shape_struct(builder *b, const parse_record *record);
/* Reads the type of a member. Returns false after an error, which points at the member. */
bool shape_read(builder *b, const parse_field *field, model_type *out);

/*
 * Returns the typedef that a type was written as, with the rules that stand above it; @of is what
 * the type is. Returns NULL if it is the name of the struct, or none.
 */
const model_alias *alias_of(builder *b, const parse_type *type, const model_type *of);
/* Says whether a typedef of the header has rules, and no member has it. */
bool alias_is_unused(builder *b, const parse_typedef *from);
/* Reports a name that does not begin with the header's prefix or is not in snake_case. */
void check_type_name(builder *b, const char *name, diag_loc loc);
/* Reports a typedef that is aligned by hand; NULL is none. */
void check_alignment(builder *b, const parse_typedef *of);

/*
 * Returns the marker of this id above a member, or NULL if there is no such marker. One that does
 * not fit the member's type is reported; @what names the types that it is for.
 */
const marker *member_marker(builder *b, const attached *above, marker_id id,
                            const model_field *field, bool fits, const char *what);
/* Returns its value, or NULL. */
const char *member_value(builder *b, const attached *above, marker_id id, const model_field *field,
                         bool fits, const char *what);
/* Reports that a struct has no member of this name in JSON. */
void member_report_missing(builder *b, const model_struct *of, const char *json, diag_loc loc);

/* Says whether two tokens stand on one line of a directive, which a backslash continues. */
bool directive_is_same_line(const parse_file *file, const parse_token *from, const parse_token *to);
/*
 * Returns the directive of the outermost condition above tokens[at], or NULL. The header's guard
 * and conditions that ask for C++ do not count.
 */
const parse_token *directive_condition(builder *b, const parse_file *file, size_t at);
/* Reports structs and members that only some compilers see, and directives inside structs. */
void directive_check(builder *b);
/* Lists what the headers declare and define beside structs. */
void directive_list_declared(builder *b);

/*
 * Reads the markers that say what the JSON of a member is, which the others depend on, and then
 * those that make rules of CEL, texts for documents and parts of a schema.
 */
void rules_read_types(builder *b, const attached *above, model_field *field);
void rules_read(builder *b, const attached *above, model_field *field);
/* Adds to a struct's rules of CEL those that say which of its members are set, and stay. */
void rules_read_struct(builder *b, const attached *above, model_struct *made);
/* Checks the members they name, once all structs have their members. */
void rules_check(builder *b, const model_struct *of);
/* Says whether the JSON may be a string, so that it has a length and a form. */
bool rules_is_text(const model_field *field);
/* Says whether it is raw JSON of this type. */
bool rules_is_raw(const model_field *field, const char *type);

/*
 * Reads the validation markers of a member whose type is known, or of a typedef, for which @field
 * stands.
 */
void validation_read(builder *b, const annotations *of, const attached *above, model_field *field);
/* Reads those of a struct. */
void validation_read_struct(builder *b, const annotations *of, const attached *above,
                            model_struct *made);

/* Reads the default that the server sets if a member is left out. */
void default_read(builder *b, const attached *above, model_field *field);
/* Checks the default against the type, once all structs have their members. */
void default_check(builder *b, const model_struct *of);

/* Reads the markers that say how a member or a struct is merged. */
void merge_read(builder *b, const attached *above, model_field *field);
void merge_read_struct(const attached *above, model_struct *made);
/* Check the keys they name, once all structs have their members. */
void merge_check(builder *b, const model_struct *of);
void merge_check_alias(builder *b, const model_alias *of);

/* Reads what makes a struct a Kind; its members are there already. */
void kind_read(builder *b, const built_struct *built);

/* Reads the calls that +genclient:method adds to the Kinds, once all of them are known. */
void methods_read(builder *b);

/* Runs the checks that need the whole header, and fills in what is computed from it. */
void check_package(builder *b);

#endif /* KUBEGEN_BUILD_H */
