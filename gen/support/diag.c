/* SPDX-License-Identifier: Apache-2.0 */
#include "diag.h"

#include "ascii.h"
#include "str.h"
#include "utf8.h"
#include "vec.h"
#include "xalloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOURCE_MAX = 500, MESSAGES_MAX = 1000, RULE_MAX = 60 };

typedef struct message {
    diag_loc loc;
    const char *raw;
    const char *text; /* what is shown of it */
} message;

typedef struct entry {
    message error;
    diag_level level;
    const char *rule;
    size_t order; /* of adding, the last resort of sorting */
    VEC(message) notes;
} entry;

typedef struct alias {
    const char *dir;
    const char *as;
} alias;

struct diag {
    arena *arena;
    VEC(entry) entries;
    VEC(alias) aliases;
    size_t error_count;
    bool is_full; /* there was one message more than are kept */
    bool skipped; /* the last message is not kept: nor are its notes */
    str source;   /* the file of the line that was shown last */
    const char *source_file;
    size_t source_at; /* where that line begins */
    unsigned source_line;
};

diag *diag_new(void)
{
    diag *to = xcalloc(1, sizeof *to);
    to->arena = arena_new();
    return to;
}

void diag_free(diag *to)
{
    if (!to)
        return;
    for (size_t i = 0; i < to->entries.len; i++)
        free(to->entries.items[i].notes.items);
    free(to->entries.items);
    free(to->aliases.items);
    str_free(&to->source);
    arena_free(to->arena);
    free(to);
}

/* One line that shows all that it quotes. */
static message make_message(diag *to, diag_loc loc, const char *text)
{
    str visible = {0};
    message made = {loc, text, NULL};
    utf8_add_message(&visible, text);
    made.text = arena_strdup(to->arena, str_text(&visible));
    str_free(&visible);
    if (loc.file)
        made.loc.file = arena_strdup(to->arena, loc.file);
    return made;
}

static int compare_places(diag_loc a, diag_loc b)
{
    if (!a.file || !b.file)
        return (a.file != NULL) - (b.file != NULL);
    if (strcmp(a.file, b.file) != 0)
        return strcmp(a.file, b.file);
    if (a.line != b.line)
        return a.line < b.line ? -1 : 1;
    return (a.column > b.column) - (a.column < b.column);
}

/* Skips a conversion of printf or a text in quotes; returns @at if there is neither. */
static const char *skip_variable(const char *at)
{
    const char *end;
    if (*at == '%' && at[1])
        return at + 1 + strspn(at + 1, "-.0123456789*zlhu") + 1;
    end = *at == '\'' || *at == '"' ? strchr(at + 1, *at) : NULL;
    return end ? end + 1 : at;
}

/*
 * Names the rule that a message goes by: "unknown marker '%s'%s" is unknown-marker. It ends with
 * the first part of the sentence that has three words.
 */
static const char *rule_of(diag *to, const char *format)
{
    str made = {0};
    size_t words = 0;
    const char *rule;
    while (*format && made.len < RULE_MAX && !(words > 2 && strchr(",:;(", *format))) {
        const char *next = skip_variable(format);
        bool begins = made.len == 0 || made.data[made.len - 1] == '-';
        if (next != format) {
            format = next < format + strlen(format) ? next : format + strlen(format);
            continue;
        }
        if (ascii_is_alnum(*format)) {
            str_add_char(&made, ascii_lower(*format));
            words += begins;
        } else if (!begins) {
            str_add_char(&made, '-');
        }
        format++;
    }
    while (made.len && made.data[made.len - 1] == '-')
        made.data[--made.len] = '\0';
    rule = arena_strdup(to->arena, str_text(&made));
    str_free(&made);
    return rule;
}

static bool is_repeat(const diag *to, diag_loc loc, const char *text)
{
    for (size_t i = 0; i < to->entries.len; i++) {
        const message *old = &to->entries.items[i].error;
        if (compare_places(old->loc, loc) == 0 && strcmp(old->raw, text) == 0)
            return true;
    }
    return false;
}

static void add(diag *to, diag_level level, const char *rule, diag_loc loc, const char *text)
{
    /* It is kept in any case: nobody should have to guess why a command failed. */
    bool is_first_error = level == DIAG_ERROR && to->error_count == 0;
    entry *added;
    to->skipped = !to->is_full && is_repeat(to, loc, text);
    if (to->skipped)
        return;
    to->error_count += level == DIAG_ERROR;
    to->is_full = to->entries.len >= MESSAGES_MAX;
    to->skipped = to->is_full && !is_first_error;
    if (to->skipped)
        return;
    added = VEC_ADD(&to->entries);
    added->error = make_message(to, loc, text);
    added->order = to->entries.len;
    added->level = level;
    added->rule = rule && *rule ? rule : rule_of(to, text);
}

