/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of this controller share: an API server, AppServices, Deployments, calls. */
#ifndef APPSERVICE_CONTROLLER_TESTS_WORLD_H
#define APPSERVICE_CONTROLLER_TESTS_WORLD_H

#include "../controller.h"

#include <check.h>
#include <kube/testing/apiserver.h>
#include <kube/testing/recorder.h>

enum { PATIENCE_MS = 20000 };

#define IMAGE "nginx:1.27"
#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

extern kube_apiserver *server;
extern kube_client *client;
extern kube_fake_recorder *events;
extern kube_ctx *ctx; /* of the test: its deadline ends every wait */
extern kube_error err;

/* What main() returns: each of @tests between the two. */
int run_cases(const char *name, void (*set_up)(void), void (*tear_down)(void),
              const TTest *const *tests, size_t count);

/* A server with the CRD; @workloads: Deployments get Pods. */
void world_set_up(bool workloads);
void world_tear_down(void);

/* Creates or changes an AppService of the namespace "default"; replicas 0 = unset. */
void load_service(const char *name, const char *deployment, int32_t replicas);
/* NULL when there is none. */
const appcontroller_v1alpha1_app_service *get_service(const char *name);
const apps_v1_deployment *get_deployment(const char *name);
void patch_service(const char *name, const char *patch);
void patch_deployment(const char *name, const char *patch);
void delete_service(const char *name, const char *propagation);
void delete_deployment(const char *name);
/* As a stranger would create it: of other labels, with one replica of another image. */
void create_foreign(const char *name);
/* Container @name of a Deployment; NULL when it has none. */
const core_v1_container *container_in(const apps_v1_deployment *deployment, const char *name);

/* Answered calls that match. */
size_t call_count(const kube_api_call_filter *filter);
/* Their writes, as "patch deployments/web; update appservices/web/status", in order. */
const char *writes(void);
/* Body of the write @index, of these. */
const char *write_body(size_t index);
/* All events so far, each followed by a newline. */
const char *event_text(void);

#endif /* APPSERVICE_CONTROLLER_TESTS_WORLD_H */
