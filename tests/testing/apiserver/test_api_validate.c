/* SPDX-License-Identifier: Apache-2.0 */
/* What a kube-apiserver (v1.37.1) said of these values, word for word. */
#include "schema_fixture.h"

static const char keywords[] =
    "{'type':'object','properties':{'spec':{'type':'object','properties':{"
    "'str':{'type':'string','minLength':2,'maxLength':4,'pattern':'^[a-z]+$'},"
    "'i32':{'type':'integer','format':'int32'},"
    "'i64':{'type':'integer'},"
    "'num':{'type':'number','minimum':1.5,'maximum':10,'exclusiveMaximum':true,'multipleOf':0.5},"
    "'int':{'type':'integer','minimum':2,'maximum':10,'multipleOf':2},"
    "'xmin':{'type':'integer','minimum':2,'exclusiveMinimum':true},"
    "'bool':{'type':'boolean'},"
    "'ios':{'x-kubernetes-int-or-string':true},"
    "'en':{'type':'string','enum':['a','b']},"
    "'eni':{'type':'integer','enum':[1,2]},"
    "'dt':{'type':'string','format':'date-time'},"
    "'ip4':{'type':'string','format':'ipv4'},"
    "'nul':{'type':'string','nullable':true},"
    "'arr':{'type':'array','minItems':2,'maxItems':3,'items':{'type':'string'}},"
    "'set':{'type':'array','items':{'type':'string'},'x-kubernetes-list-type':'set'},"
    "'map':{'type':'array','items':{'type':'object','required':['k'],'properties':{'k':{'type':'"
    "string'},'v':{'type':'integer'}}},'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':"
    "['k']},"
    "'map2':{'type':'array','items':{'type':'object','required':['k','l'],'properties':{'k':{'type'"
    ":'string'},'l':{'type':'integer'}}},'x-kubernetes-list-type':'map','x-kubernetes-list-map-"
    "keys':['k','l']},"
    "'obj':{'type':'object','minProperties':1,'maxProperties':2,'additionalProperties':{'type':'"
    "integer'}},"
    "'req':{'type':'object','required':['a','b'],'properties':{'a':{'type':'string'},'b':{'type':'"
    "string'}}},"
    "'any':{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'string'}},'anyOf':[{'"
    "required':['a']},{'required':['b']}]},"
    "'one':{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'string'}},'oneOf':[{'"
    "required':['a']},{'required':['b']}]},"
    "'all':{'type':'string','allOf':[{'minLength':2},{'pattern':'^x'}]},"
    "'not':{'type':'string','not':{'enum':['z']}},"
    "'emb':{'type':'object','x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-"
    "fields':true}"
    "}}}}";

