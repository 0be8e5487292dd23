/* SPDX-License-Identifier: Apache-2.0 */
#include "object/codec/decode.h"
#include "object_kit.h"
#include "support/fail_malloc.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A widget whose spec has the given members. */
static fixture_widget *decode_spec(const char *members)
{
    return decode_widget(kube_printf(
        ctx, "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"spec\":{%s}}", members));
}

TEST(every_shape_is_decoded)
{
    const fixture_widget *w = decode_widget(fixture_full_json);
    const fixture_spec *s = &w->spec;
    ck_assert_ptr_eq(w->base.type, &fixture_widget_type);
    ck_assert_str_eq(w->metadata.name, "w-1");
    ck_assert_int_eq(w->metadata.generation, INT64_MAX);
    ck_assert_int_eq(w->metadata.creation_timestamp.sec, 1709210096);
    ck_assert(w->metadata.deletion_grace_period_seconds.set);
    ck_assert_str_eq(kube_string_map_get(&w->metadata.labels, "app"), "web");
    ck_assert_str_eq(kube_string_map_get(&w->metadata.annotations, "note"),
                     "line\none \"quoted\" \\ gr\xc3\xbcn \xf0\x9f\x98\x80");
    ck_assert_uint_eq(w->metadata.owner_references.len, 1);
    ck_assert(w->metadata.owner_references.items[0].controller.value);
    ck_assert_uint_eq(w->metadata.managed_fields.len, 1);
    ck_assert_str_eq(s->common.class_, "gold");
    ck_assert_int_eq(s->common.priority, INT64_MIN);
    ck_assert_int_eq(s->i32, INT32_MIN);
    ck_assert_int_eq(s->i64, 9007199254740993); /* a double would lose it */
    ck_assert_double_eq(s->d, 0.1);
    ck_assert(s->opt_on.set && !s->opt_on.value);
    ck_assert(s->opt_d.set);
    ck_assert_int_eq(s->micro_time.nsec, 6000);
    ck_assert_int_eq(s->duration.ns, 3630500000000);
    ck_assert_str_eq(s->quantity.text, "1.50Gi");
    ck_assert_str_eq(s->port.text, "25%");
    ck_assert_uint_eq(s->bytes.len, 5);
    ck_assert_int_eq(s->bytes.data[4], 4);
    ck_assert_str_eq(s->raw.text, "{\"any\": [1, 2.50, \"\\u00e9\", null]}");
    ck_assert_str_eq(s->leaf.extra.members, "\"colour\":\"red\",\"shape\":{\"sides\":3}");
    ck_assert_str_eq(s->strict_ptr->leaf.extra.members, "\"unknown\":1e3");
    ck_assert_str_eq(s->tree->left->left->value, "ll");
    ck_assert_uint_eq(s->tree->children.len, 2);
    ck_assert_ptr_nonnull(s->tree->children.items[0].children.items);
    ck_assert_ptr_null(s->tree->children.items[1].children.items);
    ck_assert_str_eq(s->tree->named.items[1].value.value, "v2");
    ck_assert_str_eq(s->leaf_lists.items[1].items[1].name, "y");
    ck_assert_str_eq(s->leaf_maps.items[1].items[0].value.extra.members, "\"q\":1");
    ck_assert_int_eq(s->matrix.items[0].items[1], 2);
    ck_assert_int_eq(s->ports.items[0].number, 80);
    ck_assert_str_eq(s->ports.items[1].text, "http");
    ck_assert_str_eq(s->raws.items[0].text, "null");
    ck_assert_int_eq(s->i64_map_map.items[0].value.items[0].value, 2);
    ck_assert_int_eq(s->override_, 31);
    ck_assert_int_eq(s->overhead, 32);
    ck_assert_str_eq(s->extra.members,
                     "\"later\":{\"than\":\"now\"},\"alsoUnknown\":[1,{\"a\":null}]");
    ck_assert_str_eq(w->extra.members, "\"topLevel\":\"kept\"");
    ck_assert_ptr_null(kube_object_lost_path(&w->base));
}

TEST(absent_empty_and_zero_differ)
{
    const fixture_widget *w =
        decode_spec("\"strings\":[],\"stringMap\":{},\"bytes\":\"\","
                    "\"leaves\":[],\"leafMap\":{},\"text\":\"\",\"optI32\":0");
    ck_assert_ptr_nonnull(w->spec.strings.items);
    ck_assert_ptr_nonnull(w->spec.string_map.items);
    ck_assert_ptr_nonnull(w->spec.bytes.data);
    ck_assert_ptr_nonnull(w->spec.leaves.items);
    ck_assert_ptr_nonnull(w->spec.leaf_map.items);
    ck_assert_str_eq(w->spec.text, "");
    ck_assert(w->spec.opt_i32.set);
    w = decode_spec("\"strings\":null,\"stringMap\":null,\"bytes\":null,\"leaves\":null,"
                    "\"leafMap\":null,\"text\":null,\"optI32\":null,\"time\":null,\"leafPtr\":null,"
                    "\"raw\":null,\"quantity\":null,\"port\":null,\"leaf\":null,\"on\":null");
    const fixture_spec zero = {0};
    ck_assert_mem_eq(&w->spec, &zero, sizeof zero);
}

