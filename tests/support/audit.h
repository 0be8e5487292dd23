/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an API server's audit log says about who wrote when: the outside view of several replicas of
 * a controller. All times are the one server's, in microseconds since 1970.
 */
#ifndef TESTS_SUPPORT_AUDIT_H
#define TESTS_SUPPORT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A write that the server answered. Strings belong to the log and are never NULL. */
typedef struct audit_write {
    const char *user;
    const char *verb;
    const char *resource;
    const char *namespace_;
    const char *name;
    const char *holder; /* of a Lease: whom the request named; "" = nobody, or not a Lease */
    int code;
    int64_t received_us;
    int64_t answered_us;
} audit_write;

typedef struct audit_log {
    audit_write *writes; /* by the time they were received */
    size_t len;
    struct audit_file *file;
} audit_log;

/* Fails the test when there is no such file, as the two below when it cannot be read. */
audit_log *audit_open(const char *path);
/* Adds what was written since; a line that is half-written yet is left for the next time. */
void audit_update(audit_log *log);
void audit_free(audit_log *log);

/* Whether it changed what the server keeps. */
bool audit_took_effect(const audit_write *w);

/* What one of several processes must hold to write. */
typedef struct audit_lease {
    const char *namespace_;
    const char *name;
    int64_t lasts_ms;
} audit_lease;

/* How the writes of one user lie to the times in which it held the Lease. */
typedef struct audit_held {
    size_t writes;     /* all but those of the Lease, refused ones as well */
    size_t late;       /* outside of these times */
    int64_t latest_ms; /* the longest from a renewal to a write of those that are not late */
    char why[400];     /* of the first late one; "" = there is none */
} audit_held;

bool audit_is_lease(const audit_write *w, const audit_lease *lease);
/* A write is not late when the last one who wrote the Lease before it was @user too, naming
 * @holder, not longer ago than a lease lasts (LE-3...5). */
audit_held audit_check_held(const audit_log *log, const audit_lease *lease, const char *user,
                            const char *holder);

#endif /* TESTS_SUPPORT_AUDIT_H */
