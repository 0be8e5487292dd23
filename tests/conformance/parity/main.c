/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same requests to a real kube-apiserver and to the embedded one; every difference between the
 * answers that docs/apiserver.md does not list is a failure, and so is a listed one that is gone.
 *
 *   parity [--only PATTERN] [--self] [--report DIRECTORY] [--list]
 *
 * --self compares two real servers, which must not differ at all: a test of the comparison.
 * --report appends the differences to files of that directory, one for each file of cases.
 */
#include "known.h"
#include "matrix.h"
#include "run.h"

#include <curl/curl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 6 };

typedef struct options {
    const char *only;
    const char *report;
    bool self;
    bool list;
} options;

typedef struct pool {
    pthread_mutex_t lock;
    const parity_scenario *next;
    const char *only;
    const char *report;
    parity_server *servers;
    parity_result total;
    size_t scenarios;
    int phase; /* 0 = first, 1 = side by side, 2 = alone */
} pool;

static const char *needed(const char *name)
{
    const char *value = getenv(name);
    if (!value || !*value) {
        fprintf(stderr, "parity: %s is not set\n", name);
        exit(EXIT_FAILURE);
    }
    return value;
}

static options read_options(int argc, char **argv)
{
    options o = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--self") == 0) {
            o.self = true;
        } else if (strcmp(argv[i], "--list") == 0) {
            o.list = true;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            o.only = argv[++i];
        } else if (strcmp(argv[i], "--report") == 0 && i + 1 < argc) {
            o.report = argv[++i];
        } else {
            fprintf(stderr, "parity: unknown argument \"%s\"\n", argv[i]);
            exit(2);
        }
    }
    return o;
}

static int phase_of(const parity_scenario *scenario)
{
    return scenario->first ? 0 : scenario->alone ? 2 : 1;
}

static const parity_scenario *take(pool *p)
{
    const parity_scenario *taken;
    pthread_mutex_lock(&p->lock);
    while (p->next && (phase_of(p->next) != p->phase ||
                       (p->only && p->phase > 0 && fnmatch(p->only, p->next->name, 0) != 0)))
        p->next = p->next->next;
    taken = p->next;
    if (taken) {
        p->next = taken->next;
        p->scenarios++;
    }
    pthread_mutex_unlock(&p->lock);
    return taken;
}

static void *work(void *arg)
{
    pool *p = arg;
    const parity_scenario *scenario;
    parity_result result = {0};
    parity_runner runner = {.report = p->report};
    for (int i = 0; i < 2; i++) {
        runner.servers[i] = &p->servers[i];
        runner.connections[i] = parity_connect(runner.servers[i]);
    }
    while ((scenario = take(p)) != NULL)
        parity_run(&runner, scenario, &result);
    for (int i = 0; i < 2; i++)
        parity_disconnect(runner.connections[i]);
    pthread_mutex_lock(&p->lock);
    p->total.exchanges += result.exchanges;
    p->total.differences += result.differences;
    p->total.listed += result.listed;
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void run_phase(pool *p, const parity_script *script, int phase)
{
    pthread_t threads[WORKERS];
    size_t count = phase == 1 ? WORKERS : 1;
    p->phase = phase;
    p->next = script->first;
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, p) != 0) {
            fputs("parity: cannot start a thread\n", stderr);
            exit(EXIT_FAILURE);
        }
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static int summary(const options *o, const pool *p, const parity_matrix_count *cells)
{
    size_t stale = o->only || o->self ? 0 : parity_known_stale();
    printf("parity: %zu cells: %zu covered, %zu empty with a reason; %zu scenarios, "
           "%zu exchanges compared; %zu differences: %zu listed (%zu rows), %zu not\n",
           cells->cells, cells->covered, cells->excused, p->scenarios, p->total.exchanges,
           p->total.differences + p->total.listed, p->total.listed, parity_known_count(),
           p->total.differences);
    return p->total.differences || stale || cells->faults ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    kube_ctx *ctx = kube_ctx_new();
    parity_server servers[2];
    parity_script script;
    parity_matrix_count cells;
    pool p = {.lock = PTHREAD_MUTEX_INITIALIZER, .only = o.only, .report = o.report};
    int status;
    if (!ctx)
        return EXIT_FAILURE;
    parity_script_read(&script, ctx, needed("PARITY_CASES"));
    cells = parity_matrix_check();
    if (o.list) {
        for (const parity_scenario *s = script.first; s; s = s->next)
            printf("%s\n", s->name);
        kube_ctx_free(ctx);
        return cells.faults ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    if (!o.self)
        parity_known_read(needed("PARITY_DIFFERENCES"));
    curl_global_init(CURL_GLOBAL_DEFAULT);
    p.servers = servers;
    parity_start_real(&servers[0], "real");
    if (o.self)
        parity_start_real(&servers[1], "other");
    else
        parity_start_embedded(&servers[1], needed("KUBEGEN_APISERVER"));
    for (int phase = 0; phase < 3; phase++)
        run_phase(&p, &script, phase);
    status = summary(&o, &p, &cells);
    for (int i = 0; i < 2; i++)
        parity_stop(&servers[i]);
    curl_global_cleanup();
    kube_ctx_free(ctx);
    return status;
}
