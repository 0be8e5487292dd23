/* SPDX-License-Identifier: Apache-2.0 */
#include "object/block/block.h"
#include "object/stream/stream.h"
#include "object_kit.h"
#include "support/fail_malloc.h"

#include <stdio.h>

/* What a sink has seen, as lines of text. */
typedef struct seen {
    char text[65536];
    size_t len;
    size_t count;
    size_t json_len;
    size_t largest;
    kube_code answer; /* what the sink returns */
    kube_object *kept;
} seen;

static seen got;
static bool bad_keys; /* bad objects are noted by their keys */
static bool reasons;  /* by their reasons */
static bool named;    /* objects must have a name */

static void note(const char *format, ...) KUBE_PRINTF(1, 2);

static void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(got.text + got.len, sizeof got.text - got.len, format, args);
    va_end(args);
    if (len > 0 && got.len + (size_t)len < sizeof got.text)
        got.len += (size_t)len;
}

static kube_code see(void *arg, const kube__item *item, kube_error *err)
{
    static const char *const names[] = {"added", "modified", "deleted", "bookmark", "error", "bad"};
    ck_assert_ptr_eq(arg, &got);
    got.count++;
    got.json_len += item->json_len;
    if (item->json_len > got.largest)
        got.largest = item->json_len;
    note("%s", names[item->type]);
    if (item->object) {
        const fixture_widget *w = (const fixture_widget *)(const void *)item->object;
        ck_assert_uint_ne(w->base.block->flags & KUBE__BLOCK_SEALED, 0);
        note(" %s", w->metadata.name ? w->metadata.name : "-");
        if (got.kept)
            kube_object_unref(got.kept);
        got.kept = item->object;
    }
    if (item->resource_version)
        note(" @%s", item->resource_version);
    if (item->initial_events_end)
        note(" end");
    if (bad_keys && item->type == KUBE_WATCH_BAD)
        note(" %s %s/%s", item->bad ? names[item->bad->type] : "?",
             item->bad ? item->bad->namespace_ : "", item->bad ? item->bad->name : "");
    else if (reasons && item->bad)
        note(" %s/%s: %s (%s)", item->bad->namespace_, item->bad->name, item->bad->reason,
             item->bad->field);
    else if (item->error)
        note(" %s (%s)", item->error->message, item->error->field);
    note("\n");
    if (got.answer)
        return kube_error_set(err, got.answer, "the sink has enough");
    return KUBE_OK;
}

static void forget(void)
{
    kube_object_unref(got.kept);
    memset(&got, 0, sizeof got);
}

static kube__stream *new_stream(kube__stream_form form, size_t max_item_bytes)
{
    kube__stream_options options = {
        .form = form, .intern = true, .named = named, .max_item_bytes = max_item_bytes};
    kube__stream *stream = NULL;
    kube_error err;
    ck_assert_int_eq(kube__stream_new(&fixture_widget_type, &options, see, &got, &stream, &err),
                     KUBE_OK);
    return stream;
}

static kube_code feed_in(kube__stream *stream, const char *text, size_t len, size_t chunk,
                         kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t at = 0; at < len && rc == KUBE_OK; at += chunk) {
        size_t left = len - at;
        /* From memory of its own, so that a read beyond it is found. */
        size_t n = left < chunk ? left : chunk;
        char *copy = malloc(n);
        memcpy(copy, text + at, n);
        rc = kube__stream_feed(stream, copy, n, err);
        free(copy);
    }
    return rc == KUBE_OK ? kube__stream_finish(stream, err) : rc;
}

static const size_t chunks[] = {1, 2, 3, 7, 13, 64, 100, 1000, 3001, 1 << 20};

/* Whatever the chunks, @text gives @expected lines and @code. */
static void check_all(kube__stream_form form, const char *text, kube_code code,
                      const char *expected, const char *message)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        forget();
        kube__stream *stream = new_stream(form, 0);
        kube_error err = {.message = ""};
        kube_code rc = feed_in(stream, text, len, chunks[i], &err);
        ck_assert_msg(rc == code, "chunk %zu: code %s, %s\n%s", chunks[i], kube_code_name(rc),
                      err.message, got.text);
        ck_assert_msg(strcmp(got.text, expected) == 0, "chunk %zu:\n%s\nexpected\n%s", chunks[i],
                      got.text, expected);
        if (message)
            ck_assert_msg(strstr(err.message, message) != NULL, "chunk %zu: %s", chunks[i],
                          err.message);
        kube__stream_free(stream);
    }
    forget();
}

#define HEAD "{\"apiVersion\":\"test.kube.dev/v1\","
#define ITEM(name, version)                                                                        \
    "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"" name      \
    "\",\"resourceVersion\":\"" version "\"}}"

#define EVENT(type, object) "{\"type\":\"" type "\",\"object\":" object "}"

static const char custom_order[] = HEAD "\"items\":[" ITEM("a", "1") "," ITEM(
    "b", "2") "],\"kind\":\"WidgetList\","
              "\"metadata\":{\"continue\":\"next\",\"remainingItemCount\":0,"
              "\"resourceVersion\":\"9\"}}\n";
