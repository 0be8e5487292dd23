/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a reconcile function once: makes its request, and acts on its result. */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/units.h"
#include "base/utf8.h"
#include "controller.h"

#include <kube/log.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NOTES_MAX = 512, NOTE_MAX = 512 };

typedef struct kube_run {
    kube_controller *controller;
    kube_request request;
    kube__reason_node *reason;
    kube_result result;
    kube_error err;
    kube_error bad; /* request.bad points to it */
    kube_code code;
    bool interrupted;
    bool timed_out; /* its own deadline, and nothing else, has passed */
    kube_micro_time started;
    int64_t started_ns;
    int64_t waited_ns;
    int64_t took_ns;
    bool notes_full;
    size_t notes_len;
    char notes[NOTES_MAX + 1];
} kube_run;

/* ---- notes --------------------------------------------------------------------------------- */

/* The note that does not fit is cut, those after it are dropped. */
static void keep_note(kube_run *run, const char *note)
{
    size_t len = strlen(note);
    size_t room = NOTES_MAX - run->notes_len;
    size_t kept;
    if (run->notes_full || (run->notes_len && !room--))
        return;
    if (run->notes_len)
        run->notes[run->notes_len++] = '\n';
    kept = kube__utf8_cut(note, len, room);
    memcpy(run->notes + run->notes_len, note, kept);
    run->notes_len += kept;
    run->notes[run->notes_len] = '\0';
    run->notes_full = kept < len;
}

void kube_request_note(const kube_request *request, const char *format, ...)
{
    kube_run *run = request->run;
    char note[NOTE_MAX + 4]; /* so that a character that does not fit is seen whole */
    va_list args;
    if (!run)
        return;
    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    for (char *c = note; *c; c++) {
        if (*c == '\n' || *c == '\r')
            *c = ' '; /* a note is a line */
    }
    kube_log_debug("%s: %s%s%s: %s", run->controller->name, request->key.namespace_,
                   *request->key.namespace_ ? "/" : "", request->key.name, note);
    keep_note(run, note);
}

/* ---- how it ended -------------------------------------------------------------------------- */

static bool failed(const kube_run *run)
{
    return run->code && !run->interrupted;
}

static bool failed_for_good(const kube_run *run)
{
    return failed(run) && run->result.terminal;
}

/* "default/web (update of Deployment default/web 12 -> 13 (spec.replicas))" */
static const char *subject(const kube_run *run, char *text, size_t size)
{
    char why[KUBE__REASON_TEXT];
    kube_key key = run->request.key;
    kube__reason_format(&run->request.why, why, sizeof why);
    snprintf(text, size, "%s%s%s (%s)", key.namespace_, *key.namespace_ ? "/" : "", key.name, why);
    return text;
}

static const char *message_of(const kube_run *run)
{
    return *run->err.message ? run->err.message : kube_code_name(run->code);
}

static void log_failure(const kube_run *run)
{
    /* Somebody else wrote in between: expected, and mended by the next run. So is a write that was
     * not sent because somebody else leads now. */
    bool expected = run->code == KUBE_ERR_CONFLICT || run->code == KUBE_ERR_FENCED;
    char text[KUBE__REASON_TEXT + 512];
    kube_log(expected ? KUBE_LOG_INFO : KUBE_LOG_ERROR, __FILE__, __LINE__,
             "%s: reconcile %s: %s%s", run->controller->name, subject(run, text, sizeof text),
             message_of(run), run->result.terminal ? " (not tried again)" : "");
}

