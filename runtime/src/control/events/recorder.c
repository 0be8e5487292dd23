/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread sends the queued events. Only this thread knows which events were sent before, so the
 * correlator needs no lock. An event that did not reach the server waits for its next try apart
 * from the queue, so that it does not delay the others.
 */
#include "recorder.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "base/utf8.h"
#include "event_correlator.h"
#include "event_object.h"
#include "event_series.h"

#include <kube/log.h>
#include <kube/object.h>
#include <kube/recorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEFAULT_QUEUE_LEN = 1000,
    HOST_MAX = 256,
    INSTANCE_MAX = 128, /* the server's bound */
    TRIES = 12,         /* EV-4 */
    TRY_AGAIN_MS = 10000,
};

typedef struct event_queue {
    kube__event *first;
    kube__event *last;
    size_t len;
} event_queue;

struct kube_recorder {
    kube_client *client;
    kube_clock *clock;
    kube_recorder_api api;
    bool log;
    void (*sink)(void *arg, const kube_recorded_event *event); /* NULL = send */
    void *sink_arg;
    kube_ctx *ctx; /* of the sender; cancelled when flushing takes too long */
    kube__thread thread;
    char *component;
    char host[HOST_MAX];
    char instance[INSTANCE_MAX + HOST_MAX]; /* cut where a character ends */
    kube__event_source source;              /* of the three above */
    size_t queue_max;
    /* The sender's: */
    kube_ctx *scratch; /* of one event */
    kube__event_correlator correlator;
    kube__event_series series;
    kube__event *waiting; /* by their times */
    int64_t last_stamp_ns;
    uint64_t random_state;
    bool ending; /* what waits is tried once more, then it is over */
    bool flushed;
    kube__mutex mutex; /* of what is below */
    kube__condition changed;
    event_queue queue;
    kube_recorder_stats stats;
    size_t waiting_count;
    bool resting; /* the sender has nothing to do before its next time */
    bool stopping;
    bool cut; /* stop without sending more */
    bool done;
    bool dropping; /* said so already */
};

/* ---- recording ----------------------------------------------------------------------------- */

static void count(kube_recorder *recorder, uint64_t *counter)
{
    kube__lock(&recorder->mutex);
    ++*counter;
    kube__unlock(&recorder->mutex);
}

/* Takes @event over. */
static void enqueue(kube_recorder *recorder, kube__event *event)
{
    event_queue *queue = &recorder->queue;
    bool full;
    bool say;
    kube__lock(&recorder->mutex);
    full = recorder->stopping || queue->len >= recorder->queue_max;
    say = full && !recorder->dropping;
    recorder->dropping = full;
    if (full) {
        recorder->stats.dropped++;
    } else {
        *(queue->last ? &queue->last->next : &queue->first) = event;
        queue->last = event;
        queue->len++;
        recorder->stats.recorded++;
        kube__broadcast(&recorder->changed);
    }
    kube__unlock(&recorder->mutex);
    if (say)
        kube_log_warn("event %s of %s %s/%s dropped: the queue is full (%zu events)", event->reason,
                      event->regarding.kind, kube__text_or_empty(event->regarding.namespace_),
                      kube__text_or_empty(event->regarding.name), recorder->queue_max);
    if (full)
        kube__event_unref(event);
}

static bool is_named(const kube_object *object)
{
    return object && object->type && kube_object_metadata(object);
}

/* What is wrong with a note, NULL = nothing (EV-1). */
static const char *fault_of(const kube_recorder *recorder, const kube_event_note *note,
                            const char *action)
{
    if (!note->reason || !*note->reason)
        return "it has no reason";
    if (!is_named(note->regarding))
        return "its object has no type";
    if (note->related && !is_named(note->related))
        return "its related object has no type";
    if (!*kube_event_type_name(note->type))
        return "its type is neither Normal nor Warning";
    if (recorder->api == KUBE_RECORDER_EVENTS && !*action)
        return "it has no action";
    return NULL;
}

