/* SPDX-License-Identifier: Apache-2.0 */
/* OW-3; cases of apimachinery's selector_test.go (TestSelectorParse, TestSelectorMatches,
 * TestSetSelectorParser). */
#include "cache/selector.h"
#include "objects.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <string.h>

static kube__selector *parse(const char *text)
{
    kube__selector *selector = NULL;
    kube_error err;
    ck_assert_msg(kube__selector_parse(text, &selector, &err) == KUBE_OK, "%s: %s", text,
                  err.message);
    return selector;
}

static bool matches(const char *text, const char *labels)
{
    kube__selector *selector = parse(text);
    kube_object *object = labeled("ns", "a", "1", labels);
    bool match = kube__selector_matches(selector, &as_network(object)->metadata.labels);
    kube_object_unref(object);
    kube__selector_free(selector);
    return match;
}

TEST(matches_as_the_server_would)
{
    static const struct {
        const char *selector, *labels;
        bool match;
    } cases[] = {
        {"", "x=y", true},
        {NULL, "x=y", true},
        {"  \t", "x=y", true},
        {"x=y", "x=y", true},
        {"x==y", "x=y", true},
        {"x=y,z=w", "x=y,z=w", true},
        {"x!=y,z!=w", "x=z,z=a", true},
        {"notin=in", "notin=in", true}, /* keywords may be keys and values */
        {"in in (in)", "in=in", true},
        {"x", "x=z", true},
        {"!x", "y=z", true},
        {"!x", "x=z", false},
        {"x>1", "x=2", true},
        {"x<1", "x=0", true},
        {"x>1", "x=1", false},
        {"x>1", "x=abc", false},
        {"x>1", "y=2", false},
        {"x<-5", "x=7", false},
        {"x=z", "x=", false},
        {"x=", "x=", true},
        {"x!=", "x=a", true},
        {"x=y", "x=z", false},
        {"x=y,z=w", "x=w,z=w", false},
        {"x!=y", "z=w", true}, /* != and notin match what lacks the key */
        {"x notin (y,z)", "z=w", true},
        {"x notin (y,z)", "x=z", false},
        {"x in (y,z)", "x=z", true},
        {"x in (y,z)", "w=z", false},
        {"x in ()", "x=", true},
        {"x in (a,)", "x=", true},
        {"foo=bar,baz=blah", "foo=bar,baz=blah", true},
        {"example.com/key in (a)", "example.com/key=a", true},
        {"x,!y,z in (a),w!=b", "x=1,z=a", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(matches(cases[i].selector, cases[i].labels) == cases[i].match, "\"%s\" on %s",
                      cases[i].selector, cases[i].labels);
}

TEST(refuses_what_is_no_selector)
{
    static const char *const cases[] = {
        "x=a||y=b",
        "x==a==b",
        "!x=a",
        "x<a",
        "x>",
        "x>1.5",
        ",x",
        "x,,y",
        "x,",
        "a in (xyz)b",
        "a in (xyz),",
        "a in (xyz abc)",
        "a notin(",
        "a (",
        "(",
        "x nott in (y)",
        "=a",
        "!",
        "-x",
        "x-",
        "a/b/c",
        "A.com/x",
        "/x",
        "x/",
        "x in y",
        "x in (-)",
        "a..b/x",
        "x y",
        "x>99999999999999999999",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__selector *selector = NULL;
        kube_error err = {.code = KUBE_OK};
        ck_assert_msg(kube__selector_parse(cases[i], &selector, &err) == KUBE_ERR_ARGUMENT,
                      "\"%s\" was taken", cases[i]);
        ck_assert_ptr_null(selector);
        ck_assert_ptr_nonnull(strstr(err.message, "label selector"));
    }
}

TEST(error_says_where)
{
    kube__selector *selector;
    kube_error err;
    ck_assert_int_eq(kube__selector_parse("app=a,tier in web", &selector, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "label selector \"app=a,tier in web\": found \"web\" at 14, expected \"(\"");
}

TEST(order_and_spaces_do_not_count)
{
    static const struct {
        const char *selector, *same, *labels, *others;
    } cases[] = {
        {"z=a, y!=b ,  x in (c , b,a)", "x in (a,b,c),y!=b,z=a", "x=b,z=a", "x=b,y=b,z=a"},
        {"x notin (a,a)", "x notin (a)", "x=b", "x=a"},
        {"!x,a", "a,!x", "a=1", "a=1,x=1"},
        {"x>1,a<3", "a<3,x>1", "a=2,x=2", "a=2,x=1"},
        {"x=", "x in ()", "x=", "x=a"},
        {"x in (,a)", "x in (a,)", "x=", "x=b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(matches(cases[i].selector, cases[i].labels), "%s", cases[i].selector);
        ck_assert_msg(matches(cases[i].same, cases[i].labels), "%s", cases[i].same);
        ck_assert_msg(!matches(cases[i].selector, cases[i].others), "%s", cases[i].selector);
        ck_assert_msg(!matches(cases[i].same, cases[i].others), "%s", cases[i].same);
    }
}

static bool parse_and_free(void *arg)
{
    kube__selector *selector = NULL;
    kube_error err;
    kube_code rc = kube__selector_parse(arg, &selector, &err);
    kube__selector_free(selector);
    return rc == KUBE_OK;
}

TEST(out_of_memory_is_an_error)
{
    char text[] = "a=b,c in (d,e),!f";
    ck_assert_uint_gt(fail_malloc_replay(parse_and_free, text), 0);
}
