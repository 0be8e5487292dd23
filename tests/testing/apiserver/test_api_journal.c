/* SPDX-License-Identifier: Apache-2.0 */
/* The data file: what was answered survives, whatever becomes of the last write. */
#include "api_kit.h"
#include "apiserver/store/journal.h"
#include "apiserver/store/journal_file.h"
#include "support/suite.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/kube-journal-XXXXXX";
static char path[64];

static void set_up(void)
{
    strcpy(directory, "/tmp/kube-journal-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/data", directory);
}

static void tear_down(void)
{
    char other[80];
    snprintf(other, sizeof other, "%s.new", path);
    unlink(other);
    unlink(path);
    rmdir(directory);
}

static api_kit start(void)
{
    api_kit kit;
    api_kit_start(&kit, &(kube_apiserver_options){.data_file = path});
    return kit;
}

static size_t file_size(void)
{
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    return (size_t)info.st_size;
}

static char *read_file(size_t *len)
{
    *len = file_size();
    char *data = malloc(*len + 1);
    FILE *file = fopen(path, "r");
    ck_assert(data && file && fread(data, 1, *len, file) == *len);
    fclose(file);
    return data;
}

static void write_file(const char *data, size_t len)
{
    FILE *file = fopen(path, "w");
    ck_assert(file && fwrite(data, 1, len, file) == len);
    fclose(file);
}

#define MAPS "/api/v1/namespaces/default/configmaps"
#define CRDS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define THINGS "/apis/example.com/v1/namespaces/default/things"

static const char crd[] =
    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{"
    "'name':'things.example.com'},'spec':{'group':'example.com','scope':'Namespaced','names':{"
    "'plural':'things','kind':'Thing'},'versions':[{'name':'v1','served':true,'storage':true,"
    "'selectableFields':[{'jsonPath':'.spec.color'}],'schema':{'openAPIV3Schema':{'type':'object',"
    "'properties':{'spec':{'type':'object','properties':{'color':{'type':'string'}}}}}}}]}}";
static const char thing[] =
    "{'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'t'},'spec':{'color':"
    "'red'}}";

static void create(api_kit *kit, const char *at, const char *body)
{
    api_ask(kit, "POST", at, body, NULL);
}

static void create_map(api_kit *kit, int number)
{
    create(kit, MAPS, kube_printf(kit->ctx, "{'metadata':{'name':'m%d'}}", number));
}

/* ---- restarts ------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(a_restart_finds_everything_as_it_was)
{
    api_kit kit = start();
    create(&kit, CRDS, crd);
    create(&kit, THINGS, thing);
    create(&kit, MAPS, "{'metadata':{'name':'a'},'data':{'k':'v'}}");
    create(&kit, MAPS, "{'metadata':{'name':'gone'}}");
    api_ask(&kit, "PATCH", MAPS "/a", "{'data':{'k':'w'}}", NULL);
    api_ask(&kit, "DELETE", MAPS "/gone", NULL, NULL);
    api_settle(&kit);
    static const char *const paths[] = {MAPS "/a", THINGS "/t", CRDS "/things.example.com",
                                        "/api/v1/namespaces/default"};
    char *before[4];
    for (size_t i = 0; i < 4; i++)
        before[i] = strdup(kube__json_text(kit.ctx, api_get(&kit, paths[i]), NULL));
    uint64_t version = kube_apiserver_resource_version(kit.server);
    api_kit_stop(&kit);

    for (int round = 0; round < 2; round++) {
        kit = start();
        ck_assert_uint_eq(kube_apiserver_resource_version(kit.server), version);
        for (size_t i = 0; i < 4; i++)
            ck_assert_str_eq(kube__json_text(kit.ctx, api_get(&kit, paths[i]), NULL), before[i]);
        ck_assert(!api_exists(&kit, MAPS "/gone"));
        ck_assert_uint_eq(api_count(&kit, THINGS "?fieldSelector=spec.color%3Dred"), 1);
        ck_assert_uint_eq(api_count(&kit, THINGS "?fieldSelector=spec.color%3Dblue"), 0);
        api_kit_stop(&kit);
    }
    for (size_t i = 0; i < 4; i++)
        free(before[i]);
}

TEST(versions_never_go_back)
{
    api_kit kit = start();
    create_map(&kit, 1);
    api_ask(&kit, "DELETE", MAPS "/m1", NULL, NULL);
    uint64_t version = kube_apiserver_resource_version(kit.server);
    api_kit_stop(&kit);
    kit = start(); /* the newest version is of an object that is gone */
    ck_assert_uint_eq(kube_apiserver_resource_version(kit.server), version);
    create_map(&kit, 2);
    ck_assert_uint_gt(kube_apiserver_resource_version(kit.server), version);
    api_kit_stop(&kit);
}

