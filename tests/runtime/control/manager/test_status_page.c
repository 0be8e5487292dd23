/* SPDX-License-Identifier: Apache-2.0 */
/* With a directory as its argument it only writes rich.html and empty.html there, for browsers. */
#include "status_world.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static status_world w;
static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    status_world_fini(&w);
    kube_ctx_free(ctx);
}

/* ---- what a reader sees --------------------------------------------------------------------- */

static const struct {
    const char *markup;
    const char *text;
} seen_as[] = {
    {"</span></td>", " | "}, {"</span></th>", " | "}, {"</th>", " | "},
    {"</dt>", ": "},         {"&lt;", "<"},           {"&gt;", ">"},
    {"&quot;", "\""},        {"&#39;", "'"},          {"&amp;", "&"},
};

/* The page as lines of text, tags left out. */
static const char *visible(const char *page)
{
    char *out = kube_ctx_alloc(ctx, strlen(page) + 1);
    size_t len = 0;
    const char *s = strstr(page, "<body>");
    while (*s) {
        size_t i = 0;
        while (i < sizeof seen_as / sizeof *seen_as &&
               strncmp(s, seen_as[i].markup, strlen(seen_as[i].markup)) != 0)
            i++;
        if (i < sizeof seen_as / sizeof *seen_as) {
            len += (size_t)sprintf(out + len, "%s", seen_as[i].text);
            s += strlen(seen_as[i].markup);
        } else if (*s == '<') {
            s = strchr(s, '>') + 1;
        } else if (*s != '\n' || (len && out[len - 1] != '\n')) {
            out[len++] = *s++;
        } else {
            s++;
        }
    }
    return out;
}

/* Shows the first line that differs: a whole page is too long for a message of Check. */
static void expect_start(const char *text, const char *expected)
{
    while (*expected) {
        size_t len = strcspn(text, "\n");
        size_t expected_len = strcspn(expected, "\n");
        if (!expected[expected_len] && len > expected_len)
            len = expected_len; /* the beginning of a line */
        ck_assert_str_eq(kube_ctx_strndup(ctx, text, len),
                         kube_ctx_strndup(ctx, expected, expected_len));
        text += len + (text[len] != 0);
        expected += expected_len + (expected[expected_len] != 0);
    }
}

FIXTURE(set_up, tear_down);

TEST(shows_all_that_a_manager_has)
{
    const char *text;
    status_world_init(&w);
    text = visible(kube__status_page(ctx, &w.view));
    expect_start(
        text,
        "network-controller\nnot ready\n"
        "Process\n"
        "Version: 1.4.0 <beta>\xEF\xBF\xBD\xEF\xBF\xBD\n"
        "libkube: 0.1.0\n"
        "Up for: 1 min 5 s\n"
        "API server: https://10.96.0.1:443\n"
        "Namespace: default\n"
        "Leader: nobody yet\n"
        "Our identity: pod-7\n"
        "Last renewal of the lease: never\n"
        "Became leader: 0\n"
        "Failed election rounds: 0\n"
        "Readiness\n"
        "✓ ping\n"
        "✗ store: no answer from <db> & \"co\"\n"
        "Controllers\nQueues and workers\n"
        "Name | Workers busy | Queued | In work | Delayed | Added | Retries | Runs | Failures | "
        "Interrupted | Last run | \n"
        "networks | 0 of 4 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | never | \n"
        "Last reconciles\nNewest first, at most 50\n"
        "When | Controller | Object | Why | Attempt | Took | Waited | Result | Notes | \n"
        "just now | networks | default/blue | update of Network default/<script>alert(1)</script> "
        "12 -> 13 (spec.cidr,metadata.annotations[\"<b>\"]) | 0 | 20 ms | 900 µs | "
        "ok, again in 1 min 30 s | created route 10.1.0.0/16 | \n"
        "1 min 5 s ago | networks | default/<script>alert(1)</script> | update of Network "
        "default/<script>alert(1)</script> 12 -> 13 (spec.cidr,metadata.annotations[\"<b>\"]) | 2 "
        "| 1.5 s | 12 ms | conflict the object \"a&b\" <was> changed "
        "(not tried again) | read it\nwrote 'it' | \n"
        "1 h 1 min ago | networks | default/a-name-as-long-as-they-may-be-0123456789-0123456789-"
        "0123456789-0123456789-0123456789-0123456789-0123456789-0123456789-0123456789-0123456789-"
        "0123456789-0123456789-0123456789-0123456789-0123456789 | retry | 0 | 250 µs | 0 µs | ok | "
        "none | \n"
        "Caches\nWhat is cached of the API server, and how fresh it is\n"
        "Type | State | Objects | Size | Last list | Last event | Heard | Lists | Watches | "
        "Events | Bad objects | Last error | \n"
        "networks.v1.samplecrd.k8s.io | synced | 2 | ");
    expect_start(strstr(text, " | 1 min 5 s ago | 1"),
                 " | 1 min 5 s ago | 1 min 5 s ago | 1 min 5 s ago | 0 | 1 | 3 | 0 | none | \n"
                 "Events\nRecorded: 3\nSent: 0\nWaiting: 0\nOver an object's budget: 0\n"
                 "Dropped: 0\nFailed: 0\n"
                 "Metrics\nHealth\nReadiness\nReconciles as text\nReconciles as JSON\n"
                 "As of 2026-11-21T02:41:28Z; the page loads itself anew every 10 s.\n");
}

