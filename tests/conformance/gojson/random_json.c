/* SPDX-License-Identifier: Apache-2.0 */
#include "random_json.h"

#include "base/random.h"
#include "object/block/value.h"

enum { DEPTH = 6, ITEMS = 3 };

static unsigned below(random_json *r, unsigned bound)
{
    return (unsigned)(kube__random_next(&r->state) % bound);
}

static void put(random_json *r, const char *text)
{
    kube__buffer_add_text(r->out, text);
}

#define PUT_ONE_OF(r, texts) put((r), (texts)[below((r), sizeof(texts) / sizeof *(texts))])

static void put_blanks(random_json *r)
{
    static const char *const blanks[] = {" ", "\n", "\t", "\r\n", "  "};
    if (below(r, 60) == 0)
        PUT_ONE_OF(r, blanks);
}

/* Pieces of strings, as they stand in JSON. The last ones are not valid. */
static void put_string(random_json *r)
{
    static const char *const plain[] = {
        "a", "0", "kube", "Always", "10.0.0.1", "app.kubernetes.io/name", "x-y", " ", "true"};
    static const char *const odd[] = {
        "\\n",     "\\\"",    "\\\\",           "\\/",      "\\b\\f\\r\\t", "\\u0041",
        "\\u00e9", "\\u2028", "\\ud83d\\ude00", "\303\251", "\342\202\254", "\360\237\230\200",
        "\x7f",    "<&>",     "\\u0000",        "\\ufeff",  "\\uffff"};
    static const char *const bad[] = {
        "\\ud83d",  "\\ude00",  "\\ud83dx",     "\\ud83d\\ud83d",   "\xff",
        "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\x01",
        "\n",       "\\x41",    "\\u12"};
    put(r, "\"");
    for (unsigned n = below(r, 3); n > 0; n--) {
        unsigned kind = below(r, 400);
        if (kind < 300)
            PUT_ONE_OF(r, plain);
        else if (kind < 395)
            PUT_ONE_OF(r, odd);
        else
            PUT_ONE_OF(r, bad);
    }
    put(r, "\"");
}

static void put_any(random_json *r, unsigned depth)
{
    static const char *const scalars[] = {"null",
                                          "true",
                                          "false",
                                          "0",
                                          "-1",
                                          "1.5",
                                          "1e3",
                                          "[]",
                                          "{}",
                                          "\"\"",
                                          "\"a\"",
                                          "\"1\"",
                                          "\"true\"",
                                          "-0",
                                          "1.0",
                                          "1e400",
                                          "123456789012345678901234567890"};
    unsigned kind = below(r, 6);
    if (depth == 0 || kind < 4) {
        PUT_ONE_OF(r, scalars);
        return;
    }
    put(r, kind == 4 ? "[" : "{");
    for (unsigned i = 0, n = below(r, ITEMS + 1); i < n; i++) {
        put(r, i ? "," : "");
        if (kind == 5) {
            put_string(r);
            put(r, ":");
        }
        put_any(r, depth - 1);
    }
    put(r, kind == 4 ? "]" : "}");
}

static void put_integer(random_json *r)
{
    static const char *const usual[] = {"0", "1", "80", "-1", "2147483647", "-2147483648"};
    static const char *const odd[] = {"-0",
                                      "2147483648",
                                      "-2147483649",
                                      "9007199254740993",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "18446744073709551616",
                                      "1e3",
                                      "1E0",
                                      "1.0",
                                      "0.5",
                                      "1e400",
                                      "01",
                                      "+1",
                                      ".5",
                                      "1.",
                                      "0x10",
                                      "NaN",
                                      "--1",
                                      "\"1\""};
    if (r->wrong && below(r, r->wrong) == 0)
        PUT_ONE_OF(r, odd);
    else
        PUT_ONE_OF(r, usual);
}

static void put_double(random_json *r)
{
    static const char *const doubles[] = {"0",
                                          "-0",
                                          "1",
                                          "1.5",
                                          "1e3",
                                          "1e21",
                                          "1e-7",
                                          "-0.1",
                                          "0.1",
                                          "1e400",
                                          "1e-400",
                                          "1.0",
                                          "123456789012345678901234567890"};
    PUT_ONE_OF(r, doubles);
}

