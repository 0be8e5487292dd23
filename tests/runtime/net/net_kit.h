/* SPDX-License-Identifier: Apache-2.0 */
/* What the client's tests share: a type, a configuration for a server, and threads that call. */
#ifndef KUBE_TESTS_NET_KIT_H
#define KUBE_TESTS_NET_KIT_H

#include "base/thread.h"
#include "net/client/client.h"
#include "support/http_server.h"
#include "support/suite.h"

#include <kube/generated.h>
#include <stdlib.h>

typedef struct thing_spec {
    const char *color;
    int32_t size;
} thing_spec;

typedef struct thing_status {
    const char *phase;
} thing_status;

typedef struct thing {
    kube_object base;
    kube_object_meta metadata;
    thing_spec spec;
    thing_status status;
} thing;

extern const kube_type thing_type; /* test.kube.dev/v1 Thing, things, namespaced */
extern const kube_type node_type;  /* v1 Node, nodes, cluster-scoped; a thing otherwise */

/* A Thing as a server sends it. */
#define THING_JSON(name, version)                                                                  \
    "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"" name       \
    "\",\"namespace\":\"team\",\"resourceVersion\":\"" version                                     \
    "\"},\"spec\":{\"color\":\"red\",\"size\":1},\"status\":{\"phase\":\"Ready\"}}"
#define THING_LIST_JSON(items, version, token)                                                     \
    "{\"apiVersion\":\"test.kube.dev/v1\",\"items\":[" items                                       \
    "],\"kind\":\"ThingList\",\"metadata\":{\"continue\":\"" token                                 \
    "\",\"resourceVersion\":\"" version "\"}}"
#define EVENT_JSON(type, object) "{\"type\":\"" type "\",\"object\":" object "}\n"

/* Fails the test, showing the error, unless @rc is @want. */
void expect_at(kube_code rc, kube_code want, const kube_error *err, const char *file, int line);
#define expect(rc, want, err) expect_at((rc), (want), (err), __FILE__, __LINE__)
#define expect_ok(rc, err) expect_at((rc), KUBE_OK, (err), __FILE__, __LINE__)
void expect_text_at(const char *text, const char *part, const char *file, int line);
#define expect_text(text, part) expect_text_at((text), (part), __FILE__, __LINE__)

/* A configuration of one cluster entry's further members ("insecure-skip-tls-verify: true") and one
 * user entry's ("token: t"), each "" for none. */
kube_config *config_for(const char *server, const char *cluster, const char *user);
kube_client *client_for(const char *server, const char *cluster, const char *user);
/* One of no further members, with options. */
kube_client *client_with(const char *server, const kube_client_options *options);
/* PEM as kubeconfig data; given back with free(). */
char *base64_of(const char *text);

/* A call in a thread of its own. */
typedef struct caller {
    kube_ctx *ctx; /* the thread's own */
    kube_code (*run)(struct caller *caller, kube_error *err);
    void *arg;
    kube_code code;
    kube_error error;
    int64_t ended_ns; /* by the machine's clock */
    kube__thread thread;
} caller;
void caller_start(caller *c, kube_ctx *ctx, kube_code (*run)(caller *c, kube_error *err),
                  void *arg);
void caller_join(caller *c);

/* Open files of this process. */
size_t count_files(void);
/* Those that a child process would have too. */
size_t count_inherited_files(void);
/* Fails when threads of that name are left; those joined a moment ago may still be listed. */
void expect_no_threads(const char *name);

#endif /* KUBE_TESTS_NET_KIT_H */