static void log_event(const kube_event_note *note, const char *message)
{
    const kube_object_meta *meta = kube_object_metadata(note->regarding);
    const char *ns = kube__text_or_empty(meta->namespace_);
    kube_log(note->type == KUBE_EVENT_NORMAL ? KUBE_LOG_INFO : KUBE_LOG_WARN, __FILE__, __LINE__,
             "event %s %s of %s %s%s%s: %s", kube_event_type_name(note->type), note->reason,
             note->regarding->type->kind, ns, *ns ? "/" : "", kube__text_or_empty(meta->name),
             message);
}

static void record(kube_recorder *recorder, const kube_event_note *note, const char *action,
                   const char *message)
{
    const char *fault = fault_of(recorder, note, action);
    kube__event *event;
    if (fault) {
        kube_log_error("event %s dropped: %s: %s", kube__text_or_empty(note->reason), fault,
                       message);
        count(recorder, &recorder->stats.dropped);
        return;
    }
    if (recorder->log)
        log_event(note, message);
    if (recorder->sink) {
        const kube_recorded_event recorded = {note->regarding, note->type, note->reason,
                                              message,         action,     note->related};
        count(recorder, &recorder->stats.recorded);
        recorder->sink(recorder->sink_arg, &recorded);
        return;
    }
    event = kube__event_new(recorder->clock, note, action, message);
    if (event) {
        enqueue(recorder, event);
        return;
    }
    kube_log_error("event %s dropped: out of memory", note->reason);
    count(recorder, &recorder->stats.dropped);
}

/* Longer than the text may be, to see where a character ends. */
typedef char message_text[KUBE__EVENT_MESSAGE_MAX + 4];

static void format_message(message_text message, const char *format, va_list args)
    KUBE_PRINTF(2, 0);

static void format_message(message_text message, const char *format, va_list args)
{
    if (vsnprintf(message, sizeof(message_text), format, args) < 0)
        message[0] = '\0';
    message[kube__utf8_cut(message, strlen(message), KUBE__EVENT_MESSAGE_MAX)] = '\0';
    kube__utf8_clean(message, '?'); /* names of files and the like may be anything */
}

void kube_recorder_event(kube_recorder *recorder, const kube_object *object, kube_event_type type,
                         const char *reason, const char *format, ...)
{
    const kube_event_note note = {.regarding = object, .type = type, .reason = reason};
    bool needs_action = recorder->api == KUBE_RECORDER_EVENTS;
    message_text message;
    va_list args;
    va_start(args, format);
    format_message(message, format, args);
    va_end(args);
    record(recorder, &note, needs_action ? kube__text_or_empty(reason) : "", message);
}

void kube_recorder_note(kube_recorder *recorder, const kube_event_note *note, const char *format,
                        ...)
{
    message_text message;
    va_list args;
    va_start(args, format);
    format_message(message, format, args);
    va_end(args);
    record(recorder, note, kube__text_or_empty(note->action), message);
}

void kube_recorder_get_stats_sized(kube_recorder *recorder, kube_recorder_stats *stats,
                                   size_t stats_size)
{
    kube_recorder_stats own = {0};
    kube__lock(&recorder->mutex);
    own = recorder->stats;
    own.queued = recorder->queue.len + recorder->waiting_count;
    kube__unlock(&recorder->mutex);
    kube__sized_out(stats, stats_size, &own, sizeof own);
}

/* ---- what waits to be sent ----------------------------------------------------------------- */

/* Takes the reference over. Sorted by time, those of one time as they came. */
static void wait_for_turn(kube_recorder *recorder, kube__event *event, int64_t due_ns)
{
    kube__event **link = &recorder->waiting;
    event->due_ns = due_ns;
    event->waits = true;
    while (*link && (*link)->due_ns <= due_ns)
        link = &(*link)->next;
    event->next = *link;
    *link = event;
    kube__lock(&recorder->mutex);
    recorder->waiting_count++;
    kube__unlock(&recorder->mutex);
}

/* What a series has to write goes before all that is not due yet. */
static void write_now(void *arg, kube__event *event)
{
    kube_recorder *recorder = arg;
    wait_for_turn(recorder, event, recorder->clock->now_ns(recorder->clock));
}

static kube__event *take_waiting(kube_recorder *recorder)
{
    kube__event *event = recorder->waiting;
    int64_t now_ns = recorder->clock->now_ns(recorder->clock);
    if (!event || (!recorder->ending && event->due_ns > now_ns))
        return NULL;
    recorder->waiting = event->next;
    event->next = NULL;
    event->waits = false;
    kube__lock(&recorder->mutex);
    recorder->waiting_count--;
    kube__unlock(&recorder->mutex);
    return event;
}

