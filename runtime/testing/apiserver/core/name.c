/* SPDX-License-Identifier: Apache-2.0 */
#include "name.h"

#include "apiserver/value/text.h"
#include "base/ascii.h"

#include <string.h>

#define LABEL_REGEX "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define SUBDOMAIN_REGEX "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
#define QUALIFIED_REGEX "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define QUALIFIED_TEXT                                                                             \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "    \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "         \
    "validation is '" QUALIFIED_REGEX "')"

static const char subdomain_text[] =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '" SUBDOMAIN_REGEX "')";
static const char label_text[] =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '" LABEL_REGEX "')";
static const char value_text[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

static bool is_lower_alnum(char c)
{
    return kube__is_lower(c) || kube__is_digit(c);
}

/* One part of a DNS name. */
static bool is_label(const char *text, size_t len)
{
    if (len == 0 || !is_lower_alnum(text[0]) || !is_lower_alnum(text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!is_lower_alnum(text[i]) && text[i] != '-')
            return false;
    }
    return true;
}

static bool is_subdomain(const char *text, size_t len)
{
    while (len) {
        const char *dot = memchr(text, '.', len);
        size_t part = dot ? (size_t)(dot - text) : len;
        if (!is_label(text, part))
            return false;
        if (!dot)
            return true;
        text += part + 1;
        len -= part + 1;
    }
    return false;
}

/* Letters, digits, '-', '_', '.', at the ends only the first two. */
static bool is_qualified(const char *text, size_t len)
{
    if (len == 0 || !kube__is_alnum(text[0]) || !kube__is_alnum(text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!kube__is_alnum(text[i]) && !strchr("-_.", text[i]))
            return false;
    }
    return true;
}

const char *kube__api_wrong_subdomain(kube_ctx *ctx, const char *name)
{
    size_t len = strlen(name);
    bool fits = len <= 253;
    bool good = is_subdomain(name, len);
    if (!fits && !good)
        return kube__api_text(ctx, "must be no more than 253 characters, %s", subdomain_text);
    if (!fits)
        return "must be no more than 253 characters";
    return good ? NULL : subdomain_text;
}

const char *kube__api_wrong_label(const char *name)
{
    size_t len = strlen(name);
    if (!is_label(name, len))
        return label_text;
    return len > 63 ? "must be no more than 63 bytes" : NULL;
}

const char *kube__api_wrong_path_segment(kube_ctx *ctx, const char *name)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return kube__api_text(ctx, "may not be '%s'", name);
    if (strchr(name, '/'))
        return "may not contain '/'";
    return strchr(name, '%') ? "may not contain '%'" : NULL;
}

const char *kube__api_wrong_label_value(const char *value)
{
    size_t len = strlen(value);
    if (len > 63)
        return "must be no more than 63 bytes";
    return len == 0 || is_qualified(value, len) ? NULL : value_text;
}

size_t kube__api_wrong_qualified(kube_ctx *ctx, const char *key,
                                 const char *faults[KUBE__NAME_FAULTS])
{
    const char *slash = strchr(key, '/');
    const char *name = slash ? slash + 1 : key;
    size_t count = 0;
    if (slash && strchr(name, '/')) {
        faults[0] = "a valid label key " QUALIFIED_TEXT
                    " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
        return 1;
    }
    if (slash == key) {
        faults[count++] = "prefix part must be non-empty";
    } else if (slash) {
        const char *prefix = kube_ctx_strndup(ctx, key, (size_t)(slash - key));
        const char *wrong = prefix ? kube__api_wrong_subdomain(ctx, prefix) : NULL;
        if (wrong)
            faults[count++] = kube__api_text(ctx, "prefix part %s", wrong);
    }
    if (!*name)
        faults[count++] = "name part must be non-empty";
    else if (strlen(name) > 63)
        faults[count++] = "name part must be no more than 63 bytes";
    if (!is_qualified(name, strlen(name)))
        faults[count++] = "name part " QUALIFIED_TEXT;
    return count;
}
