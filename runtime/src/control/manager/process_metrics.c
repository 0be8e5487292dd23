/* SPDX-License-Identifier: Apache-2.0 */
/* These values are looked up when the metrics are written out, so nothing is counted twice. */
#include "process_metrics.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "informer_title.h"

#include <dirent.h>
#include <kube/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef enum measure {
    CPU_SECONDS,
    RESIDENT_BYTES,
    VIRTUAL_BYTES,
    OPEN_FDS,
    MAX_FDS,
    START_TIME,
    THREADS,
    BUILD_INFO,
    INFORMER_SYNCED,
    INFORMER_BEHIND,
    INFORMER_OBJECTS,
    INFORMER_BYTES,
    INFORMER_QUEUED_PEAK,
    INFORMER_LISTS,
    INFORMER_WATCHES,
    INFORMER_EVENTS,
    INFORMER_BAD_OBJECTS,
    INFORMER_UNUSABLE,
    INFORMER_BACKOFFS,
    INFORMER_HANDLER_SECONDS,
    INFORMER_FOLDED,
    INFORMER_LIST_AGE,
    INFORMER_EVENT_AGE,
    INFORMER_HEARD_AGE,
    MASTER_STATUS,
    SLOW_PATHS,
    TRANSITIONS,
    RENEWALS,
    ELECTION_FAILURES,
    RENEWAL_AGE,
    RECORDED_EVENTS,
    EVENT_RESULTS,
    QUEUED_EVENTS,
    MEASURES,
} measure;

struct kube__process_metrics {
    kube_metrics *registry;
    kube__process_parts parts;
    kube_clock *clock;
    kube_counter_family *counters[MEASURES]; /* one of the two, by the kind of the measure */
    kube_gauge_family *gauges[MEASURES];
    bool collects;
};

typedef enum part { OF_PROCESS, OF_FACTORY, OF_ELECTOR, OF_RECORDER } part;

static const char *const no_labels[] = {NULL};
static const char *const build_labels[] = {"name", "version", "libkube", NULL};
static const char *const type_labels[] = {"type", NULL};
static const char *const name_labels[] = {"name", NULL};
static const char *const result_labels[] = {"result", NULL};