/* Not while very many wait for another try: then it is the queue that gets full. */
static kube__event *take_queued(kube_recorder *recorder)
{
    event_queue *queue = &recorder->queue;
    kube__event *event = NULL;
    kube__lock(&recorder->mutex);
    if (recorder->waiting_count < recorder->queue_max)
        event = queue->first;
    if (event) {
        queue->first = event->next;
        if (!queue->first)
            queue->last = NULL;
        queue->len--;
        event->next = NULL;
    }
    kube__unlock(&recorder->mutex);
    return event;
}

/* ---- sending ------------------------------------------------------------------------------- */

/* EV-4: clients that lost the server at one time do not come back at one time. */
static int64_t pause_ns(kube_recorder *recorder, const kube__event *event)
{
    const double whole_ns = (double)(TRY_AGAIN_MS * KUBE__NS_PER_MS);
    if (recorder->api == KUBE_RECORDER_EVENTS)
        return (int64_t)(whole_ns * (1.0 + 0.25 * kube__random01(&recorder->random_state)));
    return (int64_t)(event->tries == 1 ? whole_ns * kube__random01(&recorder->random_state)
                                       : whole_ns);
}

/* Returns whether an event is sent again: the server was not reached, or the answer did not come
 * from it (EV-4). */
static bool is_passing(kube_code rc)
{
    return rc == KUBE_ERR_TRANSPORT || rc == KUBE_ERR_DECODE || rc == KUBE_ERR_UNDECODABLE ||
           rc == KUBE_ERR_TIMEOUT;
}

/* What happens in the ordinary course, and is nobody's fault. */
static bool is_expected(kube_code rc, const kube_error *err)
{
    return rc == KUBE_ERR_ALREADY_EXISTS || rc == KUBE_ERR_FENCED ||
           strcmp(err->cause, "NamespaceTerminating") == 0;
}

static void give_up(kube_recorder *recorder, const kube__event *event, kube_code rc,
                    const kube_error *err)
{
    kube_log(is_expected(rc, err) ? KUBE_LOG_DEBUG : KUBE_LOG_WARN, __FILE__, __LINE__,
             "event %s of %s %s/%s not sent: %s", event->reason, event->regarding.kind,
             kube__text_or_empty(event->regarding.namespace_),
             kube__text_or_empty(event->regarding.name), err->message);
    count(recorder, &recorder->stats.failed);
}

static void note_sent(kube_recorder *recorder, kube__event *event)
{
    event->created = true;
    event->written = event->count;
    if (recorder->api == KUBE_RECORDER_CORE)
        kube__event_correlator_sent(&recorder->correlator, recorder->scratch, event);
    count(recorder, &recorder->stats.sent);
}

/* Sends once; takes the reference over. */
static void send_event(kube_recorder *recorder, kube__event *event)
{
    kube_error err = {0};
    kube_code rc;
    if (recorder->api == KUBE_RECORDER_EVENTS) {
        rc = kube__event_send_series(recorder->client, recorder->scratch, &recorder->source, event,
                                     &err);
    } else {
        if (event->tries)
            kube__event_correlator_renew(&recorder->correlator, recorder->scratch, event);
        rc = kube__event_send_core(recorder->client, recorder->scratch, &recorder->source, event,
                                   &err);
    }
    if (rc == KUBE_ERR_ALREADY_EXISTS && event->tries)
        rc = KUBE_OK; /* the try before arrived, only its answer did not */
    if (!rc) {
        note_sent(recorder, event);
    } else if (is_passing(rc) && ++event->tries < TRIES && !recorder->ending) {
        kube_log_debug("event %s of %s %s not sent, trying again: %s", event->reason,
                       event->regarding.kind, kube__text_or_empty(event->regarding.name),
                       err.message);
        wait_for_turn(recorder, event,
                      recorder->clock->now_ns(recorder->clock) + pause_ns(recorder, event));
        return;
    } else {
        give_up(recorder, event, rc, &err);
    }
    kube__event_unref(event);
}

