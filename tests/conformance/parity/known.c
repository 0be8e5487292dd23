/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 200, COLUMNS = 4 };

typedef struct row {
    char *id;
    char *scenarios;
    char *difference;
    size_t used;
} row;

static row rows[ROWS_MAX];
static size_t row_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Cuts a cell out: without the blanks and the back quotes around it. "\|" is a bar. */
static char *cell_of(const char *from, size_t len)
{
    char *made = calloc(1, len + 1);
    size_t out = 0;
    if (!made)
        exit(EXIT_FAILURE);
    while (len > 0 && (*from == ' ' || *from == '`')) {
        from++;
        len--;
    }
    while (len > 0 && (from[len - 1] == ' ' || from[len - 1] == '`'))
        len--;
    for (size_t i = 0; i < len; i++)
        if (from[i] != '\\' || i + 1 == len || from[i + 1] != '|')
            made[out++] = from[i];
    return made;
}

static size_t cell_len(const char *text)
{
    size_t len = 0;
    while (text[len] && text[len] != '\n' && text[len] != '|')
        len += text[len] == '\\' && text[len + 1] == '|' ? 2 : 1;
    return len;
}

static void read_row(const char *line, const char *path, int number)
{
    char *cells[COLUMNS];
    const char *at = line + 1;
    for (size_t i = 0; i < COLUMNS; i++) {
        size_t len = cell_len(at);
        cells[i] = cell_of(at, len);
        at += len + (at[len] == '|');
    }
    if (strcmp(cells[0], "id") != 0 && strncmp(cells[0], "--", 2) != 0) {
        if (row_count == ROWS_MAX || !*cells[2] || !*cells[3]) {
            fprintf(stderr, "%s:%d: a row needs id, scenarios, difference and reason\n", path,
                    number);
            exit(EXIT_FAILURE);
        }
        rows[row_count++] = (row){cells[0], cells[1], cells[2], 0};
        free(cells[3]);
        return;
    }
    for (size_t i = 0; i < COLUMNS; i++)
        free(cells[i]);
}

void parity_known_read(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    int number = 0;
    bool inside = false;
    bool found = false;
    while (file && getline(&line, &size, file) >= 0) {
        number++;
        if (line[0] == '#')
            inside = strstr(line, "Differences from kube-apiserver") != NULL;
        found |= inside;
        if (inside && line[0] == '|')
            read_row(line, path, number);
    }
    free(line);
    if (file)
        fclose(file);
    if (!found) {
        fprintf(stderr, "parity: %s has no section \"Differences from kube-apiserver\"\n", path);
        exit(EXIT_FAILURE);
    }
}

bool parity_known(const char *scenario, const char *difference)
{
    bool known = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < row_count; i++)
        if (fnmatch(rows[i].scenarios, scenario, 0) == 0 &&
            fnmatch(rows[i].difference, difference, 0) == 0) {
            rows[i].used++;
            known = true;
        }
    pthread_mutex_unlock(&lock);
    return known;
}

size_t parity_known_count(void)
{
    return row_count;
}

size_t parity_known_stale(void)
{
    size_t stale = 0;
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].used == 0 && strncmp(rows[i].scenarios, "kubectl/", 8) != 0) {
            stale++;
            fprintf(stderr,
                    "parity: difference %s is listed but was not seen: the list is out of "
                    "date\n",
                    rows[i].id);
        }
    return stale;
}
