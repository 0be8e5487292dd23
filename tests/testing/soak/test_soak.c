/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Network controller under a random schedule of faults, with objects that change. At every
 * quiet point, when the faults have ended, provider, cache and server have to say the same.
 *
 *   test_soak           KUBEGEN_SOAK_SEEDS seeds (200); fails too when a fault never fired
 *   test_soak SEED      this one alone, with the log
 */
#include "rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 200,
    ROUNDS = 3,
    ACTIONS = 10,
    NAMES = 8,
    PATIENCE_MS = 30000, /* for a quiet point: far beyond what it takes */
    ENOUGH_SEEDS = 100,  /* for every fault to have fired */
};

/* What the test does itself, besides the faults it orders. */
typedef enum deed { COMPACT, END_WATCHES, BOOKMARK, OUTAGE, CONTROLLER, SERVER, DEED_COUNT } deed;

static const char *const deed_names[DEED_COUNT] = {
    [COMPACT] = "compaction", [END_WATCHES] = "end of watches",    [BOOKMARK] = "bookmark",
    [OUTAGE] = "outage",      [CONTROLLER] = "controller restart", [SERVER] = "server restart",
};

static struct {
    uint64_t api[KUBE_FAULT_KIND_COUNT_];
    uint64_t wire[KUBE_WIRE_KIND_COUNT_];
    uint64_t deeds[DEED_COUNT];
    uint64_t changes;
    uint64_t quiet_points;
} totals;

static uint64_t random_state;

static unsigned draw(unsigned bound)
{
    uint64_t x = random_state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((x ^ (x >> 31)) % bound);
}

static void must(kube_code rc, const kube_error *err)
{
    if (rc) {
        fprintf(stderr, "soak: %s\n", err->message);
        abort();
    }
}

/* ---- faults --------------------------------------------------------------------------------- */

/* Only what the controller asks: the test creates, patches, deletes and gets. */
static void add_api_fault(rig *r)
{
    static const int answers[] = {500, 503, 504, 429};
    kube_fault_rule rule = {
        .kind = (kube_fault_kind)draw(KUBE_FAULT_KIND_COUNT_),
        .verb = draw(4) ? "watch" : "list",
        .probability = 0.5,
        .times = 1 + draw(4),
        .retry_after_s = (int)draw(3) - 1,
        .oversize_bytes = 100000,
    };
    kube_error err;
    if (rule.kind == KUBE_FAULT_CERTIFICATE && !r->tls)
        rule.kind = KUBE_FAULT_STATUS;
    if (rule.kind == KUBE_FAULT_STATUS)
        rule.http_status = answers[draw(sizeof answers / sizeof *answers)];
    must(kube_apiserver_add_fault(r->server, &rule, &err), &err);
}

static void add_wire_fault(rig *r)
{
    const kube_wire_rule rule = {
        .kind = (kube_wire_fault_kind)draw(KUBE_WIRE_KIND_COUNT_),
        .direction = (kube_wire_direction)draw(3),
        .probability = 0.5,
        .times = 1 + draw(3),
        .after_bytes_spread = 6000,
        .bytes_per_second = 200000,
        .delay_ms = 2,
    };
    kube_error err;
    must(kube_fault_proxy_add_rule(r->proxy, &rule, &err), &err);
}

static void count_api_faults(rig *r)
{
    for (int i = 0; i < KUBE_FAULT_KIND_COUNT_; i++)
        totals.api[i] += kube_apiserver_fault_count(r->server, (kube_fault_kind)i);
}

static void count_wire_faults(rig *r)
{
    kube_fault_proxy_stats stats;
    kube_fault_proxy_get_stats(r->proxy, &stats);
    for (int i = 0; i < KUBE_WIRE_KIND_COUNT_; i++)
        totals.wire[i] += stats.faults[i];
}

/* ---- changes -------------------------------------------------------------------------------- */

static void delete_network(rig *r, const char *name)
{
    kube_error err;
    kube_code rc = samplecrd_v1_networks_delete(r->own, r->ctx, kube_key_of("a", name), NULL, &err);
    if (rc != KUBE_ERR_NOT_FOUND)
        must(rc, &err);
}