static const char builtin_order[] =
    "{ \"kind\" : \"WidgetList\", \"apiVersion\" : \"test.kube.dev/v1\",\n \"metadata\" : "
    "{\"resourceVersion\":\"9\",\"continue\":\"next\",\"remainingItemCount\":0} , \"items\" : [\n"
    "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}} ,\n"
    "{\"metadata\":{\"name\":\"b\",\"resourceVersion\":\"2\"}} ] , \"more\":[{\"]\":\"\\\"\"}] } ";

TEST(a_list_is_read_in_either_key_order)
{
    check_all(KUBE__STREAM_LIST, custom_order, KUBE_OK, "added a @1\nadded b @2\n", NULL);
    check_all(KUBE__STREAM_LIST, builtin_order, KUBE_OK, "added a @1\nadded b @2\n", NULL);
}

TEST(list_metadata_is_known_at_the_end_only)
{
    const char *const texts[] = {custom_order, builtin_order};
    for (size_t i = 0; i < 2; i++) {
        forget();
        kube__stream *stream = new_stream(KUBE__STREAM_LIST, 0);
        kube_error err;
        ck_assert_int_eq(kube__stream_feed(stream, texts[i], strlen(texts[i]), &err), KUBE_OK);
        ck_assert_ptr_null(kube__stream_list_meta(stream)->resource_version);
        ck_assert_int_eq(kube__stream_finish(stream, &err), KUBE_OK);
        const kube_list_meta *meta = kube__stream_list_meta(stream);
        ck_assert_str_eq(meta->resource_version, "9");
        ck_assert_str_eq(meta->continue_, "next");
        ck_assert(meta->remaining_item_count.set);
        kube__stream_reset(stream, KUBE__STREAM_WATCH);
        ck_assert_ptr_null(kube__stream_list_meta(stream)->resource_version);
        kube__stream_free(stream);
    }
    forget();
}

TEST(items_are_delivered_as_they_end)
{
    forget();
    kube__stream *stream = new_stream(KUBE__STREAM_LIST, 0);
    kube_error err;
    const char *first_end = strstr(custom_order, "}},") + 2;
    size_t len = (size_t)(first_end - custom_order);
    ck_assert_int_eq(kube__stream_feed(stream, custom_order, len - 1, &err), KUBE_OK);
    ck_assert_uint_eq(got.count, 0);
    ck_assert_int_eq(kube__stream_feed(stream, custom_order + len - 1, 1, &err), KUBE_OK);
    ck_assert_uint_eq(got.count, 1);
    ck_assert_int_eq(kube__stream_finish(stream, &err), KUBE_ERR_DECODE);
    ck_assert_ptr_nonnull(strstr(err.message, "ends in the middle, at items[1]"));
    kube__stream_free(stream);
    forget();
}

TEST(empty_lists_come_in_three_spellings)
{
    check_all(KUBE__STREAM_LIST, HEAD "\"kind\":\"WidgetList\",\"items\":[ ]}", KUBE_OK, "", NULL);
    check_all(KUBE__STREAM_LIST, HEAD "\"kind\":\"WidgetList\",\"items\":null}", KUBE_OK, "", NULL);
    check_all(KUBE__STREAM_LIST, HEAD "\"kind\":\"WidgetList\"}", KUBE_OK, "", NULL);
}

TEST(an_object_that_is_no_list_is_not_an_empty_one)
{
    static const char *const texts[] = {"{}", " {} ", "{\"metadata\":{\"resourceVersion\":\"9\"}}",
                                        HEAD "\"metadata\":{}}", "{\"error\":\"no upstream\"}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_all(KUBE__STREAM_LIST, texts[i], KUBE_ERR_DECODE, "",
                  "the answer is not a list: it has neither kind nor items");
}

TEST(what_is_no_list_is_refused)
{
    check_all(KUBE__STREAM_LIST, "null", KUBE_ERR_DECODE, "", "expected an object, found null");
    check_all(KUBE__STREAM_LIST, "[]", KUBE_ERR_DECODE, "", "expected an object, found a list");
    check_all(KUBE__STREAM_LIST, "", KUBE_ERR_DECODE, "", "the answer is empty");
    check_all(KUBE__STREAM_LIST, " \n", KUBE_ERR_DECODE, "", "the answer is empty");
    check_all(KUBE__STREAM_LIST, "<html><body>proxy</body></html>", KUBE_ERR_DECODE, "",
              "expected a value");
    check_all(KUBE__STREAM_LIST, "{\"items\":{}}", KUBE_ERR_DECODE, "",
              "items: expected a list, found an object");
    check_all(KUBE__STREAM_LIST, "{\"items\":[]}x", KUBE_ERR_DECODE, "", "text after the document");
    check_all(KUBE__STREAM_LIST, "{\"items\":[],}", KUBE_ERR_DECODE, "", "expected a member name");
    check_all(KUBE__STREAM_LIST, "{\"items\":[{}", KUBE_ERR_DECODE, "added -\n",
              "ends in the middle");
    check_all(KUBE__STREAM_LIST, "{\"items\":[{},]}", KUBE_ERR_DECODE, "added -\n",
              "items[1]: expected a value");
    check_all(KUBE__STREAM_LIST, "{\"items\":[{}{}]}", KUBE_ERR_DECODE, "added -\n",
              "expected ',' or ']'");
    check_all(KUBE__STREAM_LIST, "{\"items\":[{\"spec\":{]}]}", KUBE_ERR_DECODE, "",
              "items[0].spec: expected a member name");
    check_all(KUBE__STREAM_LIST, "{\"metadata\":{\"resourceVersion\":7},\"items\":[]}",
              KUBE_ERR_DECODE, "", "metadata.resourceVersion: expected a string, found a number");
    check_all(KUBE__STREAM_LIST, "{\"x\":[1,}", KUBE_ERR_DECODE, "", "x: expected a value");
}