static void put_time(random_json *r)
{
    static const char *const usual[] = {"\"2026-11-21T02:40:23Z\"", "\"2024-02-29T00:00:00Z\"",
                                        "\"2026-11-21T02:40:23+01:00\"", "null"};
    static const char *const odd[] = {"\"2026-11-21T02:40:23.5Z\"",
                                      "\"2026-11-21T02:40:23,5Z\"",
                                      "\"2026-11-21T02:40:23.123456789Z\"",
                                      "\"2026-11-21T02:40:23.1234567891Z\"",
                                      "\"2026-11-21T02:40:23.Z\"",
                                      "\"2026-11-21T02:40:23-00:00\"",
                                      "\"2026-11-21T02:40:23+23:59\"",
                                      "\"2026-11-21T02:40:23+24:00\"",
                                      "\"2026-11-21T02:40:23+24:01\"",
                                      "\"2026-11-21T02:40:23+23:60\"",
                                      "\"2026-11-21T02:40:23+0100\"",
                                      "\"2026-11-21T02:40:23+01\"",
                                      "\"0001-01-01T00:00:00Z\"",
                                      "\"0001-01-01T00:00:00+01:00\"",
                                      "\"0000-01-01T00:00:00Z\"",
                                      "\"9999-12-31T23:59:59Z\"",
                                      "\"9999-12-31T23:59:59-01:00\"",
                                      "\"10000-01-01T00:00:00Z\"",
                                      "\"1969-12-31T23:59:59.5Z\"",
                                      "\"2026-02-29T00:00:00Z\"",
                                      "\"2026-13-01T00:00:00Z\"",
                                      "\"2026-00-01T00:00:00Z\"",
                                      "\"2026-11-31T00:00:00Z\"",
                                      "\"2026-11-21T24:00:00Z\"",
                                      "\"2026-11-21T02:60:00Z\"",
                                      "\"2026-11-21T02:40:60Z\"",
                                      "\"2026-11-21T2:40:23Z\"",
                                      "\"2026-11-21t02:40:23z\"",
                                      "\"2026-11-21 02:40:23Z\"",
                                      "\"2026-11-21T02:40:23\"",
                                      "\"2026-11-21\"",
                                      "\"2026-11-21T02:40:23Z \"",
                                      "\"2026-11-21T02:40:23\\u005a\"",
                                      "\"\"",
                                      "0",
                                      "1700000000"};
    if (below(r, 2))
        PUT_ONE_OF(r, usual);
    else
        PUT_ONE_OF(r, odd);
}

static void put_duration(random_json *r)
{
    static const char *const durations[] = {"\"0s\"",
                                            "\"0\"",
                                            "\"1h\"",
                                            "\"1h30m\"",
                                            "\"1.5h\"",
                                            "\"100ms\"",
                                            "\"1us\"",
                                            "\"1\\u00b5s\"",
                                            "\"1ns\"",
                                            "\"-1m\"",
                                            "\"+1m\"",
                                            "\".5s\"",
                                            "\"1.s\"",
                                            "\"1\"",
                                            "\"\"",
                                            "\"1d\"",
                                            "\"2562047h47m16.854775807s\"",
                                            "\"2562047h47m16.854775808s\"",
                                            "\"-2562047h47m16.854775808s\"",
                                            "\"1h-1m\"",
                                            "\" 1h\"",
                                            "null",
                                            "1",
                                            "\"s\"",
                                            "\"0.0000000001s\""};
    PUT_ONE_OF(r, durations);
}