void diag_error(diag *to, diag_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(to, DIAG_ERROR, rule_of(to, format), loc, arena_vprintf(to->arena, format, args));
    va_end(args);
}

void diag_warning(diag *to, diag_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(to, DIAG_WARNING, rule_of(to, format), loc, arena_vprintf(to->arena, format, args));
    va_end(args);
}

void diag_tell(diag *to, diag_level level, const char *rule, diag_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(to, level, rule, loc, arena_vprintf(to->arena, format, args));
    va_end(args);
}

void diag_note(diag *to, diag_loc loc, const char *format, ...)
{
    va_list args;
    char *text;
    if (to->skipped || to->entries.len == 0 ||
        to->entries.items[to->entries.len - 1].notes.len > MESSAGES_MAX)
        return;
    va_start(args, format);
    text = arena_vprintf(to->arena, format, args);
    va_end(args);
    *VEC_ADD(&to->entries.items[to->entries.len - 1].notes) = make_message(to, loc, text);
}

size_t diag_error_count(const diag *to)
{
    return to->error_count;
}

void diag_show_as(diag *to, const char *dir, const char *as)
{
    *VEC_ADD(&to->aliases) = (alias){arena_strdup(to->arena, dir), arena_strdup(to->arena, as)};
}

const char *diag_file(diag *to, const char *file)
{
    for (size_t i = 0; i < to->aliases.len; i++) {
        size_t len = strlen(to->aliases.items[i].dir);
        if (strncmp(file, to->aliases.items[i].dir, len) == 0 && file[len] == '/')
            return arena_printf(to->arena, "%s%s", to->aliases.items[i].as, file + len + 1);
    }
    return file;
}

/* ---- printing ------------------------------------------------------------------------------ */

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    int order = compare_places(a->error.loc, b->error.loc);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static void open_source(diag *to, const char *file)
{
    if (!to->source_file || strcmp(to->source_file, file) != 0) {
        str_clear(&to->source);
        if (!str_read_file(&to->source, file))
            str_clear(&to->source);
        to->source_file = file;
        to->source_line = 0;
    }
}

/* Returns the line without its end, or NULL if the file has changed or cannot be read. */
static const char *find_line(diag *to, diag_loc loc, size_t *len)
{
    const char *at;
    open_source(to, loc.file);
    if (to->source_line == 0 || to->source_line > loc.line) {
        to->source_at = 0;
        to->source_line = 1;
    }
    for (; to->source_line < loc.line; to->source_line++) {
        at = to->source.data ? strchr(to->source.data + to->source_at, '\n') : NULL;
        if (!at)
            return NULL;
        to->source_at = (size_t)(at + 1 - to->source.data);
    }
    at = str_text(&to->source) + to->source_at;
    *len = strcspn(at, "\r\n");
    return *len > 0 && *len <= SOURCE_MAX ? at : NULL;
}

/* As the terminal shows it: tabs stay tabs. */
static void add_shown(str *out, const char *text, size_t len)
{
    while (len > 0) {
        size_t plain = 0;
        while (plain < len && text[plain] != '\t')
            plain++;
        utf8_add_visible(out, text, plain);
        if (plain < len)
            str_add_char(out, text[plain++]);
        text += plain;
        len -= plain;
    }
}

static void print_source(diag *to, FILE *out, diag_loc loc, const char *green, const char *plain)
{
    str shown = {0};
    const char *line;
    size_t before;
    size_t len;
    if (!loc.file || loc.line == 0 || loc.column == 0)
        return;
    line = find_line(to, loc, &len);
    if (!line || loc.column > len + 1)
        return;
    add_shown(&shown, line, loc.column - 1);
    before = shown.len;
    add_shown(&shown, line + loc.column - 1, len - (loc.column - 1));
    fprintf(out, "%s\n", str_text(&shown));
    /* One blank a character: tabs stay tabs, the further bytes of UTF-8 take no room. */
    for (size_t i = 0; i < before; i++) {
        if (!utf8_continues(shown.data[i]))
            fputc(shown.data[i] == '\t' ? '\t' : ' ', out);
    }
    fprintf(out, "%s^%s\n", green, plain);
    str_free(&shown);
}