TEST(a_list_of_another_type_is_refused)
{
    check_all(KUBE__STREAM_LIST, "{\"kind\":\"Table\",\"items\":[{}]}", KUBE_ERR_DECODE, "",
              "expected kind WidgetList, found \"Table\"");
    check_all(KUBE__STREAM_LIST, "{\"apiVersion\":\"v1\",\"items\":[{}]}", KUBE_ERR_DECODE, "",
              "expected apiVersion test.kube.dev/v1, found \"v1\"");
    check_all(KUBE__STREAM_LIST, "{\"items\":[{}],\"kind\":\"GadgetList\"}", KUBE_ERR_DECODE,
              "added -\n", "expected kind WidgetList, found \"GadgetList\"");
}

TEST(a_bad_item_does_not_stop_the_others)
{
    static const char *const bad[][2] = {
        {"{\"spec\":{\"i32\":\"x\",\"text\":\"}]\\\\\"}}",
         "items[1].spec.i32: expected an integer, found a string (offset %d) (items[1].spec.i32)"},
        {"5", "items[1]: expected an object, found a number (offset %d) (items[1])"},
        {"null", "items[1]: expected an object, found null (offset %d) (items[1])"},
        {"\"},{\"", "items[1]: expected an object, found a string (offset %d) (items[1])"},
        {"[[{}],\"]\"]", "items[1]: expected an object, found a list (offset %d) (items[1])"},
        {"{\"kind\":\"Gadget\",\"metadata\":{\"name\":\"g\"}}",
         "items[1].kind: expected kind Widget, found Gadget (offset %d) (items[1].kind)"},
        {"{\"spec\":{\"text\":\"\xff\"}}", "items[1].spec.text: bad UTF-8 (offset %d) "
                                           "(items[1].spec.text)"},
    };
    static const int offsets[] = {15, 0, 0, 0, 0, 8, 17};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *text = kube_printf(
            ctx, "{\"items\":[{\"metadata\":{\"name\":\"a\"}},%s,{\"metadata\":{\"name\":\"c\"}}]}",
            bad[i][0]);
        int first = (int)(strstr(text, "},") + 2 - text);
        char line[256];
        snprintf(line, sizeof line, bad[i][1], first + offsets[i]);
        check_all(KUBE__STREAM_LIST, text, KUBE_OK,
                  kube_printf(ctx, "added a\nbad %s\nadded c\n", line), NULL);
    }
}

#define LONG_NAME                                                                                  \
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"

/* Its name is found before what is wrong and after it, and nowhere else than in its metadata. */
TEST(a_bad_object_is_known_by_its_metadata)
{
    static const char *const bad[][2] = {
        {"{\"metadata\":{\"name\":\"b\",\"namespace\":\"ns\"},\"spec\":{\"i32\":\"x\"}}", "ns/b"},
        {"{\"spec\":{\"name\":\"no\",\"i32\":\"x\"},\"metadata\":{\"labels\":{\"name\":\"no\"},"
         "\"namespace\":\"ns\",\"name\":\"b\"}}",
         "ns/b"},
        {" { \"metadata\" : { \"name\" : \"b\" , \"x\" : [ { } ] } , \"spec\" : 5 } ", "/b"},
        {"{\"metadata\":{\"name\":\"b\",\"labels\":5}}", "/b"},
        {"{\"metadata\":{\"name\":5}}", NULL},
        {"{\"metadata\":{\"name\":\"\\u0062\",\"labels\":5}}", NULL},
        {"{\"metadata\":{\"namespace\":\"" LONG_NAME "\",\"name\":\"b\",\"labels\":5}}", NULL},
        {"{\"metadata\":5}", NULL},
        {"{\"spec\":5}", NULL},
        {"5", NULL},
    };
    bad_keys = true;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *key = bad[i][1] ? bad[i][1] : "/";
        check_all(KUBE__STREAM_LIST, kube_printf(ctx, "{\"items\":[%s,{}]}", bad[i][0]), KUBE_OK,
                  kube_printf(ctx, "bad %s %s\nadded -\n", bad[i][1] ? "added" : "?", key), NULL);
        check_all(KUBE__STREAM_WATCH,
                  kube_printf(ctx, "{\"type\":\"DELETED\",\"object\":%s}", bad[i][0]), KUBE_OK,
                  kube_printf(ctx, "bad %s %s\n", bad[i][1] ? "deleted" : "?", key), NULL);
    }
    bad_keys = false;
}

