/* SPDX-License-Identifier: Apache-2.0 */
#include "clang_parse.h"

#include "support/str.h"
#include "support/text_map.h"
#include "support/vec.h"
#include "support/xalloc.h"

#include <clang-c/Index.h>
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEMORY_MAX (UINT64_C(2) << 30)

enum { SECONDS_MAX = 60 };

typedef struct known_record {
    CXCursor cursor;
    parse_record *record;
    size_t next; /* of the same bucket, counted from one; 0 = none */
} known_record;

typedef struct parser {
    arena *in;
    diag *to;
    CXTranslationUnit unit;
    CXFile main;
    const char *const *include_dirs;
    size_t include_len;
    VEC(parse_file *) files;
    VEC(CXFile) handles; /* of the files, same order */
    text_map by_id;      /* the files */
    VEC(const parse_record *) top;
    VEC(const parse_typedef *) top_typedefs;
    VEC(const parse_typedef *) typedefs; /* in the order in which they were met */
    text_map typedef_names;
    VEC(parse_name) names;
    VEC(known_record) known; /* in the order in which they were met */
    size_t *buckets;
    size_t bucket_len;
    CXFile last; /* of place() */
    const char *last_path;
} parser;

static parse_type *read_type(parser *p, CXType type);

/* Takes over a libclang string. */
static char *take(parser *p, CXString string)
{
    const char *text = clang_getCString(string);
    char *copy = arena_strdup(p->in, text ? text : "");
    clang_disposeString(string);
    return copy;
}

/* ---- places and files ---------------------------------------------------------------------- */