static const struct {
    part of;
    bool counter;
    const char *name;
    const char *const *labels;
    const char *help;
} measures[MEASURES] = {
    [CPU_SECONDS] = {OF_PROCESS, true, "process_cpu_seconds_total", no_labels,
                     "User and system time spent."},
    [RESIDENT_BYTES] = {OF_PROCESS, false, "process_resident_memory_bytes", no_labels,
                        "Memory in RAM."},
    [VIRTUAL_BYTES] = {OF_PROCESS, false, "process_virtual_memory_bytes", no_labels,
                       "Address space in use."},
    [OPEN_FDS] = {OF_PROCESS, false, "process_open_fds", no_labels, "Open file descriptors."},
    [MAX_FDS] = {OF_PROCESS, false, "process_max_fds", no_labels,
                 "How many file descriptors may be open."},
    [START_TIME] = {OF_PROCESS, false, "process_start_time_seconds", no_labels,
                    "When the process began, since 1970."},
    [THREADS] = {OF_PROCESS, false, "process_threads", no_labels, "Threads."},
    [BUILD_INFO] = {OF_PROCESS, false, "kube_build_info", build_labels,
                    "What is running; always 1."},
    [INFORMER_SYNCED] = {OF_FACTORY, false, "kube_informer_synced", type_labels,
                         "1 once the first list is in the cache."},
    [INFORMER_BEHIND] = {OF_FACTORY, false, "kube_informer_behind_seconds", type_labels,
                         "Time since the server cannot be followed; 0 while it can."},
    [INFORMER_OBJECTS] = {OF_FACTORY, false, "kube_informer_objects", type_labels,
                          "Cached objects."},
    [INFORMER_BYTES] = {OF_FACTORY, false, "kube_informer_object_bytes", type_labels,
                        "Memory of the cached objects."},
    [INFORMER_QUEUED_PEAK] = {OF_FACTORY, false, "kube_informer_queued_bytes_peak", type_labels,
                              "Most bytes that were decoded and not applied yet."},
    [INFORMER_LISTS] = {OF_FACTORY, true, "kube_informer_lists_total", type_labels,
                        "Lists begun, paged or whole."},
    [INFORMER_WATCHES] = {OF_FACTORY, true, "kube_informer_watches_total", type_labels,
                          "Watches opened, streaming lists included."},
    [INFORMER_EVENTS] = {OF_FACTORY, true, "kube_informer_events_total", type_labels,
                         "Events of watches, bookmarks included."},
    [INFORMER_BAD_OBJECTS] = {OF_FACTORY, true, "kube_informer_bad_objects_total", type_labels,
                              "Objects left out because they did not decode."},
    [INFORMER_UNUSABLE] = {OF_FACTORY, false, "kube_informer_unusable_objects", type_labels,
                           "Objects that exist and whose newest state did not decode."},
    [INFORMER_BACKOFFS] = {OF_FACTORY, true, "kube_informer_backoffs_total", type_labels,
                           "Waits after a failure."},
    [INFORMER_HANDLER_SECONDS] = {OF_FACTORY, false, "kube_informer_handler_seconds", type_labels,
                                  "How long the longest call of a handler has been running."},
    [INFORMER_FOLDED] = {OF_FACTORY, true, "kube_informer_folded_total", type_labels,
                         "Changes that a slow handler was told together with a later one."},
    [INFORMER_LIST_AGE] = {OF_FACTORY, false, "kube_informer_list_age_seconds", type_labels,
                           "Time since a list brought the cache up to date."},
    [INFORMER_EVENT_AGE] = {OF_FACTORY, false, "kube_informer_event_age_seconds", type_labels,
                            "Time since the last event, bookmarks not counted."},
    [INFORMER_HEARD_AGE] = {OF_FACTORY, false, "kube_informer_heard_age_seconds", type_labels,
                            "Time since anything came from the watch."},
    [MASTER_STATUS] = {OF_ELECTOR, false, "leader_election_master_status", name_labels,
                       "1 while this process leads."},
    [SLOW_PATHS] = {OF_ELECTOR, true, "leader_election_slowpath_total", name_labels,
                    "Renewals that had to look at the Lease first."},
    [TRANSITIONS] = {OF_ELECTOR, true, "kube_leader_election_transitions_total", name_labels,
                     "Times this process became the leader."},
    [RENEWALS] = {OF_ELECTOR, true, "kube_leader_election_renewals_total", name_labels,
                  "Renewals of the lease."},
    [ELECTION_FAILURES] = {OF_ELECTOR, true, "kube_leader_election_failures_total", name_labels,
                           "Rounds that neither got the lease nor renewed it."},
    [RENEWAL_AGE] = {OF_ELECTOR, false, "kube_leader_election_renewal_age_seconds", name_labels,
                     "Time since the last renewal."},
    [RECORDED_EVENTS] = {OF_RECORDER, true, "kube_recorder_recorded_total", no_labels,
                         "Events recorded."},
    [EVENT_RESULTS] = {OF_RECORDER, true, "kube_recorder_events_total", result_labels,
                       "What became of events: sent, dropped, spam, failed."},
    [QUEUED_EVENTS] = {OF_RECORDER, false, "kube_recorder_queued", no_labels,
                       "Events that wait to be sent."},
};

/* ---- setting -------------------------------------------------------------------------------- */

static void show(kube__process_metrics *process, measure m, const char *label, double value)
{
    kube_counter *counter = kube_counter_with(process->counters[m], &label);
    kube_counter_add(counter, value - kube_counter_value(counter));
    kube_gauge_set(kube_gauge_with(process->gauges[m], &label), value);
}

/* @since_ns 0 = it has not happened, and is not shown. */
static void show_age(kube__process_metrics *process, measure m, const char *label, int64_t since_ns)
{
    if (since_ns)
        show(process, m, label, kube__ns_to_s(process->clock->now_ns(process->clock) - since_ns));
}

/* ---- the process ---------------------------------------------------------------------------- */