/* The reason is the same wherever the object stood: what has not changed is not told again. */
TEST(the_reason_of_a_bad_object_has_paths_of_its_own)
{
    static const char *const bad[][2] = {
        {"{\"metadata\":{\"name\":\"b\"},\"spec\":{\"i32\":\"x\"}}",
         "spec.i32: expected an integer, found a string (spec.i32)"},
        {"{\"metadata\":{\"name\":\"b\"},\"kind\":\"Gadget\"}",
         "kind: expected kind Widget, found Gadget (kind)"},
    };
    reasons = true;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *expected = kube_printf(ctx, "bad /b: %s\n", bad[i][1]);
        check_all(KUBE__STREAM_LIST,
                  kube_printf(ctx, "{\"items\":[{\"metadata\":{\"name\":\"a\"}},%s]}", bad[i][0]),
                  KUBE_OK, kube_printf(ctx, "added a\n%s", expected), NULL);
        check_all(KUBE__STREAM_WATCH,
                  kube_printf(ctx, "{\"type\":\"ADDED\",\"object\":%s}", bad[i][0]), KUBE_OK,
                  expected, NULL);
        check_all(KUBE__STREAM_OBJECT, bad[i][0], KUBE_ERR_UNDECODABLE, "", NULL);
    }
    reasons = false;
}

TEST(a_name_that_no_object_can_have_is_refused)
{
    static const char *const flaws[][3] = {
        {"\"name\":\"..\"", "name", "is \".\" or \"..\""},
        {"\"name\":\".\"", "name", "is \".\" or \"..\""},
        {"\"name\":\"../../a\"", "name", "holds \"/\" or \"%\""},
        {"\"name\":\"a\\u002fb\"", "name", "holds \"/\" or \"%\""},
        {"\"name\":\"..%2fa\"", "name", "holds \"/\" or \"%\""},
        {"\"name\":\"a\\nb\"", "name", "holds a control character or bad UTF-8"},
        {"\"name\":\"a\\u001b[2J\"", "name", "holds a control character or bad UTF-8"},
        {"\"name\":\"a\\u007f\"", "name", "holds a control character or bad UTF-8"},
        {"\"name\":\"a\",\"namespace\":\"..\"", "namespace", "is \".\" or \"..\""},
        {"\"namespace\":\"a/b\"", "namespace", "holds \"/\" or \"%\""},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        const char *member = flaws[i][1];
        const char *object = kube_printf(ctx, "{\"metadata\":{%s}}", flaws[i][0]);
        const char *why =
            kube_printf(ctx, "metadata.%s: no object can have a name that %s", member, flaws[i][2]);
        check_all(
            KUBE__STREAM_LIST, kube_printf(ctx, "{\"items\":[%s,{}]}", object), KUBE_OK,
            kube_printf(ctx, "bad items[0].%s (items[0].metadata.%s)\nadded -\n", why, member),
            NULL);
        check_all(KUBE__STREAM_WATCH,
                  kube_printf(ctx, "{\"type\":\"DELETED\",\"object\":%s}", object), KUBE_OK,
                  kube_printf(ctx, "bad object.%s (object.metadata.%s)\n", why, member), NULL);
        check_all(KUBE__STREAM_OBJECT, object, KUBE_OK,
                  kube_printf(ctx, "bad %s (metadata.%s)\n", why, member), NULL);
    }
    named = true;
    check_all(KUBE__STREAM_OBJECT, "{}", KUBE_OK,
              "bad metadata.name: no object can have a name that is empty (metadata.name)\n", NULL);
    check_all(KUBE__STREAM_WATCH, EVENT("BOOKMARK", "{}"), KUBE_OK, "bookmark\n", NULL);
    named = false;
}

/* Nor is it the key of one that does not decode. */
TEST(a_bad_object_has_no_unusable_key)
{
    static const char *const names[] = {"..", "a/b", "a%b", "a\x01", "a\x7f", "a\xff", "a\xc0\x80"};
    bad_keys = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_all(KUBE__STREAM_WATCH,
                  kube_printf(ctx, EVENT("ADDED", "{\"kind\":5,\"metadata\":{\"name\":\"%s\"}}"),
                              names[i]),
                  KUBE_OK, "bad ? /\n", NULL);
        check_all(KUBE__STREAM_WATCH,
                  kube_printf(ctx,
                              EVENT("ADDED", "{\"kind\":5,\"metadata\":{\"name\":\"a\","
                                             "\"namespace\":\"%s\"}}"),
                              names[i]),
                  KUBE_OK, "bad ? /\n", NULL);
    }
    bad_keys = false;
}

