/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program inherits that a reconcile starts: nothing of a manager, its client, its watches,
 * its pages, or of the test kit's servers within the process.
 */
#include "manager_world.h"

#include <kube/testing/proxy.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static kube_apiserver *secure;
static kube_client *secure_client;
static kube_fault_proxy *proxy;
static kube_client *proxied_client;
static char data_file[] = "/tmp/kubegen-test-descriptors.XXXXXX";
static size_t inherited_before;

/* What a program that is started now has open, one in each line of @list. */
static size_t list_inherited(char *list, size_t size)
{
    size_t count = 0;
    FILE *pipe = popen("ls -l /proc/self/fd", "re");
    ck_assert_ptr_nonnull(pipe);
    list[0] = '\0';
    for (size_t len = 0; len + 1 < size && fgets(list + len, (int)(size - len), pipe); count++)
        len += strlen(list + len);
    ck_assert_int_eq(pclose(pipe), 0);
    return count;
}

/* One server with TLS and a file, and a client of it; another client behind the proxy. */
static void start_servers(void)
{
    kube_apiserver_options options = {.tls = true, .data_file = data_file};
    kube_fault_proxy_options to_server = {.target_port = kube_apiserver_port(server)};
    kube_config_options through_it = {0};
    kube_config *config = NULL;
    int fd = mkstemp(data_file);
    ck_assert_int_ge(fd, 0);
    close(fd);
    EXPECT_OK(kube_apiserver_start(&options, &secure, &err));
    EXPECT_OK(kube_apiserver_client(secure, &secure_client, &err));
    EXPECT_OK(kube_fault_proxy_start(&to_server, &proxy, &err));
    through_it.master = kube_printf(ctx, "http://127.0.0.1:%d", kube_fault_proxy_port(proxy));
    EXPECT_OK(kube_config_load(&through_it, &config, &err));
    EXPECT_OK(kube_client_new(config, NULL, &proxied_client, &err));
    kube_config_free(config);
}

static void set_up(void)
{
    char list[4096];
    inherited_before = list_inherited(list, sizeof list);
    set_up_server();
    load_crd();
    load_network("blue");
    start_servers();
}

static void tear_down(void)
{
    kube_client_free(proxied_client);
    kube_client_free(secure_client);
    kube_fault_proxy_stop(proxy);
    kube_apiserver_stop(secure);
    unlink(data_file);
    tear_down_server();
}

static kube_code reconcile(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    replica *r = request->arg;
    (void)run_ctx;
    (void)result;
    (void)run_err;
    gate_pass(&r->ran);
    return KUBE_OK;
}

FIXTURE(set_up, tear_down);

TEST(a_program_inherits_nothing)
{
    const kube_controller_options options = {
        .name = "networks",
        .for_ = &samplecrd_v1_network_type,
        .reconcile = reconcile,
        .arg = &one,
    };
    const kube_key blue = {"default", "blue"};
    char list[8192];
    kube_watch *watch = NULL;
    samplecrd_v1_network *found = NULL;
    EXPECT_OK(make(&one, "--leader-elect", "--leader-elect-resource-namespace", "default",
                   "--http-bind-address", "127.0.0.1:0"));
    EXPECT_OK(kube_manager_add_controller(one.manager, &options, NULL, &err));
    EXPECT_OK(samplecrd_v1_networks_get(proxied_client, ctx, blue, NULL, &found, &err));
    ck_assert_int_eq(samplecrd_v1_networks_get(secure_client, ctx, blue, NULL, &found, &err),
                     KUBE_ERR_NOT_FOUND);
    EXPECT_OK(
        kube_client_watch(admin, ctx, &samplecrd_v1_network_type, "default", NULL, &watch, &err));
    start(&one);
    eventually(shows(&one, "/readyz", 200, "ok"), "it is not ready");
    gate_wait(&one.ran, 1);
    size_t inherited = list_inherited(list, sizeof list);
    ck_assert_msg(inherited == inherited_before, "%zu more:\n%s", inherited - inherited_before,
                  list);
    kube_watch_free(watch);
    stop(&one);
}
