/* SPDX-License-Identifier: Apache-2.0 */
#include "attach.h"

#include "support/utf8.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct marker_vec {
    marker *items;
    size_t len;
    size_t cap;
    size_t first[2][MARKER_ID_COUNT]; /* indexes, counted from one; the second is of items */
} marker_vec;

static diag_loc place_of(const annotations *of, const comment_line *line)
{
    return (diag_loc){of->file->path, line->line, line->column};
}

static bool is_in_header(const annotations *of, const comment_group *group)
{
    return !group->is_trailing && group->last_line < of->comments->first_code_line;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool is_equal(const marker *left, const marker *right)
{
    bool equal = left->value_len == right->value_len;
    for (size_t i = 0; equal && i < left->value_len; i++)
        equal = strcmp(left->values[i].text, right->values[i].text) == 0;
    return equal;
}

static bool is_same_spelling(const marker *left, const marker *right)
{
    return strcmp(left->spec->name, right->spec->name) == 0;
}

/* Types from Go say the same thing twice, in the spellings of two generators. */
static bool is_respelled(const marker_vec *before, const marker *added)
{
    for (size_t i = 0; i < before->len; i++) {
        const marker *known = &before->items[i];
        if (known->id == added->id && known->for_items == added->for_items &&
            !is_same_spelling(known, added) && is_equal(known, added))
            return true;
    }
    return false;
}

/* Says whether the marker adds something to those before it. */
static bool check_repeat(annotations *of, marker_vec *before, const marker *added)
{
    size_t *first = &before->first[added->for_items][added->id];
    const marker *known = *first ? &before->items[*first - 1] : NULL;
    if (known && is_respelled(before, added))
        return false;
    if (known && !added->spec->may_repeat) {
        if (is_same_spelling(known, added))
            diag_error(of->to, added->loc, "'+%s' is given twice", added->spec->name);
        else
            diag_error(of->to, added->loc, "'+%s' differs from '+%s', which says the same thing",
                       added->spec->name, known->spec->name);
        diag_note(of->to, known->loc, "it was given here before");
        return false;
    }
    *first = *first ? *first : before->len + 1;
    return true;
}

/*
 * Whether the comments above the first declaration are the header's and its at once, because no
 * directive stands between.
 */
static bool header_is_shared(const annotations *of)
{
    for (size_t i = 0; i < of->file->token_len; i++) {
        const parse_token *token = &of->file->tokens[i];
        if (!token->is_comment)
            return of->file->text[token->offset] != '#';
    }
    return false;
}

/* Returns false if the marker is left to another reader. */
static bool add_marker(annotations *of, marker_vec *out, const comment_group *group,
                       const comment_line *line, unsigned place)
{
    marker read;
    if (!marker_parse(of->in, of->file->path, line, &read, of->to))
        return true;
    if (read.spec->places & (MARKER_ANYWHERE | MARKER_INERT))
        return true;
    if (!(read.spec->places & place)) {
        if (place == MARKER_HEADER && header_is_shared(of))
            return false;
        if (is_in_header(of, group) && read.spec->places & MARKER_HEADER)
            return true;
        diag_error(of->to, read.loc, "'+%s' does not belong here: put it %s", read.spec->name,
                   marker_place_text(read.spec->places));
        return true;
    }
    if (check_repeat(of, out, &read))
        *VEC_ADD(out) = read;
    return true;
}

/* Lines of another style than `//` are left to attach_report_lost(). */
static void read_group(annotations *of, marker_vec *out, comment_group *group, unsigned place)
{
    if (!group)
        return;
    group->is_read = true;
    for (size_t i = 0; i < group->line_len; i++) {
        const comment_line *line = &group->lines[i];
        if (line->is_marker && line->style == COMMENT_LINE &&
            !add_marker(of, out, group, line, place))
            group->is_read = false;
    }
}

static attached finish(annotations *of, marker_vec *markers, const char *doc)
{
    attached made = {.doc = doc};
    VEC(marker) parts[2] = {{0}, {0}}; /* its own, and its items' */
    for (size_t i = 0; i < markers->len; i++)
        *VEC_ADD(&parts[markers->items[i].for_items]) = markers->items[i];
    free(markers->items);
    made.len = parts[0].len;
    made.item_len = parts[1].len;
    made.markers = VEC_KEEP(of->in, &parts[0]);
    made.items = VEC_KEEP(of->in, &parts[1]);
    return made;
}

attached attach_type(annotations *of, unsigned line, unsigned place)
{
    comment_group *closest = comments_closest(of->comments, line);
    comment_group *second = comments_second_closest(of->comments, line);
    const char *doc = comments_doc(of->in, closest);
    marker_vec markers = {0};
    read_group(of, &markers, second, place);
    read_group(of, &markers, closest, place);
    if (!*doc && second && !is_in_header(of, second))
        doc = comments_doc(of->in, second);
    return finish(of, &markers, doc);
}

attached attach_field(annotations *of, unsigned line)
{
    comment_group *closest = comments_closest(of->comments, line);
    marker_vec markers = {0};
    read_group(of, &markers, closest, MARKER_FIELD);
    return finish(of, &markers, comments_doc(of->in, closest));
}

static attached read_header(annotations *of)
{
    marker_vec markers = {0};
    for (size_t i = 0; i < of->comments->group_len; i++) {
        if (is_in_header(of, &of->comments->groups[i]))
            read_group(of, &markers, &of->comments->groups[i], MARKER_HEADER);
    }
    return finish(of, &markers, "");
}

annotations *attach_read(arena *in, const parse_file *file, diag *to)
{
    annotations *of = arena_alloc(in, sizeof *of);
    of->in = in;
    of->to = to;
    of->file = file;
    of->comments = comments_read(in, file);
    of->header = read_header(of);
    return of;
}

const marker *attached_find(const attached *in, marker_id id)
{
    for (size_t i = 0; i < in->len; i++) {
        if (in->markers[i].id == id)
            return &in->markers[i];
    }
    return NULL;
}

const char *attached_value(const attached *in, marker_id id, diag_loc *loc)
{
    const marker *read = attached_find(in, id);
    if (!read)
        return NULL;
    *loc = read->values[0].loc;
    return read->values[0].text;
}

/* ---- what nobody read ---------------------------------------------------------------------- */

/* The marker as it stands, without the rest of a block comment's line. */
static const char *marker_name(annotations *of, const comment_line *line)
{
    return arena_strndup(of->in, line->text, strcspn(line->text, "= \t*"));
}

/* Returns the first line of the next struct below @line, or 0 if no struct follows. */
static unsigned next_struct(const attach_body *bodies, size_t len, unsigned line)
{
    unsigned next = 0;
    for (size_t i = 0; i < len; i++) {
        if (bodies[i].first_line > line && (next == 0 || bodies[i].first_line < next))
            next = bodies[i].first_line;
    }
    return next;
}

static bool is_in_body(const attach_body *bodies, size_t len, unsigned line)
{
    for (size_t i = 0; i < len; i++) {
        if (bodies[i].first_line <= line && line <= bodies[i].last_line)
            return true;
    }
    return false;
}

static void report_detached(annotations *of, const comment_line *line, const attach_body *bodies,
                            size_t body_len)
{
    diag_loc loc = place_of(of, line);
    unsigned next;
    marker read;
    if (!marker_parse(of->in, of->file->path, line, &read, of->to) ||
        read.spec->places & (MARKER_ANYWHERE | MARKER_INERT))
        return;
    if (is_in_body(bodies, body_len, line->line)) {
        if (read.spec->places & MARKER_FIELD)
            diag_error(of->to, loc, "nothing reads '+%s' here: put it directly above a member",
                       read.spec->name);
        else
            diag_error(of->to, loc, "'+%s' does not belong here: put it %s", read.spec->name,
                       marker_place_text(read.spec->places));
        return;
    }
    diag_error(of->to, loc, "nothing reads '+%s' here: put it %s", read.spec->name,
               marker_place_text(read.spec->places));
    next = next_struct(bodies, body_len, line->line);
    if (next && read.spec->places & MARKER_TYPE)
        diag_note(of->to, (diag_loc){of->file->path, next, 1},
                  "this is the next struct: leave at most one blank line above it");
}

/* "+ optional", with no more words behind: a slip, which would pass for text. */
static void report_blank(annotations *of, const comment_line *line)
{
    const char *name = line->text + 1 + strspn(line->text + 1, " \t");
    const marker_spec *meant = marker_match(name);
    char next = meant && !(meant->places & MARKER_INERT) ? name[strlen(meant->name)] : ' ';
    if (next != ' ' && next != '\t')
        diag_error(of->to, place_of(of, line),
                   "a blank after the '+' makes this line plain text; did you mean '+%s'?",
                   meant->name);
}

/* Returns the text after blanks; @unseen gets the first one that a reader does not see. */
static const char *skip_blanks(const char *text, const char **unseen)
{
    for (;;) {
        size_t len = utf8_unseen_len(text);
        if (len > 0 && !*unseen)
            *unseen = text;
        if (len == 0 && *text != ' ' && *text != '\t')
            return text;
        text += len > 0 ? len : 1;
    }
}

/* Returns the length of a character that a reader takes for a plus, or 0. */
static size_t plus_like_len(const char *text)
{
    static const uint32_t pluses[] = {0x207a, 0x208a, 0x2795, 0xfb29, 0xfe62, 0xff0b};
    size_t len = *text ? utf8_len(text) : 0;
    uint32_t c = len ? utf8_character(text) : 0;
    for (size_t i = 0; i < sizeof pluses / sizeof *pluses; i++) {
        if (c == pluses[i])
            return len;
    }
    return 0;
}

/* What looks like a marker, but has something before its `+` or behind it that nobody sees. */
static void report_unseen(annotations *of, const comment_line *line)
{
    const char *unseen = NULL;
    const char *plus = skip_blanks(line->text, &unseen);
    size_t like_len = plus_like_len(plus);
    bool is_like = like_len > 0;
    const char *name = plus + (is_like ? like_len : 1);
    const marker_spec *meant;
    diag_loc loc = place_of(of, line);
    if (!is_like && *plus != '+')
        return;
    unseen = is_like && !unseen ? plus : unseen;
    name = skip_blanks(name, &unseen);
    meant = unseen ? marker_match(name) : NULL;
    if (!meant || strchr(" \t", name[strlen(meant->name)] ? name[strlen(meant->name)] : 'x'))
        return;
    loc.column += (unsigned)(unseen - line->text);
    diag_error(of->to, loc, "the character U+%04X here makes this line plain text; write '// +%s'",
               (unsigned)utf8_character(unseen), meant->name);
}

/* What is read goes into CRDs and code, which are UTF-8. */
static void report_bytes(annotations *of, const comment_line *line)
{
    const char *text = line->text;
    diag_loc loc = place_of(of, line);
    size_t len;
    for (size_t at = 0; text[at]; at += len) {
        len = utf8_len(text + at);
        if (len == 0) {
            loc.column += (unsigned)at;
            diag_error(of->to, loc, "the byte 0x%02x is not UTF-8", (unsigned char)text[at]);
            return;
        }
    }
}

bool attach_report_unread(diag *to, diag_loc loc, const comment_group *group,
                          const comment_line *line, const char *name)
{
    if (group->is_trailing)
        diag_error(to, loc,
                   "a marker after code is not read: put '// %s' on a line of its own above", name);
    else if (line->style == COMMENT_BLOCK)
        diag_error(to, loc, "a marker in a block comment is not read: write it as a line '// %s'",
                   name);
    else if (line->style == COMMENT_DOC_LINE)
        diag_error(to, loc, "a marker in a '///' comment is not read: write it as a line '// %s'",
                   name);
    else
        return false;
    return true;
}

static void report_line(annotations *of, const comment_group *group, const comment_line *line,
                        const attach_body *bodies, size_t body_len)
{
    diag_loc loc = place_of(of, line);
    const char *name = marker_name(of, line);
    if (group->is_read)
        report_bytes(of, line);
    if (line->style == COMMENT_LINE && line->text[0] == '+' &&
        (line->text[1] == ' ' || line->text[1] == '\t'))
        report_blank(of, line);
    if (!line->is_marker)
        report_unseen(of, line);
    if (line->is_continued && !line->is_marker &&
        (line->has_directive || is_in_body(bodies, body_len, line->line)))
        diag_error(of->to, loc,
                   "the backslash or '?\?/' at its end makes the next line part of this comment");
    if (!line->is_marker)
        return;
    if (!attach_report_unread(of->to, loc, group, line, name) && !group->is_read)
        report_detached(of, line, bodies, body_len);
}

void attach_report_lost(annotations *of, const attach_body *bodies, size_t body_len)
{
    for (size_t g = 0; g < of->comments->group_len; g++) {
        const comment_group *group = &of->comments->groups[g];
        for (size_t i = 0; i < group->line_len && !diag_is_full(of->to); i++)
            report_line(of, group, &group->lines[i], bodies, body_len);
    }
}