static const struct {
    const char *field;
    const char *value;
    const char *causes;
} cases[] = {
    {"str", "'a'",
     "Invalid spec.str: Invalid value: 'a': spec.str in body should be at least 2 chars long"},
    {"str", "'abcde'", "TooLong spec.str: Too long: may not be more than 4 bytes"},
    {"str", "'AB'",
     "Invalid spec.str: Invalid value: 'AB': spec.str in body should match '^[a-z]+$'"},
    {"str", "5",
     "TypeInvalid spec.str: Invalid value: 'integer': spec.str in body must be of type string: "
     "'integer'"},
    {"str", "null", ""},
    {"i32", "3000000000",
     "Invalid <nil>: Invalid value: '': Checked value must be of type integer with format int32 in "
     "spec.i32"},
    {"i32", "1.5",
     "Invalid <nil>: Invalid value: '': Checked value must be of type integer with format int32 in "
     "spec.i32\n"
     "TypeInvalid spec.i32: Invalid value: 'float64': spec.i32 in body must be of type int32: "
     "'float64'"},
    {"i32", "'x'",
     "TypeInvalid spec.i32: Invalid value: 'string': spec.i32 in body must be of type integer: "
     "'string'"},
    {"i32", "true",
     "TypeInvalid spec.i32: Invalid value: '': spec.i32 in body must be of type int32: ''"},
    {"i64", "1.5",
     "Invalid <nil>: Invalid value: '': Checked value must be of type integer (default format) in "
     "spec.i64\n"
     "TypeInvalid spec.i64: Invalid value: 'number': spec.i64 in body must be of type integer: "
     "'number'"},
    {"i64", "'1'",
     "TypeInvalid spec.i64: Invalid value: 'string': spec.i64 in body must be of type integer: "
     "'string'"},
    {"i64", "9223372036854775807", ""},
    {"i64", "1e+30",
     "Invalid <nil>: Invalid value: '': Checked value must be of type integer (default format) in "
     "spec.i64\n"
     "TypeInvalid spec.i64: Invalid value: 'number': spec.i64 in body must be of type integer: "
     "'number'"},
    {"num", "1",
     "Invalid spec.num: Invalid value: 0: factor MultipleOf declared for spec.num must be "
     "positive: 0"},
    {"num", "10",
     "Invalid spec.num: Invalid value: 0: factor MultipleOf declared for spec.num must be "
     "positive: 0\n"
     "Invalid spec.num: Invalid value: 10: spec.num in body should be less than 10"},
    {"num", "1.75",
     "Invalid spec.num: Invalid value: 1.75: spec.num in body should be a multiple of 0.5"},
    {"num", "20",
     "Invalid spec.num: Invalid value: 0: factor MultipleOf declared for spec.num must be "
     "positive: 0\n"
     "Invalid spec.num: Invalid value: 20: spec.num in body should be less than 10"},
    {"num", "11.25",
     "Invalid spec.num: Invalid value: 11.25: spec.num in body should be a multiple of 0.5\n"
     "Invalid spec.num: Invalid value: 11.25: spec.num in body should be less than 10"},
    {"num", "'x'",
     "TypeInvalid spec.num: Invalid value: 'string': spec.num in body must be of type number: "
     "'string'"},
    {"num", "0.00001",
     "Invalid spec.num: Invalid value: 1e-05: spec.num in body should be a multiple of 0.5\n"
     "Invalid spec.num: Invalid value: 1e-05: spec.num in body should be greater than or equal to "
     "1.5"},
    {"int", "1",
     "Invalid spec.int: Invalid value: 1: spec.int in body should be a multiple of 2\n"
     "Invalid spec.int: Invalid value: 1: spec.int in body should be greater than or equal to 2"},
    {"int", "12",
     "Invalid spec.int: Invalid value: 12: spec.int in body should be less than or equal to 10"},
    {"int", "3", "Invalid spec.int: Invalid value: 3: spec.int in body should be a multiple of 2"},
    {"int", "1e+30",
     "Invalid <nil>: Invalid value: '': Checked value must be of type integer (default format) in "
     "spec.int\n"
     "Invalid spec.int: Invalid value: 1e+30: spec.int in body should be a multiple of 2\n"
     "Invalid spec.int: Invalid value: 1e+30: spec.int in body should be less than or equal to 10\n"
     "TypeInvalid spec.int: Invalid value: 'number': spec.int in body must be of type integer: "
     "'number'"},
    {"xmin", "2",
     "Invalid spec.xmin: Invalid value: 2: spec.xmin in body should be greater than 2"},
    {"bool", "'true'",
     "TypeInvalid spec.bool: Invalid value: 'string': spec.bool in body must be of type boolean: "
     "'string'"},
    {"bool", "1",
     "TypeInvalid spec.bool: Invalid value: 'integer': spec.bool in body must be of type boolean: "
     "'integer'"},
    {"ios", "true",
     "TypeInvalid spec.ios: Invalid value: 'boolean': spec.ios in body must be of type "
     "integer,string: 'boolean'"},
    {"ios", "1.5",
     "TypeInvalid spec.ios: Invalid value: 'number': spec.ios in body must be of type "
     "integer,string: 'number'"},
    {"ios", "[]",
     "TypeInvalid spec.ios: Invalid value: 'array': spec.ios in body must be of type "
     "integer,string: 'array'"},
    {"en", "'c'", "NotSupported spec.en: Unsupported value: 'c': supported values: 'a', 'b'"},
    {"en", "''", "NotSupported spec.en: Unsupported value: '': supported values: 'a', 'b'"},
    {"en", "5",
     "NotSupported spec.en: Unsupported value: 5: supported values: 'a', 'b'\n"
     "TypeInvalid spec.en: Invalid value: 'integer': spec.en in body must be of type string: "
     "'integer'"},
    {"eni", "3", "NotSupported spec.eni: Unsupported value: 3: supported values: '1', '2'"},
    {"dt", "'x'",
     "TypeInvalid spec.dt: Invalid value: 'x': spec.dt in body must be of type date-time: 'x'"},
    {"dt", "5",
     "TypeInvalid spec.dt: Invalid value: 'int64': spec.dt in body must be of type date-time: "
     "'int64'"},
    {"dt", "{}",
     "TypeInvalid spec.dt: Invalid value: '': spec.dt in body must be of type date-time: ''"},
    {"dt", "[]", ""},
    {"ip4", "'300.1.1.1'",
     "TypeInvalid spec.ip4: Invalid value: '300.1.1.1': spec.ip4 in body must be of type ipv4: "
     "'300.1.1.1'"},
    {"ip4", "'010.1.1.1'", ""},
    {"nul", "null", ""},
    {"nul", "5",
     "TypeInvalid spec.nul: Invalid value: 'integer': spec.nul in body must be of type string: "
     "'integer'"},
    {"arr", "['a']",
     "Invalid spec.arr: Invalid value: 1: spec.arr in body should have at least 2 items"},
    {"arr", "['a', 'b', 'c', 'd']", "TooMany spec.arr: Too many: 4: must have at most 3 items"},
    {"arr", "['a', 5]",
     "TypeInvalid spec.arr[1]: Invalid value: 'integer': spec.arr[1] in body must be of type "
     "string: 'integer'"},
    {"arr", "'x'",
     "TypeInvalid spec.arr: Invalid value: 'string': spec.arr in body must be of type array: "
     "'string'"},
    {"arr", "{}",
     "TypeInvalid spec.arr: Invalid value: 'object': spec.arr in body must be of type array: "
     "'object'"},
    {"set", "['a', 'b', 'a', 'a']", "Duplicate spec.set[2]: Duplicate value: 'a'"},
    {"map", "[{'k': 'a'}, {'k': 'a'}]", "Duplicate spec.map[1]: Duplicate value: {'k':'a'}"},
    {"map", "[{}, {}]",
     "Duplicate spec.map[1]: Duplicate value: {}\n"
     "Required spec.map[0].k: Required value\n"
     "Required spec.map[1].k: Required value"},
    {"map", "['x']",
     "Invalid spec.map[0]: Invalid value: 'x': must be an object for an array of list-type map\n"
     "TypeInvalid spec.map[0]: Invalid value: 'string': spec.map[0] in body must be of type "
     "object: 'string'"},
    {"map2", "[{'k': 'a', 'l': 1}, {'k': 'a', 'l': 1}]",
     "Duplicate spec.map2[1]: Duplicate value: {'k':'a','l':1}"},
    {"obj", "{}",
     "Invalid spec.obj: Invalid value: 0: spec.obj in body should have at least 1 properties"},
    {"obj", "{'a': 1, 'b': 2, 'c': 3}", "TooMany spec.obj: Too many: 3: must have at most 2 items"},
    {"obj", "{'a': 'x'}",
     "TypeInvalid spec.obj.a: Invalid value: 'string': spec.obj.a in body must be of type integer: "
     "'string'"},
    {"req", "{}",
     "Required spec.req.a: Required value\n"
     "Required spec.req.b: Required value"},
    {"any", "{}",
     "Invalid <nil>: Invalid value: '': 'spec.any' must validate at least one schema (anyOf)\n"
     "Required spec.any.a: Required value"},
    {"one", "{}",
     "Invalid <nil>: Invalid value: '': 'spec.one' must validate one and only one schema (oneOf). "
     "Found none valid\n"
     "Required spec.one.a: Required value"},
    {"one", "{'a': '', 'b': ''}",
     "Invalid <nil>: Invalid value: '': 'spec.one' must validate one and only one schema (oneOf). "
     "Found 2 valid alternatives"},
    {"all", "'y'",
     "Invalid <nil>: Invalid value: '': 'spec.all' must validate all the schemas (allOf). None "
     "validated\n"
     "Invalid spec.all: Invalid value: 'y': spec.all in body should be at least 2 chars long\n"
     "Invalid spec.all: Invalid value: 'y': spec.all in body should match '^x'"},
    {"all", "'xx'", ""},
    {"not", "'z'",
     "Invalid <nil>: Invalid value: '': 'spec.not' must not validate the schema (not)"},
    {"emb", "{}",
     "Required spec.emb.apiVersion: Required value\n"
     "Required spec.emb.kind: Required value"},
    {"emb", "{'kind': 'a_b', 'apiVersion': 'a/b/c'}",
     "Invalid spec.emb.apiVersion: Invalid value: 'a/b/c': unexpected GroupVersion string: a/b/c\n"
     "Invalid spec.emb.kind: Invalid value: 'a_b': may have mixed case, but should otherwise "
     "match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start "
     "with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
     "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"},
};