static double seconds_of(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return kube__ns_to_s(kube__timespec_to_ns(t));
}

/* The first bytes of a file; false where there is no such file. */
static bool read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t len = file ? fread(text, 1, size - 1, file) : 0;
    text[len] = '\0';
    if (file)
        fclose(file);
    return len > 0;
}

static void show_memory(kube__process_metrics *process)
{
    double page = (double)sysconf(_SC_PAGESIZE);
    char text[256];
    char *end;
    unsigned long long pages;
    if (!read_file("/proc/self/statm", text, sizeof text))
        return;
    pages = strtoull(text, &end, 10);
    show(process, VIRTUAL_BYTES, NULL, (double)pages * page);
    show(process, RESIDENT_BYTES, NULL, (double)strtoull(end, NULL, 10) * page);
}

static void show_files(kube__process_metrics *process)
{
    struct rlimit limit;
    struct dirent *entry;
    DIR *files = opendir("/proc/self/fd");
    int count = -1; /* one is of the look itself */
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        show(process, MAX_FDS, NULL, (double)limit.rlim_cur);
    if (!files)
        return;
    while ((entry = readdir(files)) != NULL)
        count += entry->d_name[0] != '.';
    closedir(files);
    show(process, OPEN_FDS, NULL, count);
}

/* Field @number of /proc/self/stat, as proc(5) counts them from the third on. */
static bool stat_field(int number, unsigned long long *value)
{
    char text[1024];
    const char *at;
    if (!read_file("/proc/self/stat", text, sizeof text))
        return false;
    at = strrchr(text, ')'); /* behind the name, which may have anything in it */
    for (int field = 2; at && field < number; field++)
        at = strchr(at + 1, ' ');
    if (!at)
        return false;
    *value = strtoull(at, NULL, 10);
    return true;
}

static void show_start(kube__process_metrics *process)
{
#ifdef CLOCK_BOOTTIME
    unsigned long long ticks;

    if (stat_field(22, &ticks)) {
        double age = seconds_of(CLOCK_BOOTTIME) - (double)ticks / (double)sysconf(_SC_CLK_TCK);
        show(process, START_TIME, NULL, (double)(long long)(seconds_of(CLOCK_REALTIME) - age));
    }
#else
    (void)process;
#endif
}