TEST(one_object_is_read)
{
    check_all(KUBE__STREAM_OBJECT, ITEM("a", "1") "\n", KUBE_OK, "added a @1\n", NULL);
    check_all(KUBE__STREAM_OBJECT, "{}", KUBE_OK, "added -\n", NULL);
    check_all(KUBE__STREAM_OBJECT, "{\"spec\":{\"i32\":\"x\"}}", KUBE_ERR_DECODE, "",
              "spec.i32: expected an integer, found a string (offset 15)");
    check_all(KUBE__STREAM_OBJECT, "null", KUBE_ERR_DECODE, "", "expected an object, found null");
    check_all(KUBE__STREAM_OBJECT, "{}{}", KUBE_ERR_DECODE, "added -\n", "text after the document");
    check_all(KUBE__STREAM_OBJECT, "", KUBE_ERR_DECODE, "", "the answer is empty");
    check_all(KUBE__STREAM_OBJECT, "{\"spec\":", KUBE_ERR_DECODE, "", "ends in the middle");
}

#define STATUS                                                                                     \
    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","           \
    "\"message\":\"too old resource version: 1 (216)\",\"reason\":\"Expired\",\"code\":410}"
#define STATUS_SORTED                                                                              \
    "{\"apiVersion\":\"v1\",\"code\":410,\"kind\":\"Status\",\"message\":\"too old resource "      \
    "version: 1 (216)\",\"metadata\":{},\"reason\":\"Expired\",\"status\":\"Failure\"}"

/* REQ-6 */
TEST(a_failure_in_a_good_answer_is_an_error)
{
    const kube__stream_form forms[] = {KUBE__STREAM_OBJECT, KUBE__STREAM_LIST, KUBE__STREAM_WATCH};
    for (size_t i = 0; i < 3; i++) {
        check_all(forms[i], STATUS, KUBE_ERR_EXPIRED, "", "too old resource version: 1 (216)");
        check_all(forms[i], STATUS_SORTED, KUBE_ERR_EXPIRED, "", "too old resource version");
    }
    check_all(KUBE__STREAM_OBJECT, "{\"kind\":\"Status\",\"status\":\"Success\"}", KUBE_ERR_DECODE,
              "", "expected kind Widget, found Status");
}

#define MARK                                                                                       \
    "{\"kind\":\"Widget\",\"apiVersion\":\"test.kube.dev/v1\",\"metadata\":{"                      \
    "\"resourceVersion\":\"260\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}"

TEST(a_watch_is_read)
{
    static const char expected[] = "added a @1\nmodified a @2\nbookmark @260 end\ndeleted a @3\n"
                                   "error too old resource version: 1 (216) ()\n";
    /* Lines, none between, blank ones. */
    check_all(KUBE__STREAM_WATCH,
              EVENT("ADDED", ITEM("a", "1")) "\n" EVENT("MODIFIED", ITEM("a", "2")) "\n" EVENT(
                  "BOOKMARK", MARK) "\n" EVENT("DELETED", ITEM("a", "3")) "\n" EVENT("ERROR",
                                                                                     STATUS) "\n",
              KUBE_OK, expected, NULL);
    check_all(KUBE__STREAM_WATCH,
              EVENT("ADDED", ITEM("a", "1"))
                  EVENT("MODIFIED", ITEM("a", "2")) "\r\n\n \t" EVENT("BOOKMARK", MARK)
                      EVENT("DELETED", ITEM("a", "3")) EVENT("ERROR", STATUS_SORTED),
              KUBE_OK, expected, NULL);
    /* The other key order, blanks, a member that nobody knows. */
    check_all(KUBE__STREAM_WATCH,
              "{\"object\":" ITEM("a", "1") ",\"type\":\"ADDED\"}\n{ \"object\" : " ITEM(
                  "a", "2") " , \"new\" : [ {} ] , \"type\" : \"MODIFIED\" }\n{\"object\":" MARK
                            ",\"type\":\"BOOKMARK\"}\n{\"object\":" ITEM(
                                "a", "3") ",\"type\":\"DELETED\"}\n{\"object\":" STATUS
                                          ",\"type\":\"ERROR\"}\n",
              KUBE_OK, expected, NULL);
    check_all(KUBE__STREAM_WATCH, "", KUBE_OK, "", NULL);
}

TEST(a_bookmark_ends_the_list_only_when_it_says_so)
{
    check_all(KUBE__STREAM_WATCH,
              EVENT("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"5\",\"annotations\":"
                                "{\"k8s.io/initial-events-end\":\"false\"}}}")
                  EVENT("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"6\"}}"),
              KUBE_OK, "bookmark @5\nbookmark @6\n", NULL);
}