FIXTURE(set_up, tear_down);

TEST_EACH(every_keyword_is_told_in_the_real_servers_words, cases)
{
    const kube__api_schema *schema = crd_schema(keywords);
    const char *field = cases[_i].field;
    kube__json *object = parse("{'apiVersion':'ex.com/v1','kind':'K','metadata':{'name':'a'}}");
    kube__json *spec = kube__json_ensure_object(ctx, object, "spec");
    kube__json_set(ctx, spec, field, parse(cases[_i].value));
    kube__api_schema_prune(ctx, schema, object, NULL, NULL);
    kube__api_causes causes = {.ctx = ctx};
    bool has_rules = true;
    kube__api_schema_validate(ctx, schema, object, NULL, &causes, &has_rules);
    ck_assert(!has_rules);
    const char *found = causes_text(&causes);
    ck_assert_msg(strcmp(found, cases[_i].causes) == 0, "%s: %s\nis   %s\nshould be %s", field,
                  cases[_i].value, found, cases[_i].causes);
}

static const struct {
    const char *format;
    const char *text;
    bool fits;
} formats[] = {
    {"date-time", "2020-01-01T00:00:00Z", true},
    {"date-time", "2020-01-01t00:00:00.5+01:00", true},
    {"date-time", "2020-01-01", false},
    {"date-time", "2020-01-01T25:00:00Z", false},
    {"date-time", "2020-02-30T00:00:00Z", false},
    {"date", "2020-02-29", true},
    {"date", "2021-02-29", false},
    {"date", "x", false},
    {"uuid", "123e4567-e89b-12d3-a456-426614174000", true},
    {"uuid", "123e4567e89b12d3a456426614174000", true},
    {"uuid", "x", false},
    {"email", "a@b", true},
    {"email", "a@b.c", true},
    {"email", "x", false},
    {"email", "A <a@b.c>", true},
    {"email", "a b@c", false},
    {"email", "\"a b\"@c", true},
    {"email", "a@", false},
    {"email", "@a", false},
    {"uri", "http://a", true},
    {"uri", "/a", true},
    {"uri", "a", false},
    {"uri", "http://a b", false},
    {"uri", "mailto:x", true},
    {"uri", "http://a:b", false},
    {"uri", "", false},
    {"uri", "*", true},
    {"uri", "http://a/%zz", false},
    {"uri", "//x", true},
    {"hostname", "a", true},
    {"hostname", "a.b", false},
    {"hostname", "a.bc", true},
    {"hostname", "-a", false},
    {"hostname", "a..b", false},
    {"hostname", "a_b", false},
    {"hostname", "123", true},
    {"hostname", "a.b.com", true},
    {"ipv6", "::1", true},
    {"ipv6", "1.2.3.4", false},
    {"ipv6", "::ffff:1.2.3.4", true},
    {"ipv6", "fe80::1%eth0", false},
    {"ipv6", "x", false},
    {"cidr", "10.0.0.0/8", true},
    {"cidr", "10.0.0.0/33", false},
    {"cidr", "::/0", true},
    {"cidr", "::/129", false},
    {"cidr", "10.0.0.0", false},
    {"cidr", "10.0.0.0/08", true},
    {"cidr", "10.0.0/8", false},
    {"cidr", "/8", false},
    {"mac", "00:00:5e:00:53:01", true},
    {"mac", "00-00-5e-00-53-01", true},
    {"mac", "0000.5e00.5301", true},
    {"mac", "00:00", false},
    {"mac", "00:00:5e:00:53:0g", false},
    {"mac", "02:00:5e:10:00:00:00:01", true},
    {"byte", "", false},
    {"byte", "YQ==", true},
    {"byte", "YQ", false},
    {"byte", "YWJj", true},
    {"byte", "a b", false},
    {"duration", "1h", true},
    {"duration", "1.5h", true},
    {"duration", "0", true},
    {"duration", "1", false},
    {"duration", "x", false},
    {"duration", "2 days", true},
    {"duration", "1h30m", true},
    {"duration", "-1m", true},
    {"duration", "1 week", true},
    {"duration", "5 m", true},
    {"duration", "3ms", true},
    {"isbn", "0321751043", true},
    {"isbn", "978-0321751041", true},
    {"isbn", "0321751044", false},
    {"isbn", "x", false},
    {"creditcard", "4111111111111111", true},
    {"creditcard", "4111-1111-1111-1111", true},
    {"creditcard", "4111111111111112", false},
    {"ssn", "111-11-1111", true},
    {"ssn", "111111111", false},
    {"ssn", "1", false},
    {"hexcolor", "#fff", true},
    {"hexcolor", "fff", true},
    {"hexcolor", "#ffff", false},
    {"hexcolor", "#FFFFFF", true},
    {"rgbcolor", "rgb(1,2,3)", true},
    {"rgbcolor", "rgb(256,2,3)", false},
    {"rgbcolor", "rgb( 1 , 2 , 3 )", true},
    {"rgbcolor", "x", false},
    {"k8s-short-name", "a", true},
    {"k8s-short-name", "A", false},
    {"k8s-short-name", "a-", false},
    {"k8s-short-name", "a.b", false},
    {"k8s-long-name", "a.b", true},
    {"k8s-long-name", "A", false},
    {"k8s-long-name", "a..b", false},
    {"bsonobjectid", "507f1f77bcf86cd799439011", true},
    {"bsonobjectid", "x", false},
    {"password", "", true},
    {"password", "x", true},
    {"ip", "x", true},
    {"nosuch", "x", true},
    {"uuid4", "123e4567-e89b-42d3-a456-426614174000", true},
    {"uuid4", "123e4567-e89b-12d3-a456-426614174000", false},
};

