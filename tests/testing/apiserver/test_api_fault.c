/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of HTTP-level faults: which requests and events they hit. */
#include "apiserver/core/fault.h"
#include "support/suite.h"

#include <pthread.h>
#include <string.h>

static kube__api_faults *faults;
static kube__api_fault fault;
static kube_error err;

static void set_up(void)
{
    faults = kube__api_faults_new(7);
    ck_assert_ptr_nonnull(faults);
}

static void tear_down(void)
{
    kube__api_faults_free(faults);
}

static void add(kube_fault_rule rule)
{
    ck_assert_msg(kube__api_faults_add(faults, &rule, &err) == KUBE_OK, "%s", err.message);
}

static bool request(const char *verb, const char *resource, const char *path)
{
    const kube__api_fault_place place = {verb, resource, "", "a", "p", path};
    return kube__api_faults_on_request(faults, &place, &fault);
}

static bool get_pod(void)
{
    return request("get", "pods", "/api/v1/namespaces/a/pods/p");
}

static const kube__api_fault_place in_a_watch = {"watch", "pods", "",
                                                 "a",     "p",    "/api/v1/pods?watch=1"};

static bool event(void)
{
    return kube__api_faults_on_event(faults, &in_a_watch, &fault);
}

FIXTURE(set_up, tear_down);

TEST(without_rules_nothing_happens)
{
    ck_assert(!get_pod());
    ck_assert(!event());
    ck_assert_uint_eq(kube__api_faults_count(faults, KUBE_FAULT_STATUS), 0);
}

TEST(defaults_are_filled_in)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_STATUS, .times = 1});
    add((kube_fault_rule){.kind = KUBE_FAULT_TEXT, .times = 1});
    add((kube_fault_rule){
        .kind = KUBE_FAULT_STATUS, .http_status = 500, .retry_after_s = -1, .times = 1});
    add((kube_fault_rule){.kind = KUBE_FAULT_STATUS, .retry_after_s = 3, .times = 1});
    add((kube_fault_rule){.kind = KUBE_FAULT_OVERSIZE});
    ck_assert(get_pod());
    ck_assert_int_eq(fault.kind, KUBE_FAULT_STATUS);
    ck_assert_int_eq(fault.http_status, 503);
    ck_assert_int_eq(fault.retry_after_s, -1);
    ck_assert(get_pod());
    ck_assert_int_eq(fault.kind, KUBE_FAULT_TEXT);
    ck_assert_int_eq(fault.http_status, 429);
    ck_assert(get_pod());
    ck_assert_int_eq(fault.http_status, 500);
    ck_assert_int_eq(fault.retry_after_s, 0);
    ck_assert(get_pod());
    ck_assert_int_eq(fault.retry_after_s, 3);
    ck_assert(!get_pod());
    ck_assert(event());
    ck_assert_uint_eq(fault.oversize_bytes, 2 << 20);
}

TEST(verb_resource_and_path_have_to_match)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_UNAUTHORIZED,
                          .verb = "list",
                          .resource = "pods",
                          .path_prefix = "/api/v1/namespaces/a/"});
    ck_assert(request("list", "pods", "/api/v1/namespaces/a/pods?limit=5"));
    ck_assert(!request("get", "pods", "/api/v1/namespaces/a/pods"));
    ck_assert(!request("list", "services", "/api/v1/namespaces/a/pods"));
    ck_assert(!request("list", "pods", "/api/v1/namespaces/ab/pods"));
    ck_assert(!request("list", "pods", "/api/v1"));
}

TEST(subresource_namespace_and_name_have_to_match)
{
    static const kube_fault_rule rules[] = {
        {.subresource = "status"}, {.namespace_ = "b"}, {.name = "q"},
        {.subresource = ""},       {.namespace_ = "a"}, {.name = "p"},
    };
    kube__api_fault_place status = in_a_watch;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        add(rules[i]);
        ck_assert_int_eq(get_pod(), i >= 3);
        kube__api_faults_clear(faults);
    }
    status.subresource = "status";
    add((kube_fault_rule){.subresource = "", .times = 1});
    ck_assert(!kube__api_faults_on_request(faults, &status, &fault));
    add((kube_fault_rule){.subresource = "status"});
    ck_assert(kube__api_faults_on_request(faults, &status, &fault));
    add((kube_fault_rule){.kind = KUBE_FAULT_END, .namespace_ = "a", .name = "other"});
    ck_assert(!event());
    add((kube_fault_rule){.kind = KUBE_FAULT_END, .namespace_ = "a", .name = "p"});
    ck_assert(event());
}