TEST(maps_are_sorted_and_the_last_of_equal_keys_wins)
{
    const fixture_widget *w = decode_spec(
        "\"stringMap\":{\"b\":\"1\",\"a\":\"2\",\"c\":null,\"b\":\"3\"},"
        "\"leafListMap\":{\"z\":[{\"name\":\"old\"}],\"y\":[{\"name\":\"n\"}],\"z\":[{\"name\":"
        "\"new\"},{}],\"x\":[]}");
    const kube_string_map *m = &w->spec.string_map;
    ck_assert_uint_eq(m->len, 3);
    ck_assert_str_eq(m->items[0].key, "a");
    ck_assert_str_eq(m->items[0].value, "2");
    ck_assert_str_eq(m->items[1].key, "b");
    ck_assert_str_eq(m->items[1].value, "3");
    ck_assert_str_eq(m->items[2].key, "c");
    ck_assert_str_eq(m->items[2].value, "");
    const fixture_leaf_list_map *l = &w->spec.leaf_list_map;
    ck_assert_uint_eq(l->len, 3);
    ck_assert_str_eq(l->items[0].key, "x");
    ck_assert_str_eq(l->items[1].value.items[0].name, "n");
    ck_assert_uint_eq(l->items[2].value.len, 2);
    ck_assert_str_eq(l->items[2].value.items[0].name, "new");
}