/* Peers: TestRealFIFO_PopMultipleDeltaInBatch, TestRealFIFO_PopBrokenItemsInBatch */
TEST(a_bad_event_does_not_stop_the_others)
{
    static const struct {
        const char *event;
        const char *line;
        size_t offset; /* in the event */
    } bad[] = {
        {EVENT("ADDED", "{\"spec\":{\"i32\":\"}\"}}"),
         "object.spec.i32: expected an integer, found a string (offset %zu) (object.spec.i32)", 40},
        {"{\"object\":{\"spec\":{\"on\":1}},\"type\":\"ADDED\"}",
         "object.spec.on: expected true or false, found a number (offset %zu) (object.spec.on)",
         24},
        {EVENT("REPLACED", "{}"), "event of unknown type \"REPLACED\" ()", 0},
        {EVENT("A-TYPE-LONGER-THAN-ANY-THAT-IS-KNOWN", "{}"),
         "event of unknown type \"A-TYPE-LONGER-THAN-ANY-\" ()", 0},
        {"{\"type\":\"ADDED\"}", "event without an object ()", 0},
        {"{\"type\":\"BOOKMARK\"}", "event without an object ()", 0},
        {"{}", "event of unknown type \"\" ()", 0},
        {"[1,{}]", "expected an event, found a list (offset %zu) ()", 0},
        {"{\"type\":5,\"object\":{}}", "expected a string, found a number (offset %zu) ()", 8},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        static const char first[] = EVENT("ADDED", ITEM("a", "1"));
        const char *text =
            kube_printf(ctx, "%s\n%s\n%s\n", first, bad[i].event, EVENT("DELETED", ITEM("c", "3")));
        const char *at = strstr(bad[i].line, "%zu");
        const char *line =
            kube_printf(ctx, "%.*s%.0zu%s", at ? (int)(at - bad[i].line) : 256, bad[i].line,
                        at ? sizeof first + bad[i].offset : 0, at ? at + 3 : "");
        check_all(KUBE__STREAM_WATCH, text, KUBE_OK,
                  kube_printf(ctx, "added a @1\nbad %s\ndeleted c @3\n", line), NULL);
    }
    check_all(KUBE__STREAM_WATCH, EVENT("ERROR", "{\"message\":\"?\"}"), KUBE_OK,
              "error the watch ended with an error without a Status ()\n", NULL);
}

TEST(a_broken_watch_is_an_error)
{
    check_all(KUBE__STREAM_WATCH, EVENT("ADDED", ITEM("a", "1")) "\nhello", KUBE_ERR_DECODE,
              "added a @1\n", "expected a value");
    check_all(KUBE__STREAM_WATCH, "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"text\":}}}",
              KUBE_ERR_DECODE, "", "object.spec.text: expected a value");
    check_all(KUBE__STREAM_WATCH, "{\"type\":\"ADDED\" \"object\":{}}", KUBE_ERR_DECODE, "",
              "expected ',' or '}'");
}

TEST(a_watch_line_cut_at_any_byte_is_an_error)
{
    static const char text[] = EVENT("ADDED", ITEM("a", "1"));
    for (size_t len = 1; len < sizeof text - 1; len++) {
        forget();
        kube__stream *stream = new_stream(KUBE__STREAM_WATCH, 0);
        kube_error err;
        ck_assert_int_eq(feed_in(stream, text, len, 5, &err), KUBE_ERR_DECODE);
        ck_assert_ptr_nonnull(strstr(err.message, "ends in the middle"));
        ck_assert_uint_eq(got.count, 0);
        ck_assert_int_eq(kube__stream_finish(stream, NULL), KUBE_ERR_DECODE);
        kube__stream_free(stream);
    }
    forget();
}

/* An item of about @size bytes full of what a scan for its end could stumble over. */
static char *thorny_item(size_t size, const char *name, size_t *len)
{
    char *json = kube_ctx_alloc(ctx, size + 256);
    size_t at =
        (size_t)sprintf(json, "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"text\":\"", name);
    static const char thorns[] = "}]\\\\\\\"{[\\\\\\\\\\\"x,:\\n]}]}";
    while (at + sizeof thorns < size) {
        memcpy(json + at, thorns, sizeof thorns - 1);
        at += sizeof thorns - 1;
    }
    at += (size_t)sprintf(json + at, "\",\"raw\":[[[{\"\\\\\":\"\\\"]\"}]]]}}");
    *len = at;
    return json;
}

TEST(a_large_item_takes_linear_work)
{
    static const size_t sizes[] = {1, 100, 16 * 1024, 64 * 1024};
    size_t len;
    char *item = thorny_item(2 << 20, "huge", &len);
    size_t total = len + 256;
    char *text = kube_ctx_alloc(ctx, total);
    int text_len = snprintf(text, total,
                            "{\"items\":[{\"metadata\":{\"name\":\"a\"}},%s,"
                            "{\"metadata\":{\"name\":\"c\"}}]}",
                            item);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        forget();
        kube__stream *stream = new_stream(KUBE__STREAM_LIST, 0);
        kube_error err;
        ck_assert_int_eq(feed_in(stream, text, (size_t)text_len, sizes[i], &err), KUBE_OK);
        ck_assert_str_eq(got.text, "added a\nadded huge\nadded c\n");
        ck_assert_uint_eq(got.largest, len);
        ck_assert_uint_le(kube__stream_bytes_read(stream), 3 * (uint64_t)text_len);
        /* Nothing stays that large: the last item is decoded in small buffers again. */
        kube__stream_reset(stream, KUBE__STREAM_LIST);
        forget();
        ck_assert_int_eq(feed_in(stream, custom_order, strlen(custom_order), 50, &err), KUBE_OK);
        ck_assert_uint_lt(kube__stream_memory(stream), 1 << 20);
        kube__stream_free(stream);
    }
    forget();
}