/* Returns what follows the directory in the path, or NULL if the path is not below it. */
static const char *below(const char *dir, const char *path)
{
    size_t len = strlen(dir);
    while (len > 1 && dir[len - 1] == '/')
        len--;
    return strncmp(path, dir, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

/* Whether headers are included by such names: kube/meta.h, core/v1/types.h. */
static bool is_usual_name(const char *name)
{
    const char *first = strchr(name, '/');
    const char *second = first ? strchr(first + 1, '/') : NULL;
    if (!first || *name == '.' || first[1] == '.')
        return false;
    return second ? strcmp(second, "/types.h") == 0 : strncmp(name, "kube/", 5) == 0;
}

/* The usual name that a directory of the search path gives the file, wherever they lie. */
static const char *usual_name(parser *p, const char *path)
{
    char *real = realpath(path, NULL);
    const char *found = NULL;
    for (size_t i = 0; i < p->include_len && !found; i++) {
        const char *name = below(p->include_dirs[i], path);
        char *dir = real ? realpath(p->include_dirs[i], NULL) : NULL;
        if (!name || !is_usual_name(name))
            name = dir ? below(dir, real) : NULL;
        if (name && is_usual_name(name))
            found = arena_strdup(p->in, name);
        free(dir);
    }
    free(real);
    return found;
}

/*
 * The name that a header is included by. Directories of the search path may lie in each other: the
 * first one that holds the header need not be the one in which it was found.
 */
static const char *include_name(parser *p, const char *path)
{
    const char *name = usual_name(p, path);
    for (size_t i = 0; i < p->include_len && !name; i++)
        name = below(p->include_dirs[i], path);
    return name ? name : path;
}

static parse_file *find_file(parser *p, CXFile handle)
{
    CXFileUniqueID id = {{0}};
    parse_file **known;
    parse_file *file;
    clang_getFileUniqueID(handle, &id);
    known = (parse_file **)text_map_at(
        &p->by_id, p->in,
        arena_printf(p->in, "%llx %llx %llx", id.data[0], id.data[1], id.data[2]));
    if (*known)
        return *known;
    file = *known = arena_alloc(p->in, sizeof *file);
    file->index = p->files.len;
    file->path = take(p, clang_getFileName(handle));
    file->include = include_name(p, file->path);
    file->is_system =
        clang_Location_isInSystemHeader(clang_getLocationForOffset(p->unit, handle, 0)) != 0;
    *VEC_ADD(&p->files) = file;
    *VEC_ADD(&p->handles) = handle;
    return file;
}

/* Where a place is in the source as written: a macro's name, not its body. */
static diag_loc place(parser *p, CXSourceLocation location, CXFile *handle)
{
    diag_loc loc = {0};
    CXFile file = NULL;
    clang_getExpansionLocation(location, &file, &loc.line, &loc.column, NULL);
    if (file && file != p->last)
        p->last_path = find_file(p, file)->path;
    p->last = file ? file : p->last;
    if (file)
        loc.file = p->last_path;
    if (handle)
        *handle = file;
    return loc;
}

static void visit_inclusion(CXFile handle, CXSourceLocation *stack, unsigned depth,
                            CXClientData data)
{
    (void)stack;
    (void)depth;
    find_file(data, handle);
}

static diag_loc place_at(const parse_file *file, const char *place)
{
    diag_loc loc = {file->path, 1, 1};
    for (const char *at = file->text; at < place; at++) {
        loc.line += *at == '\n';
        loc.column = *at == '\n' ? 1 : loc.column + 1;
    }
    return loc;
}

/*
 * What stands behind a zero byte would seem not to be there, and a carriage return alone ends a
 * line for the compiler, but not for those who show it.
 */
static void report_bytes(parser *p, const parse_file *file, size_t size)
{
    const char *zero = memchr(file->text, '\0', size);
    const char *end = strchr(file->text, '\r');
    while (end && end[1] == '\n')
        end = strchr(end + 1, '\r');
    if (zero)
        diag_error(p->to, place_at(file, zero),
                   "this is a zero byte, with which text in C ends: remove it");
    else if (end)
        diag_error(p->to, place_at(file, end),
                   "this is a carriage return without a line feed: end lines with a line feed");
}

static void read_tokens(parser *p, size_t index)
{
    parse_file *file = p->files.items[index];
    CXFile handle = p->handles.items[index];
    size_t size = 0;
    const char *text = clang_getFileContents(p->unit, handle, &size);
    CXSourceRange whole =
        clang_getRange(clang_getLocationForOffset(p->unit, handle, 0),
                       clang_getLocationForOffset(p->unit, handle, (unsigned)size));
    CXToken *tokens = NULL;
    unsigned count = 0;
    file->text = arena_strndup(p->in, text ? text : "", text ? size : 0);
    report_bytes(p, file, size);
    clang_tokenize(p->unit, whole, &tokens, &count);
    file->tokens = arena_alloc(p->in, count * sizeof *file->tokens);
    for (unsigned i = 0; i < count; i++) {
        CXSourceRange extent = clang_getTokenExtent(p->unit, tokens[i]);
        parse_token *token = &file->tokens[file->token_len];
        unsigned begin = 0;
        unsigned end = 0;
        clang_getSpellingLocation(clang_getRangeStart(extent), NULL, &token->line, &token->column,
                                  &begin);
        clang_getSpellingLocation(clang_getRangeEnd(extent), NULL, &token->last_line, NULL, &end);
        if (end < begin || end > size)
            continue;
        token->offset = begin;
        token->len = end - begin;
        token->is_comment = clang_getTokenKind(tokens[i]) == CXToken_Comment;
        file->token_len++;
    }
    clang_disposeTokens(p->unit, tokens, count);
}

/* ---- types --------------------------------------------------------------------------------- */

typedef struct field_visit {
    parser *p;
    VEC(parse_field) fields;
    long long align; /* the greatest of their types */
} field_visit;

static enum CXChildVisitResult visit_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    parse_field *field = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    field->is_laid_out |= kind == CXCursor_AlignedAttr || kind == CXCursor_PackedAttr;
    return CXChildVisit_Continue;
}

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data)
{
    field_visit *visit = data;
    parser *p = visit->p;
    parse_type *type = read_type(p, clang_getCursorType(cursor)); /* may visit other records */
    parse_field *field = VEC_ADD(&visit->fields);
    field->name = take(p, clang_getCursorSpelling(cursor));
    field->loc = place(p, clang_getCursorLocation(cursor), NULL);
    field->first_line = place(p, clang_getRangeStart(clang_getCursorExtent(cursor)), NULL).line;
    field->type = type;
    field->is_bit_field = clang_Cursor_isBitField(cursor) != 0;
    field->is_deprecated = clang_getCursorAvailability(cursor) != CXAvailability_Available;
    clang_visitChildren(cursor, visit_attribute, field);
    if (clang_Type_getAlignOf(clang_getCursorType(cursor)) > visit->align)
        visit->align = clang_Type_getAlignOf(clang_getCursorType(cursor));
    /* Newer versions describe what has no name: "(anonymous struct at …)". */
    if (strchr(field->name, '('))
        field->name = "";
    return CXVisit_Continue;
}

