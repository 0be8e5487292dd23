/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of a run is what programs read instead of the messages on stderr: JSON for editors, SARIF
 * for services that show findings beside a change. It is one document, written at the end.
 */
#ifndef KUBEGEN_DIAG_LOG_H
#define KUBEGEN_DIAG_LOG_H

#include "diag.h"

/* Sets the form: "text" (there is no log), "json" or "sarif". Returns false for any other. */
bool diag_log_set_form(const char *form);
/* Says whether there is a log. */
bool diag_log_is_on(void);
/* Takes all messages of @from, if there is a log. */
void diag_log_add(diag *from);
/* Prints all messages on stderr, in colour where that is wanted, or takes them into the log;
 * returns whether there is no error. */
bool diag_report(diag *from);
/* Tells something of the run as a whole: a line on stderr after "kubegen: ", or in the log. */
__attribute__((format(printf, 2, 3))) void diag_log_line(diag_level level, const char *format, ...);
/* Writes the log if there is one. @ok says whether the command has done its work. */
void diag_log_end(const char *program_version, int status, bool ok, FILE *out);

#endif /* KUBEGEN_DIAG_LOG_H */