TEST(what_there_is_none_of_is_said_in_words)
{
    status_world_init_empty(&w);
    expect_start(visible(kube__status_page(ctx, &w.view)),
                 "network-controller\nready\n"
                 "Process\n"
                 "Version: not given\n"
                 "libkube: 0.1.0\n"
                 "Up for: 0 µs\n"
                 "Namespace: all\n"
                 "Leader: no leader election: every replica works\n"
                 "Readiness\n✓ ping\n"
                 "Controllers\nQueues and workers\n"
                 "Name | Workers busy | Queued | In work | Delayed | Added | Retries | Runs | "
                 "Failures | Interrupted | Last run | \n"
                 "There is no controller.\n"
                 "Last reconciles\nNewest first, at most 50\n"
                 "When | Controller | Object | Why | Attempt | Took | Waited | Result | Notes "
                 "| \n"
                 "Nothing has been reconciled yet.\n"
                 "Caches\nWhat is cached of the API server, and how fresh it is\n"
                 "Type | State | Objects | Size | Last list | Last event | Heard | Lists | "
                 "Watches | Events | Bad objects | Last error | \n"
                 "Nothing is cached.\n"
                 "Metrics\nHealth\nReadiness\nReconciles as text\nReconciles as JSON\n"
                 "As of 2026-11-21T02:40:23Z; the page loads itself anew every 10 s.\n");
}

/* ---- form ----------------------------------------------------------------------------------- */

enum { DEPTH = 32, NAME = 16 };

/* Reads the tag at @s, "<…>", and says where it ends; attributes are name="value". */
static const char *check_tag(const char *s, char stack[DEPTH][NAME], int *depth)
{
    bool closing = s[1] == '/';
    char name[NAME] = "";
    size_t len = strcspn(s + 1 + closing, " />");
    ck_assert_uint_lt(len, NAME);
    memcpy(name, s + 1 + closing, len);
    s += 1 + closing + len;
    while (*s == ' ') {
        s += 1 + strcspn(s + 1, "=<>/\" ");
        ck_assert_msg(strncmp(s, "=\"", 2) == 0, "attribute without value in <%s>", name);
        s += 2 + strcspn(s + 2, "\"<");
        ck_assert_int_eq(*s, '"');
        s++;
    }
    if (strncmp(s, "/>", 2) == 0)
        return s + 2;
    ck_assert_msg(*s == '>', "<%s> does not end: %.20s", name, s);
    if (!closing) {
        ck_assert_int_lt(*depth, DEPTH);
        memcpy(stack[(*depth)++], name, NAME);
    } else {
        ck_assert_msg(*depth > 0 && strcmp(stack[*depth - 1], name) == 0, "</%s> ends <%s>", name,
                      *depth > 0 ? stack[*depth - 1] : "");
        --*depth;
    }
    return s + 1;
}