static void read_definition(parser *p, CXCursor cursor, parse_record *record)
{
    field_visit visit = {.p = p, .align = 1};
    CXSourceRange extent = clang_getCursorExtent(cursor);
    record->is_defined = true;
    record->align = clang_Type_getAlignOf(clang_getCursorType(cursor));
    record->size = clang_Type_getSizeOf(clang_getCursorType(cursor));
    record->first_line = place(p, clang_getRangeStart(extent), NULL).line;
    record->last_line = place(p, clang_getRangeEnd(extent), NULL).line;
    clang_Type_visitFields(clang_getCursorType(cursor), visit_field, &visit);
    record->usual_align = visit.align;
    record->field_len = visit.fields.len;
    record->fields = VEC_KEEP(p->in, &visit.fields);
}

static CXCursor best_cursor(CXCursor declaration)
{
    CXCursor definition = clang_getCursorDefinition(declaration);
    return clang_Cursor_isNull(definition) ? clang_getCanonicalCursor(declaration) : definition;
}

/* Returns the record of a declaration, or NULL if it was not met before. */
static parse_record *known_as(parser *p, CXCursor cursor)
{
    size_t at = p->bucket_len ? p->buckets[clang_hashCursor(cursor) % p->bucket_len] : 0;
    for (; at; at = p->known.items[at - 1].next) {
        if (clang_equalCursors(p->known.items[at - 1].cursor, cursor))
            return p->known.items[at - 1].record;
    }
    return NULL;
}

static void put_in_bucket(parser *p, size_t index)
{
    known_record *known = &p->known.items[index];
    size_t *bucket = &p->buckets[clang_hashCursor(known->cursor) % p->bucket_len];
    known->next = *bucket;
    *bucket = index + 1;
}

static void add_known(parser *p, CXCursor cursor, parse_record *record)
{
    record->index = p->known.len;
    *VEC_ADD(&p->known) = (known_record){cursor, record, 0};
    if (p->known.len <= p->bucket_len) {
        put_in_bucket(p, record->index);
        return;
    }
    free(p->buckets);
    p->bucket_len = 2 * p->known.len + 64;
    p->buckets = xcalloc(p->bucket_len, sizeof *p->buckets);
    for (size_t i = 0; i < p->known.len; i++)
        put_in_bucket(p, i);
}

/*
 * The record of a declaration: always the same one, so that recursive types end. Its members are
 * read by read_definitions(): a chain of structs is as long as it likes.
 */
static parse_record *find_record(parser *p, CXCursor declaration)
{
    CXCursor cursor = best_cursor(declaration);
    parse_record *record = known_as(p, cursor);
    CXFile handle;
    if (record)
        return record;
    record = arena_alloc(p->in, sizeof *record);
    add_known(p, cursor, record);
    record->tag = take(p, clang_getCursorSpelling(cursor));
    if (clang_Cursor_isAnonymous(cursor) || strchr(record->tag, '('))
        record->tag = "";
    record->loc = place(p, clang_getCursorLocation(cursor), &handle);
    record->file = handle ? find_file(p, handle) : NULL;
    record->size = -1;
    return record;
}

static void read_definitions(parser *p)
{
    for (size_t i = 0; i < p->known.len; i++) {
        known_record known = p->known.items[i]; /* the list grows */
        if (clang_isCursorDefinition(known.cursor))
            read_definition(p, known.cursor, known.record);
    }
}

static parse_kind scalar_kind(enum CXTypeKind kind)
{
    switch (kind) {
    case CXType_Void:
        return PARSE_VOID;
    case CXType_Bool:
        return PARSE_BOOL;
    case CXType_Char_S:
    case CXType_Char_U:
        return PARSE_CHAR;
    case CXType_Double:
        return PARSE_DOUBLE;
    case CXType_Float:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Float16:
    case CXType_Half:
    case CXType_Complex:
        return PARSE_FLOAT;
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_DependentSizedArray:
        return PARSE_ARRAY;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return PARSE_FUNCTION;
    case CXType_Enum:
        return PARSE_ENUM;
    default:
        return kind >= CXType_Char_U && kind <= CXType_Int128 ? PARSE_INTEGER : PARSE_OTHER;
    }
}

