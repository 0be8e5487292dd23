/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what is logged from the screen, and counts it. */
#ifndef TESTS_CACHE_LOG_LINES_H
#define TESTS_CACHE_LOG_LINES_H

void log_lines_start(void);
void log_lines_stop(void);
/* Lines at the default level or louder that contain @text. */
int log_lines_count(const char *text);
/* Waits for one. */
void log_lines_wait(const char *text);

#endif /* TESTS_CACHE_LOG_LINES_H */
