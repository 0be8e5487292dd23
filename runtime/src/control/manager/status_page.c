/* SPDX-License-Identifier: Apache-2.0 */
#include "status_page.h"

#include "base/text.h"
#include "base/units.h"
#include "control/election/elector_state.h"
#include "html.h"
#include "informer_title.h"
#include "status_style.h"

#include <inttypes.h>
#include <kube/version.h>

enum { MAX_PAGE = 8 << 20, RECONCILES_SHOWN = 50 };

typedef struct page {
    kube__buffer text;
    kube_ctx *ctx;
    const kube__status_view *view;
    int64_t now_ns;
    size_t rows; /* of the table at hand */
} page;

/* ---- pieces --------------------------------------------------------------------------------- */

static void raw(page *p, const char *markup)
{
    kube__html_raw(&p->text, markup);
}

static void text(page *p, const char *value)
{
    kube__html_text(&p->text, value);
}

static void begin_section(page *p, const char *title)
{
    raw(p, "<section>\n<h2>");
    text(p, title);
    raw(p, "</h2>\n");
}

static void end_section(page *p)
{
    raw(p, "</section>\n");
}

static void begin_fact(page *p, const char *name)
{
    raw(p, "<div><dt>");
    text(p, name);
    raw(p, "</dt><dd>");
}

static void end_fact(page *p)
{
    raw(p, "</dd></div>\n");
}

static void fact(page *p, const char *name, const char *value)
{
    begin_fact(p, name);
    text(p, value);
    end_fact(p);
}

static void count_fact(page *p, const char *name, uint64_t count)
{
    begin_fact(p, name);
    kube__html_printf(&p->text, "%" PRIu64, count);
    end_fact(p);
}

/* Texts that may be of several lines keep them. */
static void cell(page *p, const char *column, const char *value)
{
    kube__html_cell(&p->text, column, false, false);
    text(p, value);
    kube__html_cell_end(&p->text, false);
}

static void row_head(page *p, const char *column, const char *value)
{
    p->rows++;
    kube__html_cell(&p->text, column, true, false);
    text(p, value);
    kube__html_cell_end(&p->text, true);
}

static void number_cell(page *p, const char *column, uint64_t number)
{
    kube__html_cell(&p->text, column, false, true);
    kube__html_printf(&p->text, "%" PRIu64, number);
    kube__html_cell_end(&p->text, false);
}

static void age_cell(page *p, const char *column, int64_t since_ns)
{
    kube__html_cell(&p->text, column, false, true);
    kube__html_age(&p->text, p->now_ns, since_ns);
    kube__html_cell_end(&p->text, false);
}

static void begin_table(page *p, const char *caption, const char *const *columns)
{
    p->rows = 0;
    kube__html_table(&p->text, caption, columns);
}

/* An empty table says so: @none, over all columns. */
static void end_table(page *p, const char *const *columns, const char *none)
{
    size_t count = 0;
    while (columns[count])
        count++;
    if (p->rows == 0) {
        kube__buffer_printf(&p->text, "<tr><td class=\"none\" colspan=\"%zu\">", count);
        text(p, none);
        raw(p, "</td></tr>\n");
    }
    raw(p, "</tbody>\n</table></div>\n");
}

/* ---- the process ---------------------------------------------------------------------------- */

static void add_leader(page *p)
{
    const kube_elector *elector = p->view->elector;
    const char *leader = kube_elector_leader(elector, p->ctx);
    if (kube_elector_is_leader(elector))
        raw(p, "<strong class=\"good\">this process</strong>");
    else if (leader && *leader)
        text(p, leader);
    else
        raw(p, "nobody yet");
}

static void add_election_failure(page *p)
{
    const char *failure = kube__elector_last_failure(p->view->elector, p->ctx);
    if (!failure || !*failure)
        return;
    begin_fact(p, "Last failure");
    raw(p, "<em class=\"bad\">");
    text(p, failure);
    raw(p, "</em>");
    end_fact(p);
}

static void add_election(page *p)
{
    kube_elector_stats stats;
    if (!p->view->elector) {
        fact(p, "Leader", "no leader election: every replica works");
        return;
    }
    kube_elector_get_stats(p->view->elector, &stats);
    begin_fact(p, "Leader");
    add_leader(p);
    end_fact(p);
    add_election_failure(p);
    fact(p, "Our identity", kube_elector_identity(p->view->elector));
    begin_fact(p, "Last renewal of the lease");
    kube__html_age(&p->text, p->now_ns, stats.last_renewed_ns);
    end_fact(p);
    count_fact(p, "Became leader", stats.transitions);
    count_fact(p, "Failed election rounds", stats.failures);
}

