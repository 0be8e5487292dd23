/* SPDX-License-Identifier: Apache-2.0 */
#include "audit.h"

#include <check.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <kube/ctx.h>
#include <kube/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct audit_file {
    FILE *stream;
    kube_ctx *texts; /* holds the strings of all writes */
    size_t capacity;
};

static const char *text_of(const cJSON *in, const char *member)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(in, member));
    return text ? text : "";
}

static const cJSON *inside(const cJSON *in, const char *member)
{
    return cJSON_GetObjectItemCaseSensitive(in, member);
}

static int64_t time_of(const cJSON *entry, const char *member)
{
    const char *text = text_of(entry, member);
    kube_micro_time time;
    ck_assert_msg(kube_micro_time_parse(text, strlen(text), &time), "%s: \"%s\"", member, text);
    return time.sec * 1000000 + time.nsec / 1000;
}

static bool is_write(const cJSON *entry)
{
    static const char *const verbs[] = {"create", "update", "patch", "delete", "deletecollection"};
    if (strcmp(text_of(entry, "stage"), "ResponseComplete") != 0)
        return false;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(text_of(entry, "verb"), verbs[i]) == 0)
            return true;
    return false;
}

static const char *keep(audit_log *log, const char *text)
{
    const char *kept = kube_ctx_strdup(log->file->texts, text);
    ck_assert_ptr_nonnull(kept);
    return kept;
}

static void add(audit_log *log, const cJSON *entry)
{
    const cJSON *object = inside(entry, "objectRef");
    const cJSON *code = inside(inside(entry, "responseStatus"), "code");
    const cJSON *spec = inside(inside(entry, "requestObject"), "spec");
    if (log->len == log->file->capacity) {
        log->file->capacity = 2 * log->len + 64;
        log->writes = realloc(log->writes, log->file->capacity * sizeof *log->writes);
        ck_assert_ptr_nonnull(log->writes);
    }
    log->writes[log->len++] = (audit_write){
        .user = keep(log, text_of(inside(entry, "user"), "username")),
        .verb = keep(log, text_of(entry, "verb")),
        .resource = keep(log, text_of(object, "resource")),
        .namespace_ = keep(log, text_of(object, "namespace")),
        .name = keep(log, text_of(object, "name")),
        .holder = keep(log, text_of(spec, "holderIdentity")),
        .code = cJSON_IsNumber(code) ? code->valueint : 0,
        .received_us = time_of(entry, "requestReceivedTimestamp"),
        .answered_us = time_of(entry, "stageTimestamp"),
    };
}

static int by_time(const void *a, const void *b)
{
    int64_t left = ((const audit_write *)a)->received_us;
    int64_t right = ((const audit_write *)b)->received_us;
    return (left > right) - (left < right);
}

audit_log *audit_open(const char *path)
{
    audit_log *log = calloc(1, sizeof *log);
    struct audit_file *file = calloc(1, sizeof *file);
    ck_assert(log && file);
    file->stream = fopen(path, "r");
    file->texts = kube_ctx_new();
    ck_assert_msg(file->stream && file->texts, "%s: %s", path, strerror(errno));
    log->file = file;
    return log;
}

void audit_update(audit_log *log)
{
    FILE *stream = log->file->stream;
    char *line = NULL;
    size_t size = 0;
    ssize_t len;
    clearerr(stream); /* the end of the file is another one now */
    while ((len = getline(&line, &size, stream)) > 0 && line[len - 1] == '\n') {
        cJSON *entry = cJSON_ParseWithLength(line, (size_t)len);
        ck_assert_msg(entry, "no JSON in the audit log: %s", line);
        if (is_write(entry))
            add(log, entry);
        cJSON_Delete(entry);
    }
    if (len > 0)
        ck_assert_int_eq(fseek(stream, -(long)len, SEEK_CUR), 0);
    free(line);
    qsort(log->writes, log->len, sizeof *log->writes, by_time);
}

void audit_free(audit_log *log)
{
    if (!log)
        return;
    fclose(log->file->stream);
    kube_ctx_free(log->file->texts);
    free(log->file);
    free(log->writes);
    free(log);
}

bool audit_took_effect(const audit_write *w)
{
    return w->code >= 200 && w->code < 300;
}

bool audit_is_lease(const audit_write *w, const audit_lease *lease)
{
    return strcmp(w->resource, "leases") == 0 && strcmp(w->name, lease->name) == 0 &&
           strcmp(w->namespace_, lease->namespace_) == 0;
}

/* Of these the one that was answered last before @time_us; NULL = none. That somebody deleted the
 * Lease does not count: its holder may rely on it until it has run out. */
static const audit_write *renewal_before(const audit_write *const renewals[], size_t len,
                                         int64_t time_us)
{
    const audit_write *last = NULL;
    for (size_t i = 0; i < len; i++)
        if (renewals[i]->answered_us <= time_us &&
            (!last || renewals[i]->answered_us > last->answered_us))
            last = renewals[i];
    return last;
}

static void check_one(audit_held *held, const audit_write *w, const audit_write *renewal,
                      const audit_lease *lease, const char *holder)
{
    int64_t age_us = renewal ? w->received_us - renewal->answered_us : 0;
    bool ours =
        renewal && strcmp(renewal->user, w->user) == 0 && strcmp(renewal->holder, holder) == 0;
    held->writes++;
    if (ours && age_us <= lease->lasts_ms * 1000) {
        if (age_us / 1000 > held->latest_ms)
            held->latest_ms = age_us / 1000;
        return;
    }
    if (held->late++ == 0)
        snprintf(held->why, sizeof held->why,
                 "%s did %s %s %s %lld us after %s had made \"%s\" the holder", w->user, w->verb,
                 w->resource, w->name, (long long)age_us, renewal ? renewal->user : "nobody",
                 renewal ? renewal->holder : "");
}

audit_held audit_check_held(const audit_log *log, const audit_lease *lease, const char *user,
                            const char *holder)
{
    const audit_write **renewals = calloc(log->len + 1, sizeof *renewals);
    audit_held held = {0};
    size_t len = 0;
    ck_assert_ptr_nonnull(renewals);
    for (size_t i = 0; i < log->len; i++) {
        const audit_write *w = &log->writes[i];
        if (audit_is_lease(w, lease) && strcmp(w->verb, "delete") != 0 && audit_took_effect(w))
            renewals[len++] = w;
    }
    for (size_t i = 0; i < log->len; i++) {
        const audit_write *w = &log->writes[i];
        if (strcmp(w->user, user) == 0 && !audit_is_lease(w, lease))
            check_one(&held, w, renewal_before(renewals, len, w->received_us), lease, holder);
    }
    free(renewals);
    return held;
}