/* Each of these is what sigs.k8s.io/json makes of it. */
TEST(members_that_come_twice_are_joined_as_in_go)
{
    static const struct {
        const char *twice;
        const char *once;
    } cases[] = {
        {"'text':'old','text':'new'", "'text':'new'"},
        {"'text':'old','text':null", "'text':'old'"},
        {"'tags':['a','b'],'tags':['c']", "'tags':['c']"},
        {"'phase':'P','phase':'a text','phase':'P'", "'phase':'P'"},
        {"'i32':1,'i32':null,'on':true,'on':null", "'i32':1,'on':true"},
        {"'optI32':1,'optI32':null,'optI64':1,'optI64':2", "'optI64':2"},
        {"'time':'2024-01-02T03:04:05Z','time':null,'quantity':'1','quantity':null", ""},
        {"'bytes':'QQ==','bytes':null,'port':'x','port':1", "'port':1"},
        {"'port':1,'port':'x','raw':{'a':1},'raw':[2]", "'port':'x','raw':[2]"},
        {"'leaf':{'name':'n','weight':3,'x':1},'leaf':{'weight':null,'name':'m'}",
         "'leaf':{'name':'m','weight':3,'x':1}"},
        {"'leaf':{'name':'n','x':1},'leaf':null", "'leaf':{'name':'n','x':1}"},
        {"'leaf':{'x':1},'leaf':{'y':[2]},'leaf':{'z':'3'}", "'leaf':{'x':1,'y':[2],'z':'3'}"},
        {"'leafPtr':{'name':'n'},'leafPtr':{'weight':2}", "'leafPtr':{'name':'n','weight':2}"},
        {"'leafPtr':{'name':'n'},'leafPtr':null", ""},
        {"'leafPtr':{'name':'n'},'leafPtr':null,'leafPtr':{'weight':2}", "'leafPtr':{'weight':2}"},
        {"'leaves':[{'name':'a'},{'name':'b'}],'leaves':[{'weight':5,'x':1}]",
         "'leaves':[{'name':'a','weight':5,'x':1}]"},
        {"'leaves':[{'name':'a','x':1}],'leaves':[{'y':2},{'name':'b'}]",
         "'leaves':[{'name':'a','x':1,'y':2},{'name':'b'}]"},
        {"'leaves':[{'name':'a'}],'leaves':[]", "'leaves':[]"},
        {"'leaves':[{'name':'a'}],'leaves':[],'leaves':[{'weight':1}]", "'leaves':[{'weight':1}]"},
        {"'leaves':[{'name':'a'}],'leaves':null,'leaves':[{'weight':1}]",
         "'leaves':[{'weight':1}]"},
        {"'leaves':[{'name':'a'}],'leaves':[null]", "'leaves':[{'name':'a'}]"},
        {"'i32s':[1,2,3],'i32s':[null,5]", "'i32s':[1,5]"},
        {"'quantities':['1','2'],'quantities':['3','4','5']", "'quantities':['3','4','5']"},
        {"'stringMap':{'a':'1','c':'2'},'stringMap':{'b':'3','c':'4'}",
         "'stringMap':{'a':'1','b':'3','c':'4'}"},
        {"'stringMap':{'a':'1'},'stringMap':{}", "'stringMap':{'a':'1'}"},
        {"'stringMap':{},'stringMap':{'a':'1'}", "'stringMap':{'a':'1'}"},
        {"'stringMap':{'a':'1'},'stringMap':null", ""},
        {"'stringMap':{'a':'1'},'text':'t','stringMap':{'b':'2'},'stringMap':{'c':'3'}",
         "'text':'t','stringMap':{'a':'1','b':'2','c':'3'}"},
        {"'leafMap':{'b':{'name':'x','u':1}},'leafMap':{'a':{},'b':{'weight':1}}",
         "'leafMap':{'a':{},'b':{'weight':1}}"}, /* an entry is not joined */
        {"'leafMap':{'b':{'name':'x'}},'leafMap':{}", "'leafMap':{'b':{'name':'x'}}"},
        {"'leafListMap':{'a':[{'name':'x'}]},'leafListMap':{'b':[{'name':'y','u':'v'}]}",
         "'leafListMap':{'a':[{'name':'x'}],'b':[{'name':'y','u':'v'}]}"},
        {"'leafLists':[[{'name':'a'},{'name':'b'}]],'leafLists':[[{'weight':1}],[{'weight':2}]]",
         "'leafLists':[[{'name':'a','weight':1}],[{'weight':2}]]"},
        {"'leafMaps':[{'a':{'name':'x'}}],'leafMaps':[{'b':{'name':'y'}}]",
         "'leafMaps':[{'a':{'name':'x'},'b':{'name':'y'}}]"},
        {"'matrix':[[1,2],[3]],'matrix':[[4]]", "'matrix':[[4]]"},
        {"'tree':{'value':'v','children':[{'value':'c','named':{'n':{'value':'1'}}}]},'tree':{"
         "'left':{},'children':[{'named':{'m':{'left':{'value':'2'}}}},{}]}",
         "'tree':{'value':'v','left':{},'children':[{'value':'c','named':{'n':{'value':'1'},"
         "'m':{'left':{'value':'2'}}}},{}]}"},
        {"'terminationGracePeriodSecondsOverhead':1,'class':'c'",
         "'terminationGracePeriodSecondsOverhead':1,'class':'c'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char twice[512];
        char once[512];
        strcpy(twice, cases[i].twice);
        strcpy(once, cases[i].once);
        for (char *c = twice; (c = strchr(c, '\''));)
            *c = '"';
        for (char *c = once; (c = strchr(c, '\''));)
            *c = '"';
        fixture_widget *got = decode_spec(twice);
        ck_assert_msg(kube_object_equal(&fixture_widget_type, &got->base, &decode_spec(once)->base),
                      "%s", twice);
        ck_assert_msg(!kube_object_lost_path(&got->base), "%s", twice);
        kube__block_seal(&got->base);
        kube_object *clone = kube__block_clone(&got->base);
        ck_assert(kube_object_equal(&fixture_widget_type, &got->base, clone));
        kube_object_unref(clone);
    }
}

TEST(nulls_are_kept_or_lost_with_their_path)
{
    static const struct {
        const char *members;
        const char *lost;
    } cases[] = {
        {"\"strings\":[\"a\",null]", "strings[1]"},
        {"\"i32s\":[1,null]", "i32s[1]"},
        {"\"bools\":[null]", "bools[0]"},
        {"\"leaves\":[{},null]", "leaves[1]"},
        {"\"stringMap\":{\"a.b/c\":null}", "stringMap['a.b/c']"},
        {"\"i64Map\":{\"k\":null}", "i64Map['k']"},
        {"\"leafMap\":{\"k\":null}", "leafMap['k']"},
        {"\"strict\":{\"colour\":null}", "strict.colour"},
        {"\"leafLists\":[null,[]]", NULL},
        {"\"leafListMap\":{\"k\":null}", NULL},
        {"\"stringLists\":[null]", NULL},
        {"\"times\":[null]", NULL},
        {"\"optI32s\":[null,0]", NULL},
        {"\"quantities\":[null]", NULL},
        {"\"quantityMap\":{\"k\":null}", NULL},
        {"\"ports\":[null,1]", NULL},
        {"\"blobs\":[null]", NULL},
        {"\"raws\":[null]", NULL},
        {"\"rawMap\":{\"k\":null}", NULL},
        {"\"unknown\":null", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const fixture_widget *w = decode_spec(cases[i].members);
        const char *lost = kube_object_lost_path(&w->base);
        if (cases[i].lost) {
            ck_assert_str_eq(lost, kube_printf(ctx, "spec.%s", cases[i].lost));
            continue;
        }
        const char *json;
        kube_error err;
        ck_assert_msg(!lost, "%s", cases[i].members);
        ck_assert_int_eq(
            kube_encode(ctx, &fixture_widget_type, &w->base, KUBE_ENCODE_PLAIN, &json, NULL, &err),
            KUBE_OK);
        ck_assert_msg(strstr(json, cases[i].members) != NULL, "%s", json);
    }
    const fixture_widget *w = decode_spec("\"strings\":[null,\"a\"],\"stringMap\":{\"k\":null},"
                                          "\"i32s\":[1,null],\"leaves\":[null]");
    ck_assert_str_eq(w->spec.strings.items[0], "");
    ck_assert_str_eq(w->spec.strings.items[1], "a");
    ck_assert_str_eq(kube_string_map_get(&w->spec.string_map, "k"), "");
    ck_assert_int_eq(w->spec.i32s.items[1], 0);
    ck_assert_uint_eq(w->spec.leaves.len, 1);
    ck_assert_ptr_null(w->spec.leaves.items[0].name);
}

TEST(base64_and_times_are_read_as_in_go)
{
    const fixture_widget *w = decode_spec(
        "\"bytes\":\"QR==\",\"blobs\":[\"QUJ=\",\"Q\\nU\\r\\nI=\",\"QQ=\\n=\\n\",\"\\n\"],"
        "\"time\":\"2024-01-02T3:04:05,5+24:00\",\"microTime\":\"2024-01-02T03:04:05,000006Z\"");
    ck_assert_uint_eq(w->spec.bytes.len, 1);
    ck_assert_int_eq(w->spec.bytes.data[0], 'A');
    ck_assert_uint_eq(w->spec.blobs.items[0].len, 2);
    ck_assert_uint_eq(w->spec.blobs.items[1].len, 2);
    ck_assert_int_eq(w->spec.blobs.items[1].data[1], 'B');
    ck_assert_uint_eq(w->spec.blobs.items[2].len, 1);
    ck_assert_uint_eq(w->spec.blobs.items[3].len, 0);
    ck_assert_ptr_nonnull(w->spec.blobs.items[3].data);
    ck_assert_int_eq(w->spec.time.sec, 1704078245);
    ck_assert_int_eq(w->spec.time.nsec, 500000000);
    ck_assert_int_eq(w->spec.micro_time.nsec, 6000);
    ck_assert_ptr_null(kube_object_lost_path(&w->base));
}

TEST(names_may_have_escapes_and_blanks)
{
    const fixture_widget *w = decode_widget(
        " {\n \"spec\" : { \"te\\u0078t\" :\t\"a\", \"Text\" : 1 , \"strings\" : [ \"x\" , \"y\" ] "
        ", \"stringMap\" : { \"k\" : \"v\" } , \"terminationGracePeriodSecondsOverhead\" : 5 }"
        "\r\n}\n");
    ck_assert_str_eq(w->spec.text, "a");
    ck_assert_str_eq(w->spec.extra.members, "\"Text\":1"); /* names are case-sensitive */
    ck_assert_uint_eq(w->spec.strings.len, 2);
    ck_assert_str_eq(w->spec.string_map.items[0].value, "v");
    ck_assert_int_eq(w->spec.overhead, 5);
}

TEST(numbers_are_exact)
{
    static const struct {
        const char *text;
        double value;
    } doubles[] = {
        {"0", 0},
        {"-0", -0.0},
        {"1e22", 1e22},
        {"123456789012345678", 123456789012345678.0},
        {"9007199254740993", 9007199254740992.0},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"4.9406564584124654e-324", 4.9406564584124654e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"8.98846567431157953864652595394512366808988489471153286367150405788663379027504815663542"
         "386612037680105600569399356966788293948844072083112464237153197370621888839467124327426"
         "381511098006230470597265414760425028844190753411712314407369565552704136185816752553422"
         "931491199736229692398581524176781648121120686080000000e307",
         8.98846567431158e307},
        {"1E-5", 1e-5},
        {"0.5e+1", 5},
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        const fixture_widget *w = decode_spec(kube_printf(ctx, "\"d\":%s", doubles[i].text));
        ck_assert_msg(memcmp(&w->spec.d, &doubles[i].value, sizeof(double)) == 0, "%s gives %a",
                      doubles[i].text, w->spec.d);
    }
    const fixture_widget *w = decode_spec("\"quantity\":12.50,\"i64\":-9223372036854775808,"
                                          "\"port\":-1,\"quantities\":[1e3,\"2\"]");
    ck_assert_str_eq(w->spec.quantity.text, "12.50");
    ck_assert_int_eq(w->spec.i64, INT64_MIN);
    ck_assert_int_eq(w->spec.port.number, -1);
    ck_assert_str_eq(w->spec.quantities.items[0].text, "1e3");
}

TEST(doubles_do_not_depend_on_the_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"};
    size_t i = 0;
    while (!setlocale(LC_NUMERIC, names[i]))
        i++;
    double d = decode_spec("\"d\":1.0000000000000002")->spec.d;
    setlocale(LC_NUMERIC, "C");
    ck_assert_double_eq(d, 1.0000000000000002);
}

TEST(what_has_no_place_is_lost_and_named)
{
    /* In a struct without kube_extra, below two that have one. */
    fixture_widget *w = decode_spec("\"strict\":{\"colour\":1,\"shape\":2}");
    ck_assert_str_eq(kube_object_lost_path(&w->base), "spec.strict.colour");
    ck_assert_uint_eq(w->base.block->flags & KUBE__BLOCK_PARTIAL_STATUS, 0);
    w = decode_spec("\"stricts\":[{},{\"leaf\":{\"kept\":1},\"a.b/c\":[{\"d\":\"]\"}]}]");
    ck_assert_str_eq(kube_object_lost_path(&w->base), "spec.stricts[1]['a.b/c']");
    w = decode_widget("{\"spec\":{\"strict\":{\"x\":1}},\"status\":{\"strict\":{\"y\":{}}}}");
    ck_assert_str_eq(kube_object_lost_path(&w->base), "spec.strict.x");
    ck_assert_uint_ne(w->base.block->flags & KUBE__BLOCK_PARTIAL_STATUS, 0);
    w = decode_widget("{\"metadata\":{\"selfLink\":\"/x\"}}");
    ck_assert_str_eq(kube_object_lost_path(&w->base), "metadata.selfLink");
    ck_assert_uint_ne(w->base.block->flags & KUBE__BLOCK_PARTIAL_STATUS, 0);
}

TEST(a_nul_in_a_string_is_two_bytes)
{
    const fixture_widget *w = decode_widget(
        "{\"metadata\":{\"annotations\":{\"file\":\"\\u0000a\\u0000\\u0000\"}},"
        "\"spec\":{\"text\":\"a\\u0000b\",\"phase\":\"\\u0000\",\"strings\":[\"x\\u0000\",\"x\"],"
        "\"stringMap\":{\"k\\u0000\":\"1\",\"k\":\"2\",\"k\\u00002\":\"3\"},\"port\":\"\\u0000\","
        "\"raw\":{\"r\\u0000\":\"\\u0000\"},\"un\\u0000known\":\"\\u0000\"}}");
    ck_assert_str_eq(w->spec.text, "a" KUBE_TEXT_NUL "b");
    ck_assert(kube_text_has_nul(w->spec.text));
    ck_assert_str_eq(kube_string_map_get(&w->metadata.annotations, "file"),
                     KUBE_TEXT_NUL "a" KUBE_TEXT_NUL KUBE_TEXT_NUL);
    ck_assert_str_eq(w->spec.strings.items[0], "x" KUBE_TEXT_NUL);
    ck_assert(!kube_text_has_nul(w->spec.strings.items[1]));
    ck_assert(!kube_text_has_nul("\xc0 \x80") && !kube_text_has_nul(NULL));
    ck_assert_uint_eq(w->spec.string_map.len, 3);
    ck_assert_str_eq(kube_string_map_get(&w->spec.string_map, "k"), "2");
    ck_assert_str_eq(kube_string_map_get(&w->spec.string_map, "k" KUBE_TEXT_NUL), "1");
    ck_assert_str_eq(kube_string_map_get(&w->spec.string_map, "k" KUBE_TEXT_NUL "2"), "3");
    ck_assert_str_eq(w->spec.port.text, KUBE_TEXT_NUL);
    ck_assert_str_eq(w->spec.raw.text, "{\"r\\u0000\":\"\\u0000\"}");
    ck_assert_str_eq(w->spec.extra.members, "\"un\\u0000known\":\"\\u0000\"");
    ck_assert_ptr_null(kube_object_lost_path(&w->base));
    w = decode_spec("\"strict\":{\"a\\u0000\":1}");
    ck_assert_str_eq(kube_object_lost_path(&w->base), "spec.strict['a\\\\u0000']");
}

/* Decodes and expects failure; the error's text. */
static const char *refused(const char *json, size_t len, const char *field)
{
    kube_object *object = NULL;
    static kube_error err;
    kube_code rc = kube_decode(ctx, &fixture_widget_type, json, len, &object, &err);
    ck_assert_msg(rc == KUBE_ERR_DECODE, "%s: accepted", json);
    ck_assert_ptr_null(object);
    ck_assert_msg(strcmp(err.field, field) == 0, "%s: field %s, expected %s", json, err.field,
                  field);
    return err.message;
}

TEST(wrong_values_are_refused_with_path_and_offset)
{
    static const struct {
        const char *members;
        const char *path; /* below spec */
        const char *message;
    } cases[] = {
        {"\"text\":1", "text", "expected a string, found a number"},
        {"\"text\":{}", "text", "expected a string, found an object"},
        {"\"i32\":\"1\"", "i32", "expected an integer, found a string"},
        {"\"i32\":2147483648", "i32", "integer does not fit in 32 bits"},
        {"\"i32\":-2147483649", "i32", "integer does not fit in 32 bits"},
        {"\"i64\":9223372036854775808", "i64", "integer does not fit in 64 bits"},
        {"\"i64\":-9223372036854775809", "i64", "integer does not fit in 64 bits"},
        {"\"i64\":100000000000000000000000000", "i64", "integer does not fit in 64 bits"},
        {"\"i64\":18446744073709551616", "i64", "integer does not fit in 64 bits"},
        {"\"i64\":1.0", "i64", "expected an integer, found a fraction or exponent"},
        {"\"optI32\":1e3", "optI32", "expected an integer, found a fraction or exponent"},
        {"\"on\":\"true\"", "on", "expected true or false, found a string"},
        {"\"d\":\"1\"", "d", "expected a number, found a string"},
        {"\"d\":1e400", "d", "number does not fit in a double"},
        {"\"time\":\"yesterday\"", "time", "not an RFC 3339 time"},
        {"\"time\":\"\"", "time", "not an RFC 3339 time"},
        {"\"microTime\":\"2024-01-02\"", "microTime", "not an RFC 3339 time"},
        {"\"duration\":\"1\"", "duration", "not a duration"},
        {"\"quantity\":true", "quantity", "expected a quantity, found true or false"},
        {"\"port\":2147483648", "port", "integer does not fit in 32 bits"},
        {"\"port\":[]", "port", "expected an integer, found a list"},
        {"\"bytes\":\"A\"", "bytes", "not base64"},
        {"\"bytes\":\"AA= =\"", "bytes", "not base64"},
        {"\"bytes\":\"AA==AA==\"", "bytes", "not base64"},
        {"\"bytes\":\"AA=A\"", "bytes", "not base64"},
        {"\"leaf\":[]", "leaf", "expected an object, found a list"},
        {"\"leafPtr\":\"x\"", "leafPtr", "expected an object, found a string"},
        {"\"strings\":{}", "strings", "expected a list, found an object"},
        {"\"strings\":[\"a\",nil]", "strings[1]", "expected a value"},
        {"\"leaves\":[{},nul]", "leaves[1]", "expected a value"},
        {"\"stringMap\":{\"a\":nulL}", "stringMap['a']", "expected a value"},
        {"\"i32s\":[1,2,3.5]", "i32s[2]", "expected an integer, found a fraction or exponent"},
        {"\"stringMap\":{\"a.b/c\":1}", "stringMap['a.b/c']", "expected a string, found a number"},
        {"\"leafMap\":{\"it's\":{\"name\":2}}", "leafMap['it\\'s'].name",
         "expected a string, found a number"},
        {"\"leafLists\":[[],[{},{\"weight\":true}]]", "leafLists[1][1].weight",
         "expected an integer, found true or false"},
        {"\"tree\":{\"left\":{\"named\":{\"n\":{\"value\":[]}}}}", "tree.left.named['n'].value",
         "expected a string, found a list"},
        {"\"terminationGracePeriodSecondsOverhead\":\"\"", "terminationGracePeriodSecondsOverhead",
         "expected an integer, found a string"},
        {"\"text\":\"\\ud800\"", "text", "\\u escape is half of a surrogate pair"},
        {"\"text\":\"\\udc00\"", "text", "\\u escape is half of a surrogate pair"},
        {"\"text\":\"\\ud800\\u0041\"", "text", "\\u escape is half of a surrogate pair"},
        {"\"text\":\"\xff\"", "text", "bad UTF-8"},
        {"\"text\":\"\xc0\xaf\"", "text", "bad UTF-8"},
        {"\"text\":\"a\xc0\x80\"", "text", "bad UTF-8"},
        {"\"raw\":\"a\xc0\x80\"", "raw", "bad UTF-8"},
        {"\"text\":\"\xed\xa0\x80\"", "text", "bad UTF-8"},
        {"\"text\":\"\xf4\x90\x80\x80\"", "text", "bad UTF-8"},
        {"\"raw\":{\"a\":\"\xff\"}", "raw", "bad UTF-8"},
        {"\"unknown\":[\"\xc3(\"]", "unknown", "bad UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *json = kube_printf(ctx, "{\"spec\":{%s}}", cases[i].members);
        const char *message =
            refused(json, strlen(json), kube_printf(ctx, "spec.%s", cases[i].path));
        const char *expected =
            kube_printf(ctx, "spec.%s: %s (offset ", cases[i].path, cases[i].message);
        ck_assert_msg(strncmp(message, expected, strlen(expected)) == 0, "%s\n%s", message,
                      expected);
    }
    ck_assert_str_eq(refused("{\"spec\":{\"i32\":[]}}", 19, "spec.i32"),
                     "spec.i32: expected an integer, found a list (offset 15)");
}

TEST(broken_text_is_refused)
{
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "[]",
        "null",
        "1",
        "\"x\"",
        "{}x",
        "{}{}",
        "{} \v",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":01}",
        "{\"a\":-}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":1.}",
        "{\"a\":1e}",
        "{\"a\":0x1}",
        "{\"a\":NaN}",
        "{\"a\":nul}",
        "{\"a\":truE}",
        "{\"a\":'x'}",
        "{\"a\":\"\t\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":[1,]}",
        "{\"a\":[1 2]}",
        "{\"a\":[1}",
        "{\"a\":{]}",
        "{\"a\":{\"b\":1]}",
        "{\"a\":{\"b\"}}",
        "{\"a\":{1:2}}",
        "{a:1}",
        "{\"spec\":{\"text\":\"\n\"}}",
        "{\"spec\":{\"text\":\"\\q\"}}",
        "{\"spec\":{\"i32\":01}}",
        "{\"spec\":{\"i32\":-}}",
        "{\"spec\":{\"i32\":--1}}",
        "{\"spec\":{\"d\":1.}}",
        "{\"spec\":{\"d\":01.5}}",
        "{\"spec\":{\"on\":tru}}",
        "{\"spec\":{\"strings\":[\"a\",]}}",
        "{\"spec\":{\"strings\":[\"a\" \"b\"]}}",
        "{\"spec\":{\"strings\":[,]}}",
        "{\"spec\":{\"stringMap\":{\"a\":\"b\",}}}",
        "{\"spec\":{\"stringMap\":{\"a\" \"b\"}}}",
        "{\"spec\":{\"stringMap\":{1:\"b\"}}}",
        "{\"spec\":{\"leaves\":[{},]}}",
        "{\"spec\":{\"leafMap\":{\"a\":{},}}}",
        "{\"spec\":{\"raw\":{\"a\":[}}}}",
        "{\"spec\":{\"raw\":tru}}",
        "{\"spec\" \"x\"}",
        "{\"spec\":{}",
        "{\"metadata\":{\"managedFields\":[{]}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kube_object *object;
        kube_error err;
        kube_code rc =
            kube_decode(ctx, &fixture_widget_type, texts[i], strlen(texts[i]), &object, &err);
        ck_assert_msg(rc == KUBE_ERR_DECODE, "accepted: %s", texts[i]);
        ck_assert_ptr_null(object);
    }
    refused("{}\0", 3, "");
    refused("{\"spec\":{\"text\":\"a\0b\"}}", 23, "spec.text");
    refused("{\"spec\":{\"raw\":{\"a\0b\":1}}}", 26, "spec.raw");
}