static void put_quantity(random_json *r)
{
    static const char *const usual[] = {"\"1\"", "\"500m\"", "\"1Gi\"", "\"128Mi\"", "1", "\"0\""};
    static const char *const odd[] = {"\"1000m\"",
                                      "\"1.5\"",
                                      "1.5",
                                      "\"1.50Gi\"",
                                      "\"1024Mi\"",
                                      "\"1000k\"",
                                      "\"1e3\"",
                                      "\"1E3\"",
                                      "1e3",
                                      "\"1E\"",
                                      "\"12e-3\"",
                                      "\"0.1n\"",
                                      "\"0.0000000001\"",
                                      "\"1u\"",
                                      "\"-1\"",
                                      "\"-0\"",
                                      "\"+1\"",
                                      "\".5\"",
                                      "\"5.\"",
                                      "\".\"",
                                      "\"\"",
                                      "\" 1\"",
                                      "\"1 \"",
                                      "\"1gi\"",
                                      "\"1ki\"",
                                      "\"1K\"",
                                      "\"1m1\"",
                                      "\"0x1\"",
                                      "\"1e\"",
                                      "\"1e1000\"",
                                      "\"9223372036854775807\"",
                                      "\"9223372036854775808\"",
                                      "\"100000000000000000000Ei\"",
                                      "\"00012\"",
                                      "\"1\\u0047i\"",
                                      "-1",
                                      "1.0",
                                      "null",
                                      "true",
                                      "{}"};
    if (below(r, 3))
        PUT_ONE_OF(r, usual);
    else
        PUT_ONE_OF(r, odd);
}

static void put_int_or_string(random_json *r)
{
    static const char *const values[] = {"80",   "\"http\"", "\"25%\"",    "0",    "-1",
                                         "\"\"", "\"80\"",   "2147483647", "null", "2147483648",
                                         "1.0",  "1e3",      "\"\\n\"",    "true", "-0"};
    if (below(r, 3))
        put(r, "80");
    else
        PUT_ONE_OF(r, values);
}

static void put_bytes(random_json *r)
{
    static const char *const usual[] = {"\"aGVsbG8=\"", "\"AA==\"", "\"\"", "\"AAAA\""};
    static const char *const odd[] = {"\"aGVsbG8\"",
                                      "\"aGVsbG9=\"",
                                      "\"AB==\"",
                                      "\"AA\"",
                                      "\"A\"",
                                      "\"A===\"",
                                      "\"AA=\"",
                                      "\"====\"",
                                      "\"aGVs\\nbG8=\"",
                                      "\"aGVs\\r\\nbG8=\"",
                                      "\"aGVs bG8=\"",
                                      "\"-_-_\"",
                                      "\"++//\"",
                                      "\"aGVsbG8=AAAA\"",
                                      "\"aGVsbG8=\\n\"",
                                      "\"aGVsbG8=\\u003d\"",
                                      "\"AA=\\n=\"",
                                      "\"\\u0041AAA\"",
                                      "null",
                                      "[]",
                                      "[1,2]"};
    if (below(r, 2))
        PUT_ONE_OF(r, usual);
    else
        PUT_ONE_OF(r, odd);
}

static void put_struct(random_json *r, const kube_schema *schema, const kube_type *type);

static void put_value(random_json *r, unsigned kind, const kube_schema *sub);

static void put_list(random_json *r, const kube_schema *schema)
{
    put(r, "[");
    for (unsigned i = 0, n = below(r, ITEMS); i < n; i++) {
        put(r, i ? "," : "");
        put_blanks(r);
        put_value(r, schema->element_kind, kube__element_sub(schema));
    }
    put(r, "]");
}

static void put_map(random_json *r, const kube_schema *schema)
{
    put(r, "{");
    for (unsigned i = 0, n = below(r, ITEMS + 1); i < n; i++) {
        put(r, i ? "," : "");
        put_string(r); /* now and then the same key twice */
        put_blanks(r);
        put(r, ":");
        put_value(r, schema->element_kind, kube__element_sub(schema));
    }
    put(r, "}");
}

