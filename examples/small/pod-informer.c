/* SPDX-License-Identifier: Apache-2.0 */
/* Runs "COMMAND NAMESPACE/NAME PHASE" for each Pod that is new, changed or (its PHASE is "gone")
 * deleted. When it fails it is run again, later and later, five times. */
#include <core/v1/api.h>
#include <kube/kube.h>
#include <spawn.h>
#include <sys/wait.h>

enum { MAX_RETRIES = 5 };
extern char **environ;

/* Only the key is kept: work() looks at what is in the cache by then. */
static void enqueue(void *queue, const core_v1_pod *pod, bool unused)
{
    (void)unused;
    if (kube_workqueue_add(queue, (kube_key){pod->metadata.namespace_, pod->metadata.name}, NULL))
        kube_log_error("%s: out of memory", pod->metadata.name);
}

static void on_update(void *queue, const core_v1_pod *before, const core_v1_pod *after)
{
    if (!kube_meta_same_version(&before->metadata, &after->metadata))
        enqueue(queue, after, false);
}

static bool work(const core_v1_pod_lister *pods, kube_ctx *ctx, kube_key key, char *command)
{
    const core_v1_pod *pod;
    kube_code rc = core_v1_pod_lister_get(pods, ctx, key, &pod, NULL);
    const char *phase = !pod ? "gone" : pod->status.phase ? pod->status.phase : "";
    char *argv[] = {command, kube_printf(ctx, "%s/%s", key.namespace_, key.name), (char *)phase, 0};
    int child, status;

    return argv[1] && (!rc || rc == KUBE_ERR_NOT_FOUND) &&
           posix_spawnp(&child, command, NULL, NULL, argv, environ) == 0 &&
           waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    const core_v1_pod_handler handler = {enqueue, on_update, enqueue};
    kube_ctx *ctx = kube_ctx_new_signal();
    kube_config *config = NULL;
    kube_client *client = NULL;
    kube_workqueue *queue = NULL;
    kube_informer_factory *factory = NULL;
    core_v1_pod_informer *pods = NULL;
    kube_error err = {.message = "usage: pod-informer COMMAND"};
    kube_key key;
    kube_code rc = ctx && argc == 2 ? KUBE_OK : KUBE_ERR_ARGUMENT;

    if (!rc) rc = kube_config_load(NULL, &config, &err);
    if (!rc) rc = kube_client_new(config, NULL, &client, &err);
    if (!rc) rc = kube_workqueue_new("pods", NULL, &queue, &err);
    if (!rc) rc = kube_informer_factory_new(client, NULL, &factory, &err);
    if (!rc) rc = core_v1_pod_informer_get(factory, NULL, &pods, &err);
    if (!rc) rc = core_v1_pod_informer_add_handler(pods, &handler, queue, NULL, NULL, &err);
    if (!rc) rc = kube_informer_factory_start(factory, ctx, &err);
    if (!rc) rc = kube_informer_factory_wait_synced(factory, ctx, &err);
    while (!rc && !(rc = kube_workqueue_get(queue, ctx, &key, &err))) {
        kube_ctx *run = kube_ctx_child(ctx);
        bool done = run && work(core_v1_pod_informer_lister(pods), run, key, argv[1]);
        bool again = !done && kube_workqueue_failures(queue, key) < MAX_RETRIES;

        if (!done)
            kube_log_warn("%s failed for %s%s", argv[1], key.name, again ? "" : ": dropped");
        if (again) rc = kube_workqueue_add_rate_limited(queue, key, &err);
        else kube_workqueue_forget(queue, key);
        kube_workqueue_done(queue, key);
        kube_ctx_free(run);
    }
    if (rc != KUBE_ERR_CANCELED)
        kube_log_error("%s", err.message);
    kube_informer_factory_free(factory);
    kube_workqueue_free(queue);
    kube_client_free(client);
    kube_config_free(config);
    kube_ctx_free(ctx);
    return rc == KUBE_ERR_CANCELED ? 0 : 1;
}
