/* SPDX-License-Identifier: Apache-2.0 */
/* Label and field selectors: what they match, and the texts a real server refuses them with. */
#include "apiserver/query/selector.h"
#include "apiserver/store/store.h"
#include "support/suite.h"

#include <string.h>

static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

#define NAME_RULE                                                                                  \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "    \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "         \
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define VALUE_RULE                                                                                 \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "    \
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',"  \
    "  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
#define LONG "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define BAD "unable to parse requirement: "

typedef struct refused_case {
    const char *text;
    const char *message;
} refused_case;

/* Recorded from kube-apiserver v1.37.1. */
static const refused_case refused_labels[] = {
    {"a>x", BAD "values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an "
                "integer"},
    {"a in x", BAD "found 'x' expected: '('"},
    {"=b", "found '=', expected: !, identifier, or 'end of string'"},
    {"a b", BAD "found 'b', expected: in, notin, =, ==, !=, gt, lt"},
    {"a in (x", BAD "found '', expected: ',' or ')'"},
    {"a,,b", "found ',', expected: identifier after ','"},
    {",a", "found ',', expected: !, identifier, or 'end of string'"},
    {"a,", "found '', expected: identifier after ','"},
    {"a=b=c", "found '=', expected: ',' or 'end of string'"},
    {"!", BAD "found '', expected: identifier"},
    {"-a=b", BAD "<nil>: Invalid value: \"-a\": name part " NAME_RULE},
    {"a=-b", BAD "values[0][a]: Invalid value: \"-b\": " VALUE_RULE},
    {"a/b/c=d", BAD "<nil>: Invalid value: \"a/b/c\": a valid label key " NAME_RULE
                    " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"},
    {"A_B/c=d",
     BAD "<nil>: Invalid value: \"A_B/c\": prefix part a lowercase RFC 1123 subdomain must consist "
         "of lower case alphanumeric characters, '-' or '.', and must start and end with an "
         "alphanumeric character (e.g. 'example.com', regex used for validation is "
         "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"},
    {"/x=d", BAD "<nil>: Invalid value: \"/x\": prefix part must be non-empty"},
    {"x/=d", BAD "<nil>: Invalid value: \"x/\": name part must be non-empty; name part " NAME_RULE},
    {"a=" LONG, BAD "values[0][a]: Invalid value: \"" LONG "\": must be no more than 63 bytes"},
    {LONG "=a", BAD "<nil>: Invalid value: \"" LONG "\": name part must be no more than 63 bytes"},
    {"a in (-x,y)", BAD "values[0][a]: Invalid value: \"-x\": " VALUE_RULE},
    {"a!=b c", "found 'c', expected: ',' or 'end of string'"},
    {"a>", BAD "values[0]: Invalid value: \"\": for 'Gt', 'Lt' operators, the value must be an "
               "integer"},
    {"a>=1", BAD "found '=', expected: identifier"},
    {"a=>1", BAD "found '>', expected: identifier"},
    {"a!b", BAD "found '!', expected: in, notin, =, ==, !=, gt, lt"},
    {"!a=b", "found '=', expected: ',' or 'end of string'"},
    {"a in", BAD "found '' expected: '('"},
    {"a in (x y)", BAD "found 'y', expected: ',' or ')'"},
    {"a=(", BAD "found '(', expected: identifier"},
    {"a=b)", "found ')', expected: ',' or 'end of string'"},
    {"(a)", "found '(', expected: !, identifier, or 'end of string'"},
    {"a=\"b\"", BAD "values[0][a]: Invalid value: \"\\\"b\\\"\": " VALUE_RULE},
    {"a=b\\,c", BAD "values[0][a]: Invalid value: \"b\\\\\": " VALUE_RULE},
    {"a===b", BAD "found '=', expected: identifier"},
    {"a exists", BAD "found 'exists', expected: in, notin, =, ==, !=, gt, lt"},
    {"a>-1", BAD "values[0][a]: Invalid value: \"-1\": " VALUE_RULE},
};

static void expect_refused(kube__api_failure *failure, const refused_case *c)
{
    ck_assert_msg(failure != NULL, "accepted: %s", c->text);
    ck_assert_int_eq(failure->http_status, 400);
    ck_assert_str_eq(failure->reason, "BadRequest");
    ck_assert_str_eq(failure->message, c->message);
}

FIXTURE(set_up, tear_down);

TEST(refuses_labels_with_the_real_texts)
{
    for (size_t i = 0; i < sizeof refused_labels / sizeof *refused_labels; i++) {
        const kube__api_selector *selector;
        expect_refused(kube__api_label_selector(ctx, refused_labels[i].text, &selector),
                       &refused_labels[i]);
    }
}

static const refused_case refused_fields[] = {
    {"spec.cidr=a", "field label not supported: spec.cidr"},
    {"zzz=2,aa=1", "field label not supported: aa"}, /* sorted first */
    {"metadata.name", "invalid selector: 'metadata.name'; can't understand 'metadata.name'"},
    {"metadata.name=a\\b", "invalid field selector: invalid escape sequence: \\b"},
    {"metadata.name=a\\", "invalid field selector: invalid escape sequence: \\"},
    {"metadata.name=a=b", "invalid field selector: unescaped character in value: 61"},
    {" metadata.name=a", "field label not supported:  metadata.name"},
    {" ", "invalid selector: ' '; can't understand ' '"},
};

