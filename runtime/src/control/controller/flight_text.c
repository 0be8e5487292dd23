/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the records of the flight recorder as text and as JSON. */
#include "base/units.h"
#include "flight.h"
#include "object/json/writer.h"
#include "reason.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------------------------- */

static bool put(kube__writer *w, const char *text)
{
    return kube__write_bytes(w, text, strlen(text));
}

static bool put_duration(kube__writer *w, const char *before, int64_t ns)
{
    char text[KUBE_TIME_MAX];
    kube_duration_format((kube_duration){ns, true}, text);
    return put(w, before) && put(w, text);
}

/* Cut to microseconds: nobody reads more. */
static int64_t rounded(int64_t ns)
{
    return ns < KUBE__NS_PER_US ? ns : ns - ns % KUBE__NS_PER_US;
}

static bool put_end(kube__writer *w, const kube_flight_record *r)
{
    if (!put(w, ": ") || !put(w, kube_code_name(r->code)))
        return false;
    if (r->code && *r->message && !(put(w, ": ") && put(w, r->message)))
        return false;
    if (r->requeue_after_ms)
        return put_duration(w, ", again after ", kube__ms_to_ns(r->requeue_after_ms));
    return put(w, r->terminal ? " (not tried again)" : "");
}

static bool put_notes(kube__writer *w, const char *notes)
{
    bool ok = true;
    while (ok && *notes) {
        size_t len = strcspn(notes, "\n");
        ok = put(w, "    ") && kube__write_bytes(w, notes, len) && put(w, "\n");
        notes += len + (notes[len] == '\n');
    }
    return ok;
}

static bool put_attempt(kube__writer *w, int attempt)
{
    char text[32];
    if (!attempt)
        return true;
    snprintf(text, sizeof text, ", attempt %d", attempt);
    return put(w, text);
}

static bool put_line(kube__writer *w, const kube_flight_record *r)
{
    char started[KUBE_TIME_MAX];
    char number[24];
    char why[KUBE__REASON_TEXT];
    snprintf(number, sizeof number, "%" PRIu64 " ", r->number);
    kube_micro_time_format(r->started, started);
    kube__reason_format(&r->why, why, sizeof why);
    return put(w, number) && put(w, started) && put(w, " ") && put(w, r->controller) &&
           put(w, ": ") && put(w, r->key.namespace_) && put(w, *r->key.namespace_ ? "/" : "") &&
           put(w, r->key.name) && put(w, " (") && put(w, why) && put_attempt(w, r->attempt) &&
           put_duration(w, ") waited ", rounded(r->waited_ns)) &&
           put_duration(w, ", took ", rounded(r->took_ns)) && put_end(w, r) && put(w, "\n") &&
           put_notes(w, r->notes);
}

static const char *finish(kube__writer *w, kube_ctx *ctx, bool ok)
{
    const char *text = NULL;
    size_t len;
    if (!ok || kube__writer_finish(w, ctx, &text, &len, NULL))
        text = NULL;
    kube__writer_fini(w);
    return text;
}

const char *kube_flight_text(kube_flight *flight, kube_ctx *ctx)
{
    uint64_t end = kube_flight_count(flight);
    kube__flight_slot slot;
    kube__writer w;
    bool ok = true;
    kube__writer_init(&w);
    for (uint64_t n = kube__flight_oldest(flight); ok && n <= end; n++) {
        if (kube__flight_copy(flight, n, &slot))
            ok = put_line(&w, &slot.record);
    }
    return finish(&w, ctx, ok);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static bool put_member(kube__writer *w, const char *name, const char *text)
{
    return put(w, name) && kube__write_string(w, text, strlen(text)) == KUBE__WRITTEN;
}

static bool put_number(kube__writer *w, const char *name, int64_t value)
{
    return put(w, name) && kube__write_int64(w, value);
}

static bool put_why(kube__writer *w, const kube_reason *why)
{
    char text[KUBE__REASON_TEXT];
    kube__reason_format(why, text, sizeof text);
    return put_member(w, ",\"why\":{\"text\":", text) &&
           put_member(w, ",\"what\":", kube_reason_what_name(why->what)) &&
           put_member(w, ",\"kind\":", why->kind) &&
           put_member(w, ",\"namespace\":", why->object.namespace_) &&
           put_member(w, ",\"name\":", why->object.name) &&
           put_member(w, ",\"oldVersion\":", why->old_version) &&
           put_member(w, ",\"newVersion\":", why->new_version) &&
           put_member(w, ",\"changed\":", why->changed) && put_number(w, ",\"more\":", why->more) &&
           put(w, "}");
}

static bool put_note_list(kube__writer *w, const char *notes)
{
    bool ok = put(w, ",\"notes\":[");
    char line[sizeof(((kube__flight_slot *)0)->notes)];
    for (bool first = true; ok && *notes; first = false) {
        size_t len = strcspn(notes, "\n");
        memcpy(line, notes, len);
        line[len] = '\0';
        ok = put_member(w, first ? "" : ",", line);
        notes += len + (notes[len] == '\n');
    }
    return ok && put(w, "]");
}

static bool put_record(kube__writer *w, const kube_flight_record *r)
{
    char started[KUBE_TIME_MAX];
    kube_micro_time_format(r->started, started);
    return put_number(w, "{\"number\":", (int64_t)r->number) &&
           put_member(w, ",\"controller\":", r->controller) &&
           put_member(w, ",\"namespace\":", r->key.namespace_) &&
           put_member(w, ",\"name\":", r->key.name) && put_why(w, &r->why) &&
           put_number(w, ",\"attempt\":", r->attempt) && put_member(w, ",\"started\":", started) &&
           put_number(w, ",\"waitedNs\":", r->waited_ns) &&
           put_number(w, ",\"tookNs\":", r->took_ns) &&
           put_member(w, ",\"code\":", kube_code_name(r->code)) &&
           put_member(w, ",\"message\":", r->message) && put_note_list(w, r->notes) &&
           put_number(w, ",\"requeueAfterMs\":", r->requeue_after_ms) &&
           put(w, r->terminal ? ",\"terminal\":true}" : ",\"terminal\":false}");
}

typedef struct json {
    kube__writer w;
    bool ok;
    bool any;
} json;

static bool visit(void *arg, const kube_flight_record *record)
{
    json *j = arg;
    j->ok = put(&j->w, j->any ? ",\n" : "") && put_record(&j->w, record);
    j->any = true;
    return j->ok;
}

const char *kube_flight_json(kube_flight *flight, kube_ctx *ctx)
{
    json j = {.ok = true};
    kube__writer_init(&j.w);
    j.ok = put(&j.w, "[");
    if (j.ok)
        kube_flight_each(flight, visit, &j);
    return finish(&j.w, ctx, j.ok && put(&j.w, "]\n"));
}