static void log_end(const kube_run *run)
{
    char text[KUBE__REASON_TEXT + 512];
    char took[KUBE_TIME_MAX];
    char again[KUBE_TIME_MAX + 16] = "";
    const char *result = run->interrupted ? "interrupted" : kube_code_name(run->code);
    if (!kube_log_enabled(KUBE_LOG_DEBUG))
        return;
    kube_duration_format((kube_duration){run->took_ns, true}, took);
    if (!run->interrupted && !failed_for_good(run) && run->result.requeue_after_ms > 0)
        snprintf(again, sizeof again, ", again after %lld ms",
                 (long long)run->result.requeue_after_ms);
    kube_log_debug("%s: reconciled %s in %s: %s%s", run->controller->name,
                   subject(run, text, sizeof text), took, result, again);
}

static void record(const kube_run *run)
{
    const kube_flight_record record = {
        .controller = run->controller->name,
        .key = run->request.key,
        .why = run->request.why,
        .attempt = run->request.attempt,
        .started = run->started,
        .waited_ns = run->waited_ns,
        .took_ns = run->took_ns,
        .code = run->code,
        .message = run->code ? message_of(run) : "",
        .notes = run->notes,
        .requeue_after_ms =
            run->interrupted || failed_for_good(run) ? 0 : run->result.requeue_after_ms,
        .terminal = failed_for_good(run),
    };
    if (run->controller->flight)
        kube_flight_enter(run->controller->flight, &record);
}

/* ---- metrics ------------------------------------------------------------------------------- */

/* controller-runtime's. */
static const double seconds_bounds[] = {0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3,  0.35,
                                        0.4,   0.45, 0.5,   0.6,  0.7, 0.8,  0.9, 1.0,  1.25, 1.5,
                                        1.75,  2.0,  2.5,   3.0,  3.5, 4.0,  4.5, 5,    6,    7,
                                        8,     9,    10,    15,   20,  25,   30,  40,   50,   60};