TEST(small_items_take_linear_work_too)
{
    const char *const texts[] = {custom_order, builtin_order};
    for (size_t i = 0; i < 2; i++) {
        forget();
        kube__stream *stream = new_stream(KUBE__STREAM_LIST, 0);
        kube_error err;
        ck_assert_int_eq(feed_in(stream, texts[i], strlen(texts[i]), 1, &err), KUBE_OK);
        ck_assert_uint_le(kube__stream_bytes_read(stream), 3 * strlen(texts[i]));
        kube__stream_free(stream);
    }
    forget();
}

TEST(an_item_over_the_limit_is_bad_and_the_others_arrive)
{
    size_t len;
    char *item = thorny_item(20000, "huge", &len);
    char *text = kube_printf(ctx,
                             "{\"items\":[{\"metadata\":{\"name\":\"a\"}},%s,"
                             "{\"metadata\":{\"name\":\"c\"}}]}",
                             item);
    const char *events = kube_printf(ctx, "%s%s%s", EVENT("ADDED", "{}"),
                                     kube_printf(ctx, "{\"type\":\"ADDED\",\"object\":%s}", item),
                                     EVENT("DELETED", "{}"));
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        forget();
        kube__stream *stream = new_stream(KUBE__STREAM_LIST, 10000);
        kube_error err;
        ck_assert_int_eq(feed_in(stream, text, strlen(text), chunks[i], &err), KUBE_OK);
        ck_assert_str_eq(got.text, "added a\nbad items[1]: larger than 10000 bytes (offset 36) "
                                   "(items[1])\nadded c\n");
        ck_assert_uint_eq(got.largest, len);
        kube__stream_free(stream);
        forget();
        stream = new_stream(KUBE__STREAM_WATCH, 10000);
        ck_assert_int_eq(feed_in(stream, events, strlen(events), chunks[i], &err), KUBE_OK);
        ck_assert_str_eq(got.text, "added -\nbad larger than 10000 bytes (offset 28) ()\n"
                                   "deleted -\n");
        kube__stream_free(stream);
        forget();
        stream = new_stream(KUBE__STREAM_OBJECT, 10000);
        ck_assert_int_eq(feed_in(stream, item, len, chunks[i], &err), KUBE_ERR_DECODE);
        ck_assert_str_eq(err.message, "larger than 10000 bytes (offset 0)");
        kube__stream_free(stream);
    }
    forget();
}

TEST(memory_has_a_bound_while_a_huge_item_goes_by)
{
    size_t len;
    char *item = thorny_item(8 << 20, "huge", &len);
    forget();
    kube__stream *stream = new_stream(KUBE__STREAM_LIST, 100000);
    kube_error err;
    ck_assert_int_eq(kube__stream_feed(stream, "{\"items\":[", 10, &err), KUBE_OK);
    ck_assert_int_eq(kube__stream_feed(stream, item, len, &err), KUBE_OK);
    ck_assert_uint_lt(kube__stream_memory(stream), 2 << 20);
    ck_assert_int_eq(kube__stream_feed(stream, "]}", 2, &err), KUBE_OK);
    ck_assert_int_eq(kube__stream_finish(stream, &err), KUBE_OK);
    kube__stream_free(stream);
    forget();
}

TEST(a_sink_can_stop_the_stream)
{
    forget();
    got.answer = KUBE_ERR_CANCELED;
    kube__stream *stream = new_stream(KUBE__STREAM_LIST, 0);
    kube_error err;
    ck_assert_int_eq(kube__stream_feed(stream, custom_order, strlen(custom_order), &err),
                     KUBE_ERR_CANCELED);
    ck_assert_str_eq(err.message, "the sink has enough");
    ck_assert_uint_eq(got.count, 1);
    ck_assert_int_eq(kube__stream_feed(stream, " ", 1, &err), KUBE_ERR_CANCELED);
    ck_assert_int_eq(kube__stream_finish(stream, &err), KUBE_ERR_CANCELED);
    kube__stream_reset(stream, KUBE__STREAM_OBJECT);
    forget();
    ck_assert_int_eq(feed_in(stream, ITEM("z", "1"), strlen(ITEM("z", "1")), 9, &err), KUBE_OK);
    ck_assert_str_eq(got.text, "added z @1\n");
    kube__stream_free(stream);
    forget();
}