/* An event that comes from the queue; takes the reference over. */
static void begin(kube_recorder *recorder, kube__event *event)
{
    int64_t stamp_ns = event->wall_ns;
    if (stamp_ns <= recorder->last_stamp_ns) /* by a coarse clock, or one that was set back */
        stamp_ns = recorder->last_stamp_ns + 1;
    recorder->last_stamp_ns = stamp_ns;
    kube__event_set_name(event, stamp_ns);
    if (recorder->api == KUBE_RECORDER_EVENTS) {
        kube__event_series_observe(&recorder->series, recorder->scratch, event);
    } else if (kube__event_correlator_observe(&recorder->correlator, recorder->scratch, event)) {
        send_event(recorder, event);
    } else {
        count(recorder, &recorder->stats.spam);
        kube__event_unref(event);
    }
}

/* ---- the sender ---------------------------------------------------------------------------- */

/* What is next without waiting; false = nothing. */
static bool work(kube_recorder *recorder)
{
    kube__event *event = take_waiting(recorder);
    if (event) {
        send_event(recorder, event);
        return true;
    }
    event = take_queued(recorder);
    if (event) {
        begin(recorder, event);
        return true;
    }
    if (recorder->ending && !recorder->flushed) {
        recorder->flushed = true;
        kube__event_series_flush(&recorder->series);
        return true;
    }
    kube__event_series_step(&recorder->series, recorder->clock->now_ns(recorder->clock));
    return recorder->waiting &&
           recorder->waiting->due_ns <= recorder->clock->now_ns(recorder->clock);
}

static int64_t next_ns(const kube_recorder *recorder)
{
    int64_t due_ns = kube__event_series_due_ns(&recorder->series);
    if (recorder->waiting && recorder->waiting->due_ns < due_ns)
        due_ns = recorder->waiting->due_ns;
    return due_ns;
}

static bool has_room(const kube_recorder *recorder)
{
    return recorder->waiting_count < recorder->queue_max;
}

/* Waits until there is something to do; false = the end, @idle that nothing is left. */
static bool rest(kube_recorder *recorder, bool idle)
{
    bool go_on;
    kube__lock(&recorder->mutex);
    recorder->resting = idle;
    if (idle)
        kube__broadcast(&recorder->changed);
    while (idle && !recorder->stopping && !(recorder->queue.first && has_room(recorder)) &&
           next_ns(recorder) > recorder->clock->now_ns(recorder->clock))
        kube__wait_until(recorder->clock, &recorder->changed, &recorder->mutex, next_ns(recorder));
    recorder->resting = false;
    go_on = !recorder->cut && !(idle && recorder->ending);
    recorder->ending = recorder->stopping;
    kube__unlock(&recorder->mutex);
    return go_on;
}

/* What was not sent when time was up. */
static void drop_all(kube_recorder *recorder)
{
    size_t dropped = 0;
    kube__event *event;
    recorder->ending = true;
    while ((event = take_waiting(recorder)) != NULL) {
        kube__event_unref(event);
        dropped++;
    }
    while ((event = take_queued(recorder)) != NULL) {
        kube__event_unref(event);
        dropped++;
    }
    if (dropped)
        kube_log_warn("%zu events were not sent before the end", dropped);
}

static void *run_sender(void *arg)
{
    kube_recorder *recorder = arg;
    bool idle = false;
    while (rest(recorder, idle)) {
        idle = !work(recorder);
        kube_ctx_reset(recorder->scratch);
    }
    drop_all(recorder);
    kube__lock(&recorder->mutex);
    recorder->done = true;
    kube__broadcast(&recorder->changed);
    kube__unlock(&recorder->mutex);
    return NULL;
}

/* ---- life ---------------------------------------------------------------------------------- */

static void fini(kube_recorder *recorder)
{
    kube__event_correlator_fini(&recorder->correlator);
    kube__event_series_fini(&recorder->series);
    kube__condition_fini(&recorder->changed);
    kube__mutex_fini(&recorder->mutex);
    kube_ctx_free(recorder->scratch);
    kube_ctx_free(recorder->ctx);
    free(recorder->component);
    free(recorder);
}

