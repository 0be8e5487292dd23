/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "compare.h"
#include "known.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WATCHES_MAX = 8,
    SAVED_MAX = 40,
    UNTIL_MS = 60000,
    UNTIL_REST_MS = 20,
    SHOWN_MAX = 1500,
};

typedef struct saved {
    const char *name;
    const char *value;
} saved;

typedef struct open_watch {
    const char *name;
    const parity_step *step;
    parity_watch *watch;
} open_watch;

/* What one server has to do with a scenario. */
typedef struct side {
    const parity_server *server;
    parity_connection *connection;
    kube_ctx *ctx;
    parity_names names;
    saved saved[SAVED_MAX];
    size_t saved_count;
    open_watch watches[WATCHES_MAX];
    parity_response answer;
    parity_request request; /* with this side's values */
} side;

typedef struct run {
    const parity_scenario *scenario;
    parity_runner *runner;
    parity_result *result;
    side sides[2];
    parity_differences differences;
    bool told;
} run;

static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

/* ---- telling -------------------------------------------------------------------------------- */

static void print_request(FILE *out, const parity_request *request)
{
    if (!request->method)
        return;
    fprintf(out, "> %s %s%s%s\n", request->method, request->path, request->as ? "   as " : "",
            request->as ? request->as : "");
    for (size_t i = 0; i < request->header_count; i++)
        fprintf(out, "> %s\n", request->headers[i]);
    if (request->body)
        fprintf(out, "> %.*s\n", SHOWN_MAX, request->body);
}

static void print_difference(FILE *out, const run *r, const parity_step *step, bool known_too)
{
    fprintf(out, "### %s (%s:%d)\n", r->scenario->name, r->scenario->file, step ? step->line : 0);
    if (step)
        print_request(out, &r->sides[0].request);
    for (int i = 0; step && i < 2; i++)
        fprintf(out, "%s: %d %.*s\n", r->sides[i].server->name, r->sides[i].answer.status,
                SHOWN_MAX, r->sides[i].answer.body ? r->sides[i].answer.body : "");
    for (size_t i = 0; i < r->differences.count; i++)
        if (known_too || !parity_known(r->scenario->name, r->differences.lines[i]))
            fprintf(out, "- %s\n", r->differences.lines[i]);
    if (r->differences.more)
        fprintf(out, "- and more\n");
    fprintf(out, "\n");
}

static void write_report(const run *r, const parity_step *step)
{
    char path[4096];
    FILE *file;
    snprintf(path, sizeof path, "%s/failures-%s.txt", r->runner->report, r->scenario->module);
    file = fopen(path, "a");
    if (!file)
        return;
    print_difference(file, r, step, false);
    fclose(file);
}