TEST(a_deleted_crd_is_forgotten_with_its_objects)
{
    api_kit kit = start();
    create(&kit, CRDS, crd);
    create(&kit, THINGS, thing);
    api_ask(&kit, "DELETE", CRDS "/things.example.com", NULL, NULL);
    api_settle(&kit);
    api_kit_stop(&kit);
    kit = start();
    ck_assert(!api_exists(&kit, CRDS "/things.example.com"));
    create(&kit, CRDS, crd);
    ck_assert_uint_eq(api_count(&kit, THINGS), 0);
    api_kit_stop(&kit);
}

TEST(two_servers_cannot_have_one_file)
{
    api_kit kit = start();
    create_map(&kit, 1);
    kube_apiserver *other;
    kube_error err;
    kube_code rc = kube_apiserver_start(&(kube_apiserver_options){.data_file = path}, &other, &err);
    ck_assert_int_ne(rc, KUBE_OK);
    ck_assert_ptr_null(other);
    ck_assert_ptr_nonnull(strstr(err.message, "another server has it open"));
    create_map(&kit, 2);
    api_kit_stop(&kit);
    kit = start();
    ck_assert_uint_eq(api_count(&kit, MAPS), 2);
    api_kit_stop(&kit);
}

TEST(history_is_dropped_when_it_is_most_of_the_file)
{
    api_kit kit = start();
    char *filler = kube_ctx_alloc(kit.ctx, 100001);
    memset(filler, 'x', 100000);
    create(&kit, MAPS, "{'metadata':{'name':'a'}}");
    for (int i = 0; i < 60; i++)
        api_ask(&kit, "PATCH", MAPS "/a",
                kube_printf(kit.ctx, "{'data':{'n':'%d','k':'%s'}}", i, filler), NULL);
    ck_assert_uint_lt(file_size(), 5500000);
    api_kit_stop(&kit);
    kit = start();
    ck_assert_str_eq(kube__json_string_at(api_get(&kit, MAPS "/a"), "data.n"), "59");
    ck_assert_uint_lt(file_size(), 300000);
    api_kit_stop(&kit);
}

/* ---- crashes -------------------------------------------------------------------------------- */

enum { REQUESTS = 12 };

static bool count_record(void *arg, const kube__record *record)
{
    (void)record;
    ++*(size_t *)arg;
    return true;
}

/* The file after some requests, and how long it was when each was answered. */
static char *record_session(size_t *len, size_t lengths[REQUESTS + 1])
{
    api_kit kit = start();
    api_settle(&kit);
    lengths[0] = file_size();
    for (int i = 0; i < REQUESTS; i++) {
        create_map(&kit, i);
        lengths[i + 1] = file_size();
        ck_assert_uint_gt(lengths[i + 1], lengths[i]);
    }
    api_kit_stop(&kit);
    return read_file(len);
}