static void add_facts(page *p)
{
    const kube__status_view *view = p->view;
    raw(p, "<section>\n<h2>Process</h2>\n<dl>\n");
    fact(p, "Version", view->version && *view->version ? view->version : "not given");
    fact(p, "libkube", kube_version());
    begin_fact(p, "Up for");
    kube__html_duration(&p->text, p->now_ns - view->started_ns);
    end_fact(p);
    if (view->server)
        fact(p, "API server", view->server);
    fact(p, "Namespace", view->namespace_ && *view->namespace_ ? view->namespace_ : "all");
    add_election(p);
    raw(p, "</dl>\n</section>\n");
}

static void count_failed(void *arg, const char *name, const kube_error *err)
{
    (void)name;
    *(size_t *)arg += err != NULL;
}

static void add_check(void *arg, const char *name, const kube_error *err)
{
    page *p = arg;
    raw(p, err ? "<li class=\"bad\">✗ " : "<li class=\"good\">✓ ");
    text(p, name);
    if (err) {
        raw(p, ": ");
        text(p, err->message);
    }
    raw(p, "</li>\n");
}

static void add_readiness(page *p)
{
    if (!p->view->ready)
        return;
    begin_section(p, "Readiness");
    raw(p, "<ul class=\"checks\">\n");
    kube__health_each(p->view->ready, add_check, p);
    raw(p, "</ul>\n");
    end_section(p);
}

/* ---- informers ------------------------------------------------------------------------------ */

static const char *const informer_columns[] = {
    "Type",  "State",   "Objects", "Size",        "Last list",  "Last event", "Heard",
    "Lists", "Watches", "Events",  "Bad objects", "Last error", NULL};

static void state_cell(page *p, const kube_informer *informer)
{
    static const char *const names[] = {"starting", "synced", "behind", "stopped"};
    kube_informer_status status;
    kube_informer_phase phase = kube_informer_state(informer, &status);
    kube__html_cell(&p->text, "State", false, false);
    raw(p, phase == KUBE_INFORMER_SYNCED ? "<em class=\"good\">" : "<em class=\"bad\">");
    raw(p, names[phase]);
    raw(p, "</em>");
    if (phase == KUBE_INFORMER_BEHIND) {
        raw(p, " for ");
        kube__html_duration(&p->text, p->now_ns - status.since_ns);
    }
    if (*status.why) {
        raw(p, ": ");
        text(p, status.why);
    }
    kube__html_cell_end(&p->text, false);
}

enum { BAD_SHOWN = 3 };

typedef struct bad_list {
    char text[1024];
    int count;
} bad_list;

static bool add_bad(void *arg, kube_key key, const char *why)
{
    bad_list *list = arg;
    size_t len = strlen(list->text);
    snprintf(list->text + len, sizeof list->text - len, "; %s%s%s: %.200s", key.namespace_,
             *key.namespace_ ? "/" : "", key.name, why);
    return ++list->count < BAD_SHOWN;
}

/* How many there were, and the first of those that still are. */
static void bad_cell(page *p, const kube_informer *informer, uint64_t count)
{
    bad_list list = {.count = 0};
    kube_informer_each_bad(informer, add_bad, &list);
    kube__html_cell(&p->text, "Bad objects", false, true);
    kube__html_printf(&p->text, "%" PRIu64, count);
    kube__html_text(&p->text, list.text);
    kube__html_cell_end(&p->text, false);
}

static bool add_informer(void *arg, kube_informer *informer)
{
    page *p = arg;
    char title[KUBE__INFORMER_TITLE_MAX];
    kube_informer_stats stats;
    kube_informer_get_stats(informer, &stats);
    row_head(p, "Type", kube__informer_title(informer, title));
    state_cell(p, informer);
    number_cell(p, "Objects", stats.objects);
    kube__html_cell(&p->text, "Size", false, true);
    kube__html_bytes(&p->text, stats.object_bytes);
    kube__html_cell_end(&p->text, false);
    age_cell(p, "Last list", stats.last_list_ns);
    age_cell(p, "Last event", stats.last_event_ns);
    age_cell(p, "Heard", stats.last_heard_ns);
    number_cell(p, "Lists", stats.lists);
    number_cell(p, "Watches", stats.watches);
    number_cell(p, "Events", stats.events);
    bad_cell(p, informer, stats.bad_objects);
    cell(p, "Last error", *stats.last_error ? stats.last_error : "none");
    raw(p, "</tr>\n");
    return true;
}

