/* SPDX-License-Identifier: Apache-2.0 */
#include "net_kit.h"

#include <dirent.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

static const kube_field spec_fields[] = {
    KUBE_FIELD(thing_spec, color, "color", STRING, REQUIRED),
    KUBE_FIELD(thing_spec, size, "size", INT32, REQUIRED),
};
static const kube_schema spec_schema = KUBE_STRUCT_SCHEMA(thing_spec, spec_fields, NULL);

static const kube_field status_fields[] = {
    KUBE_FIELD(thing_status, phase, "phase", STRING, REQUIRED),
};
static const kube_schema status_schema = KUBE_STRUCT_SCHEMA(thing_status, status_fields, NULL);

static const kube_field thing_fields[] = {
    KUBE_PART(thing, metadata, "metadata", STRUCT, REQUIRED, kube_object_meta, 0),
    KUBE_PART(thing, spec, "spec", STRUCT, REQUIRED, thing_spec, 1),
    KUBE_PART(thing, status, "status", STRUCT, OPTIONAL | KUBE_FIELD_STATUS, thing_status, 2),
};
static const kube_schema *const thing_subs[] = {&kube_object_meta_schema, &spec_schema,
                                                &status_schema};
static const kube_schema thing_schema = KUBE_STRUCT_SCHEMA(thing, thing_fields, thing_subs);

const kube_type thing_type = {.group = "test.kube.dev",
                              .version = "v1",
                              .api_version = "test.kube.dev/v1",
                              .kind = "Thing",
                              .list_kind = "ThingList",
                              .resource = "things",
                              .singular = "thing",
                              .schema = &thing_schema,
                              .metadata_offset = offsetof(thing, metadata),
                              .status_offset = offsetof(thing, status),
                              .namespaced = true,
                              .has_status = true,
                              .abi = kube_abi_2};

const kube_type node_type = {.group = "",
                             .version = "v1",
                             .api_version = "v1",
                             .kind = "Node",
                             .list_kind = "NodeList",
                             .resource = "nodes",
                             .singular = "node",
                             .schema = &thing_schema,
                             .metadata_offset = offsetof(thing, metadata),
                             .status_offset = offsetof(thing, status),
                             .has_status = true,
                             .abi = kube_abi_2};

void expect_at(kube_code rc, kube_code want, const kube_error *err, const char *file, int line)
{
    if (rc != want)
        ck_abort_msg("%s:%d: %s instead of %s: %s", file, line, kube_code_name(rc),
                     kube_code_name(want), rc ? err->message : "");
    if (rc) {
        ck_assert_int_eq(err->code, rc);
        ck_assert_str_ne(err->message, "");
        ck_assert_ptr_null(strchr(err->message, '\n'));
    }
}

void expect_text_at(const char *text, const char *part, const char *file, int line)
{
    if (!strstr(text, part))
        ck_abort_msg("%s:%d: \"%s\" is not in: %s", file, line, part, text);
}

kube_config *config_for(const char *server, const char *cluster, const char *user)
{
    static const char format[] = "{apiVersion: v1, kind: Config, current-context: c,"
                                 " contexts: [{name: c, context: {cluster: c, user: u}}],"
                                 " clusters: [{name: c, cluster: {server: '%s', %s}}],"
                                 " users: [{name: u, user: {%s}}]}";
    size_t size = sizeof(format) + strlen(server) + strlen(cluster) + strlen(user);
    char *text = malloc(size);
    kube_config *config;
    kube_error err;
    ck_assert_ptr_nonnull(text);
    snprintf(text, size, format, server, cluster, user);
    expect_ok(kube_config_parse(text, strlen(text), "/", NULL, &config, &err), &err);
    free(text);
    return config;
}

static kube_client *client_of(kube_config *config, const kube_client_options *options)
{
    kube_client *client;
    kube_error err;
    expect_ok(kube_client_new(config, options, &client, &err), &err);
    kube_config_free(config);
    return client;
}

kube_client *client_for(const char *server, const char *cluster, const char *user)
{
    return client_of(config_for(server, cluster, user), NULL);
}

kube_client *client_with(const char *server, const kube_client_options *options)
{
    return client_of(config_for(server, "insecure-skip-tls-verify: true", ""), options);
}

char *base64_of(const char *text)
{
    size_t len = strlen(text);
    unsigned char *out = malloc(len * 2 + 8);
    ck_assert_ptr_nonnull(out);
    EVP_EncodeBlock(out, (const unsigned char *)text, (int)len);
    return (char *)out;
}

static void *run_caller(void *arg)
{
    caller *c = arg;
    kube_clock *clock = kube_clock_system();
    c->code = c->run(c, &c->error);
    c->ended_ns = clock->now_ns(clock);
    return NULL;
}

void caller_start(caller *c, kube_ctx *ctx, kube_code (*run)(caller *c, kube_error *err), void *arg)
{
    *c = (caller){.ctx = ctx, .run = run, .arg = arg};
    ck_assert_int_eq(kube__thread_start(&c->thread, "caller", run_caller, c, NULL), KUBE_OK);
}

void caller_join(caller *c)
{
    kube__thread_join(&c->thread);
}

size_t count_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t count = 0;
    ck_assert_ptr_nonnull(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

size_t count_inherited_files(void)
{
    size_t count = 0;
    for (int fd = 3; fd < 1024; fd++) {
        int flags = fcntl(fd, F_GETFD);
        count += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    return count;
}

static bool has_thread(const char *name)
{
    DIR *dir = opendir("/proc/self/task");
    struct dirent *entry;
    bool found = false;
    ck_assert_ptr_nonnull(dir);
    while (!found && (entry = readdir(dir))) {
        char path[300];
        char comm[32] = "";
        FILE *file;
        snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
        file = fopen(path, "r");
        if (file) {
            found = fgets(comm, sizeof(comm), file) && !strncmp(comm, name, strlen(name));
            fclose(file);
        }
    }
    closedir(dir);
    return found;
}

void expect_no_threads(const char *name)
{
    kube_clock *clock = kube_clock_system();
    int64_t end = clock->now_ns(clock) + INT64_C(30000000000);
    while (has_thread(name))
        ck_assert_msg(clock->now_ns(clock) < end, "a thread \"%s\" is left", name);
}
