/* SPDX-License-Identifier: Apache-2.0 */
#include "audit.h"

#include <check.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <kube/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static audit_write write_of(const cJSON *entry)
{
    const cJSON *object = inside(entry, "objectRef");
    const cJSON *code = inside(inside(entry, "responseStatus"), "code");

    return (audit_write){
        .user = text_of(inside(entry, "user"), "username"),
        .verb = text_of(entry, "verb"),
        .resource = text_of(object, "resource"),
        .namespace_ = text_of(object, "namespace"),
        .name = text_of(object, "name"),
        .holder = text_of(inside(inside(entry, "requestObject"), "spec"), "holderIdentity"),
        .code = cJSON_IsNumber(code) ? code->valueint : 0,
        .received_us = time_of(entry, "requestReceivedTimestamp"),
        .answered_us = time_of(entry, "stageTimestamp"),
    };
}

static void add(audit_log *log, cJSON *entry)
{
    cJSON **documents = log->documents;

    log->writes = realloc(log->writes, (log->len + 1) * sizeof *log->writes);
    documents = realloc(documents, (log->document_len + 1) * sizeof(cJSON *));
    ck_assert(log->writes && documents);
    log->writes[log->len++] = write_of(entry);
    documents[log->document_len++] = entry;
    log->documents = documents;
}

static int by_time(const void *a, const void *b)
{
    int64_t left = ((const audit_write *)a)->received_us;
    int64_t right = ((const audit_write *)b)->received_us;

    return (left > right) - (left < right);
}

audit_log *audit_read(const char *path)
{
    audit_log *log = calloc(1, sizeof *log);
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t len;

    ck_assert_msg(log && file, "%s: %s", path, strerror(errno));
    while ((len = getline(&line, &size, file)) > 0) {
        cJSON *entry = line[len - 1] == '\n' ? cJSON_ParseWithLength(line, (size_t)len) : NULL;
        if (entry && is_write(entry))
            add(log, entry);
        else
            cJSON_Delete(entry);
    }
    free(line);
    fclose(file);
    qsort(log->writes, log->len, sizeof *log->writes, by_time);
    return log;
}

void audit_free(audit_log *log)
{
    cJSON **documents = log->documents;

    for (size_t i = 0; i < log->document_len; i++)
        cJSON_Delete(documents[i]);
    free(documents);
    free(log->writes);
    free(log);
}

bool audit_took_effect(const audit_write *w)
{
    return w->code >= 200 && w->code < 300;
}
