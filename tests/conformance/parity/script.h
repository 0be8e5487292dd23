/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases as text: what is sent, step by step. cases/README.md says how they are written.
 */
#ifndef TESTS_PARITY_SCRIPT_H
#define TESTS_PARITY_SCRIPT_H

#include "conformance/parity/exchange.h"

enum { PARITY_NOTES_MAX = 6 };

typedef enum parity_step_kind {
    PARITY_REQUEST,
    PARITY_UNTIL,  /* the request again and again, until the answer is what is waited for */
    PARITY_WATCH,  /* open a watch in the background */
    PARITY_EVENTS, /* wait for events of one */
    PARITY_STOP,   /* close one and compare what it saw */
} parity_step_kind;

typedef struct parity_note {
    const char *name; /* of the variable that keeps what lies at @path */
    const char *path;
} parity_note;

typedef struct parity_step {
    parity_step_kind kind;
    parity_request request;
    const char *watch;       /* name of the watch */
    bool quiet;              /* preparation: must succeed, is not compared */
    const char *wanted_path; /* of UNTIL: in the body, or "status" */
    const char *wanted;
    parity_note saves[PARITY_NOTES_MAX];
    size_t save_count;
    const char *only; /* compare this part of the body; "nothing": none of it */
    const char *ignored[PARITY_NOTES_MAX];
    size_t ignored_count;
    int line;
    struct parity_step *next;
} parity_step;

typedef struct parity_scenario {
    const char *name;   /* "patch/json-test-failed[cluster]" */
    const char *module; /* name of its file */
    const char *file;
    int number;
    bool alone;      /* looks at things of the whole server */
    bool first;      /* makes what others need */
    bool namespaced; /* needs a namespace of its own */
    parity_step *steps;
    struct parity_scenario *next;
} parity_scenario;

typedef struct parity_script {
    kube_ctx *ctx;
    parity_scenario *first;
    parity_scenario *last;
    size_t count;
    struct parity_variable *variables;
    struct parity_block *first_block; /* while reading */
    struct parity_block *last_block;
} parity_script;

/* Reads all *.txt of a directory in order of their names; ends the program at the first fault. */
void parity_script_read(parity_script *script, kube_ctx *ctx, const char *directory);

/*
 * Puts values for $name in a text; names that @value does not know stay as they are.
 */
typedef const char *parity_value(void *arg, const char *name);
const char *parity_substitute(kube_ctx *ctx, const char *text, parity_value *value, void *arg);
/* Puts N times "a" for the first ${fill:N}. */
const char *parity_fill(kube_ctx *ctx, const char *text);

#endif /* TESTS_PARITY_SCRIPT_H */
