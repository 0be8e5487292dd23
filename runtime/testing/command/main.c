/* SPDX-License-Identifier: Apache-2.0 */
/* kubegen-apiserver: the test kit's API server as a program. */
#include "flags.h"
#include "kubeconfig_file.h"

#include <errno.h>
#include <kube/controller.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOK_AT_OWNER_MS = 500, LONG_MS = 3600 * 1000 };

static kube_code set_up(kube_apiserver *server, const struct flags *flags, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t i = 0; !rc && i < flags->load_count; i++)
        rc = kube_apiserver_load_file(server, flags->loads[i], err);
    for (size_t i = 0; !rc && i < flags->fault_count; i++)
        rc = kube_apiserver_add_fault(server, &flags->faults[i], err);
    if (!rc && flags->kubeconfig_out)
        rc = kubeconfig_write(flags->kubeconfig_out, kube_apiserver_kubeconfig(server), err);
    return rc;
}

/* Where @path is from anywhere; the caller frees it. */
static char *absolute(const char *path)
{
    return realpath(path, NULL);
}

static void greet(const kube_apiserver *server, const struct flags *flags)
{
    char *kubeconfig = flags->kubeconfig_out ? absolute(flags->kubeconfig_out) : NULL;
    printf("kubegen-apiserver %s, for tests and demos only%s\n", KUBE_VERSION,
           flags->server.tls ? "" : ": whoever reaches it is the administrator");
    printf("serving %s, seed %llu\n", kube_apiserver_url(server),
           (unsigned long long)kube_apiserver_seed(server));
    if (kubeconfig)
        printf("export KUBECONFIG=%s\n", kubeconfig);
    else
        puts("--kubeconfig-out FILE writes a kubeconfig for kubectl");
    fflush(stdout);
    free(kubeconfig);
}

static bool has_ended(pid_t process)
{
    return kill(process, 0) && errno == ESRCH;
}

/* Until a signal comes, or the owner has gone. */
static void wait_for_end(kube_ctx *ctx, pid_t owner)
{
    while (!kube_ctx_sleep_ms(ctx, owner ? LOOK_AT_OWNER_MS : LONG_MS, NULL))
        if (owner && has_ended(owner))
            return;
}

int main(int argc, char **argv)
{
    kube_ctx *ctx = NULL;
    kube_apiserver *server = NULL;
    struct flags flags;
    kube_error err = {0};
    int exit_status;
    kube_code rc = KUBE_OK;
    if (!flags_parse(&flags, argc, argv, &exit_status)) {
        flags_fini(&flags);
        return exit_status;
    }
    ctx = kube_ctx_new_signal();
    if (!ctx)
        rc = kube_error_set(&err, KUBE_ERR_NO_MEMORY, "out of memory");
    if (!rc)
        rc = kube_apiserver_start(&flags.server, &server, &err);
    if (!rc)
        rc = set_up(server, &flags, &err);
    if (!rc) {
        greet(server, &flags);
        wait_for_end(ctx, flags.owner);
    } else {
        fprintf(stderr, "kubegen-apiserver: %s\n", err.message);
    }
    kube_apiserver_stop(server);
    kube_ctx_free(ctx);
    flags_fini(&flags);
    return rc ? 1 : 0;
}