static void add_informers(page *p)
{
    if (!p->view->factory)
        return;
    begin_section(p, "Caches");
    begin_table(p, "What is cached of the API server, and how fresh it is", informer_columns);
    kube_informer_factory_each(p->view->factory, add_informer, p);
    end_table(p, informer_columns, "Nothing is cached.");
    end_section(p);
}

/* ---- controllers ---------------------------------------------------------------------------- */

static const char *const controller_columns[] = {"Name",     "Workers busy", "Queued",   "In work",
                                                 "Delayed",  "Added",        "Retries",  "Runs",
                                                 "Failures", "Interrupted",  "Last run", NULL};

static void add_controller(page *p, const kube__status_controller *controller)
{
    const kube_controller_stats *stats = &controller->stats;
    row_head(p, "Name", controller->name);
    kube__html_cell(&p->text, "Workers busy", false, true);
    kube__html_printf(&p->text, "%d of %d", stats->active, stats->workers);
    kube__html_cell_end(&p->text, false);
    number_cell(p, "Queued", controller->queue.depth);
    number_cell(p, "In work", controller->queue.processing);
    number_cell(p, "Delayed", controller->queue.delayed);
    number_cell(p, "Added", controller->queue.adds);
    number_cell(p, "Retries", controller->queue.retries);
    number_cell(p, "Runs", stats->runs);
    number_cell(p, "Failures", stats->failures);
    number_cell(p, "Interrupted", stats->interrupted);
    age_cell(p, "Last run", stats->last_run_ns);
    raw(p, "</tr>\n");
}

static void add_controllers(page *p)
{
    begin_section(p, "Controllers");
    begin_table(p, "Queues and workers", controller_columns);
    for (size_t i = 0; i < p->view->controller_len; i++)
        add_controller(p, &p->view->controllers[i]);
    end_table(p, controller_columns, "There is no controller.");
    end_section(p);
}

/* ---- reconciles ----------------------------------------------------------------------------- */

static const char *const reconcile_columns[] = {"When", "Controller", "Object", "Why",   "Attempt",
                                                "Took", "Waited",     "Result", "Notes", NULL};

static void add_when(page *p, const kube_micro_time *started)
{
    char stamp[KUBE_TIME_MAX];
    int64_t began = started->sec * KUBE__NS_PER_S + started->nsec;
    kube_micro_time_format(*started, stamp);
    p->rows++;
    kube__html_cell(&p->text, "When", true, false);
    raw(p, "<time datetime=\"");
    text(p, stamp);
    raw(p, "\">");
    kube__html_age(&p->text, p->view->clock->wall_ns(p->view->clock), began);
    raw(p, "</time>");
    kube__html_cell_end(&p->text, true);
}

static void add_result(page *p, const kube_flight_record *record)
{
    kube__html_cell(&p->text, "Result", false, false);
    if (record->code) {
        raw(p, "<em class=\"bad\">");
        text(p, kube_code_name(record->code));
        raw(p, "</em> ");
        text(p, record->message);
        raw(p, record->terminal ? " (not tried again)" : "");
    } else {
        raw(p, "<em class=\"good\">ok</em>");
    }
    if (record->requeue_after_ms > 0) {
        raw(p, record->code ? "; again in " : ", again in ");
        kube__html_duration(&p->text, kube__ms_to_ns(record->requeue_after_ms));
    }
    kube__html_cell_end(&p->text, false);
}

static bool add_reconcile(void *arg, const kube_flight_record *record)
{
    page *p = arg;
    const char *ns = kube__text_or_empty(record->key.namespace_);
    add_when(p, &record->started);
    cell(p, "Controller", record->controller);
    kube__html_cell(&p->text, "Object", false, false);
    text(p, ns);
    raw(p, *ns ? "/" : "");
    text(p, record->key.name);
    kube__html_cell_end(&p->text, false);
    cell(p, "Why", kube_reason_text(p->ctx, &record->why));
    number_cell(p, "Attempt", (uint64_t)record->attempt);
    kube__html_cell(&p->text, "Took", false, true);
    kube__html_duration(&p->text, record->took_ns);
    kube__html_cell_end(&p->text, false);
    kube__html_cell(&p->text, "Waited", false, true);
    kube__html_duration(&p->text, record->waited_ns);
    kube__html_cell_end(&p->text, false);
    add_result(p, record);
    cell(p, "Notes", *kube__text_or_empty(record->notes) ? record->notes : "none");
    raw(p, "</tr>\n");
    return p->rows < RECONCILES_SHOWN;
}