TEST(no_prefix_of_an_object_is_one)
{
    size_t len = strlen(fixture_full_json);
    for (size_t i = 0; i < len; i++) {
        kube_object *object;
        kube_error err;
        kube_code rc = kube_decode(ctx, &fixture_widget_type, fixture_full_json, i, &object, &err);
        ck_assert_int_eq(rc, KUBE_ERR_DECODE);
        kube_ctx_reset(ctx);
    }
}

static char *nested(const char *before, const char *open, const char *close, const char *inside,
                    int depth)
{
    size_t size = strlen(before) + (size_t)depth * (strlen(open) + strlen(close)) + 64;
    char *text = kube_ctx_alloc(ctx, size);
    char *end = stpcpy(text, before);
    for (int i = 0; i < depth; i++)
        end = stpcpy(end, open);
    end = stpcpy(end, inside);
    for (int i = 0; i < depth; i++)
        end = stpcpy(end, close);
    strcpy(end, "}}");
    return text;
}

static kube_code decode_nested(const char *text, const char **lost, kube_error *err)
{
    kube_object *object;
    kube_code rc = kube_decode(ctx, &fixture_widget_type, text, strlen(text), &object, err);
    *lost = rc ? NULL : kube_object_lost_path(object);
    return rc;
}

/* On a stack on which 10,000 calls within one another would not fit. */
static void *read_and_write_deeply(void *arg)
{
    static const char *const texts[][4] = {{"{\"spec\":{\"raw\":", "[", "]", ""},
                                           {"{\"spec\":{\"raw\":", "{\"a\":", "}", "1"},
                                           {"{\"spec\":{\"new\":", "{\"a\":", "}", "1"}};
    (void)arg;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *const *t = texts[i];
        const char *lost;
        const char *json;
        kube_error err;
        /* Two levels are those of the root and spec. */
        const char *text = nested(t[0], t[1], t[2], t[3], 9998);
        fixture_widget *w = decode_widget(text);
        ck_assert_ptr_null(kube_object_lost_path(&w->base));
        ck_assert_int_eq(
            kube_encode(ctx, &fixture_widget_type, &w->base, KUBE_ENCODE_PLAIN, &json, NULL, &err),
            KUBE_OK);
        ck_assert(kube_object_equal(&fixture_widget_type, &w->base, &decode_widget(json)->base));
        ck_assert_int_eq(kube_path_get(ctx, &fixture_widget_type, &w->base, "spec", &json, &err),
                         KUBE_OK);
        ck_assert_int_eq(decode_nested(nested(t[0], t[1], t[2], t[3], 9999), &lost, &err),
                         KUBE_ERR_DECODE);
        ck_assert_ptr_nonnull(strstr(err.message, "nested deeper than 10000"));
    }
    return NULL;
}

