/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What markers say of types, members and elements, held against a server. The test kit's takes all
 * of these schemas; rules of CEL it does not evaluate, and says so.
 */
#include "cluster_world.h"

#include <ruled/v1/api.h>
#include <stdlib.h>
#include <string.h>

static kube_error err;
static char warning[1024];

static void set_up(void)
{
    ruled_v1_duration steps[] = {"1s", "2m"};
    ruled_v1_duration_map_entry named[] = {{"a", "3h"}};
    const ruled_v1_gauge gauge = {
        .metadata = {.name = "one"},
        .spec = {.port = 80, .steps = {steps, 2}, .by_name = {named, 1}, .zone = "b"},
    };
    case_set_up();
    warning[0] = '\0';
    expect_ok(ruled_v1_gauges_create(client, ctx, ns, &gauge, NULL, NULL, &err), &err);
}

static void note_warning(void *arg, const char *text)
{
    (void)arg;
    strncat(warning, text, sizeof warning - strlen(warning) - 1);
}

/* Merges members into spec. */
static kube_code write_spec(kube_client *by, const char *members)
{
    const char *text = kube_printf(ctx, "{\"spec\":{%s}}", members);
    ck_assert_ptr_nonnull(text);
    return ruled_v1_gauges_patch(by, ctx, (kube_key){ns, "one"}, KUBE_PATCH_MERGE, text,
                                 strlen(text), NULL, NULL, &err);
}

FIXTURE(set_up, case_tear_down);

/* Members of spec, and what the server says of them; NULL = it takes them. */
static const struct {
    const char *members;
    const char *cause;
} limits[] = {
    {"\"interval\":\"1h2m\"", NULL},
    {"\"interval\":\"1h20m\"", "spec.interval"}, /* the member's own MaxLength */
    {"\"interval\":\"soon\"", "spec.interval"},  /* the type's Pattern */
    {"\"steps\":[\"1h20m\"]", NULL},
    {"\"steps\":[\"1s\",\"100h100m1s\"]", "spec.steps[1]"},
    {"\"byName\":{\"x\":\"1\"}", "spec.byName"},
    {"\"port\":1024", NULL},
    {"\"port\":1025", "spec.port"},
    {"\"port\":0", "spec.port"},
    {"\"ports\":[1,65535]", NULL},
    {"\"ports\":[1,65536]", "spec.ports[1]"},
    {"\"phase\":\"Up\"", NULL},
    {"\"phase\":\"Sideways\"", "spec.phase"},
    {"\"tags\":[\"a\",\"bcde\"]", NULL},
    {"\"tags\":[\"a\",\"a\"]", "spec.tags[1]"},
    {"\"tags\":[\"abcde\"]", "spec.tags[0]"},
    {"\"tags\":[\"a\",\"b\",\"c\",\"d\"]", "spec.tags"},
    {"\"range\":{}", "spec.range"},
    {"\"surge\":3", NULL},
    {"\"surge\":\"30%\"", NULL},
    {"\"surge\":\"some\"", "spec.surge"},
    {"\"count\":3", NULL},
    {"\"count\":2", "spec.count"},
    {"\"count\":\"3\"", "spec.count"},
    {"\"template\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"a\":\"b\"}}", NULL},
    {"\"template\":{\"kind\":null}", "spec.template"},
    {"\"odd\":\"abc\"", NULL},
    {"\"odd\":\"b\"", NULL},
    {"\"odd\":\"c\"", "spec.odd"},
};

TEST(a_server_holds_objects_to_the_rules)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        kube_code rc = write_spec(client, limits[i].members);
        bool as_wanted =
            limits[i].cause ? rc == KUBE_ERR_INVALID && strstr(err.message, limits[i].cause) != NULL
                            : rc == KUBE_OK;
        ck_assert_msg(as_wanted, "%s: %s", limits[i].members, rc ? err.message : "taken");
    }
}

/* Each is written to an object that the ones before it have changed. */
static const struct {
    const char *members;
    const char *says; /* NULL = it is taken */
} expressions[] = {
    {"\"range\":{\"least\":1,\"most\":2}", NULL},
    {"\"range\":{\"least\":3}", "least is above most"},
    {"\"range\":{\"least\":2}", NULL},
    {"\"source\":{\"secret\":\"s\"}", NULL},
    {"\"source\":{\"file\":\"f\"}", "exactly one of the fields in [secret file] must be set"},
    {"\"source\":{\"secret\":null}", "exactly one of the fields in [secret file] must be set"},
    {"\"source\":{\"file\":\"f\",\"secret\":null}", NULL},
    {"\"zone\":\"c\"", "field is immutable"},
    {"\"zone\":null", "field zone is immutable once set"},
    {"\"zone\":\"b\"", NULL},
};

TEST(a_server_holds_objects_to_expressions_of_cel)
{
    const kube_client_options options = {.on_warning = note_warning};
    bool evaluates = !getenv("KUBEGEN_EMBEDDED");
    kube_client *warned = client_with(&options);
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        kube_code rc = write_spec(warned, expressions[i].members);
        bool as_wanted =
            expressions[i].says && evaluates
                ? rc == KUBE_ERR_INVALID && strstr(err.message, expressions[i].says) != NULL
                : rc == KUBE_OK;
        ck_assert_msg(as_wanted, "%s: %s", expressions[i].members, rc ? err.message : "taken");
    }
    ck_assert_msg((strstr(warning, "are not evaluated") != NULL) == !evaluates, "%s", warning);
    kube_client_free(warned);
}

TEST(what_no_member_names_is_kept_where_a_marker_says_so)
{
    const char *text;
    char found[4096];
    expect_ok(write_spec(client, "\"open\":{\"least\":1,\"more\":{\"a\":[1]}},"
                                 "\"range\":{\"least\":1,\"more\":2},\"note\":null,\"count\":4,"
                                 "\"template\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"x\":1}"),
              &err);
    text = kube_printf(ctx, "-n %s get gauges.ruled.example.org one -o json", ns);
    ck_assert_int_eq(real_server_kubectl(server, NULL, found, sizeof found, "%s", text), 0);
    ck_assert_ptr_nonnull(strstr(found, "\"more\": {"));
    ck_assert_ptr_null(strstr(found, "\"more\": 2"));
    ck_assert_ptr_nonnull(strstr(found, "\"x\": 1"));
}

TEST(typedefs_are_applied_as_what_they_stand_for)
{
    ruled_v1_duration steps[] = {"5s"};
    const char *tags[] = {"x", "y"};
    const ruled_v1_gauge wanted = {
        .metadata = {.name = "one"},
        .spec = {.port = 81, .steps = {steps, 1}, .tags = {tags, 2}, .phase = RULED_V1_PHASE_UP},
    };
    const kube_apply_options options = {.field_manager = "rules", .force = true};
    ruled_v1_gauge *made;
    expect_ok(ruled_v1_gauges_apply(client, ctx, ns, &wanted, &options, &made, &err), &err);
    ck_assert_uint_eq(made->spec.steps.len, 1);
    ck_assert_str_eq(made->spec.steps.items[0], "5s");
    ck_assert_uint_eq(made->spec.tags.len, 2);
    ck_assert_str_eq(made->spec.by_name.items[0].value, "3h");
    ck_assert_str_eq(made->spec.phase, "Up");
}

int main(void)
{
    int status;
    world_start(NULL);
    real_server_until_kubectl(server, "get gauges.ruled.example.org");
    status = suite_run();
    world_stop();
    return status;
}
