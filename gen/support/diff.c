/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differences come from the longest common subsequence of lines, which a table finds for what
 * lies between the common beginning and the common end. If the table would be too large, the middle
 * counts as replaced.
 */
#include "diff.h"

#include "vec.h"
#include "xalloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3, TABLE_MAX = 1 << 24 };

typedef struct line {
    const char *text;
    size_t len;
} line;

typedef VEC(line) line_list;

/* One line of the result: ' ' in both, '-' only old, '+' only new. */
typedef struct edit {
    char sign;
    line line;
} edit;

typedef VEC(edit) edit_list;

static void split(const char *text, line_list *lines)
{
    while (*text) {
        line *l = VEC_ADD(lines);
        l->text = text;
        l->len = strcspn(text, "\n");
        text += l->len + (text[l->len] == '\n');
    }
}

static bool same(const line *a, const line *b)
{
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void add(edit_list *edits, char sign, line l)
{
    edit *e = VEC_ADD(edits);
    e->sign = sign;
    e->line = l;
}

/* Edits that turn a[0..n) into b[0..m). */
static void compare(const line *a, size_t n, const line *b, size_t m, edit_list *edits)
{
    bool fits = n < TABLE_MAX && (n + 1) <= TABLE_MAX / (m + 1);
    uint32_t *table = fits ? xcalloc((n + 1) * (m + 1), sizeof *table) : NULL;
    for (size_t i = n; fits && i-- > 0;)
        for (size_t j = m; j-- > 0;) {
            uint32_t down = table[(i + 1) * (m + 1) + j];
            uint32_t right = table[i * (m + 1) + j + 1];
            table[i * (m + 1) + j] = same(&a[i], &b[j]) ? table[(i + 1) * (m + 1) + j + 1] + 1
                                     : down > right     ? down
                                                        : right;
        }
    for (size_t i = 0, j = 0; i < n || j < m;) {
        if (fits && i < n && j < m && same(&a[i], &b[j])) {
            add(edits, ' ', a[i++]);
            j++;
        } else if (i < n && (j == m || !fits ||
                             table[(i + 1) * (m + 1) + j] >= table[i * (m + 1) + j + 1])) {
            add(edits, '-', a[i++]);
        } else {
            add(edits, '+', b[j++]);
        }
    }
    free(table);
}

/* Returns NULL for an empty list, whose items are NULL. */
static const line *lines_from(const line_list *list, size_t begin)
{
    return list->items ? list->items + begin : NULL;
}

static void all_edits(const line_list *a, const line_list *b, edit_list *edits)
{
    size_t begin = 0;
    size_t end = 0;
    while (begin < a->len && begin < b->len && same(&a->items[begin], &b->items[begin]))
        add(edits, ' ', a->items[begin++]);
    while (end < a->len - begin && end < b->len - begin &&
           same(&a->items[a->len - end - 1], &b->items[b->len - end - 1]))
        end++;
    compare(lines_from(a, begin), a->len - begin - end, lines_from(b, begin), b->len - begin - end,
            edits);
    for (size_t i = a->len - end; i < a->len; i++)
        add(edits, ' ', a->items[i]);
}

static void print_range(FILE *out, char sign, size_t before, size_t count)
{
    /* An empty range names the line before it, as diff(1) does. */
    fprintf(out, " %c%zu", sign, before + (count > 0));
    if (count != 1)
        fprintf(out, ",%zu", count);
}

/* @lines: the old and the new ones before the hunk; goes on behind it. */
static void print_hunk(FILE *out, const edit_list *edits, size_t from, size_t to, size_t *lines)
{
    size_t counts[2] = {0, 0};
    for (size_t i = from; i < to; i++) {
        counts[0] += edits->items[i].sign != '+';
        counts[1] += edits->items[i].sign != '-';
    }
    fputs("@@", out);
    print_range(out, '-', lines[0], counts[0]);
    print_range(out, '+', lines[1], counts[1]);
    fputs(" @@\n", out);
    for (size_t i = from; i < to; i++)
        fprintf(out, "%c%.*s\n", edits->items[i].sign, (int)edits->items[i].line.len,
                edits->items[i].line.text);
    lines[0] += counts[0];
    lines[1] += counts[1];
}

static void print_hunks(FILE *out, const edit_list *edits)
{
    size_t lines[2] = {0, 0}; /* old and new ones so far */
    size_t done = 0;
    size_t i = 0;
    while (i < edits->len) {
        size_t from;
        size_t to;
        if (edits->items[i].sign == ' ') {
            i++;
            continue;
        }
        from = i > CONTEXT ? i - CONTEXT : 0;
        /* Changes that are nearer than two contexts share a hunk. */
        for (to = i; i < edits->len && i <= to + 2 * CONTEXT + 1; i++)
            if (edits->items[i].sign != ' ')
                to = i;
        i = to + 1;
        to = to + 1 + CONTEXT < edits->len ? to + 1 + CONTEXT : edits->len;
        lines[0] += from - done;
        lines[1] += from - done;
        done = to;
        print_hunk(out, edits, from, to, lines);
    }
}

void diff_print(const char *path, const char *old_text, const char *new_text, FILE *out)
{
    line_list a = {0};
    line_list b = {0};
    edit_list edits = {0};
    if (strcmp(old_text, new_text) == 0)
        return;
    split(old_text, &a);
    split(new_text, &b);
    all_edits(&a, &b, &edits);
    fprintf(out, "--- %s\n+++ %s (as generated)\n", path, path);
    print_hunks(out, &edits);
    free(edits.items);
    free(a.items);
    free(b.items);
}