TEST(raw_json_may_nest_as_deep_as_in_go)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    ck_assert_int_eq(pthread_attr_setstacksize(&small, 65536), 0);
    ck_assert_int_eq(pthread_create(&thread, &small, read_and_write_deeply, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
}

TEST(what_nests_deeper_than_structs_may_is_lost)
{
    static const char *const texts[][4] = {
        {"{\"spec\":{\"tree\":", "{\"left\":", "}", "null"},
        {"{\"spec\":{\"tree\":", "{\"children\":[", "]}", ""},
        {"{\"spec\":{\"tree\":", "{\"named\":{\"n\":", "}}", "null"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *const *t = texts[i];
        int depth = i == 0 ? 198 : 99;
        const char *lost;
        kube_error err;
        ck_assert_int_eq(
            decode_nested(nested(t[0], t[1], t[2], t[3], depth - (i == 2)), &lost, &err), KUBE_OK);
        ck_assert(i == 2 || !lost);
        ck_assert_int_eq(decode_nested(nested(t[0], t[1], t[2], t[3], depth + 1), &lost, &err),
                         KUBE_OK);
        ck_assert_int_eq(strncmp(lost, "spec.tree.", 10), 0);
        ck_assert_int_eq(decode_nested(nested(t[0], t[1], t[2], t[3], 4000), &lost, &err), KUBE_OK);
        ck_assert_int_eq(strncmp(lost, "spec.tree.", 10), 0);
    }
}

TEST(an_object_of_another_type_is_refused)
{
    refused("{\"apiVersion\":\"test.kube.dev/v2\"}", 33, "apiVersion");
    ck_assert_str_eq(refused("{\"kind\":\"Gadget\"}", 17, "kind"),
                     "kind: expected kind Widget, found Gadget (offset 8)");
    refused("{\"kind\":1}", 10, "kind");
    decode_widget("{}"); /* items of built-in lists say neither */
}

/* Lists and maps are joined so many times only; members of any number are. */
TEST(repeated_members_of_any_number_are_read)
{
    char *text = kube_ctx_alloc(ctx, 1 << 20);
    char *end = stpcpy(text, "\"text\":\"a\"");
    for (int i = 0; i < 20000; i++)
        end += sprintf(end, ",\"text\":\"%d\",\"leafPtr\":{\"name\":\"%d\"}", i, i);
    fixture_widget *w = decode_spec(text);
    ck_assert_str_eq(w->spec.text, "19999");
    ck_assert_str_eq(w->spec.leaf_ptr->name, "19999");
    ck_assert_ptr_null(kube_object_lost_path(&w->base));
    end = stpcpy(text, "\"text\":\"a\"");
    for (int i = 0; i < 1000; i++)
        end += sprintf(end, ",\"stringMap\":{\"%d\":\"\"},\"leaf\":{\"x%d\":1}", i, i);
    w = decode_spec(text);
    ck_assert_uint_lt(w->spec.string_map.len, 1000);
    ck_assert_ptr_nonnull(kube_string_map_get(&w->spec.string_map, "999"));
    ck_assert_ptr_nonnull(kube_object_lost_path(&w->base));
}

/* What joins maps is to cost in proportion to the text, also when their keys are long. */
TEST(repeated_maps_cost_what_their_keys_are_long)
{
    enum { KEY = 10000 };
    char *text = kube_ctx_alloc(ctx, 1 << 20);
    char *end = stpcpy(text, "\"stringMap\":{");
    for (int i = 0; i < 14; i++) {
        end += sprintf(end, "%s\"", i ? "," : "");
        memset(end, 'k', KEY);
        end += KEY;
        end += sprintf(end, "%d\":\"\"", i);
    }
    end = stpcpy(end, "}");
    char *start = end;
    for (int i = 0; i < 20000; i++)
        end = stpcpy(end, ",\"stringMap\":{}"); /* which adds nothing, and costs nothing */
    fixture_widget *w = decode_spec(text);
    ck_assert_uint_eq(w->spec.string_map.len, 14);
    ck_assert_ptr_null(kube_object_lost_path(&w->base));
    end = start;
    for (int i = 0; i < 100; i++)
        end = stpcpy(end, ",\"stringMap\":{\"b\":\"\"}");
    w = decode_spec(text);
    ck_assert_ptr_nonnull(kube_string_map_get(&w->spec.string_map, "b"));
    ck_assert_str_eq(kube_object_lost_path(&w->base), "spec.stringMap");
}

/* An object that fills every area more than once. */
static char *large_json(size_t leaves)
{
    size_t size = leaves * 64 + 256;
    char *json = kube_ctx_alloc(ctx, size);
    size_t at = (size_t)snprintf(json, size, "{\"spec\":{\"leaves\":[");
    for (size_t i = 0; i < leaves; i++)
        at += (size_t)snprintf(json + at, size - at, "%s{\"name\":\"leaf-%zu\",\"x\":%zu}",
                               i ? "," : "", i, i);
    snprintf(json + at, size - at, "]}}");
    return json;
}

TEST(large_lists_are_whole)
{
    fixture_widget *w = decode_widget(large_json(50000));
    ck_assert_uint_eq(w->spec.leaves.len, 50000);
    for (size_t i = 0; i < 50000; i += 4999) {
        char name[32];
        snprintf(name, sizeof name, "leaf-%zu", i);
        ck_assert_str_eq(w->spec.leaves.items[i].name, name);
        snprintf(name, sizeof name, "\"x\":%zu", i);
        ck_assert_str_eq(w->spec.leaves.items[i].extra.members, name);
    }
}

TEST(a_clone_is_its_own_and_equal)
{
    fixture_widget *w = decode_widget(fixture_full_json);
    kube__block_seal(&w->base);
    kube_object *clone = kube__block_clone(&w->base);
    ck_assert_ptr_nonnull(clone);
    kube__block_check(&w->base);
    fixture_widget *c = (fixture_widget *)(void *)clone;
    ck_assert(kube_object_equal(&fixture_widget_type, &w->base, clone));
    ck_assert_ptr_ne(c->spec.text, w->spec.text);
    ck_assert_ptr_ne(c->metadata.labels.items, w->metadata.labels.items);
    ck_assert_uint_eq(clone->block->flags & KUBE__BLOCK_SEALED, 0);
    kube_object_unref(clone);
}

TEST(every_spelling_of_a_time_gives_what_the_parser_gives)
{
    static const char *const forms[] = {
        "%04d-%02d-%02dT%02d:%02d:%02dZ", "%04d-%02d-%02dT%02d:%02d:%02d.5Z",
        "%04d-%02d-%02dT%02d:%02d:%02d+01:00", "%04d-%02d-%02d %02d:%02d:%02dZ",
        "%04d-%02d-%02dT%02d:%02d:%02d"};
    for (int i = 0; i < 4000; i++) {
        /* Steps without a common factor, a little beyond each range. */
        int year = i * 37 % 2400;
        int month = i * 5 % 14;
        int day = i * 7 % 33;
        char text[64];
        snprintf(text, sizeof text, forms[i % 5], year, month, day, i * 11 % 26, i * 13 % 62,
                 i * 17 % 62);
        kube_time wanted;
        bool is_time = kube_time_parse(text, strlen(text), &wanted);
        const char *json = kube_printf(ctx, "{\"spec\":{\"time\":\"%s\"}}", text);
        kube_object *object;
        kube_error err;
        kube_code rc = kube_decode(ctx, &fixture_widget_type, json, strlen(json), &object, &err);
        ck_assert_msg((rc == KUBE_OK) == is_time, "%s: %s", text,
                      is_time ? err.message : "a time?");
        if (!is_time)
            continue;
        const kube_time *time = &((fixture_widget *)(void *)object)->spec.time;
        ck_assert_msg(time->sec == wanted.sec && time->nsec == wanted.nsec && time->set, "%s: %lld",
                      text, (long long)time->sec);
    }
}

#ifndef NDEBUG
TEST(a_write_to_a_shared_object_is_found)
{
    fixture_widget *w = decode_widget("{\"metadata\":{\"namespace\":\"n\",\"name\":\"w\"}}");
    kube__block_seal(&w->base);
    kube__block_check(&w->base);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        w->spec.i32++;
        kube__block_check(&w->base);
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    kube__block_unseal(&w->base);
    w->spec.i32++;
    kube__block_check(&w->base);
}
#endif

static const char *replayed;

static bool decode_step(void *arg)
{
    kube_object *object = arg;
    kube_error err;
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube_code rc =
        kube_decode(own, &fixture_widget_type, replayed, strlen(replayed), &object, &err);
    if (rc != KUBE_OK && (rc != KUBE_ERR_NO_MEMORY || object))
        abort();
    kube_ctx_free(own);
    return rc == KUBE_OK;
}

TEST(every_allocation_may_fail)
{
    replayed = fixture_full_json;
    ck_assert_uint_gt(fail_malloc_replay(decode_step, NULL), 10);
    replayed = large_json(2000);
    ck_assert_uint_gt(fail_malloc_replay(decode_step, NULL), 10);
    replayed =
        "{\"spec\":{\"stringMap\":{\"b\":\"1\",\"a\":\"2\"},\"leafMap\":{\"b\":{},\"a\":{}}}}";
    ck_assert_uint_gt(fail_malloc_replay(decode_step, NULL), 5);
}