static void put_network(rig *r, const char *name)
{
    const char *gateway = kube_printf(r->ctx, "10.1.%u.%u", draw(250), 1 + draw(250));
    const char *patch = kube_printf(r->ctx, "{\"spec\":{\"gateway\":\"%s\"}}", gateway);
    const samplecrd_v1_network wanted = {.metadata = {.name = name},
                                         .spec = {.cidr = "10.1.0.0/16", .gateway = gateway}};
    kube_error err;
    kube_code rc = samplecrd_v1_networks_create(r->own, r->ctx, "a", &wanted, NULL, NULL, &err);
    if (rc == KUBE_ERR_ALREADY_EXISTS)
        rc = samplecrd_v1_networks_patch(r->own, r->ctx, kube_key_of("a", name), KUBE_PATCH_MERGE,
                                         patch, strlen(patch), NULL, NULL, &err);
    must(rc, &err);
}

static void change_something(rig *r)
{
    const char *name = kube_printf(r->ctx, "n%u", draw(NAMES));
    if (draw(3))
        put_network(r, name);
    else
        delete_network(r, name);
    totals.changes++;
}

static void do_deed(rig *r, deed what)
{
    if (what == SERVER && r->tls)
        what = CONTROLLER;
    switch (what) {
    case COMPACT:
        kube_apiserver_compact(r->server);
        break;
    case END_WATCHES:
        kube_apiserver_end_watches(r->server);
        break;
    case BOOKMARK:
        kube_apiserver_send_bookmarks(r->server);
        break;
    case OUTAGE: /* long enough to miss things; it ends with the round */
        kube_fault_proxy_down(r->proxy);
        break;
    case CONTROLLER:
        rig_stop_controller(r);
        change_something(r);
        rig_start_controller(r);
        break;
    default:
        count_api_faults(r);
        rig_restart_server(r);
    }
    totals.deeds[what]++;
}

/* ---- quiet points --------------------------------------------------------------------------- */

static const char *difference(rig *r, kube_ctx *ctx)
{
    struct provider *provider = r->network.provider;
    samplecrd_v1_network_list *list;
    const samplecrd_v1_network *cached;
    kube_error err;
    must(samplecrd_v1_networks_list(r->own, ctx, "a", NULL, &list, &err), &err);
    for (size_t i = 0; i < list->len; i++) {
        const samplecrd_v1_network *n = list->items[i];
        const char *name = n->metadata.name;
        if (samplecrd_v1_network_lister_get(r->network.networks, ctx, kube_key_of("a", name),
                                            &cached, NULL))
            return kube_printf(ctx, "%s is not in the cache", name);
        if (strcmp(cached->metadata.resource_version, n->metadata.resource_version) != 0)
            return kube_printf(ctx, "%s is at version %s in the cache, at %s on the server", name,
                               cached->metadata.resource_version, n->metadata.resource_version);
        if (strcmp(cached->spec.gateway, n->spec.gateway) != 0)
            return kube_printf(ctx, "%s has another gateway in the cache", name);
        const char *real = memory_provider_get(provider, ctx, "a", name);
        if (strcmp(real, kube_printf(ctx, "%s by %s", n->spec.cidr, n->spec.gateway)) != 0)
            return kube_printf(ctx, "%s is not what is real: %s", name, real);
    }
    if (samplecrd_v1_network_lister_count(r->network.networks) != list->len)
        return kube_printf(ctx, "%zu objects in the cache, %zu on the server",
                           samplecrd_v1_network_lister_count(r->network.networks), list->len);
    if (memory_provider_count(provider) != list->len)
        return kube_printf(ctx, "%zu real networks, %zu on the server",
                           memory_provider_count(provider), list->len);
    return NULL;
}

static void heal(rig *r)
{
    kube_apiserver_clear_faults(r->server);
    kube_fault_proxy_up(r->proxy);
    kube_fault_proxy_heal(r->proxy);
}

/*
 * An object of another kind within a list may be any object: the cache keeps one that is missing
 * from that list, until the next one tells. So there has to be a next one.
 */
static void make_up_for_wrong_kinds(rig *r)
{
    static uint64_t seen;
    const kube_fault_rule gone = {.kind = KUBE_FAULT_GONE, .verb = "watch", .times = 1};
    uint64_t count = totals.api[KUBE_FAULT_WRONG_KIND] +
                     kube_apiserver_fault_count(r->server, KUBE_FAULT_WRONG_KIND);
    kube_error err;
    if (count > seen) {
        must(kube_apiserver_add_fault(r->server, &gone, &err), &err);
        put_network(r, "n0");
    }
    seen = count;
}

