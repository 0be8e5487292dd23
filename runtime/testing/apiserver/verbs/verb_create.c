/* SPDX-License-Identifier: Apache-2.0 */
#include "verb.h"

kube__api_failure *kube__api_verb_create(kube__api_work *work)
{
    kube__json *object;
    kube__api_failure *failure = kube__api_read_options(work, "CreateOptions", false);
    if (!failure)
        failure = kube__api_read_object(work, &object);
    if (!failure)
        failure = kube__api_check_names(work, object);
    if (!failure)
        work->request->created = kube__json_string_at(object, "metadata.name");
    if (!failure)
        failure = kube__api_create_object(work, object, false, &object);
    if (!failure) {
        work->request->created = kube__json_string_at(object, "metadata.name"); /* generated? */
        kube__api_send(work, 201, object);
    }
    return failure;
}
