/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang-format gives each possible line break a price and takes the cheapest layout that fits. The
 * prices here are those of its LLVM style for the places where generated code may break; commas
 * are filled greedily, which is cheapest as all commas of a list cost the same.
 */
#include "layout.h"

#include "support/ascii.h"
#include "support/vec.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    INDENT = 4,
    PRICE_ASSIGNMENT = 22,          /* after = */
    PRICE_COMMA = 41,               /* inside one pair of parentheses */
    PRICE_CALL = 59,                /* after the ( of a call */
    PRICE_RETURN_TYPE = 90,         /* before the name of a function that is declared */
    PRICE_MARKED_RETURN_TYPE = 130, /* the same behind a macro and a type's name */
    PRICE_DECLARATION = 140,        /* after the ( of a declaration */
    PRICE_EXCESS = 1000000,         /* a column too many */
};

/* A statement that may have to be broken: head ( argument, argument ) tail. */
typedef struct statement {
    const char *text; /* without indentation */
    size_t indent;
    size_t open;     /* index behind the ( of the list of arguments; 0 = there is none */
    size_t close;    /* of its ) */
    size_t break_at; /* behind "= " or before a declared function's name; 0 = nowhere */
    unsigned break_price;
    unsigned open_price;
} statement;

typedef struct layout_choice {
    bool break_head; /* at break_at */
    bool break_open; /* behind the ( */
} layout_choice;

static const char *skip_quoted(const char *c)
{
    char quote = *c;
    for (c++; *c && *c != quote; c++)
        if (*c == '\\' && c[1])
            c++;
    return *c ? c + 1 : c;
}

/* Parentheses that stay open in @text, counted on from @depth. */
static int open_parens(const char *text, int depth)
{
    while (*text) {
        if (*text == '"' || *text == '\'') {
            text = skip_quoted(text);
            continue;
        }
        if (strncmp(text, "/*", 2) == 0)
            break;
        depth += (*text == '(') - (*text == ')');
        text++;
    }
    return depth;
}

static bool is_word(char c)
{
    return ascii_is_alnum(c) || c == '_' || c == ')';
}

/*
 * The price of a break before a declared function's name; 0 = not allowed. clang-format takes a
 * macro before a type's name for the type, and keeps a type that is one keyword beside the name.
 */
static unsigned return_type_price(const char *text, size_t name)
{
    bool keyword = name >= 5 && (strncmp(text + name - 5, "bool ", 5) == 0 ||
                                 strncmp(text + name - 5, "void ", 5) == 0);
    if (keyword && name == 5)
        return 0;
    if (str_has_prefix(text, "KUBE_") && !keyword && text[name - 1] == ' ')
        return PRICE_MARKED_RETURN_TYPE;
    return PRICE_RETURN_TYPE;
}

/* Finds the last list in parentheses at the top level, and the first " = ". */
static void find_breaks(statement *s)
{
    const char *c = s->text;
    const char *open = NULL;
    bool declares = s->indent == 0;
    int depth = 0;
    size_t name;
    while (*c) {
        if (*c == '"' || *c == '\'') {
            c = skip_quoted(c);
            continue;
        }
        if (*c == '(' && depth++ == 0)
            open = c > s->text && is_word(c[-1]) ? c + 1 : NULL; /* NULL: a cast */
        if (*c == ')' && --depth == 0 && open) {
            s->open = (size_t)(open - s->text);
            s->close = (size_t)(c - s->text);
        }
        if (depth == 0 && strncmp(c, " = ", 3) == 0 && !s->break_at) {
            s->break_at = (size_t)(c - s->text) + 3;
            s->break_price = PRICE_ASSIGNMENT;
        }
        c++;
    }
    s->open_price = PRICE_CALL;
    if (!s->open || s->break_at || !declares)
        return;
    for (name = s->open - 1; name > 0 && s->text[name - 1] != ' ' && s->text[name - 1] != '*';)
        name--;
    if (name == 0)
        return;
    s->open_price = PRICE_DECLARATION;
    s->break_price = return_type_price(s->text, name);
    s->break_at = s->break_price ? name : 0;
}