TEST_EACH(formats_fit_what_they_fit_on_the_real_server, formats)
{
    kube__json *schema = parse("{'type':'object','properties':{'a':{'type':'string'}}}");
    kube__json_set_string(ctx, kube__json_at(schema, "properties.a"), "format", formats[_i].format);
    kube__json *object = kube__json_object(ctx);
    kube__json_set_string(ctx, object, "a", formats[_i].text);
    kube__api_causes causes = {.ctx = ctx};
    kube__api_schema_validate(ctx, kube__api_schema_of_crd(ctx, schema), object, NULL, &causes,
                              NULL);
    ck_assert_msg((causes.count == 0) == formats[_i].fits, "%s: %s", formats[_i].format,
                  formats[_i].text);
}

/* ---- changes -------------------------------------------------------------------------------- */

static const char tight[] =
    "{'type':'object','properties':{'spec':{'type':'object','properties':{"
    "'a':{'type':'integer','maximum':10},"
    "'o':{'type':'object','properties':{'x':{'type':'string','maxLength':2},"
    "'y':{'type':'string','maxLength':2}}},"
    "'l':{'type':'array','items':{'type':'string','maxLength':2}},"
    "'m':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
    "'items':{'type':'object','properties':{'k':{'type':'string'},"
    "'v':{'type':'string','maxLength':2}}}},"
    "'s':{'type':'array','items':{'type':'string'},'x-kubernetes-list-type':'set'}}},"
    "'status':{'type':'object','properties':{'p':{'type':'string','maxLength':2}}}}}";