static void expect_well_formed(const char *page)
{
    const char *doctype = "<!DOCTYPE html>\n";
    char stack[DEPTH][NAME];
    int depth = 0;
    ck_assert_int_eq(strncmp(page, doctype, strlen(doctype)), 0);
    for (const char *s = page + strlen(doctype); *s;) {
        if (*s == '<') {
            s = check_tag(s, stack, &depth);
            continue;
        }
        ck_assert_msg((unsigned char)*s >= 0x20 || *s == '\n', "control character %d", *s);
        ck_assert_msg(*s != '&' || strchr("lgqa#", s[1]), "bare & before %.20s", s);
        s++;
    }
    ck_assert_int_eq(depth, 0);
}

static void enter_more(status_world *world, int count)
{
    kube_flight_record record = {.controller = "networks",
                                 .key = {"", "cluster-wide"},
                                 .why = {KUBE_REASON_ENQUEUE, "", "", "", "", {"", ""}, 0},
                                 .message = "",
                                 .notes = ""};
    for (int i = 0; i < count; i++)
        kube_flight_enter(world->flight, &record);
}

static size_t count_of(const char *page, const char *what)
{
    size_t count = 0;
    for (; (page = strstr(page, what)) != NULL; page++)
        count++;
    return count;
}

TEST(bad_objects_are_named)
{
    kube_informer_stats stats;
    const char *text;
    status_world_init(&w);
    for (char name[2] = "p"; *name < 't'; ++*name)
        answer_bad_object(w.stream, KUBE_WATCH_ADDED, name, "spec.cidr: <a number>");
    do
        kube_informer_get_stats(w.cache.informer, &stats);
    while (stats.unusable < 4);
    text = visible(kube__status_page(ctx, &w.view));
    ck_assert_msg(strstr(text, " | 4; ns/p: spec.cidr: <a number>; ns/q: spec.cidr: <a number>; "
                               "ns/r: spec.cidr: <a number> | none | "),
                  "%s", text);
}

TEST(every_tag_is_closed_and_no_text_breaks_out)
{
    const char *page;
    status_world_init(&w);
    page = kube__status_page(ctx, &w.view);
    expect_well_formed(page);
    ck_assert_ptr_null(strstr(page, "<script"));
    ck_assert_ptr_null(strstr(page, "src="));
    ck_assert_ptr_null(strstr(page, "url("));
    ck_assert_uint_eq(count_of(page, "http-equiv=\"refresh\" content=\"10\""), 1);
    w.view.refresh_s = 0;
    ck_assert_ptr_null(strstr(kube__status_page(ctx, &w.view), "http-equiv"));
}

TEST(an_empty_page_is_well_formed_too)
{
    status_world_init_empty(&w);
    expect_well_formed(kube__status_page(ctx, &w.view));
}

TEST(at_most_fifty_reconciles_are_shown)
{
    status_world_init_empty(&w);
    enter_more(&w, 80);
    ck_assert_uint_eq(count_of(kube__status_page(ctx, &w.view), "<time datetime="), 51);
}

TEST(parts_that_are_not_there_are_left_out)
{
    kube__status_view bare = {.name = "x", .clock = kube_clock_system()};
    const char *page;
    status_world_init_empty(&w);
    page = kube__status_page(ctx, &bare);
    expect_well_formed(page);
    ck_assert_ptr_null(strstr(page, "Caches"));
    ck_assert_ptr_null(strstr(page, "Events"));
    ck_assert_ptr_null(strstr(page, "reconciles"));
    ck_assert_ptr_null(strstr(page, "API server"));
}

static bool make_page(void *arg)
{
    kube_ctx *own = kube_ctx_new();
    const char *page = own ? kube__status_page(own, arg) : NULL;
    bool made = page != NULL;
    kube_ctx_free(own);
    return made;
}

TEST(without_memory_there_is_no_page_and_nothing_is_lost)
{
    status_world_init(&w);
    ck_assert_uint_gt(fail_malloc_replay(make_page, &w.view), 0);
}

/* ---- for browsers --------------------------------------------------------------------------- */

static void write_page(const char *dir, const char *name)
{
    const char *page = kube__status_page(ctx, &w.view);
    FILE *file = fopen(kube_printf(ctx, "%s/%s", dir, name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(page, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* test_status_page.sh says where it wants them. */
TEST(pages_are_written)
{
    const char *dir = getenv("STATUS_PAGES");
    status_world_init(&w);
    if (!dir)
        return;
    write_page(dir, "rich.html");
    status_world_fini(&w);
    status_world_init_empty(&w);
    write_page(dir, "empty.html");
}