/* The end of the argument that begins at @from: its comma, or the closing parenthesis. */
static size_t argument_end(const statement *s, size_t from)
{
    int depth = 0;
    size_t i = from;
    while (i < s->close) {
        char c = s->text[i];
        if (c == '"' || c == '\'') {
            i = (size_t)(skip_quoted(&s->text[i]) - s->text);
            continue;
        }
        if (c == ',' && depth == 0)
            return i + 1;
        depth += (c == '(' || c == '{') - (c == ')' || c == '}');
        i++;
    }
    return s->close;
}

static void new_line(str *out, size_t column)
{
    while (out && out->len && out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0';
    if (out) {
        str_add_char(out, '\n');
        while (column-- > 0)
            str_add_char(out, ' ');
    }
}

static void put(str *out, const char *text, size_t len)
{
    if (out)
        str_add_len(out, text, len);
}

static unsigned excess(size_t column)
{
    return column > LAYOUT_COLUMNS ? (unsigned)(column - LAYOUT_COLUMNS) * PRICE_EXCESS : 0;
}

/* The price of a layout; writes it when @out is not NULL. */
static unsigned lay_out(const statement *s, layout_choice choice, str *out)
{
    size_t head = s->open ? s->open : strlen(s->text);
    size_t base = s->indent;
    size_t column = s->indent;
    unsigned price = 0;
    size_t align;
    size_t at;
    if (choice.break_head) {
        put(out, s->text, s->break_at);
        price += s->break_price + excess(column + s->break_at - 1);
        /* What follows = is indented; a function's name stands at the beginning of its line. */
        column = base = s->break_price == PRICE_ASSIGNMENT ? base + INDENT : base;
        new_line(out, column);
        put(out, s->text + s->break_at, head - s->break_at);
        column += head - s->break_at;
    } else {
        put(out, s->text, head);
        column += head;
    }
    price += excess(column);
    if (!s->open)
        return price;
    align = column;
    if (choice.break_open) {
        price += s->open_price;
        align = column = base + INDENT;
        new_line(out, column);
    }
    for (at = s->open; at < s->close;) {
        size_t end = argument_end(s, at);
        size_t len = end - at;
        size_t need = len + (end == s->close ? strlen(s->text) - end : 0);
        if (at > s->open && column + 1 + need > LAYOUT_COLUMNS) {
            price += PRICE_COMMA;
            column = align;
            new_line(out, column);
        } else if (at > s->open) {
            put(out, " ", 1);
            column++;
        }
        put(out, s->text + at, len);
        column += len;
        price += excess(column + need - len);
        at = end + (s->text[end] == ' ');
    }
    put(out, s->text + s->close, strlen(s->text) - s->close);
    return price;
}

static void break_statement(const char *text, size_t indent, str *out)
{
    statement s = {.text = text, .indent = indent};
    layout_choice best = {false, false};
    unsigned best_price = UINT_MAX;
    find_breaks(&s);
    for (int i = 0; i < 4; i++) {
        layout_choice choice = {(i & 1) != 0, (i & 2) != 0};
        unsigned price;
        if ((choice.break_head && !s.break_at) || (choice.break_open && !s.open))
            continue;
        price = lay_out(&s, choice, NULL);
        if (price < best_price) {
            best_price = price;
            best = choice;
        }
    }
    lay_out(&s, best, out);
}

/* A comment that is too long goes on in the next line, with the same beginning. */
static void break_comment(const char *text, size_t indent, str *out)
{
    bool one_line = str_has_prefix(text, "/** ") && str_has_suffix(text, " */");
    const char *word = one_line ? text + 4 : str_has_prefix(text, "* ") ? text + 2 : text;
    const char *end = text + strlen(text) - (one_line ? 3 : 0);
    size_t margin = one_line ? indent + 1 : indent;
    size_t column;
    if (word == text) {
        str_add(out, text);
        return;
    }
    if (one_line) {
        str_add(out, "/**");
        new_line(out, margin);
    }
    str_add(out, "*");
    column = margin + 1;
    while (word < end) {
        size_t len = strcspn(word, " ");
        if (len > (size_t)(end - word))
            len = (size_t)(end - word);
        if (column + 1 + len > LAYOUT_COLUMNS && column > margin + 1) {
            new_line(out, margin);
            str_add(out, "*");
            column = margin + 1;
        }
        str_add_char(out, ' ');
        str_add_len(out, word, len);
        column += 1 + len;
        word += len;
        while (*word == ' ' && word < end)
            word++;
    }
    if (one_line) {
        new_line(out, margin);
        str_add(out, "*/");
    }
}

/* "#define NAME value": the value goes to a line of its own. */
static void break_define(const char *text, str *out)
{
    const char *value = strchr(text + strlen("#define "), ' ');
    size_t column = value ? (size_t)(value - text) : 0;
    if (!value || column >= LAYOUT_COLUMNS - 1) {
        str_add(out, text);
        return;
    }
    str_add_len(out, text, column);
    for (; column < LAYOUT_COLUMNS - 1; column++)
        str_add_char(out, ' ');
    str_add(out, "\\");
    new_line(out, INDENT);
    str_add(out, value + 1);
}

/* A declaration without parentheses: its name goes to a line of its own. */
static void break_declaration(const char *text, size_t indent, str *out)
{
    const char *last = strrchr(text, ' ');
    str_add_len(out, text, (size_t)(last - text));
    new_line(out, indent + INDENT);
    str_add(out, last + 1);
}

static void lay_out_line(const char *line, str *out)
{
    size_t indent = strspn(line, " ");
    const char *text = line + indent;
    bool declares = (str_has_prefix(text, "typedef struct ") || str_has_prefix(text, "extern ")) &&
                    str_has_suffix(text, ";");
    str_add_len(out, line, indent);
    if (strlen(line) <= LAYOUT_COLUMNS)
        str_add(out, text);
    else if (str_has_prefix(text, "#define "))
        break_define(text, out);
    else if (*text == '#')
        str_add(out, text);
    else if (str_has_prefix(text, "/*") || *text == '*')
        break_comment(text, indent, out);
    else if (declares)
        break_declaration(text, indent, out);
    else
        break_statement(text, indent, out);
    str_add_char(out, '\n');
}

/* Appends a line to a statement that is not complete yet. */
static void join(str *line, const char *text, size_t len)
{
    while (len && *text == ' ' && line->len) {
        text++;
        len--;
    }
    if (line->len && line->data[line->len - 1] != '(')
        str_add_char(line, ' ');
    str_add_len(line, text, len);
}

static bool is_comment(const char *line)
{
    const char *text = line + strspn(line, " ");
    return str_has_prefix(text, "/*") || *text == '*' || *text == '#';
}

void layout_c(const char *text, str *out)
{
    str line = {0};
    bool blank = true; /* whether the line before was; none at the beginning and the end */
    bool owed = false; /* a blank line that has not been written yet */
    while (*text) {
        size_t len = strcspn(text, "\n");
        join(&line, text, len);
        text += len + (text[len] == '\n');
        if (!is_comment(str_text(&line)) && open_parens(str_text(&line), 0) > 0 && *text)
            continue;
        if (line.len == 0 || strspn(line.data, " ") == line.len) {
            owed = !blank;
        } else {
            if (owed)
                str_add_char(out, '\n');
            lay_out_line(line.data, out);
            owed = false;
            blank = false;
        }
        str_clear(&line);
    }
    str_free(&line);
}