static void show_process(kube__process_metrics *process)
{
    unsigned long long threads;
    show(process, CPU_SECONDS, NULL, seconds_of(CLOCK_PROCESS_CPUTIME_ID));
    show_memory(process);
    show_files(process);
    if (stat_field(20, &threads))
        show(process, THREADS, NULL, (double)threads);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static double seconds_behind(const kube__process_metrics *process, const kube_informer *informer)
{
    kube_informer_status status;
    if (kube_informer_state(informer, &status) != KUBE_INFORMER_BEHIND)
        return 0;
    return kube__ns_to_s(process->clock->now_ns(process->clock) - status.since_ns);
}

static bool show_informer(void *arg, kube_informer *informer)
{
    kube__process_metrics *process = arg;
    kube_informer_stats stats;
    char type[KUBE__INFORMER_TITLE_MAX];
    kube__informer_title(informer, type);
    kube_informer_get_stats(informer, &stats);
    show(process, INFORMER_SYNCED, type, stats.synced);
    show(process, INFORMER_BEHIND, type, seconds_behind(process, informer));
    show(process, INFORMER_OBJECTS, type, (double)stats.objects);
    show(process, INFORMER_BYTES, type, (double)stats.object_bytes);
    show(process, INFORMER_QUEUED_PEAK, type, (double)stats.queued_bytes_peak);
    show(process, INFORMER_LISTS, type, (double)stats.lists);
    show(process, INFORMER_WATCHES, type, (double)stats.watches);
    show(process, INFORMER_EVENTS, type, (double)stats.events);
    show(process, INFORMER_BAD_OBJECTS, type, (double)stats.bad_objects);
    show(process, INFORMER_UNUSABLE, type, (double)stats.unusable);
    show(process, INFORMER_BACKOFFS, type, (double)stats.backoffs);
    show(process, INFORMER_HANDLER_SECONDS, type, (double)stats.handler_ms / 1000);
    show(process, INFORMER_FOLDED, type, (double)stats.folded);
    show_age(process, INFORMER_LIST_AGE, type, stats.last_list_ns);
    show_age(process, INFORMER_EVENT_AGE, type, stats.last_event_ns);
    show_age(process, INFORMER_HEARD_AGE, type, stats.last_heard_ns);
    return true;
}

static void show_election(kube__process_metrics *process)
{
    const char *lease = process->parts.lease_name;
    kube_elector_stats stats;
    kube_elector_get_stats(process->parts.elector, &stats);
    show(process, MASTER_STATUS, lease, kube_elector_is_leader(process->parts.elector));
    show(process, SLOW_PATHS, lease, (double)stats.slow_renewals);
    show(process, TRANSITIONS, lease, (double)stats.transitions);
    show(process, RENEWALS, lease, (double)stats.renewals);
    show(process, ELECTION_FAILURES, lease, (double)stats.failures);
    show_age(process, RENEWAL_AGE, lease, stats.last_renewed_ns);
}

static void show_events(kube__process_metrics *process)
{
    kube_recorder_stats stats;
    kube_recorder_get_stats(process->parts.recorder, &stats);
    show(process, RECORDED_EVENTS, NULL, (double)stats.recorded);
    show(process, EVENT_RESULTS, "sent", (double)stats.sent);
    show(process, EVENT_RESULTS, "dropped", (double)stats.dropped);
    show(process, EVENT_RESULTS, "spam", (double)stats.spam);
    show(process, EVENT_RESULTS, "failed", (double)stats.failed);
    show(process, QUEUED_EVENTS, NULL, (double)stats.queued);
}

static void collect(void *arg)
{
    kube__process_metrics *process = arg;
    show_process(process);
    if (process->parts.factory)
        kube_informer_factory_each(process->parts.factory, show_informer, process);
    if (process->parts.elector)
        show_election(process);
    if (process->parts.recorder)
        show_events(process);
}

/* ---- life ----------------------------------------------------------------------------------- */

static bool has(const kube__process_metrics *process, part of)
{
    switch (of) {
    case OF_PROCESS:
        return true;
    case OF_FACTORY:
        return process->parts.factory != NULL;
    case OF_ELECTOR:
        return process->parts.elector != NULL;
    case OF_RECORDER:
        return process->parts.recorder != NULL;
    }
    return false;
}

static kube_code define(kube__process_metrics *process, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t i = 0; i < MEASURES && !rc; i++) {
        if (!has(process, measures[i].of))
            continue;
        rc = measures[i].counter
                 ? kube_metrics_counter(process->registry, measures[i].name, measures[i].help,
                                        measures[i].labels, &process->counters[i], err)
                 : kube_metrics_gauge(process->registry, measures[i].name, measures[i].help,
                                      measures[i].labels, &process->gauges[i], err);
    }
    return rc;
}

kube_code kube__process_metrics_new(kube_metrics *metrics, const kube__process_parts *parts,
                                    kube__process_metrics **out, kube_error *err)
{
    const char *const build[] = {parts->name, kube__text_or_empty(parts->version), kube_version()};
    kube__process_metrics *process = calloc(1, sizeof *process);
    kube_code rc;
    *out = NULL;
    if (!process)
        return kube__no_memory(err, "metrics of the process");
    process->registry = metrics;
    process->parts = *parts;
    process->clock =
        parts->factory ? kube_informer_factory_clock(parts->factory) : kube_clock_system();
    rc = define(process, err);
    if (!rc)
        rc = kube_metrics_add_collector(metrics, collect, process, err);
    if (rc) {
        kube__process_metrics_free(process);
        return rc;
    }
    process->collects = true;
    kube_gauge_set(kube_gauge_with(process->gauges[BUILD_INFO], build), 1);
    show_start(process);
    *out = process;
    return KUBE_OK;
}

void kube__process_metrics_free(kube__process_metrics *process)
{
    if (!process)
        return;
    if (process->collects)
        kube_metrics_remove_collector(process->registry, collect, process);
    free(process);
}