/* Faults end, all three come to say the same. False = they do not. */
static bool come_to_rest(rig *r)
{
    kube_ctx *patience = kube_ctx_child(r->ctx);
    kube_ctx *scope = kube_ctx_child(r->ctx);
    const char *differs;
    heal(r);
    make_up_for_wrong_kinds(r);
    kube_ctx_set_timeout_ms(patience, PATIENCE_MS);
    while ((differs = difference(r, scope)) && !kube_ctx_status(patience, NULL)) {
        kube_ctx_reset(scope);
        rig_let_time_pass(r);
    }
    if (differs)
        fprintf(stderr, "soak: seed %" PRIu64 ": %s; repeat it by: test_soak %" PRIu64 "\n",
                r->seed, differs, r->seed);
    else
        totals.quiet_points++;
    kube_ctx_free(scope);
    kube_ctx_free(patience);
    return !differs;
}

/* ---- the log, for a seed that failed -------------------------------------------------------- */

enum { LINES = 200, LINE_MAX_LEN = 240 };

static char lines[LINES][LINE_MAX_LEN];
static uint64_t line_count;

/* One call at a time, as a sink is called. The test's own requests, the only ones that name the
 * namespace, would hide the controller's. */
static void keep_line(void *arg, kube_log_level level, const char *file, int line,
                      const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    if (!strstr(message, "/namespaces/a/"))
        snprintf(lines[line_count++ % LINES], LINE_MAX_LEN, "%s", message);
}

/* When nobody logs any more. */
static void print_lines(void)
{
    for (uint64_t i = line_count > LINES ? line_count - LINES : 0; i < line_count; i++)
        fprintf(stderr, "soak: %s\n", lines[i % LINES]);
}

/* ---- a seed --------------------------------------------------------------------------------- */

static void go_through(rig *r)
{
    for (unsigned i = draw(4); i > 0; i--)
        add_api_fault(r);
    for (unsigned i = draw(3); i > 0; i--)
        add_wire_fault(r);
    if (draw(2)) /* so that the rules meet new connections */
        kube_fault_proxy_end_connections(r->proxy);
    for (int i = 0; i < ACTIONS; i++) {
        if (draw(4))
            change_something(r);
        else
            do_deed(r, (deed)draw(DEED_COUNT));
        if (draw(2))
            rig_let_time_pass(r);
        kube_ctx_reset(r->ctx);
    }
}

static bool soak(uint64_t seed)
{
    bool same = true;
    rig r;
    random_state = seed;
    rig_open(&r, seed, draw(3) == 0);
    for (int i = 0; i < ROUNDS && same; i++) {
        go_through(&r);
        same = come_to_rest(&r);
    }
    count_api_faults(&r);
    count_wire_faults(&r);
    rig_close(&r);
    return same;
}

/* ---- the report ----------------------------------------------------------------------------- */

/* 1 = it never happened. */
static int report(const char *level, const char *name, uint64_t count)
{
    printf("  %-5s %-18s %6" PRIu64 "%s\n", level, name, count, count ? "" : "  NEVER");
    return count == 0;
}

static int report_all(void)
{
    int never = 0;
    printf("soak: %" PRIu64 " changes, %" PRIu64 " quiet points\n", totals.changes,
           totals.quiet_points);
    for (int i = 0; i < KUBE_FAULT_KIND_COUNT_; i++)
        never += report("http", kube_fault_kind_name((kube_fault_kind)i), totals.api[i]);
    for (int i = 0; i < KUBE_WIRE_KIND_COUNT_; i++)
        never += report("wire", kube_wire_fault_kind_name((kube_wire_fault_kind)i), totals.wire[i]);
    for (int i = 0; i < DEED_COUNT; i++)
        never += report("deed", deed_names[i], totals.deeds[i]);
    return never;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("KUBEGEN_SOAK_SEEDS");
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 1 ? 1 : wanted ? strtoull(wanted, NULL, 10) : SEEDS;
    int never;
    kube_log_set_level(KUBE_LOG_DEBUG);
    if (argc == 1)
        kube_log_set_sink(keep_line, NULL);
    for (uint64_t seed = first; seed < first + count; seed++) {
        line_count = 0;
        if (!soak(seed)) {
            print_lines();
            return EXIT_FAILURE;
        }
    }
    never = report_all();
    return never && count >= ENOUGH_SEEDS ? EXIT_FAILURE : EXIT_SUCCESS;
}