/* Notes a typedef that is not the system's; returns NULL for any other. */
static parse_typedef *find_typedef(parser *p, CXCursor declaration, const char *name)
{
    CXSourceLocation location = clang_getCursorLocation(declaration);
    CXType type = clang_getCursorType(declaration);
    parse_typedef **known = (parse_typedef **)text_map_at(&p->typedef_names, p->in, name);
    parse_typedef *made = *known;
    CXFile handle;
    if (made || clang_Location_isInSystemHeader(location))
        return made;
    made = *known = arena_alloc(p->in, sizeof *made);
    made->name = name;
    made->loc = place(p, location, &handle);
    made->first_line = place(p, clang_getRangeStart(clang_getCursorExtent(declaration)), NULL).line;
    made->file = handle ? find_file(p, handle) : NULL;
    made->is_laid_out = clang_Type_getAlignOf(type) !=
                        clang_Type_getAlignOf(clang_getTypedefDeclUnderlyingType(declaration));
    *VEC_ADD(&p->typedefs) = made;
    return made;
}

/* Steps through typedefs and other sugar, notes names and qualifiers on the way. */
static CXType desugar(parser *p, CXType type, parse_type *made)
{
    VEC(const char *) aliases = {0};
    for (;;) {
        made->is_const |= clang_isConstQualifiedType(type) != 0;
        made->is_volatile |= clang_isVolatileQualifiedType(type) != 0;
        if (type.kind == CXType_Typedef && aliases.len == PARSE_DEPTH_MAX) {
            made->is_far = true;
            break;
        } else if (type.kind == CXType_Typedef) {
            CXCursor declaration = clang_getTypeDeclaration(type);
            const char *name = take(p, clang_getCursorSpelling(declaration));
            *VEC_ADD(&aliases) = name;
            find_typedef(p, declaration, name);
            type = clang_getTypedefDeclUnderlyingType(declaration);
        } else if (type.kind == CXType_Elaborated) {
            type = clang_Type_getNamedType(type);
        } else if (type.kind == CXType_Attributed) {
            type = clang_Type_getModifiedType(type);
        } else if (type.kind == CXType_Unexposed &&
                   clang_getCanonicalType(type).kind != CXType_Unexposed) {
            type = clang_getCanonicalType(type);
        } else {
            break;
        }
    }
    made->alias_len = aliases.len;
    made->aliases = VEC_KEEP(p->in, &aliases);
    return type;
}

/* As the author wrote it: bool is a macro, and what has no name has no place in it either. */
static const char *shown_type(parser *p, const char *spelling)
{
    const char *macro = strstr(spelling, "_Bool");
    const char *unnamed = strchr(spelling, '(');
    if (macro)
        return arena_printf(p->in, "%.*sbool%s", (int)(macro - spelling), spelling,
                            macro + strlen("_Bool"));
    if (unnamed && strstr(unnamed, " at "))
        return arena_printf(p->in, "%.*s{…}%s", (int)(unnamed - spelling), spelling,
                            strrchr(spelling, ')') + 1);
    return spelling;
}

/* libclang spells a type by recursion, and the whole of it for each part. */
static bool is_deep(CXType type)
{
    int depth = 0;
    type = clang_getCanonicalType(type);
    for (; depth <= PARSE_DEPTH_MAX && type.kind != CXType_Invalid; depth++) {
        bool is_pointer = type.kind == CXType_Pointer;
        type = is_pointer ? clang_getPointeeType(type) : clang_getArrayElementType(type);
    }
    return depth > PARSE_DEPTH_MAX;
}

static parse_type *read_type(parser *p, CXType type)
{
    parse_type *made = arena_alloc(p->in, sizeof *made);
    if (is_deep(type)) {
        made->kind = PARSE_OTHER;
        made->spelling = "…";
        return made;
    }
    made->spelling = shown_type(p, take(p, clang_getTypeSpelling(type)));
    type = desugar(p, type, made);
    if (made->is_far) {
        made->kind = PARSE_OTHER;
    } else if (type.kind == CXType_Pointer) {
        made->kind = PARSE_POINTER;
        made->target = read_type(p, clang_getPointeeType(type));
    } else if (type.kind == CXType_Record) {
        CXCursor declaration = clang_getTypeDeclaration(type);
        parse_record *record = find_record(p, declaration);
        made->kind =
            clang_getCursorKind(declaration) == CXCursor_UnionDecl ? PARSE_UNION : PARSE_STRUCT;
        made->record = record;
        if (!record->typedef_name && made->alias_len > 0)
            record->typedef_name = made->aliases[made->alias_len - 1];
    } else {
        made->kind = scalar_kind(type.kind);
        if (made->kind == PARSE_ARRAY)
            made->target = read_type(p, clang_getArrayElementType(type));
    }
    return made;
}

/* ---- top level ----------------------------------------------------------------------------- */