TEST(the_rule_keeps_its_own_strings)
{
    char verb[] = "get";
    char resource[] = "pods";
    char path[] = "/api";
    char subresource[] = "";
    char namespace_[] = "a";
    char name[] = "p";
    add((kube_fault_rule){.kind = KUBE_FAULT_DROP,
                          .verb = verb,
                          .resource = resource,
                          .path_prefix = path,
                          .subresource = subresource,
                          .namespace_ = namespace_,
                          .name = name});
    verb[0] = resource[0] = path[0] = subresource[0] = namespace_[0] = name[0] = 'x';
    ck_assert(get_pod());
}

TEST(the_nth_match_only)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_STATUS, .verb = "get", .nth = 3});
    ck_assert(!get_pod());
    ck_assert(!get_pod());
    ck_assert(!request("list", "pods", "/api/v1/pods")); /* no match, so not counted */
    ck_assert(get_pod());
    ck_assert(!get_pod());
    ck_assert_uint_eq(kube__api_faults_count(faults, KUBE_FAULT_STATUS), 1);
}

TEST(a_rule_whose_turn_it_is_not_leaves_it_to_the_next)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_STATUS, .nth = 2});
    add((kube_fault_rule){.kind = KUBE_FAULT_DROP, .nth = 2});
    ck_assert(!get_pod()); /* both count it */
    ck_assert(get_pod());  /* the first acts, the second does not see it */
    ck_assert_int_eq(fault.kind, KUBE_FAULT_STATUS);
    ck_assert(get_pod());
    ck_assert_int_eq(fault.kind, KUBE_FAULT_DROP);
}

static unsigned pattern(uint64_t seed, double probability)
{
    kube__api_faults *own = kube__api_faults_new(seed);
    kube_fault_rule rule = {.kind = KUBE_FAULT_STATUS, .probability = probability};
    unsigned bits = 0;
    ck_assert_int_eq(kube__api_faults_add(own, &rule, &err), KUBE_OK);
    for (int i = 0; i < 32; i++)
        bits = bits << 1 | kube__api_faults_on_request(own, &in_a_watch, &fault);
    kube__api_faults_free(own);
    return bits;
}

TEST(the_same_seed_makes_the_same_choice)
{
    ck_assert_uint_eq(pattern(11, 0.5), pattern(11, 0.5));
    ck_assert_uint_ne(pattern(11, 0.5), pattern(12, 0.5));
    ck_assert_uint_eq(pattern(11, 1), UINT32_MAX);
}

TEST(a_probability_is_kept_to)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_STATUS, .probability = 0.25});
    for (int i = 0; i < 10000; i++)
        get_pod();
    ck_assert_uint_gt(kube__api_faults_count(faults, KUBE_FAULT_STATUS), 2300);
    ck_assert_uint_lt(kube__api_faults_count(faults, KUBE_FAULT_STATUS), 2700);
}

/* So that what befalls pods hangs on nothing but what happens to pods. */
TEST(rules_draw_independently)
{
    unsigned bits = 0;
    add((kube_fault_rule){.kind = KUBE_FAULT_STATUS, .resource = "pods", .probability = 0.5});
    add((kube_fault_rule){.kind = KUBE_FAULT_DROP, .resource = "services", .probability = 0.5});
    for (int i = 0; i < 32; i++) {
        request("get", "services", "/api/v1/services");
        bits = bits << 1 | get_pod();
    }
    ck_assert_uint_eq(bits, pattern(7, 0.5));
}

TEST(at_most_so_often)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_END, .times = 2});
    ck_assert(event());
    ck_assert(event());
    ck_assert(!event());
    ck_assert_uint_eq(kube__api_faults_count(faults, KUBE_FAULT_END), 2);
}

