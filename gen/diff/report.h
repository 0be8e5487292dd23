/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a comparison: a line for each change, or JSON. */
#ifndef KUBEGEN_DIFF_REPORT_H
#define KUBEGEN_DIFF_REPORT_H

#include "change.h"

#include <stdio.h>

/* How the files of the two states are called: for diag_file(). */
typedef struct report_names {
    diag *was;
    diag *is;
} report_names;

void report_text(const change_list *changes, report_names names, FILE *out);
void report_json(const change_list *changes, report_names names, FILE *out);
/* Adds the changes to the log of the run (support/diag_log.h). */
void report_log(const change_list *changes, report_names names);
/* Prints the rules as the table of docs/diff.md. */
void report_rules(FILE *out);

#endif /* KUBEGEN_DIFF_REPORT_H */
