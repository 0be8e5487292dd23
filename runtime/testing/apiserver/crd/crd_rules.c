/* SPDX-License-Identifier: Apache-2.0 */
/* Where the rules of a CRD report what is wrong. */
#include "crd_rules.h"

#include "apiserver/core/field_error.h"
#include "base/ascii.h"

#include <string.h>

void kube__api_rules_forbid(kube__api_causes *causes, const char *path, const char *keyword,
                            const char *why)
{
    kube__api_cause_forbidden(causes, kube__api_text(causes->ctx, "%s.%s", path, keyword), "%s",
                              why);
}

void kube__api_rules_require(kube__api_causes *causes, const char *path, const char *keyword,
                             const char *why)
{
    kube__api_cause_required(causes, kube__api_text(causes->ctx, "%s.%s", path, keyword), why);
}

const char *kube__api_wrong_1035(const char *text)
{
    static const char wrong[] =
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with "
        "an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
        "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    size_t len = strlen(text);
    if (!kube__is_lower(text[0]) || text[len - 1] == '-')
        return wrong;
    for (size_t i = 0; i < len; i++) {
        if (!kube__is_lower(text[i]) && !kube__is_digit(text[i]) && text[i] != '-')
            return wrong;
    }
    return len > 63 ? "must be no more than 63 bytes" : NULL;
}