static kube_code count_by_result(kube_controller *controller, kube_metrics *metrics,
                                 kube_error *err)
{
    static const char *const labels[] = {"controller", "result", NULL};
    static const char *const results[] = {[KUBE__RUN_SUCCESS] = "success",
                                          [KUBE__RUN_ERROR] = "error",
                                          [KUBE__RUN_REQUEUE] = "requeue",
                                          [KUBE__RUN_REQUEUE_AFTER] = "requeue_after"};
    kube_counter_family *family;
    kube_code rc =
        kube_metrics_counter(metrics, "controller_runtime_reconcile_total",
                             "Reconciles, by controller and result.", labels, &family, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        controller->metrics.results[i] =
            kube_counter_with(family, (const char *const[]){controller->name, results[i], NULL});
    return KUBE_OK;
}

static const char *const label[] = {"controller", NULL};

static kube_code counter(const kube_controller *controller, kube_metrics *metrics, const char *name,
                         const char *help, kube_counter **out, kube_error *err)
{
    const char *const values[] = {controller->name};
    kube_counter_family *family;
    kube_code rc = kube_metrics_counter(metrics, name, help, label, &family, err);
    *out = kube_counter_with(family, values);
    return rc;
}

static kube_code gauge(const kube_controller *controller, kube_metrics *metrics, const char *name,
                       const char *help, kube_gauge **out, kube_error *err)
{
    const char *const values[] = {controller->name};
    kube_gauge_family *family;
    kube_code rc = kube_metrics_gauge(metrics, name, help, label, &family, err);
    *out = kube_gauge_with(family, values);
    return rc;
}

static kube_code measure_time(kube_controller *controller, kube_metrics *metrics, kube_error *err)
{
    const char *const values[] = {controller->name};
    kube_histogram_family *family;
    kube_code rc = kube_metrics_histogram(
        metrics, "controller_runtime_reconcile_time_seconds", "How long reconciles took.", label,
        seconds_bounds, sizeof seconds_bounds / sizeof *seconds_bounds, &family, err);
    controller->metrics.seconds = kube_histogram_with(family, values);
    return rc;
}

kube_code kube__run_metrics_init(kube_controller *controller, kube_metrics *metrics,
                                 kube_error *err)
{
    kube__run_metrics *m = &controller->metrics;
    kube_gauge *most = NULL;
    kube_code rc;
    if (!metrics)
        return KUBE_OK;
    rc = count_by_result(controller, metrics, err);
    if (!rc)
        rc = counter(controller, metrics, "controller_runtime_reconcile_errors_total",
                     "Reconciles that failed.", &m->errors, err);
    if (!rc)
        rc = counter(controller, metrics, "controller_runtime_terminal_reconcile_errors_total",
                     "Reconciles that failed and are not tried again.", &m->terminal, err);
    if (!rc)
        rc = counter(controller, metrics, "controller_runtime_reconcile_timeouts_total",
                     "Reconciles that took longer than they may.", &m->timeouts, err);
    if (!rc)
        rc = measure_time(controller, metrics, err);
    if (!rc)
        rc = gauge(controller, metrics, "controller_runtime_active_workers",
                   "Reconciles that run now.", &m->active, err);
    if (!rc)
        rc = gauge(controller, metrics, "controller_runtime_max_concurrent_reconciles",
                   "How many reconciles may run at once.", &most, err);
    kube_gauge_set(most, controller->worker_count);
    return rc;
}

/* ---- counts -------------------------------------------------------------------------------- */

static void count_active(kube_controller *controller, int change)
{
    atomic_fetch_add_explicit(&controller->active, change, memory_order_relaxed);
    kube_gauge_add(controller->metrics.active, change);
}

/* One more: in the controller's stats, and in its metrics where there are any. */
static void count_one(_Atomic uint64_t *count, kube_counter *measured)
{
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    kube_counter_add(measured, 1);
}

static int result_of(const kube_run *run)
{
    if (run->code)
        return KUBE__RUN_ERROR;
    return run->result.requeue_after_ms > 0 ? KUBE__RUN_REQUEUE_AFTER : KUBE__RUN_SUCCESS;
}

/* An interrupted run has no result: it will be done again. */
static void count(const kube_run *run)
{
    kube_controller *controller = run->controller;
    const kube__run_metrics *m = &controller->metrics;
    count_one(&controller->runs, run->interrupted ? NULL : m->results[result_of(run)]);
    if (run->interrupted)
        count_one(&controller->interrupted, NULL);
    if (failed(run))
        count_one(&controller->failures, m->errors);
    if (failed_for_good(run))
        count_one(&controller->terminal, m->terminal);
    if (run->timed_out)
        kube_counter_add(m->timeouts, 1);
    kube_histogram_observe(m->seconds, kube__ns_to_s(run->took_ns));
    atomic_store_explicit(&controller->last_run_ns, run->started_ns + run->took_ns,
                          memory_order_relaxed);
}

/* ---- what comes of it ---------------------------------------------------------------------- */

/* Its key waits for workers that start again, with its reason; its failures stay as they are. */
static kube_code put_back(kube_run *run, kube_error *err)
{
    kube__reason_put_back(&run->controller->reasons, run->reason);
    run->reason = NULL;
    return kube_workqueue_add(run->controller->queue, run->request.key, err);
}

/* What the function asks for holds, then what the server asked for, then the back-off. It counts as
 * a failure in any case. */
static int64_t retry_ms(const kube_run *run)
{
    int64_t backoff_ms = kube_workqueue_backoff_ms(run->controller->queue, run->request.key);
    if (run->result.requeue_after_ms > 0)
        return run->result.requeue_after_ms;
    if (run->err.code == run->code && run->err.retry_after_ms > 0)
        return run->err.retry_after_ms;
    return backoff_ms;
}

static void settle(kube_run *run)
{
    kube_controller *controller = run->controller;
    kube_workqueue *queue = controller->queue;
    kube_key key = run->request.key;
    kube_code rc = KUBE_OK;
    kube_error err;
    if (run->interrupted) {
        rc = put_back(run, &err);
    } else if (run->code && !run->result.terminal) {
        rc = kube_workqueue_add_after(queue, key, retry_ms(run), &err);
    } else {
        kube_workqueue_forget(queue, key);
        if (!run->code && run->result.requeue_after_ms > 0)
            rc = kube_workqueue_add_after(queue, key, run->result.requeue_after_ms, &err);
    }
    if (rc)
        kube_log_error("%s: %s", controller->name, err.message);
}

static void explain_timeout(kube_run *run, kube_ctx *ctx)
{
    int64_t limit_ms = run->controller->reconcile_timeout_ms;
    char text[KUBE__REASON_TEXT + 512];
    if (limit_ms <= 0 || run->interrupted || kube__ctx_ended(ctx, NULL) != KUBE_ERR_TIMEOUT)
        return;
    run->timed_out = true;
    if (!run->code) {
        kube_log_warn("%s: reconcile %s succeeded, but took longer than its timeout of %lld ms",
                      run->controller->name, subject(run, text, sizeof text), (long long)limit_ms);
        return;
    }
    if (!*run->err.message)
        kube_error_set(&run->err, run->code, "%s", kube_code_name(run->code));
    kube_error_prefix(&run->err, "took longer than its timeout of %lld ms", (long long)limit_ms);
}

static void end_process(void *arg, size_t wanted)
{
    const kube_run *run = arg;
    kube__end_without_memory(wanted, "reconcile of %s %s%s%s", run->controller->type->resource,
                             run->request.key.namespace_, *run->request.key.namespace_ ? "/" : "",
                             run->request.key.name);
}

/* KUBE_OK of a function that did not ask whether all it did could be done is none. */
static kube_code reconcile(kube_run *run, kube_ctx *ctx)
{
    kube_controller *controller = run->controller;
    bool is_bad;
    kube_code rc;
    if (!kube__controller_may_run(controller, run->request.key, &is_bad, &run->bad)) {
        run->err = run->bad;
        run->result.terminal = true;
        return run->bad.code;
    }
    run->request.bad = is_bad ? &run->bad : NULL;
    if (controller->exit_on_no_memory)
        kube_ctx_on_no_memory(ctx, end_process, run);
    rc = controller->reconcile(ctx, &run->request, &run->result, &run->err);
    if (rc || !kube_ctx_failed(ctx))
        return rc;
    run->result = (kube_result){0};
    return kube__ctx_check(ctx, &run->err);
}

static void begin(kube_run *run, kube_controller *controller, kube_key key)
{
    run->controller = controller;
    run->waited_ns = kube_workqueue_waited_ns(controller->queue, key);
    run->reason = kube__reason_take(&controller->reasons, key);
    run->request.key = key;
    run->request.attempt = kube_workqueue_failures(controller->queue, key);
    run->request.why = kube__reason_of(run->reason, run->request.attempt ? KUBE_REASON_RETRY
                                                                         : KUBE_REASON_REQUEUE);
    run->request.arg = controller->arg;
    run->request.run = run;
    run->started = kube_micro_time_now(controller->clock);
    run->started_ns = controller->clock->now_ns(controller->clock);
}

void kube__controller_reconcile(kube_controller *controller, kube_ctx *worker_ctx, kube_ctx *ctx,
                                kube_key key)
{
    kube_run run = {0};
    begin(&run, controller, key);
    count_active(controller, 1);
    if (controller->reconcile_timeout_ms > 0)
        kube_ctx_set_timeout_ms(ctx, controller->reconcile_timeout_ms);
    run.code = reconcile(&run, ctx);
    count_active(controller, -1);
    run.took_ns = controller->clock->now_ns(controller->clock) - run.started_ns;
    run.interrupted = run.code && kube__ctx_ended(worker_ctx, NULL);
    explain_timeout(&run, ctx);
    if (failed(&run))
        log_failure(&run);
    log_end(&run);
    record(&run);
    settle(&run);
    kube_ctx_reset(ctx);
    kube__reason_free(run.reason);
    count(&run);
}