/* "<component>-<host>", as long as the server allows (EV-6). */
static void set_source(kube_recorder *recorder)
{
    char *instance = recorder->instance;
    if (gethostname(recorder->host, sizeof recorder->host - 1) != 0)
        recorder->host[0] = '\0';
    snprintf(instance, sizeof recorder->instance, "%s-%s", recorder->component, recorder->host);
    instance[kube__utf8_cut(instance, strlen(instance), INSTANCE_MAX)] = '\0';
    recorder->source = (kube__event_source){recorder->component, recorder->host, instance};
}

static kube_code init(kube_recorder *recorder, kube_client *client,
                      const kube_recorder_options *options, kube_error *err)
{
    recorder->client = client;
    recorder->clock = options->clock ? options->clock : kube_clock_system();
    recorder->api = options->api;
    recorder->log = options->log;
    recorder->sink = options->sink;
    recorder->sink_arg = options->sink_arg;
    recorder->queue_max = options->queue_len ? options->queue_len : DEFAULT_QUEUE_LEN;
    recorder->random_state = options->seed ? options->seed : kube__random_seed();
    kube__event_correlator_init(&recorder->correlator, options);
    kube__event_series_init(&recorder->series, write_now, recorder);
    recorder->component = strdup(options->component);
    recorder->ctx = kube_ctx_new_with_clock(recorder->clock);
    recorder->scratch = recorder->ctx ? kube_ctx_child(recorder->ctx) : NULL;
    if (!recorder->component || !recorder->scratch)
        return kube__no_memory(err, "an event recorder");
    set_source(recorder);
    if (recorder->sink)
        return KUBE_OK;
    return kube__thread_start_open(&recorder->thread, "kube-recorder", run_sender, recorder, err);
}

kube_code kube_recorder_new_sized(kube_client *client, const kube_recorder_options *options,
                                  size_t options_size, kube_recorder **out, kube_error *err)
{
    kube_recorder_options own;
    kube_recorder *recorder;
    kube_code rc;
    options = kube__sized(options, options_size, &own, sizeof own);
    *out = NULL;
    if (!options || !options->component || !*options->component)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "an event recorder needs a component");
    if (!client && !options->sink)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "an event recorder needs a client or a sink");
    recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return kube__no_memory(err, "an event recorder");
    rc = kube__mutex_init(&recorder->mutex, err);
    if (rc) {
        free(recorder);
        return rc;
    }
    rc = kube__condition_init(&recorder->changed, err);
    if (rc) {
        kube__mutex_fini(&recorder->mutex);
        free(recorder);
        return rc;
    }
    rc = init(recorder, client, options, err);
    if (rc) {
        fini(recorder);
        return rc;
    }
    *out = recorder;
    return KUBE_OK;
}

void kube__recorder_drain(kube_recorder *recorder, int64_t most_ms)
{
    kube_clock *clock = kube_clock_system();
    int64_t deadline_ns = kube__ms_after(clock->now_ns(clock), most_ms);
    if (!recorder->thread.started)
        return;
    kube__lock(&recorder->mutex);
    while (!recorder->done && !(recorder->resting && !recorder->queue.first) &&
           clock->now_ns(clock) < deadline_ns)
        kube__wait_until(clock, &recorder->changed, &recorder->mutex, deadline_ns);
    kube__unlock(&recorder->mutex);
}

/* Stops taking events and waits until those there are were sent, for at most @flush_ms. */
static void flush(kube_recorder *recorder, int64_t flush_ms)
{
    kube_clock *clock = kube_clock_system(); /* the end of a process is not a test's to delay */
    int64_t deadline_ns = kube__ms_after(clock->now_ns(clock), flush_ms);
    kube__lock(&recorder->mutex);
    recorder->stopping = true;
    kube__broadcast(&recorder->changed);
    while (!recorder->done && clock->now_ns(clock) < deadline_ns)
        kube__wait_until(clock, &recorder->changed, &recorder->mutex, deadline_ns);
    recorder->cut = true;
    kube__unlock(&recorder->mutex);
}

void kube_recorder_free(kube_recorder *recorder, int64_t flush_ms)
{
    if (!recorder)
        return;
    if (recorder->thread.started) {
        flush(recorder, flush_ms);
        kube_ctx_cancel(recorder->ctx);
        kube__thread_join(&recorder->thread);
    }
    fini(recorder);
}