TEST(refuses_fields_with_the_real_texts)
{
    static const char *const own[] = {"spec.gateway", NULL};
    const kube__api_selector *selector;
    for (size_t i = 0; i < sizeof refused_fields / sizeof *refused_fields; i++)
        expect_refused(kube__api_field_selector(ctx, refused_fields[i].text, own, &selector),
                       &refused_fields[i]);
    static const refused_case plain = {
        "spec.gateway=a", "\"spec.gateway\" is not a known field selector: only \"metadata.name\", "
                          "\"metadata.namespace\""};
    expect_refused(kube__api_field_selector(ctx, plain.text, NULL, &selector), &plain);
    ck_assert_ptr_null(kube__api_field_selector(ctx, plain.text, own, &selector));
}

static const kube__api_pair pairs[] = {{"app", "web"}, {"in", "notin"}, {"n", "12"}, {"tier", ""}};

static bool label_matches(const char *text)
{
    const kube__api_selector *selector;
    kube__api_failure *failure = kube__api_label_selector(ctx, text, &selector);
    ck_assert_msg(!failure, "%s: %s", text, failure ? failure->message : "");
    return kube__api_selector_matches(selector, (kube__api_pairs){pairs, 4});
}

TEST(labels_match)
{
    static const char *const yes[] = {
        "",
        "app",
        "app=web",
        "app==web",
        "app!=db",
        "other!=x",
        "!other",
        "app in (web,db)",
        "app notin (db)",
        "other notin (x)",
        "tier=",
        "tier in ()",
        "tier in (,x)",
        "n>11",
        "n<13",
        "n > 1, app",
        "in=notin",
        "in in (notin)",
        " app = web , !x",
        "tier in (x,)",
        "app,!x,n>0",
        "tier==,app",
        "! other",
    };
    static const char *const no[] = {
        "app=db", "!app",  "app!=web",    "other",        "other=x",         "app in (db)",
        "n>12",   "app>1", "other>1",     "other in (x)", "app notin (web)", "app=web,!n",
        "app=",   "n<12",  "other in ()", "other=",
    };
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        ck_assert_msg(label_matches(yes[i]), "does not match: %s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ck_assert_msg(!label_matches(no[i]), "matches: %s", no[i]);
}

static bool field_matches(const char *text)
{
    static const char *const own[] = {"spec.a", NULL};
    static const kube__api_pair fields[] = {{"metadata.name", "a,b=c\\"},
                                            {"metadata.namespace", "default"}};
    const kube__api_selector *selector;
    ck_assert_ptr_null(kube__api_field_selector(ctx, text, own, &selector));
    return kube__api_selector_matches(selector, (kube__api_pairs){fields, 2});
}

TEST(fields_match)
{
    ck_assert(field_matches("metadata.name=a\\,b\\=c\\\\"));
    ck_assert(field_matches("metadata.namespace==default,,"));
    ck_assert(field_matches("metadata.namespace!=x"));
    ck_assert(field_matches("spec.a=")); /* what is not there is empty */
    ck_assert(field_matches(","));
    ck_assert(!field_matches("spec.a!="));
    ck_assert(!field_matches("metadata.namespace= default"));
    ck_assert(!field_matches("metadata.namespace=default,metadata.name=x"));
}

TEST(says_which_keys_it_names)
{
    const kube__api_selector *selector;
    ck_assert_ptr_null(
        kube__api_field_selector(ctx, "metadata.name=x,metadata.namespace!=y", NULL, &selector));
    ck_assert(kube__api_selector_names(selector, "metadata.namespace"));
    ck_assert(!kube__api_selector_names(selector, "spec.x"));
    ck_assert(!kube__api_selector_names(NULL, "spec.x"));
}

static const kube__api_selector *object_selector(const char *text)
{
    const kube__api_selector *selector;
    kube__json *object = kube__json_parse(ctx, text, strlen(text), NULL, NULL, NULL);
    ck_assert_ptr_nonnull(object);
    ck_assert_ptr_null(kube__api_object_selector(ctx, object, &selector));
    return selector;
}

TEST(reads_label_selector_objects)
{
    kube__api_pairs labels = {pairs, 4};
    ck_assert(kube__api_selector_matches(object_selector("{}"), labels));
    const kube__api_selector *selector = object_selector(
        "{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[{\"key\":\"n\",\"operator\":"
        "\"In\",\"values\":[\"12\",\"1\",\"9\"]},{\"key\":\"x\",\"operator\":\"DoesNotExist\"},"
        "{\"key\":\"app\",\"operator\":\"Exists\"},{\"key\":\"app\",\"operator\":\"NotIn\","
        "\"values\":[\"db\"]}]}");
    ck_assert(kube__api_selector_matches(selector, labels));
    ck_assert(!kube__api_selector_matches(selector, (kube__api_pairs){pairs, 1}));
    const char *text = "{\"matchExpressions\":[{\"key\":\"n\",\"operator\":\"Is\"}]}";
    kube__json *object = kube__json_parse(ctx, text, strlen(text), NULL, NULL, NULL);
    kube__api_failure *failure = kube__api_object_selector(ctx, object, &selector);
    ck_assert_ptr_nonnull(failure);
    ck_assert_str_eq(failure->message, "\"Is\" is not a valid label selector operator");
}