static void put_value(random_json *r, unsigned kind, const kube_schema *sub)
{
    if (r->wrong && below(r, r->wrong) == 0) {
        put_any(r, 2);
        return;
    }
    switch (kind) {
    case KUBE_KIND_STRING:
        put_string(r);
        break;
    case KUBE_KIND_BOOL:
    case KUBE_KIND_OPT_BOOL:
        put(r, below(r, 2) ? "true" : "false");
        break;
    case KUBE_KIND_DOUBLE:
    case KUBE_KIND_OPT_DOUBLE:
        put_double(r);
        break;
    case KUBE_KIND_TIME:
    case KUBE_KIND_MICRO_TIME:
        put_time(r);
        break;
    case KUBE_KIND_DURATION:
        put_duration(r);
        break;
    case KUBE_KIND_QUANTITY:
        put_quantity(r);
        break;
    case KUBE_KIND_INT_OR_STRING:
        put_int_or_string(r);
        break;
    case KUBE_KIND_BYTES:
        put_bytes(r);
        break;
    case KUBE_KIND_RAW_JSON:
        put_any(r, 3);
        break;
    case KUBE_KIND_STRUCT:
    case KUBE_KIND_STRUCT_PTR:
        put_struct(r, sub, NULL);
        break;
    case KUBE_KIND_LIST:
    case KUBE_KIND_STRING_LIST:
        put_list(r, sub);
        break;
    case KUBE_KIND_MAP:
    case KUBE_KIND_STRING_MAP:
        put_map(r, sub);
        break;
    default:
        put_integer(r);
        break;
    }
}

/* The name as it is, with a letter as an escape, or in another case, which is another name. */
static void put_name(random_json *r, const kube_schema *schema, const kube_field *field)
{
    const char *key = kube__field_key(schema, field);
    size_t len = (size_t)field->key_len - 3; /* without quotes and colon */
    unsigned form = below(r, 300);
    put(r, "\"");
    if (form == 0)
        kube__buffer_printf(r->out, "\\u%04x%.*s", (unsigned char)key[1], (int)len - 1, key + 2);
    else if (form == 1)
        kube__buffer_printf(r->out, "%c%.*s", key[1] ^ 0x20, (int)len - 1, key + 2);
    else
        kube__buffer_add(r->out, key + 1, len);
    put(r, "\"");
}

/* Whether a member is there: fewer of them the deeper it gets, and so it ends. */
static bool is_wanted(random_json *r, const kube_field *field)
{
    bool nests = field->kind >= KUBE_KIND_STRUCT && field->kind <= KUBE_KIND_MAP;
    if (nests && r->depth >= DEPTH)
        return false;
    return below(r, 8u + 4 * r->depth) < r->chance;
}

static void put_struct(random_json *r, const kube_schema *schema, const kube_type *type)
{
    const char *comma = "";
    r->depth++;
    put(r, "{");
    if (type) {
        kube__buffer_printf(r->out, "\"apiVersion\":\"%s\",\"kind\":\"%s\"", type->api_version,
                            type->kind);
        comma = ",";
    }
    unsigned first = schema->field_count ? below(r, schema->field_count) : 0;
    for (unsigned i = 0; i < schema->field_count; i++) {
        const kube_field *field = &schema->fields[(first + i) % schema->field_count];
        if (!is_wanted(r, field))
            continue;
        unsigned times = below(r, 400) ? 1 : 2;
        for (unsigned n = 0; n < times; n++) {
            put(r, comma);
            comma = ",";
            put_blanks(r);
            put_name(r, schema, field);
            put_blanks(r);
            put(r, ":");
            put_blanks(r);
            put_value(r, field->kind, kube__field_sub(schema, field));
        }
    }
    if (below(r, 200) == 0) {
        put(r, comma);
        put(r, "\"unheardOf\":");
        put_any(r, 3);
    }
    put_blanks(r);
    put(r, "}");
    r->depth--;
}

/* Text that is no object at all, or has too much or too little at its end. */
static void put_end(random_json *r)
{
    static const char *const ends[] = {" ", "\n", "}", ",", "x", "{}", "\xef\xbb\xbf", "//"};
    unsigned kind = below(r, 200);
    if (kind == 0)
        PUT_ONE_OF(r, ends);
    else if (kind == 1 && r->out->len)
        r->out->len -= 1 + below(r, (unsigned)r->out->len);
}

void random_json_object(random_json *r, const kube_type *type)
{
    r->depth = 0;
    put_struct(r, type->schema, type);
    put_end(r);
}