static const char loose[] =
    "{'spec':{'a':50,'o':{'x':'long','y':'long'},'l':['long','long'],"
    "'m':[{'k':'a','v':'long'},{'k':'b','v':'long'}],'s':['a','a']},'status':{'p':'long'}}";

static const char *after(const char *path, const char *member, const char *value)
{
    kube__api_causes causes = {.ctx = ctx};
    kube__json *old = parse(loose);
    kube__json *object = kube__json_copy(ctx, old);
    kube__json_set(ctx, kube__json_at(object, path), member, parse(value));
    kube__api_schema_validate(ctx, crd_schema(tight), object, old, &causes, NULL);
    return causes_text(&causes);
}

TEST(what_did_not_change_is_not_told_again)
{
    ck_assert_str_eq(after("spec", "a", "50"), "");
    ck_assert_str_eq(after("spec", "a", "51"),
                     "Invalid spec.a: Invalid value: 51: spec.a in body should be less than or "
                     "equal to 10");
    ck_assert_str_eq(after("spec.o", "x", "'more'"),
                     "TooLong spec.o.x: Too long: may not be more than 2 bytes");
    ck_assert_str_eq(after("spec", "l", "['long','long','x']"),
                     "TooLong spec.l[0]: Too long: may not be more than 2 bytes\n"
                     "TooLong spec.l[1]: Too long: may not be more than 2 bytes");
    ck_assert_str_eq(after("spec", "m", "[{'k':'b','v':'long'},{'k':'c','v':'x'}]"), "");
    ck_assert_str_eq(after("spec", "m", "[{'k':'b','v':'longer'}]"),
                     "TooLong spec.m[0].v: Too long: may not be more than 2 bytes");
    ck_assert_str_eq(after("spec", "s", "['a','a','b']"), "");
}