/* Returns the type without the word struct or what else stands before its name. */
static CXType named_type(CXType type)
{
    while (type.kind == CXType_Elaborated)
        type = clang_Type_getNamedType(type);
    return type;
}

/* Gives a record that is known its name, and where its declaration begins. */
static void note_typedef(parser *p, CXCursor cursor)
{
    CXType type = named_type(clang_getTypedefDeclUnderlyingType(cursor));
    parse_record *record;
    const char *name;
    diag_loc begin;
    diag_loc end;
    if (type.kind != CXType_Record)
        return;
    record = known_as(p, best_cursor(clang_getTypeDeclaration(type)));
    if (!record)
        return;
    name = take(p, clang_getCursorSpelling(cursor));
    begin = place(p, clang_getRangeStart(clang_getCursorExtent(cursor)), NULL);
    end = place(p, clang_getRangeEnd(clang_getCursorExtent(cursor)), NULL);
    if (!record->typedef_name || strcmp(name, record->tag) == 0)
        record->typedef_name = name;
    /* `typedef` may stand on a line of its own above `struct`. */
    if (record->is_defined && begin.line < record->first_line && end.line >= record->last_line)
        record->first_line = begin.line;
}

static bool is_in_main(parser *p, CXCursor cursor)
{
    CXFile handle = NULL;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &handle, NULL, NULL, NULL);
    return handle && clang_File_isEqual(handle, p->main);
}

static enum CXChildVisitResult visit_struct(CXCursor cursor, CXCursor parent, CXClientData data)
{
    parser *p = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_StructDecl && clang_isCursorDefinition(cursor) &&
        is_in_main(p, cursor))
        *VEC_ADD(&p->top) = find_record(p, cursor);
    return CXChildVisit_Continue;
}

/* What the names of the main file stand for, whether or not a member has them. */
static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
    parser *p = data;
    parse_typedef *found;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_TypedefDecl || !is_in_main(p, cursor))
        return CXChildVisit_Continue;
    found = find_typedef(p, cursor, take(p, clang_getCursorSpelling(cursor)));
    if (found && !found->type) {
        found->type = read_type(p, clang_getCursorType(cursor));
        *VEC_ADD(&p->top_typedefs) = found;
    }
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_typedef(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_TypedefDecl &&
        !clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        note_typedef(data, cursor);
    return CXChildVisit_Continue;
}

/* Notes what is declared beside structs, where the author may have declared it. */
static enum CXChildVisitResult visit_declared(CXCursor cursor, CXCursor parent, CXClientData data)
{
    parser *p = data;
    CXSourceLocation location = clang_getCursorLocation(cursor);
    parse_name_kind kind;
    parse_name *name;
    CXFile handle = NULL;
    (void)parent;
    if (clang_Location_isInSystemHeader(location))
        return CXChildVisit_Continue;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_EnumDecl:
        return CXChildVisit_Recurse;
    case CXCursor_EnumConstantDecl:
        kind = PARSE_NAME_CONSTANT;
        break;
    case CXCursor_FunctionDecl:
        kind = PARSE_NAME_FUNCTION;
        break;
    case CXCursor_VarDecl:
        if (clang_Cursor_getStorageClass(cursor) == CX_SC_Extern)
            return CXChildVisit_Continue; /* of what is generated, perhaps */
        kind = PARSE_NAME_VARIABLE;
        break;
    case CXCursor_TypedefDecl:
        if (named_type(clang_getTypedefDeclUnderlyingType(cursor)).kind == CXType_Record)
            return CXChildVisit_Continue;
        kind = PARSE_NAME_TYPE;
        break;
    default:
        return CXChildVisit_Continue;
    }
    clang_getExpansionLocation(location, &handle, NULL, NULL, NULL);
    if (!handle || str_has_prefix(find_file(p, handle)->include, "kube/"))
        return CXChildVisit_Continue;
    name = VEC_ADD(&p->names);
    name->name = take(p, clang_getCursorSpelling(cursor));
    name->kind = kind;
    name->loc = place(p, location, NULL);
    return CXChildVisit_Continue;
}

/*
 * The main file, headers that may define values of enums, and those whose comments are needed
 * because a type of theirs is used.
 */