TEST(a_file_cut_anywhere_keeps_what_was_answered)
{
    size_t lengths[REQUESTS + 1];
    size_t len;
    size_t base = 0;
    char *data = record_session(&len, lengths);
    size_t good;
    uint64_t version;
    ck_assert_int_eq(
        kube__journal_read(data, lengths[0], count_record, &base, &good, &version, NULL), KUBE_OK);
    for (size_t cut = 0; cut <= len; cut++) {
        size_t records = 0;
        size_t answered = 0;
        kube_error err;
        kube_code rc = kube__journal_read(data, cut, count_record, &records, &good, &version, &err);
        ck_assert_msg(rc == KUBE_OK, "cut at %zu: %s", cut, err.message);
        while (answered < REQUESTS && lengths[answered + 1] <= cut)
            answered++;
        if (cut >= lengths[0])
            ck_assert_msg(records == base + answered, "cut at %zu: %zu records", cut, records);
        /* what a crash leaves may also be there in length, but blank */
        if (cut >= lengths[0] && cut < len) {
            char *blank = calloc(1, len);
            ck_assert_ptr_nonnull(blank);
            memcpy(blank, data, cut);
            size_t end = answered < REQUESTS ? lengths[answered + 1] : len;
            records = 0;
            rc = kube__journal_read(blank, end, count_record, &records, &good, &version, &err);
            ck_assert_msg(rc == KUBE_OK, "blank from %zu: %s", cut, err.message);
            ck_assert_uint_ge(records, base + answered);
            free(blank);
        }
    }
    free(data);
}

TEST(a_server_starts_on_a_cut_file_and_goes_on)
{
    size_t lengths[REQUESTS + 1];
    size_t len;
    char *data = record_session(&len, lengths);
    for (int i = 0; i < REQUESTS; i++) {
        for (int delta = -1; delta <= 1; delta++) {
            size_t cut = (size_t)((long)lengths[i + 1] + delta);
            write_file(data, cut < len ? cut : len);
            api_kit kit = start();
            ck_assert_uint_eq(api_count(&kit, MAPS), (size_t)i + (delta >= 0 ? 1 : 0));
            create_map(&kit, 100);
            api_kit_stop(&kit);
            kit = start();
            ck_assert(api_exists(&kit, MAPS "/m100"));
            api_kit_stop(&kit);
        }
    }
    free(data);
}

TEST(damage_is_told_with_its_place)
{
    size_t lengths[REQUESTS + 1];
    size_t len;
    char *data = record_session(&len, lengths);
    kube_apiserver *server;
    kube_error err;
    for (size_t at = 0; at < lengths[3]; at += at < lengths[0] ? 97 : 1) {
        data[at] ^= 0x20;
        size_t records = 0;
        size_t good;
        uint64_t version;
        kube_code rc = kube__journal_read(data, len, count_record, &records, &good, &version, &err);
        ck_assert_msg(rc == KUBE_ERR_DECODE, "damage at %zu was not seen", at);
        ck_assert_ptr_nonnull(strstr(err.message, "at offset "));
        data[at] ^= 0x20;
    }
    data[lengths[1] + 40] ^= 1;
    write_file(data, len);
    ck_assert_int_ne(
        kube_apiserver_start(&(kube_apiserver_options){.data_file = path}, &server, &err), KUBE_OK);
    char want[128];
    snprintf(want, sizeof want, "load %s: wrong sum of the frame at offset %zu", path, lengths[1]);
    ck_assert_str_eq(err.message, want);
    ck_assert_uint_eq(file_size(), len); /* it is left as it is */
    write_file("hello", 5);
    ck_assert_int_ne(
        kube_apiserver_start(&(kube_apiserver_options){.data_file = path}, &server, &err), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "not a data file at offset 0"));
    free(data);
}

TEST(what_cannot_be_written_is_not_answered_and_tried_again)
{
    struct rlimit old;
    api_kit kit = start();
    create_map(&kit, 1);
    api_settle(&kit);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit full = {.rlim_cur = file_size() + 100, .rlim_max = old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &full), 0);
    size_t before = file_size();
    int status;
    api_ask(&kit, "POST", MAPS, "{'metadata':{'name':'m2'}}", &status);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    ck_assert_int_eq(status, 500);
    ck_assert_uint_eq(file_size(), before);
    create_map(&kit, 3);
    api_kit_stop(&kit);
    kit = start();
    ck_assert(api_exists(&kit, MAPS "/m1"));
    ck_assert(api_exists(&kit, MAPS "/m3"));
    api_kit_stop(&kit);
}
