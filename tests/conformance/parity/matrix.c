/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include <stdio.h>
#include <string.h>

static const char *const verbs[] = {
    "create",     "generate",   "get",          "list",      "watch",     "update",
    "json",       "merge",      "strategic",    "apply",     "delete",    "deletecollection",
    "status-get", "status-put", "status-patch", "scale-get", "scale-put", "scale-patch",
};
static const char *const classes[] = {"custom", "cluster", "builtin"};
static const char *const outcomes[] = {
    "success", "malformed", "wrong-kind",   "namespace-mismatch", "401",
    "403",     "no-object", "no-namespace", "no-resource",        "405",
    "406",     "exists",    "conflict",     "precondition",       "410",
    "413",     "415",       "invalid",      "immutable",          "no-manager",
    "429",     "504",
};

enum {
    VERBS = sizeof verbs / sizeof *verbs,
    CLASSES = sizeof classes / sizeof *classes,
    OUTCOMES = sizeof outcomes / sizeof *outcomes,
};

typedef struct cell {
    size_t scenarios;
    const char *reason;
    const char *scenario; /* one of them */
} cell;

static cell cells[VERBS][CLASSES][OUTCOMES];

/* Whether @word stands in the list @text. */
static bool in_list(const char *text, const char *word)
{
    size_t len = strlen(word);
    if (strcmp(text, "*") == 0)
        return true;
    while (*text) {
        size_t part = strcspn(text, ",");
        if (part == len && strncmp(text, word, len) == 0)
            return true;
        text += part;
        text += *text == ',';
    }
    return false;
}

static bool known(const char *text, const char *const *words, size_t count)
{
    if (strcmp(text, "*") == 0)
        return true;
    while (*text) {
        size_t part = strcspn(text, ",");
        bool found = false;
        for (size_t i = 0; i < count && !found; i++)
            found = strlen(words[i]) == part && strncmp(words[i], text, part) == 0;
        if (!found) {
            fprintf(stderr, "parity: no such row or column of the matrix: %.*s\n", (int)part, text);
            return false;
        }
        text += part;
        text += *text == ',';
    }
    return true;
}

static bool mark(const char *v, const char *c, const char *o, const char *scenario,
                 const char *reason)
{
    if (!known(v, verbs, VERBS) || !known(c, classes, CLASSES) || !known(o, outcomes, OUTCOMES))
        return false;
    for (size_t i = 0; i < VERBS; i++)
        for (size_t j = 0; j < CLASSES; j++)
            for (size_t k = 0; k < OUTCOMES; k++) {
                cell *at = &cells[i][j][k];
                if (!in_list(v, verbs[i]) || !in_list(c, classes[j]) || !in_list(o, outcomes[k]))
                    continue;
                at->scenarios += scenario != NULL;
                if (scenario)
                    at->scenario = scenario;
                else
                    at->reason = reason;
            }
    return true;
}

bool parity_matrix_cover(const char *v, const char *c, const char *o, const char *scenario)
{
    return mark(v, c, o, scenario, NULL);
}

bool parity_matrix_excuse(const char *v, const char *c, const char *o, const char *reason)
{
    return mark(v, c, o, NULL, reason);
}

static void check_cell(const cell *at, const char *where, parity_matrix_count *count)
{
    count->cells++;
    count->covered += at->scenarios > 0;
    count->excused += at->scenarios == 0 && at->reason;
    if (at->scenarios == 0 && !at->reason) {
        count->faults++;
        fprintf(stderr, "parity: matrix: %s has neither scenario nor reason\n", where);
    } else if (at->scenarios > 0 && at->reason) {
        count->faults++;
        fprintf(stderr, "parity: matrix: %s is said to be empty, but %s covers it\n", where,
                at->scenario);
    }
}

parity_matrix_count parity_matrix_check(void)
{
    parity_matrix_count count = {0};
    char where[160];
    for (size_t i = 0; i < VERBS; i++)
        for (size_t j = 0; j < CLASSES; j++)
            for (size_t k = 0; k < OUTCOMES; k++) {
                snprintf(where, sizeof where, "%s × %s × %s", verbs[i], classes[j], outcomes[k]);
                check_cell(&cells[i][j][k], where, &count);
            }
    return count;
}