static void read_all_tokens(parser *p)
{
    bool *needed = xcalloc(p->files.len, sizeof *needed);
    for (size_t i = 0; i < p->files.len; i++)
        needed[i] = i == 0 || (!p->files.items[i]->is_system &&
                               !str_has_prefix(p->files.items[i]->include, "kube/"));
    for (size_t i = 0; i < p->known.len; i++) {
        const parse_file *file = p->known.items[i].record->file;
        if (file && !file->is_system)
            needed[file->index] = true;
    }
    for (size_t i = 0; i < p->typedefs.len; i++) {
        const parse_file *file = p->typedefs.items[i]->file;
        if (file && !file->is_system)
            needed[file->index] = true;
    }
    for (size_t i = 0; i < p->files.len; i++) {
        if (needed[i])
            read_tokens(p, i);
    }
    free(needed);
}

static const parse_unit *read_unit(parser *p)
{
    parse_unit *unit = arena_alloc(p->in, sizeof *unit);
    unit->main = find_file(p, p->main);
    clang_getInclusions(p->unit, visit_inclusion, p);
    clang_visitChildren(clang_getTranslationUnitCursor(p->unit), visit_struct, p);
    clang_visitChildren(clang_getTranslationUnitCursor(p->unit), visit_name, p);
    read_definitions(p);
    clang_visitChildren(clang_getTranslationUnitCursor(p->unit), visit_typedef, p);
    clang_visitChildren(clang_getTranslationUnitCursor(p->unit), visit_declared, p);
    read_all_tokens(p);
    unit->name_len = p->names.len;
    unit->names = VEC_KEEP(p->in, &p->names);
    unit->files = arena_copy(p->in, p->files.items, p->files.len * sizeof *p->files.items);
    unit->file_len = p->files.len;
    unit->records = arena_copy(p->in, p->top.items, p->top.len * sizeof *p->top.items);
    unit->record_len = p->top.len;
    unit->known_len = p->known.len;
    unit->typedefs = arena_copy(p->in, p->top_typedefs.items,
                                p->top_typedefs.len * sizeof *p->top_typedefs.items);
    unit->typedef_len = p->top_typedefs.len;
    unit->typedef_names = p->typedef_names;
    return unit;
}

/* ---- what the compiler says ---------------------------------------------------------------- */

/* Returns 14 of "Debian clang version 14.0.6", or 0 if the version looks otherwise. */
static int clang_major(void)
{
    CXString version = clang_getClangVersion();
    const char *text = clang_getCString(version);
    const char *number = text ? strstr(text, "version ") : NULL;
    int major = number ? (int)strtol(number + strlen("version "), NULL, 10) : 0;
    clang_disposeString(version);
    return major;
}

/* Returns the name that a message quotes after @lead, without @suffix, or NULL. */
static char *quoted_name(parser *p, const char *text, const char *lead, const char *suffix)
{
    size_t lead_len = strlen(lead);
    size_t suffix_len = strlen(suffix);
    size_t len;
    if (strncmp(text, lead, lead_len) != 0)
        return NULL;
    text += lead_len;
    len = strcspn(text, "'");
    if (len <= suffix_len || memcmp(text + len - suffix_len, suffix, suffix_len) != 0)
        return NULL;
    return arena_strndup(p->in, text, len - suffix_len);
}

/* Returns what the list or map of a scalar is called, or NULL if @name is none in kube_. */
static const char *shipped_shape(parser *p, const char *name, const char *shape)
{
    static const char *const scalars[][2] = {{"kube_bool", "bool"},
                                             {"kube_int32", "int32_t"},
                                             {"kube_int64", "int64_t"},
                                             {"kube_double", "double"}};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        if (strcmp(scalars[i][0], name) == 0)
            return arena_printf(p->in, "%s_%s", scalars[i][1], shape);
    }
    return NULL;
}

