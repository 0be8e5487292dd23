/* SPDX-License-Identifier: Apache-2.0 */
#include "fault_spec.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static kube_code wrong(kube_error *err, const char *key, const char *value, const char *wanted)
{
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s=%s: must be %s", key, value, wanted);
}

static kube_code read_number(const char *key, const char *value, unsigned long max,
                             unsigned long *out, kube_error *err)
{
    char *end;
    errno = 0;
    *out = strtoul(value, &end, 10);
    if (errno || end == value || *end || *value == '-' || *out > max)
        return wrong(err, key, value, "a whole number");
    return KUBE_OK;
}

static kube_code read_probability(const char *value, double *out, kube_error *err)
{
    char *end;
    *out = strtod(value, &end);
    if (end == value || *end || !(*out > 0 && *out <= 1))
        return wrong(err, "probability", value, "a number above 0, up to 1");
    return KUBE_OK;
}

/* The kinds' names, in which a '-' stands for a blank. */
static bool is_kind(const char *word, kube_fault_kind kind)
{
    const char *name = kube_fault_kind_name(kind);
    for (; *word && *name; word++, name++)
        if (*word != *name && !(*word == '-' && *name == ' '))
            return false;
    return !*word && !*name;
}

static kube_code read_kind(const char *word, const char *value, kube_fault_rule *rule,
                           kube_error *err)
{
    unsigned long number = 0;
    int kind = 0;
    while (kind < KUBE_FAULT_KIND_COUNT_ && !is_kind(word, (kube_fault_kind)kind))
        kind++;
    if (kind == KUBE_FAULT_KIND_COUNT_)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "there is no fault \"%s\"", word);
    rule->kind = (kube_fault_kind)kind;
    if (!value)
        return KUBE_OK;
    if (kind == KUBE_FAULT_STATUS || kind == KUBE_FAULT_TEXT) {
        if (read_number(word, value, 599, &number, NULL) || number < 400)
            return wrong(err, word, value, "a number from 400 to 599");
        rule->http_status = (int)number;
        return KUBE_OK;
    }
    if (kind == KUBE_FAULT_OVERSIZE) {
        if (read_number(word, value, ULONG_MAX, &number, err))
            return KUBE_ERR_ARGUMENT;
        rule->oversize_bytes = number;
        return KUBE_OK;
    }
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s takes no value", word);
}

static kube_code read_condition(const char *key, const char *value, kube_fault_rule *rule,
                                kube_error *err)
{
    unsigned long number = 0;
    kube_code rc;
    if (!value)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s needs a value", key);
    if (strcmp(key, "verb") == 0)
        rule->verb = value;
    else if (strcmp(key, "resource") == 0)
        rule->resource = value;
    else if (strcmp(key, "subresource") == 0)
        rule->subresource = value;
    else if (strcmp(key, "namespace") == 0)
        rule->namespace_ = value;
    else if (strcmp(key, "name") == 0)
        rule->name = value;
    else if (strcmp(key, "path") == 0)
        rule->path_prefix = value;
    else if (strcmp(key, "probability") == 0)
        return read_probability(value, &rule->probability, err);
    else if (strcmp(key, "nth") == 0 || strcmp(key, "times") == 0 ||
             strcmp(key, "retry-after") == 0) {
        rc = read_number(key, value, INT_MAX, &number, err);
        if (rc)
            return rc;
        if (*key == 'n' && !number)
            return wrong(err, key, value, "a number from 1");
        if (*key == 'n')
            rule->nth = (unsigned)number;
        else if (*key == 't')
            rule->times = (unsigned)number;
        else
            rule->retry_after_s = number ? (int)number : -1;
    } else {
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "there is no condition \"%s\"", key);
    }
    return KUBE_OK;
}

kube_code fault_spec_parse(char *spec, kube_fault_rule *rule, kube_error *err)
{
    char *save = NULL;
    char *word = strtok_r(spec, ",", &save);
    kube_code rc = KUBE_OK;
    *rule = (kube_fault_rule){0};
    if (!word)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "it names no fault");
    for (bool first = true; word && !rc; first = false, word = strtok_r(NULL, ",", &save)) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        rc = first ? read_kind(word, value, rule, err) : read_condition(word, value, rule, err);
    }
    return rc;
}