/* Counts and tells the differences found since the last call. */
static void settle(run *r, const parity_step *step)
{
    size_t unlisted = 0;
    for (size_t i = 0; i < r->differences.count; i++)
        unlisted += !parity_known(r->scenario->name, r->differences.lines[i]);
    r->result->differences += unlisted;
    r->result->listed += r->differences.count - unlisted;
    if (unlisted > 0) {
        pthread_mutex_lock(&output);
        print_difference(stdout, r, step, false);
        if (r->runner->report)
            write_report(r, step);
        pthread_mutex_unlock(&output);
    }
    r->differences.count = 0;
    r->differences.more = false;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static const char *saved_value(void *arg, const char *name)
{
    const side *s = arg;
    for (size_t i = s->saved_count; i > 0; i--)
        if (strcmp(s->saved[i - 1].name, name) == 0)
            return s->saved[i - 1].value;
    return NULL;
}

static void fill_in(side *s, const parity_step *step)
{
    s->request = step->request;
    s->request.path =
        parity_fill(s->ctx, parity_substitute(s->ctx, step->request.path, saved_value, s));
    s->request.body =
        parity_fill(s->ctx, parity_substitute(s->ctx, step->request.body, saved_value, s));
    s->request.as = parity_substitute(s->ctx, step->request.as, saved_value, s);
    for (size_t i = 0; i < step->request.header_count; i++)
        s->request.headers[i] = parity_substitute(s->ctx, step->request.headers[i], saved_value, s);
}

static void save(side *s, const parity_step *step)
{
    kube__json *body;
    if (step->save_count == 0)
        return;
    body = kube__json_parse(s->ctx, s->answer.body, s->answer.body_len, NULL, NULL, NULL);
    for (size_t i = 0; i < step->save_count && s->saved_count < SAVED_MAX; i++) {
        kube__json *value = parity_pick(s->ctx, body, step->saves[i].path);
        s->saved[s->saved_count++] = (saved){
            step->saves[i].name,
            value && value->kind == KUBE__JSON_STRING ? value->text
            : value                                   ? kube__json_text(s->ctx, value, NULL)
                                                      : "missing",
        };
    }
}

static bool is_wanted(side *s, const parity_step *step)
{
    char status[16];
    kube__json *value;
    const char *text;
    if (strcmp(step->wanted_path, "status") == 0) {
        snprintf(status, sizeof status, "%d", s->answer.status);
        return strcmp(status, step->wanted) == 0;
    }
    value = parity_pick(
        s->ctx, kube__json_parse(s->ctx, s->answer.body, s->answer.body_len, NULL, NULL, NULL),
        step->wanted_path);
    text = value && value->kind != KUBE__JSON_STRING ? kube__json_text(s->ctx, value, NULL)
                                                     : kube__json_string_or(value, "");
    return strcmp(text, step->wanted) == 0;
}

/* False when it did not come to that in time. */
static bool send_until(side *s, const parity_step *step)
{
    const struct timespec rest = {0, UNTIL_REST_MS * 1000000};
    for (int waited = 0; waited < UNTIL_MS; waited += UNTIL_REST_MS) {
        parity_send(s->connection, s->ctx, &s->request, &s->answer);
        if (is_wanted(s, step))
            return true;
        nanosleep(&rest, NULL);
    }
    return false;
}

static open_watch *find_watch(side *s, const char *name)
{
    for (size_t i = 0; i < WATCHES_MAX; i++)
        if (s->watches[i].watch && (!name || strcmp(s->watches[i].name, name) == 0))
            return &s->watches[i];
    return NULL;
}

static void open_one(side *s, const parity_step *step)
{
    for (size_t i = 0; i < WATCHES_MAX; i++)
        if (!s->watches[i].watch) {
            s->watches[i].name = step->watch;
            s->watches[i].step = step;
            s->watches[i].watch = parity_watch_start(s->server, &s->request);
            return;
        }
}

static void do_step(run *r, side *s, const parity_step *step)
{
    open_watch *watch = step->watch ? find_watch(s, step->watch) : NULL;
    if (step->request.method)
        fill_in(s, step);
    switch (step->kind) {
    case PARITY_REQUEST:
        parity_send(s->connection, s->ctx, &s->request, &s->answer);
        save(s, step);
        break;
    case PARITY_UNTIL:
        if (!send_until(s, step))
            parity_add_difference(&r->differences,
                                  kube_printf(s->ctx, "preparation: %s: %s is never %s",
                                              s->server->name, step->wanted_path, step->wanted));
        save(s, step);
        break;
    case PARITY_WATCH:
        open_one(s, step);
        break;
    case PARITY_EVENTS:
        if (watch)
            parity_watch_wait(watch->watch, step->request.events);
        break;
    case PARITY_STOP:
        if (watch) {
            parity_watch_stop(watch->watch, s->ctx, &s->answer);
            watch->watch = NULL;
        }
        break;
    }
}

/* What is compared of a STOP is described by the WATCH. */
static const parity_step *compared_step(run *r, const parity_step *step)
{
    for (size_t i = 0; step->kind == PARITY_STOP && i < WATCHES_MAX; i++) {
        const open_watch *watch = &r->sides[0].watches[i];
        if (watch->step && strcmp(watch->name, step->watch) == 0)
            return watch->step;
    }
    return step;
}

static void compare(run *r, const parity_step *step)
{
    parity_names *names[2] = {&r->sides[0].names, &r->sides[1].names};
    const parity_response *answers[2] = {&r->sides[0].answer, &r->sides[1].answer};
    if (step->kind == PARITY_WATCH || step->kind == PARITY_EVENTS)
        return;
    if (step->quiet) {
        for (int i = 0; i < 2; i++)
            if (answers[i]->status < 200 || answers[i]->status > 299)
                parity_add_difference(&r->differences,
                                      kube_printf(r->differences.ctx, "preparation: %s answered %d",
                                                  r->sides[i].server->name, answers[i]->status));
    } else {
        r->result->exchanges++;
        parity_compare(&r->differences, compared_step(r, step), names, answers);
    }
}

/* ---- a scenario ----------------------------------------------------------------------------- */

static const char *host_of(const char *url)
{
    const char *slashes = strstr(url, "//");
    return slashes ? slashes + 2 : url;
}

static void make_namespace(run *r, side *s)
{
    parity_request request = {.method = "POST", .path = "/api/v1/namespaces"};
    request.body = kube_printf(
        s->ctx, "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"p%d\"}}",
        r->scenario->number);
    parity_send(s->connection, s->ctx, &request, &s->answer);
    if (s->answer.status != 201) {
        parity_add_difference(&r->differences,
                              kube_printf(s->ctx, "preparation: namespace: %s answered %d",
                                          s->server->name, s->answer.status));
        settle(r, NULL);
    }
}

static void finish(run *r)
{
    parity_names *names[2] = {&r->sides[0].names, &r->sides[1].names};
    parity_response scrap;
    open_watch *left;
    for (int i = 0; i < 2; i++)
        while ((left = find_watch(&r->sides[i], NULL)) != NULL) {
            parity_watch_stop(left->watch, r->sides[i].ctx, &scrap);
            left->watch = NULL;
        }
    parity_compare_versions(&r->differences, names);
    settle(r, NULL);
}

void parity_run(parity_runner *runner, const parity_scenario *scenario, parity_result *result)
{
    kube_ctx *ctx = kube_ctx_new();
    run *r = calloc(1, sizeof *r);
    if (!r || !ctx) {
        fputs("parity: memory is out\n", stderr);
        exit(EXIT_FAILURE);
    }
    *r = (run){.scenario = scenario, .runner = runner, .result = result};
    r->differences.ctx = ctx;
    for (int i = 0; i < 2; i++) {
        side *s = &r->sides[i];
        s->server = runner->servers[i];
        s->connection = runner->connections[i];
        s->ctx = ctx;
        s->names.ctx = ctx;
        s->names.host = host_of(s->server->url);
        if (scenario->namespaced)
            make_namespace(r, s);
    }
    for (const parity_step *step = scenario->steps; step; step = step->next) {
        for (int i = 0; i < 2; i++)
            do_step(r, &r->sides[i], step);
        compare(r, step);
        settle(r, step);
    }
    finish(r);
    free(r);
    kube_ctx_free(ctx);
}