TEST(kinds_are_of_requests_or_of_events)
{
    static const kube_fault_kind of_requests[] = {KUBE_FAULT_STATUS, KUBE_FAULT_TEXT,
                                                  KUBE_FAULT_UNAUTHORIZED, KUBE_FAULT_DROP,
                                                  KUBE_FAULT_CERTIFICATE};
    static const kube_fault_kind of_events[] = {
        KUBE_FAULT_GONE,         KUBE_FAULT_ERROR_EVENT, KUBE_FAULT_END,     KUBE_FAULT_BOOKMARKS,
        KUBE_FAULT_VERSION_BACK, KUBE_FAULT_WRONG_KIND,  KUBE_FAULT_OVERSIZE};
    ck_assert_uint_eq(sizeof of_requests / sizeof *of_requests +
                          sizeof of_events / sizeof *of_events,
                      KUBE_FAULT_KIND_COUNT_);
    for (size_t i = 0; i < sizeof of_requests / sizeof *of_requests; i++) {
        add((kube_fault_rule){.kind = of_requests[i]});
        ck_assert(get_pod());
        ck_assert_int_eq(fault.kind, of_requests[i]);
        ck_assert(!event());
        kube__api_faults_clear(faults);
    }
    for (size_t i = 0; i < sizeof of_events / sizeof *of_events; i++) {
        add((kube_fault_rule){.kind = of_events[i]});
        ck_assert(!get_pod());
        ck_assert(event());
        ck_assert_int_eq(fault.kind, of_events[i]);
        kube__api_faults_clear(faults);
    }
}

TEST(gone_hits_a_list_that_goes_on)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_GONE});
    ck_assert(!request("list", "pods", "/api/v1/pods?limit=5"));
    ck_assert(!request("list", "pods", "/api/v1/pods?continue=&limit=5"));
    ck_assert(!request("list", "pods", "/api/v1/pods?discontinue=abc"));
    ck_assert(request("list", "pods", "/api/v1/pods?limit=5&continue=abc"));
    ck_assert(request("list", "pods", "/api/v1/pods?continue=abc"));
}

TEST(a_rule_for_watches_matches_their_events)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_GONE, .verb = "list"});
    ck_assert(!event());
    add((kube_fault_rule){.kind = KUBE_FAULT_GONE, .verb = "watch", .resource = "pods"});
    ck_assert(event());
    kube__api_fault_place other = in_a_watch;
    other.resource = "services";
    ck_assert(!kube__api_faults_on_event(faults, &other, &fault));
}

TEST(clearing_keeps_the_counts)
{
    add((kube_fault_rule){.kind = KUBE_FAULT_STATUS});
    ck_assert(get_pod());
    kube__api_faults_clear(faults);
    ck_assert(!get_pod());
    ck_assert_uint_eq(kube__api_faults_count(faults, KUBE_FAULT_STATUS), 1);
}

TEST(rules_without_meaning_are_refused)
{
    const kube_fault_rule bad[] = {
        {.kind = KUBE_FAULT_KIND_COUNT_},
        {.probability = 1.5},
        {.probability = -0.1},
        {.http_status = 200},
        {.http_status = 600},
        {.nth = 2, .probability = 0.5},
        {.verb = "delet"},
        {.verb = "Get"},
        {.verb = ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(kube__api_faults_add(faults, &bad[i], &err), KUBE_ERR_ARGUMENT);
        ck_assert(!get_pod());
    }
}

TEST(every_kind_has_a_name)
{
    for (int i = 0; i < KUBE_FAULT_KIND_COUNT_; i++)
        ck_assert_uint_gt(strlen(kube_fault_kind_name((kube_fault_kind)i)), 0);
}

enum { ASKERS = 4, QUESTIONS = 2000 };

static void *ask_often(void *arg)
{
    (void)arg;
    for (int i = 0; i < QUESTIONS; i++) {
        kube__api_fault own;
        kube__api_faults_on_event(faults, &in_a_watch, &own);
    }
    return NULL;
}

TEST(threads_share_one_count)
{
    pthread_t askers[ASKERS];
    add((kube_fault_rule){.kind = KUBE_FAULT_END, .probability = 0.5, .times = 1000});
    for (int i = 0; i < ASKERS; i++)
        ck_assert_int_eq(pthread_create(&askers[i], NULL, ask_often, NULL), 0);
    for (int i = 0; i < ASKERS; i++)
        pthread_join(askers[i], NULL);
    ck_assert_uint_eq(kube__api_faults_count(faults, KUBE_FAULT_END), 1000);
}
