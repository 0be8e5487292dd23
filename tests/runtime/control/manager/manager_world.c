/* SPDX-License-Identifier: Apache-2.0 */
#include "manager_world.h"

#include "testing/apiserver/http_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 100000, ARGUMENTS_MAX = 24 };

kube_apiserver *server;
kube_client *admin;
kube_ctx *ctx;
const char *kubeconfig;
kube_error err;
replica one;
replica two;

/* ---- the server ------------------------------------------------------------------------------ */

static void write_kubeconfig(void)
{
    const char *text = kube_apiserver_kubeconfig(server);
    char path[] = "/tmp/kubegen-test-manager.XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    kubeconfig = kube_ctx_strdup(ctx, path);
}

void set_up_server(void)
{
    kube_log_set_level(KUBE_LOG_ERROR);
    ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, PATIENCE_MS);
    EXPECT_OK(kube_apiserver_start(NULL, &server, &err));
    EXPECT_OK(kube_apiserver_client(server, &admin, &err));
    write_kubeconfig();
    unsetenv("POD_NAME");
    unsetenv("POD_NAMESPACE");
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
}

void load_crd(void)
{
    const char *path = kube_printf(ctx,
                                   "%s/examples/network-controller/config/crd/"
                                   "samplecrd.k8s.io_networks.yaml",
                                   getenv("KUBEGEN_SOURCE_DIR"));
    EXPECT_OK(kube_apiserver_load_file(server, path, &err));
}

void load_network(const char *name)
{
    const samplecrd_v1_network net = {
        .metadata = {.name = name, .namespace_ = "default"},
        .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"},
    };
    EXPECT_OK(kube_apiserver_load_object(server, &samplecrd_v1_network_type, &net.base, &err));
}

/* ---- managers -------------------------------------------------------------------------------- */

kube_code make_replica(replica *r, const kube_manager_options *extra, const char *const given[])
{
    kube_manager_options options = extra ? *extra : (kube_manager_options){0};
    char *argv[ARGUMENTS_MAX] = {"tester", "--kubeconfig", (char *)(uintptr_t)kubeconfig};
    int argc = 3;
    kube_code rc;
    for (; *given; given++) {
        ck_assert_int_lt(argc + 1, ARGUMENTS_MAX);
        argv[argc++] = (char *)(uintptr_t)*given;
    }
    gate_init(&r->ran);
    gate_init(&r->hold);
    r->ctx = kube_ctx_new();
    options.name = "tester";
    options.ctx = r->ctx;
    rc = kube_manager_options_parse(&options, argc, argv, &err);
    return rc ? rc : kube_manager_new(&options, &r->manager, &err);
}

static void *run(void *arg)
{
    replica *r = arg;
    r->rc = kube_manager_run(r->manager, &r->err);
    return NULL;
}

void start(replica *r)
{
    ck_assert_int_eq(pthread_create(&r->thread, NULL, run, r), 0);
    r->started = true;
}

void stop(replica *r)
{
    kube_manager_stop(r->manager);
    pthread_join(r->thread, NULL);
    r->started = false;
}

static void end(replica *r)
{
    if (!r->ctx)
        return;
    if (r->started) {
        gate_pass(&r->hold);
        stop(r);
    }
    kube_manager_free(r->manager);
    kube_ctx_free(r->ctx);
    gate_fini(&r->ran);
    gate_fini(&r->hold);
    r->ctx = NULL;
}

void tear_down_server(void)
{
    end(&one);
    end(&two);
    unsetenv("POD_NAMESPACE");
    unlink(kubeconfig);
    kube_client_free(admin);
    kube_apiserver_stop(server);
    kube_ctx_free(ctx);
    kube_log_set_level(KUBE_LOG_INFO);
}

/* ---- pages ----------------------------------------------------------------------------------- */

int get_from(const char *address, const char *path, const char **body, char **type)
{
    const char *colon = strrchr(address, ':');
    http_peer peer = http_connect((uint16_t)atoi(colon + 1));
    http_answer answer;
    int status;
    http_send(&peer, kube_printf(ctx, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path));
    answer = http_read(&peer, false);
    status = answer.status;
    *body = kube_ctx_strdup(ctx, answer.body);
    if (type)
        *type = http_header(&answer, "Content-Type");
    http_free(&answer);
    http_close(&peer);
    return status;
}

int get(replica *r, const char *path, const char **body)
{
    return get_from(kube_manager_address(r->manager), path, body, NULL);
}

bool shows(replica *r, const char *path, int status, const char *part)
{
    const char *body;
    return kube_manager_address(r->manager) && get(r, path, &body) == status && strstr(body, part);
}
