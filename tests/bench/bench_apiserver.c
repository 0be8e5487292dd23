/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The embedded API server. One line a figure: a name and a number.
 *
 *   bench_apiserver [objects]      default 100000
 */
#include "measure.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <kube/testing/apiserver.h>
#include <samplecrd/v1/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STARTS = 50, LISTS = 5, CHUNK = 1 << 20 };

static const char crd[] =
    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
    "\"metadata\":{\"name\":\"networks.samplecrd.k8s.io\",\"annotations\":"
    "{\"api-approved.kubernetes.io\":\"unapproved, a benchmark\"}},"
    "\"spec\":{\"group\":\"samplecrd.k8s.io\",\"scope\":\"Namespaced\",\"names\":"
    "{\"kind\":\"Network\",\"plural\":\"networks\"},\"versions\":[{\"name\":\"v1\",\"served\":true,"
    "\"storage\":true,\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":"
    "{\"spec\":{\"type\":\"object\",\"properties\":{\"cidr\":{\"type\":\"string\"},"
    "\"gateway\":{\"type\":\"string\"}}}}}}}]}}";

static kube_error err;

static void check(kube_code rc)
{
    if (rc == KUBE_OK)
        return;
    fprintf(stderr, "bench_apiserver: %s\n", err.message);
    exit(EXIT_FAILURE);
}

static kube_apiserver *start(size_t history)
{
    const kube_apiserver_options options = {.history = history, .call_limit = 16};
    kube_apiserver *server;
    check(kube_apiserver_start(&options, &server, &err));
    return server;
}

static void bench_start(void)
{
    double starts[STARTS];
    double cases[STARTS];
    for (int i = 0; i < STARTS; i++) {
        double from = usage_now().wall_s;
        kube_apiserver *server = start(0);
        starts[i] = (usage_now().wall_s - from) * 1e3;
        kube_apiserver_stop(server);
    }
    for (int i = 0; i < STARTS; i++) {
        kube_client *client;
        double from = usage_now().wall_s;
        kube_apiserver *server = start(0);
        check(kube_apiserver_load(server, crd, sizeof crd - 1, &err));
        check(kube_apiserver_client(server, &client, &err));
        kube_client_free(client);
        kube_apiserver_stop(server);
        cases[i] = (usage_now().wall_s - from) * 1e3;
    }
    printf("start-ms %.2f\n", median(starts, STARTS));
    printf("case-ms %.2f\n", median(cases, STARTS));
}

static void load(kube_apiserver *server, size_t index, unsigned generation)
{
    char name[32];
    char gateway[32];
    snprintf(name, sizeof name, "network-%06zu", index);
    snprintf(gateway, sizeof gateway, "10.%u.0.%zu", generation % 256, index % 255 + 1);
    const samplecrd_v1_network network = {
        .metadata = {.name = name, .namespace_ = "default"},
        .spec = {.cidr = "10.0.0.0/8", .gateway = gateway},
    };
    check(kube_apiserver_load_object(server, &samplecrd_v1_network_type, &network.base, &err));
}

static int connect_to(const kube_apiserver *server, const char *path)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(kube_apiserver_port(server)),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char request[512];
    const char *token = strstr(kube_apiserver_kubeconfig(server), "token: ");
    int len = snprintf(request, sizeof request,
                       "GET /apis/samplecrd.k8s.io/v1/networks%s HTTP/1.1\r\nHost: localhost\r\n"
                       "Authorization: Bearer %.*s\r\nConnection: close\r\n\r\n",
                       path, token ? (int)strcspn(token + 7, "\"\n ") : 0, token ? token + 7 : "");
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        write(fd, request, (size_t)len) != len) {
        perror("bench_apiserver");
        exit(EXIT_FAILURE);
    }
    return fd;
}

/* Reads until the connection ends or @lines newlines were seen (0 = no matter); bytes read. */
static size_t drain(int fd, size_t lines)
{
    static char chunk[CHUNK];
    size_t total = 0;
    size_t seen = 0;
    ssize_t got;
    while ((!lines || seen < lines) && (got = read(fd, chunk, sizeof chunk)) > 0) {
        total += (size_t)got;
        for (char *at = chunk; lines && (at = memchr(at, '\n', (size_t)(chunk + got - at))); at++)
            seen += at == chunk || at[-1] != '\r';
    }
    close(fd);
    return total;
}

static void bench_list(kube_apiserver *server, size_t heap_before)
{
    double rates[LISTS];
    size_t bytes = 0;
    size_t held = heap_bytes() - heap_before;
    for (int i = 0; i < LISTS; i++) {
        double from = usage_now().wall_s;
        bytes = drain(connect_to(server, ""), 0);
        rates[i] = (double)bytes / (usage_now().wall_s - from) / 1e6;
    }
    printf("list-MB %.1f\n", (double)bytes / 1e6);
    printf("list-MB/s %.0f\n", median(rates, LISTS));
    printf("held-ratio %.2f\n", (double)held / (double)bytes);
}

static void bench_watch(kube_apiserver *server, size_t count)
{
    char path[64];
    uint64_t version = kube_apiserver_resource_version(server);
    double from = usage_now().wall_s;
    for (size_t i = 0; i < count; i++)
        load(server, i, 1);
    printf("writes/s %.0f\n", (double)count / (usage_now().wall_s - from));
    snprintf(path, sizeof path, "?watch=true&resourceVersion=%" PRIu64, version);
    from = usage_now().wall_s;
    drain(connect_to(server, path), count);
    printf("events/s %.0f\n", (double)count / (usage_now().wall_s - from));
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    bench_start();
    kube_apiserver *server = start(count + 1000);
    check(kube_apiserver_load(server, crd, sizeof crd - 1, &err));
    size_t ctx = heap_bytes();
    for (size_t i = 0; i < count; i++)
        load(server, i, 0);
    bench_list(server, ctx);
    bench_watch(server, count / 2);
    kube_apiserver_stop(server);
    return 0;
}
