/* SPDX-License-Identifier: Apache-2.0 */
/* What a custom resource with a scale subresource may say of its size. */
#include "apiserver/core/request.h"
#include "verb.h"

#include <inttypes.h>
#include <string.h>

const char *kube__api_scale_path(const char *path)
{
    return path && *path == '.' ? path + 1 : path;
}

static void check_count(kube__api_work *work, const kube__json *object, const char *path,
                        kube__api_causes *causes)
{
    const kube__json *value = path ? kube__json_at(object, kube__api_scale_path(path)) : NULL;
    const char *last = path ? strrchr(path, '.') : NULL;
    int64_t count;
    if (!value && last > path) { /* what should hold it may be something else */
        const char *holder = kube_ctx_strndup(work->ctx, kube__api_scale_path(path),
                                              (size_t)(last - kube__api_scale_path(path)));
        const kube__json *other = holder ? kube__json_at(object, holder) : NULL;
        if (kube__json_is(other, KUBE__JSON_STRING))
            kube__api_add_cause(causes, "FieldValueInvalid", path,
                                "Invalid value: 0: %s accessor error: %s is of the type string, "
                                "expected map[string]interface{}",
                                path, other->text);
    }
    if (!value)
        return;
    double fraction = 0;
    bool is_number = kube__json_to_double(value, &fraction);
    if (is_number && strpbrk(value->text, ".eE")) /* to Go it is another type, be it whole */
        kube__api_add_cause(causes, "FieldValueInvalid", path,
                            "Invalid value: 0: %s accessor error: %g is of the type float64, "
                            "expected int64",
                            path, fraction);
    else if (!kube__json_to_int(value, &count))
        kube__api_add_cause(causes, "FieldValueInvalid", path,
                            "Invalid value: 0: %s accessor error: %s is of the type string, "
                            "expected int64",
                            path, kube__json_string_or(value, ""));
    else if (count < 0)
        kube__api_add_cause(causes, "FieldValueInvalid", path,
                            "Invalid value: %" PRId64 ": should be a non-negative integer", count);
}

void kube__api_scale_validate(kube__api_work *work, const kube__json *object,
                              kube__api_causes *causes)
{
    const kube__api_scale *paths = &work->resource->scale;
    if (!paths->spec_replicas)
        return;
    if (strcmp(work->request->subresource, "status") != 0)
        check_count(work, object, paths->spec_replicas, causes);
    check_count(work, object, paths->status_replicas, causes);
}