static const char *const level_names[] = {
    [DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note"};

static void print_message(diag *to, FILE *out, const message *what, diag_level level, bool colour)
{
    bool is_note = level == DIAG_NOTE;
    const char *bold = colour ? "\033[1m" : "";
    const char *shade = !colour                 ? ""
                        : is_note               ? "\033[1;36m"
                        : level == DIAG_WARNING ? "\033[1;35m"
                                                : "\033[1;31m";
    const char *green = colour ? "\033[1;32m" : "";
    const char *plain = colour ? "\033[0m" : "";
    fputs(bold, out);
    if (!what->loc.file)
        fputs(is_note ? "" : "kubegen: ", out);
    else if (what->loc.line == 0)
        fprintf(out, "%s: ", diag_file(to, what->loc.file));
    else
        fprintf(out, "%s:%u:%u: ", diag_file(to, what->loc.file), what->loc.line, what->loc.column);
    fprintf(out, "%s%s%s: %s", plain, shade, level_names[level], plain);
    fprintf(out, "%s%s%s\n", is_note ? "" : bold, what->text, is_note ? "" : plain);
    print_source(to, out, what->loc, green, plain);
}

static void sort(diag *to)
{
    if (to->entries.len > 1)
        qsort(to->entries.items, to->entries.len, sizeof *to->entries.items, compare_entries);
}

void diag_print(diag *to, FILE *out, bool colour)
{
    sort(to);
    for (size_t i = 0; i < to->entries.len; i++) {
        const entry *shown = &to->entries.items[i];
        print_message(to, out, &shown->error, shown->level, colour);
        for (size_t n = 0; n < shown->notes.len; n++)
            print_message(to, out, &shown->notes.items[n], DIAG_NOTE, colour);
    }
    if (to->is_full)
        fprintf(out, "kubegen: there are more than %d messages\n", MESSAGES_MAX);
}

bool diag_is_full(const diag *to)
{
    return to->is_full && to->error_count > 0;
}

bool diag_wants_colour(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

/* The column in characters; the one in bytes if the line cannot be read. */
static unsigned count_characters(diag *to, diag_loc loc)
{
    unsigned count = 1;
    size_t len = 0;
    const char *line = loc.file && loc.line && loc.column ? find_line(to, loc, &len) : NULL;
    if (!line || loc.column > len + 1)
        return loc.column;
    for (size_t i = 0; i + 1 < loc.column; i++)
        count += !utf8_continues(line[i]);
    return count;
}

static diag_item make_item(diag *to, diag_level level, const char *rule, const message *from)
{
    diag_item made = {level, rule, from->text, from->loc, count_characters(to, from->loc)};
    if (made.loc.file)
        made.loc.file = diag_file(to, made.loc.file);
    return made;
}

bool diag_next(diag *to, size_t *at, size_t *note, diag_item *out)
{
    const entry *here;
    if (*at == 0 && *note == 0)
        sort(to);
    if (*at >= to->entries.len)
        return false;
    here = &to->entries.items[*at];
    *out = *note == 0 ? make_item(to, here->level, here->rule, &here->error)
                      : make_item(to, DIAG_NOTE, NULL, &here->notes.items[*note - 1]);
    if ((*note)++ == here->notes.len) {
        *note = 0;
        (*at)++;
    }
    return true;
}

/* ---- did you mean -------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Insertions, deletions, changes and swaps of neighbours, two points each; a wrong case costs one,
 * so that it is the nearest of all.
 */
static size_t distance(const char *a, const char *b)
{
    size_t a_len = strlen(a);
    size_t b_len = strlen(b);
    size_t width = b_len + 1;
    size_t *cell = xcalloc((a_len + 1) * width, sizeof *cell);
    size_t result;
    for (size_t i = 0; i <= a_len; i++) {
        for (size_t j = 0; j <= b_len; j++) {
            size_t best;
            if (i == 0 || j == 0) {
                cell[i * width + j] = 2 * (i + j);
                continue;
            }
            best = cell[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 0
                                                    : ascii_lower(a[i - 1]) == ascii_lower(b[j - 1])
                                                        ? 1
                                                        : 2);
            best = least(best, cell[(i - 1) * width + j] + 2);
            best = least(best, cell[i * width + j - 1] + 2);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, cell[(i - 2) * width + j - 2] + 2);
            cell[i * width + j] = best;
        }
    }
    result = cell[a_len * width + b_len];
    free(cell);
    return result;
}

static size_t length_difference(const char *a, const char *b)
{
    size_t a_len = strlen(a);
    size_t b_len = strlen(b);
    return a_len > b_len ? a_len - b_len : b_len - a_len;
}

const char *diag_nearest(const char *word, const char *const *words, size_t len)
{
    size_t limit = 2 * ((strlen(word) + 2) / 3); /* a third of it may be wrong */
    const char *best = NULL;
    for (size_t i = 0; i < len; i++) {
        size_t far;
        if (2 * length_difference(word, words[i]) > limit)
            continue;
        far = distance(word, words[i]);
        if (far <= limit) {
            best = words[i];
            limit = far > 0 ? far - 1 : 0;
            if (far == 0)
                break;
        }
    }
    return best;
}

const char *diag_meant(arena *in, const char *word, const char *const *words, size_t len)
{
    const char *near = diag_nearest(word, words, len);
    return near && strcmp(near, word) != 0 ? arena_printf(in, "; did you mean '%s'?", near) : "";
}