/* Notes that tell what to do about an error, where the compiler cannot know. True when it did. */
static bool explain_error(parser *p, diag_loc loc, const char *text)
{
    static const diag_loc nowhere = {0};
    static const char unknown[] = "unknown type name '";
    char *element = quoted_name(p, text, unknown, "_list");
    char *value = quoted_name(p, text, unknown, "_map");
    char *missing = quoted_name(p, text, "'", "");
    char *type = quoted_name(p, text, unknown, "");
    if (element || value) {
        const char *name = element ? element : value;
        const char *shipped = shipped_shape(p, name, element ? "list" : "map");
        if (shipped) {
            diag_error(p->to, loc, "%s", text);
            diag_note(p->to, nowhere, "kube/shapes.h declares '%s'", shipped);
            return true;
        }
        const char *what = element ? "LIST" : "MAP";
        diag_error(p->to, loc, "unknown type name '%s_%s'", name, element ? "list" : "map");
        diag_note(p->to, nowhere, "write 'KUBE_DECLARE_%s(%s);' after the typedef of '%s'", what,
                  name, name);
        return true;
    }
    diag_error(p->to, loc, "%s", text);
    if (type && (str_has_suffix(type, "_t") || strcmp(type, "bool") == 0 ||
                 str_has_prefix(type, "kube_"))) {
        diag_note(p->to, nowhere, "'#include <kube/meta.h>' declares the types of an API");
        return true;
    }
    if (!missing || !str_has_suffix(text, "file not found"))
        return false;
    if (strcmp(missing, "stddef.h") == 0 || strcmp(missing, "stdbool.h") == 0 ||
        strcmp(missing, "stdint.h") == 0 || strcmp(missing, "stdarg.h") == 0)
        diag_note(p->to, nowhere,
                  "libclang's own headers are missing: install libclang-common-%d-dev",
                  clang_major());
    else
        diag_note(p->to, nowhere, "name its directory with -I DIR or in KUBEGEN_INCLUDE");
    return true;
}

static void report(parser *p, CXDiagnostic diagnostic)
{
    CXFile file;
    diag_loc loc = place(p, clang_getDiagnosticLocation(diagnostic), &file);
    CXDiagnosticSet children = clang_getChildDiagnostics(diagnostic);
    unsigned count = clang_getNumDiagnosticsInSet(children);
    if (explain_error(p, loc, take(p, clang_getDiagnosticSpelling(diagnostic))))
        return;
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(children, i);
        diag_loc where = place(p, clang_getDiagnosticLocation(note), NULL);
        diag_note(p->to, where, "%s", take(p, clang_getDiagnosticSpelling(note)));
        clang_disposeDiagnostic(note);
    }
}

/* Errors anywhere, and warnings in the header itself: a missing `;` after a field is only one. */
static bool matters(parser *p, CXDiagnostic diagnostic, enum CXDiagnosticSeverity least)
{
    enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
    CXFile file = NULL;
    if (severity >= CXDiagnostic_Error || severity < CXDiagnostic_Warning)
        return severity >= least && severity != CXDiagnostic_Note;
    if (least > CXDiagnostic_Warning)
        return false;
    clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, NULL);
    return file && clang_File_isEqual(file, p->main);
}

/*
 * True when nothing was wrong. One error a line: the others follow from it. A fatal one (a header
 * that is missing) makes all others.
 */