TEST(a_status_is_validated_by_itself)
{
    const kube__api_schema *schema = crd_schema(tight);
    kube__api_causes causes = {.ctx = ctx};
    kube__json *object = parse("{'spec':{'a':50},'status':{'p':5}}");
    kube__api_schema_validate_status(ctx, schema, object, parse(loose), &causes, NULL);
    ck_assert_str_eq(causes_text(&causes),
                     "TypeInvalid status.p: Invalid value: 'integer': p in body must be of type "
                     "string: 'integer'");
}

TEST(rules_are_mentioned_unless_the_object_is_too_wrong_for_them)
{
    const kube__api_schema *schema = crd_schema(
        "{'type':'object','properties':{'spec':{'type':'object','properties':{'a':{"
        "'type':'integer','minimum':2,'x-kubernetes-validations':[{'rule':'self > 0'}]}}}}}");
    kube__api_causes causes = {.ctx = ctx};
    bool has_rules = false;
    kube__api_schema_validate(ctx, schema, parse("{'spec':{'a':1}}"), NULL, &causes, &has_rules);
    ck_assert(has_rules);
    ck_assert_uint_eq(causes.count, 1);
    causes = (kube__api_causes){.ctx = ctx};
    kube__api_schema_validate(ctx, schema, parse("{'spec':{'a':'x'}}"), NULL, &causes, &has_rules);
    ck_assert(!has_rules);
    ck_assert_str_eq(causes_text(&causes),
                     "Invalid <nil>: Invalid value: null: some validation rules were not checked "
                     "because the object was invalid; correct the existing errors to complete "
                     "validation\n"
                     "TypeInvalid spec.a: Invalid value: 'string': spec.a in body must be of type "
                     "integer: 'string'");
}