TEST(few_valued_strings_are_shared)
{
    static const char text[] =
        "{\"items\":[{\"metadata\":{\"name\":\"n\",\"namespace\":\"team\",\"labels\":{\"k\":\"v\"},"
        "\"annotations\":{\"k\":\"v\"},\"managedFields\":[{\"manager\":\"m\",\"fieldsV1\":{\"f\":"
        "{}}}]}},{\"metadata\":{\"name\":\"n\",\"namespace\":\"team\",\"labels\":{\"k\":\"v\"},"
        "\"annotations\":{\"k\":\"v\"},\"managedFields\":[{\"manager\":\"m\",\"fieldsV1\":{\"f\":"
        "{}}}]}}]}";
    forget();
    kube__stream *stream = new_stream(KUBE__STREAM_LIST, 0);
    kube_error err;
    size_t half = (size_t)(strstr(text, "},{\"meta") + 1 - text);
    ck_assert_int_eq(kube__stream_feed(stream, text, half, &err), KUBE_OK);
    fixture_widget *a = (fixture_widget *)(void *)got.kept;
    got.kept = NULL;
    ck_assert_int_eq(kube__stream_feed(stream, text + half, strlen(text) - half, &err), KUBE_OK);
    fixture_widget *b = (fixture_widget *)(void *)got.kept;
    got.kept = NULL;
    kube__stream_free(stream);
    const kube_object_meta *x = &a->metadata;
    const kube_object_meta *y = &b->metadata;
    ck_assert_ptr_eq(x->namespace_, y->namespace_);
    ck_assert_ptr_eq(x->labels.items[0].key, y->labels.items[0].key);
    ck_assert_ptr_eq(x->labels.items[0].value, y->labels.items[0].value);
    ck_assert_ptr_eq(x->annotations.items[0].key, y->annotations.items[0].key);
    ck_assert_ptr_eq(x->managed_fields.items[0].manager, y->managed_fields.items[0].manager);
    ck_assert_ptr_eq(x->managed_fields.items[0].fields_v1.text,
                     y->managed_fields.items[0].fields_v1.text);
    ck_assert_uint_eq(y->managed_fields.items[0].fields_v1.len, 8);
    ck_assert_ptr_ne(x->name, y->name);
    ck_assert_ptr_ne(x->annotations.items[0].value, y->annotations.items[0].value);
    /* The pool ends with the last object that needs it. */
    kube_object_unref(&a->base);
    ck_assert_str_eq(y->namespace_, "team");
    ck_assert_str_eq(y->managed_fields.items[0].fields_v1.text, "{\"f\":{}}");
    kube_object_unref(&b->base);
}

TEST(managed_fields_can_be_left_out_without_loss)
{
    static const char text[] =
        "{\"metadata\":{\"name\":\"n\",\"managedFields\":[{\"manager\":\"m\","
        "\"unknown\":1}],\"uid\":\"u\"}}";
    kube__stream_options options = {.form = KUBE__STREAM_OBJECT, .drop_managed_fields = true};
    kube__stream *stream;
    kube_error err;
    forget();
    ck_assert_int_eq(kube__stream_new(&fixture_widget_type, &options, see, &got, &stream, &err),
                     KUBE_OK);
    ck_assert_int_eq(feed_in(stream, text, strlen(text), 1000, &err), KUBE_OK);
    const fixture_widget *w = (const fixture_widget *)(const void *)got.kept;
    ck_assert_ptr_null(w->metadata.managed_fields.items);
    ck_assert_str_eq(w->metadata.uid, "u");
    ck_assert_ptr_null(kube_object_lost_path(&w->base));
    kube__stream_free(stream);
    forget();
}

typedef struct replay {
    kube__stream_form form;
    const char *text;
} replay;

static kube_code drop(void *arg, const kube__item *item, kube_error *err)
{
    (void)arg;
    (void)err;
    kube_object_unref(item->object);
    return KUBE_OK;
}

static bool stream_step(void *arg)
{
    const replay *r = arg;
    kube__stream_options options = {.form = r->form, .intern = true};
    kube__stream *stream;
    kube_error err;
    kube_code rc = kube__stream_new(&fixture_widget_type, &options, drop, NULL, &stream, &err);
    size_t len = strlen(r->text);
    for (size_t at = 0; rc == KUBE_OK && at < len; at += 500)
        rc = kube__stream_feed(stream, r->text + at, len - at < 500 ? len - at : 500, &err);
    if (rc == KUBE_OK)
        rc = kube__stream_finish(stream, &err);
    if (rc != KUBE_OK && rc != KUBE_ERR_NO_MEMORY)
        abort();
    kube__stream_free(stream);
    return rc == KUBE_OK;
}

TEST(every_allocation_may_fail)
{
    replay list = {KUBE__STREAM_LIST, custom_order};
    ck_assert_uint_gt(fail_malloc_replay(stream_step, &list), 10);
    list.text = kube_printf(ctx, "{\"items\":[%s,%s]}", fixture_full_json, fixture_full_json);
    ck_assert_uint_gt(fail_malloc_replay(stream_step, &list), 20);
    replay watch = {KUBE__STREAM_WATCH,
                    kube_printf(ctx, "{\"type\":\"ADDED\",\"object\":%s}", fixture_full_json)};
    ck_assert_uint_gt(fail_malloc_replay(stream_step, &watch), 20);
}