static bool report_all(parser *p)
{
    unsigned count = clang_getNumDiagnostics(p->unit);
    enum CXDiagnosticSeverity least = CXDiagnostic_Warning;
    diag_loc last = {0};
    bool clean = true;
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(p->unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Fatal)
            least = CXDiagnostic_Fatal;
        clang_disposeDiagnostic(diagnostic);
    }
    for (unsigned i = 0; i < count && !diag_is_full(p->to); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(p->unit, i);
        diag_loc loc = place(p, clang_getDiagnosticLocation(diagnostic), NULL);
        if (matters(p, diagnostic, least)) {
            clean = false;
            if (!last.file || loc.file != last.file || loc.line != last.line)
                report(p, diagnostic);
            last = loc;
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return clean;
}

/* ---- running libclang ---------------------------------------------------------------------- */

static char *first_match(const char *pattern)
{
    glob_t found = {0};
    char *path = NULL;
    if (glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0)
        path = xstrdup(found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return path;
}

/* The directory that libclang was loaded from, in @out of PATH_MAX bytes. */
static bool library_dir(char *out)
{
    /* dladdr() wants the address of data; a function's is the same thing wherever it exists. */
    union {
        CXString (*function)(void);
        void *address;
    } symbol = {.function = clang_getClangVersion};
    Dl_info info;

    if (!dladdr(symbol.address, &info) || !info.dli_fname || !realpath(info.dli_fname, out))
        return false;
    *strrchr(out, '/') = '\0';
    return true;
}

/*
 * The directory above libclang's own stddef.h and stdbool.h, which distributions put in several
 * places and in a package of their own. Returns NULL if it is not found: libclang then looks where
 * it was built to look.
 */
static char *find_resource_dir(void)
{
    static const char header[] = "/include/stddef.h";
    char library[PATH_MAX];
    int major = clang_major();
    char *dir = NULL;
    if (!library_dir(library))
        return NULL;
    for (int i = 0; i < 3 && !dir; i++) {
        str pattern = {0};
        str_add(&pattern, library);
        if (i == 1)
            str_add(&pattern, "/../lib");
        else if (i == 2) /* Debian: the library is in lib/x86_64-linux-gnu */
            str_printf(&pattern, "/../llvm-%d/lib", major);
        str_printf(&pattern, "/clang/%d*%s", major, header);
        dir = first_match(str_text(&pattern));
        str_free(&pattern);
    }
    if (dir)
        dir[strlen(dir) - strlen(header)] = '\0';
    return dir;
}

/* ---- bounds -------------------------------------------------------------------------------- */

static unsigned seconds_max = SECONDS_MAX;
static char gave_up[512];

void parse_set_seconds(unsigned seconds)
{
    seconds_max = seconds;
}

static void give_up(int signal)
{
    ssize_t ignored = write(STDERR_FILENO, gave_up, strlen(gave_up));
    (void)ignored;
    (void)signal;
    _exit(1);
}

/* Bytes that the process has mapped; sanitizers begin with terabytes. 0 where /proc does not say.
 */
static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm && fscanf(statm, "%lu", &pages) != 1)
        pages = 0;
    if (statm)
        fclose(statm);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/*
 * What a header includes may be a pipe that nobody writes to, and what its macros make may have no
 * end: libclang would wait, or take all memory that there is. So its time is bounded, and its
 * memory, for want of which it ends with an error.
 */
static void run_bounded(const char *path, struct rlimit *before)
{
    struct sigaction action = {.sa_handler = give_up};
    struct rlimit bounded;
    rlim_t taken = address_space();
    snprintf(gave_up, sizeof gave_up,
             "%.300s: error: the compiler has not read this file after %u seconds: does it include "
             "a pipe, or have macros without end?\n",
             path, seconds_max);
    sigaction(SIGALRM, &action, NULL);
    getrlimit(RLIMIT_AS, before);
    bounded = *before;
    if (bounded.rlim_cur > taken + MEMORY_MAX)
        bounded.rlim_cur = taken + MEMORY_MAX;
    setrlimit(RLIMIT_AS, &bounded);
    alarm(seconds_max);
}

static void run_unbounded(const struct rlimit *before)
{
    alarm(0);
    setrlimit(RLIMIT_AS, before);
}

static CXTranslationUnit run_clang(CXIndex index, const char *path, const char *resource_dir,
                                   const char *const *include_dirs, size_t include_len)
{
    VEC(const char *) args = {0};
    CXTranslationUnit unit;
    *VEC_ADD(&args) = "-xc";
    *VEC_ADD(&args) = "-std=c11";
    *VEC_ADD(&args) = "-ferror-limit=0";
    *VEC_ADD(&args) = "-Wno-pragma-once-outside-header";
    if (resource_dir) {
        *VEC_ADD(&args) = "-resource-dir";
        *VEC_ADD(&args) = resource_dir;
    }
    for (size_t i = 0; i < include_len; i++) {
        *VEC_ADD(&args) = "-I";
        *VEC_ADD(&args) = include_dirs[i];
    }
    unit = clang_parseTranslationUnit(index, path, args.items, (int)args.len, NULL, 0,
                                      CXTranslationUnit_SkipFunctionBodies);
    free(args.items);
    return unit;
}

const parse_unit *parse_header(arena *in, const char *path, const char *const *include_dirs,
                               size_t include_len, diag *to)
{
    parser p = {.in = in, .to = to, .include_dirs = include_dirs, .include_len = include_len};
    CXIndex index = clang_createIndex(0, 0);
    char *resource_dir = find_resource_dir();
    const parse_unit *unit = NULL;
    struct rlimit limits;
    run_bounded(path, &limits);
    p.unit = run_clang(index, path, resource_dir, include_dirs, include_len);
    run_unbounded(&limits);
    if (!p.unit) {
        diag_error(to, (diag_loc){path, 0, 0},
                   "libclang cannot parse this file: it fails or takes too much memory");
        goto out;
    }
    p.main = clang_getFile(p.unit, path);
    find_file(&p, p.main);
    if (report_all(&p))
        unit = read_unit(&p);
out:
    if (p.unit)
        clang_disposeTranslationUnit(p.unit);
    clang_disposeIndex(index);
    free(resource_dir);
    free(p.files.items);
    free(p.handles.items);
    free(p.known.items);
    free(p.buckets);
    free(p.top.items);
    free(p.top_typedefs.items);
    free(p.typedefs.items);
    return unit;
}