static void add_reconciles(page *p)
{
    if (!p->view->flight)
        return;
    begin_section(p, "Last reconciles");
    begin_table(p, "Newest first, at most 50", reconcile_columns);
    kube_flight_each(p->view->flight, add_reconcile, p);
    end_table(p, reconcile_columns, "Nothing has been reconciled yet.");
    end_section(p);
}

/* ---- events --------------------------------------------------------------------------------- */

static void add_events(page *p)
{
    kube_recorder_stats stats;
    if (!p->view->recorder)
        return;
    kube_recorder_get_stats(p->view->recorder, &stats);
    raw(p, "<section>\n<h2>Events</h2>\n<dl>\n");
    count_fact(p, "Recorded", stats.recorded);
    count_fact(p, "Sent", stats.sent);
    count_fact(p, "Waiting", stats.queued);
    count_fact(p, "Over an object's budget", stats.spam);
    count_fact(p, "Dropped", stats.dropped);
    count_fact(p, "Failed", stats.failed);
    raw(p, "</dl>\n</section>\n");
}

/* ---- the page ------------------------------------------------------------------------------- */

static void add_head(page *p)
{
    raw(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
           "<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    if (p->view->refresh_s > 0)
        kube__buffer_printf(&p->text, "<meta http-equiv=\"refresh\" content=\"%" PRId64 "\"/>\n",
                            p->view->refresh_s);
    raw(p, "<title>");
    text(p, p->view->name);
    raw(p, "</title>\n<style>\n");
    raw(p, kube__status_style);
    raw(p, "</style>\n</head>\n<body>\n");
}

static void add_title(page *p)
{
    size_t failed = 0;
    raw(p, "<header>\n<h1>");
    text(p, p->view->name);
    raw(p, "</h1>\n");
    if (p->view->ready) {
        kube__health_each(p->view->ready, count_failed, &failed);
        raw(p, failed ? "<p class=\"state bad\">not ready</p>\n"
                      : "<p class=\"state good\">ready</p>\n");
    }
    raw(p, "</header>\n<main>\n");
}

static void add_links(page *p)
{
    static const struct {
        const char *target;
        const char *name;
    } links[] = {
        {"metrics", "Metrics"},
        {"healthz?verbose", "Health"},
        {"readyz?verbose", "Readiness"},
        {"flight", "Reconciles as text"},
        {"flight.json", "Reconciles as JSON"},
    };
    char stamp[KUBE_TIME_MAX];

    raw(p, "</main>\n<footer>\n<nav aria-label=\"Further pages\"><ul>\n");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        raw(p, "<li><a href=\"");
        text(p, links[i].target);
        raw(p, "\">");
        text(p, links[i].name);
        raw(p, "</a></li>\n");
    }
    kube_time_format(kube_time_now(p->view->clock), stamp);
    raw(p, "</ul></nav>\n<p>As of <time datetime=\"");
    text(p, stamp);
    raw(p, "\">");
    text(p, stamp);
    raw(p, "</time>");
    if (p->view->refresh_s > 0)
        kube__html_printf(&p->text, "; the page loads itself anew every %" PRId64 " s",
                          p->view->refresh_s);
    raw(p, ".</p>\n</footer>\n</body>\n</html>\n");
}

const char *kube__status_page(kube_ctx *ctx, const kube__status_view *view)
{
    page p = {.ctx = ctx, .view = view, .now_ns = view->clock->now_ns(view->clock)};
    const char *copy;
    kube__buffer_init(&p.text, MAX_PAGE);
    add_head(&p);
    add_title(&p);
    add_facts(&p);
    add_readiness(&p);
    add_controllers(&p);
    add_reconciles(&p);
    add_informers(&p);
    add_events(&p);
    add_links(&p);
    copy = p.text.failed ? NULL : kube_ctx_strdup(ctx, p.text.data);
    kube__buffer_fini(&p.text);
    return copy;
}
