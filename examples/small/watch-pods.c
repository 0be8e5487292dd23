/* SPDX-License-Identifier: Apache-2.0 */
/* Follows all Pods, or those of a namespace, with typed calls:  watch-pods [NAMESPACE] */
#include <core/v1/api.h>
#include <kube/kube.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [KUBE_WATCH_ADDED] = "ADDED",
    [KUBE_WATCH_MODIFIED] = "MODIFIED",
    [KUBE_WATCH_DELETED] = "DELETED",
};

static void show(const core_v1_pod_event *event)
{
    const core_v1_pod *pod = event->object;
    const char *phase = pod->status.phase;

    printf("%s %s/%s %s\n", names[event->type], pod->metadata.namespace_, pod->metadata.name,
           phase ? phase : "");
    fflush(stdout);
}

/* One watch, from after @version on; KUBE_ERR_CLOSED when the server has ended it, which it does
 * every few minutes. */
static kube_code follow(kube_client *client, kube_ctx *ctx, const char *ns, char version[32],
                        kube_error *err)
{
    const kube_watch_options options = {.resource_version = version, .allow_bookmarks = true};
    core_v1_pod_watch *watch = NULL;
    const core_v1_pod_event *event;
    kube_code rc = core_v1_pods_watch(client, ctx, ns, &options, &watch, err);

    while (!rc && !(rc = core_v1_pod_watch_next(watch, ctx, &event, err))) {
        if (event->resource_version)
            snprintf(version, 32, "%s", event->resource_version);
        if (event->object)
            show(event);
        else if (event->type == KUBE_WATCH_BAD) /* one Pod that does not decode */
            fprintf(stderr, "watch-pods: %s\n", event->error->message);
        else if (event->type == KUBE_WATCH_ERROR)
            rc = (*err = *event->error).code;
    }
    core_v1_pod_watch_free(watch);
    return rc;
}

int main(int argc, char **argv)
{
    kube_ctx *ctx = kube_ctx_new_signal();
    kube_config *config = NULL;
    kube_client *client = NULL;
    char version[32] = ""; /* "": begin with all there are */
    kube_error err;
    kube_code rc = ctx ? KUBE_OK : kube_error_set(&err, KUBE_ERR_NO_MEMORY, "out of memory");

    if (ctx) kube_ctx_end_on_no_memory(ctx, "watching pods");
    if (!rc) rc = kube_config_load(NULL, &config, &err);
    if (!rc) rc = kube_client_new(config, NULL, &client, &err);
    while (!rc) {
        rc = follow(client, ctx, argc > 1 ? argv[1] : NULL, version, &err);
        if (kube_error_is_expired(&err))
            *version = '\0'; /* we were away too long: begin again */
        if (rc == KUBE_ERR_CLOSED || kube_error_is_expired(&err))
            rc = kube_ctx_sleep_ms(ctx, 1000, &err); /* not in a tight loop (OW-4) */
    }
    if (rc != KUBE_ERR_CANCELED)
        fprintf(stderr, "watch-pods: %s\n", err.message);
    kube_client_free(client);
    kube_config_free(config);
    kube_ctx_free(ctx);
    return rc == KUBE_ERR_CANCELED ? 0 : 1;
}
