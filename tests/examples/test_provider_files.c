/* SPDX-License-Identifier: Apache-2.0 */
/* Networks as files: whole or not at all, and nothing left behind. */
#include "provider.h"
#include "support/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONGEST_NAME = 253, LONGEST_NAMESPACE = 63 };

static kube_ctx *ctx;
static kube_error err;
static char *directory; /* of the networks; its parent is the case's */
static char *parent;
static struct provider *provider;

static const char *in(const char *name)
{
    return kube_printf(ctx, "%s/%s", directory, name);
}

static void open_provider(void)
{
    ck_assert_int_eq(provider_files_new(directory, &provider, &err), KUBE_OK);
}

static void set_up(void)
{
    const char *tmp = getenv("TMPDIR");
    ctx = kube_ctx_new();
    ck_assert_ptr_nonnull(ctx);
    parent = kube_printf(ctx, "%s/kubegen-provider.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(parent));
    directory = kube_printf(ctx, "%s/networks", parent);
    provider = NULL;
    open_provider();
}

static void tear_down(void)
{
    provider_free(provider);
    ck_assert_int_eq(system(kube_printf(ctx, "rm -rf '%s'", parent)), 0);
    kube_ctx_free(ctx);
}

static kube_key key(const char *ns, const char *name)
{
    return (kube_key){ns, name};
}

/* Ensures a network and returns whether something had to be done. */
static bool ensure(const char *ns, const char *name, const char *cidr, const char *gateway)
{
    const struct real_network wanted = {key(ns, name), cidr, gateway};
    bool changed;
    kube_code rc = provider->ensure(provider, ctx, &wanted, &changed, &err);
    ck_assert_msg(!rc, "%s", err.message);
    return changed;
}

static bool removed(const char *ns, const char *name)
{
    bool existed;
    ck_assert_int_eq(provider->remove(provider, ctx, key(ns, name), &existed, &err), KUBE_OK);
    return existed;
}

/* What a file says; NULL when there is none. */
static const char *contents(const char *name)
{
    char *text = kube_ctx_alloc(ctx, 4096);
    FILE *file = fopen(in(name), "r");
    size_t len;
    if (!file)
        return NULL;
    len = fread(text, 1, 4095, file);
    text[len] = '\0';
    fclose(file);
    return text;
}

static void put(const char *name, const char *text, size_t len)
{
    FILE *file = fopen(in(name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, len, file), len);
    ck_assert_int_eq(fclose(file), 0);
}

/* Entries of the directory itself, hidden ones included: namespaces and what is being written. */
static size_t entries(void)
{
    DIR *dir = opendir(directory);
    const struct dirent *entry;
    size_t count = 0;
    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static const char blue[] = "cidr=10.1.0.0/16\ngateway=10.1.0.1\n";

FIXTURE(set_up, tear_down);

TEST(a_network_is_a_file_of_two_lines)
{
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    ck_assert_pstr_eq(contents("default/blue"), blue);
    ck_assert_uint_eq(entries(), 1);
}

TEST(ensuring_again_changes_nothing)
{
    struct stat before;
    struct stat after;
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    ck_assert_int_eq(stat(in("default/blue"), &before), 0);
    ck_assert(!ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    ck_assert_int_eq(stat(in("default/blue"), &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
}

TEST(another_spec_replaces_the_file)
{
    struct stat before;
    struct stat after;
    int reader;
    char text[64] = "";
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    ck_assert_int_eq(stat(in("default/blue"), &before), 0);
    reader = open(in("default/blue"), O_RDONLY);
    ck_assert(ensure("default", "blue", "fd00:1::/64", "fd00:1::1"));
    ck_assert_int_eq(stat(in("default/blue"), &after), 0);
    ck_assert_pstr_eq(contents("default/blue"), "cidr=fd00:1::/64\ngateway=fd00:1::1\n");
    ck_assert_uint_ne(before.st_ino, after.st_ino); /* replaced, never written over */
    ck_assert_int_gt(read(reader, text, sizeof text - 1), 0);
    ck_assert_str_eq(text, blue); /* who had it open reads the old one whole */
    close(reader);
    ck_assert_uint_eq(entries(), 1);
}

static const struct {
    const char *text;
    size_t len;
} tampered[] = {
    {"", 0},
    {"cidr=10.1.0.0/16\ngateway=10.1.0.1", sizeof blue - 2},
    {"cidr=10.1.0.0/16\ngateway=10.1.0.1\n\n", sizeof blue},
    {"cidr=10.1.0.0/16\ngateway=10.1.0.1\n\0", sizeof blue},
    {"cidr=10.2.0.0/16\ngateway=10.1.0.1\n", sizeof blue - 1},
    {"\0\0\0", 3},
};

TEST_EACH(a_file_somebody_changed_is_put_right, tampered)
{
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    put("default/blue", tampered[_i].text, tampered[_i].len);
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    ck_assert_pstr_eq(contents("default/blue"), blue);
}

TEST(a_huge_file_is_put_right_too)
{
    char *text = kube_ctx_alloc(ctx, 100000);
    memset(text, 'x', 99999);
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    put("default/blue", text, 99999);
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    ck_assert_pstr_eq(contents("default/blue"), blue);
}

TEST(removing_tells_whether_there_was_one)
{
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    ck_assert(!removed("default", "green"));
    ck_assert(!removed("nowhere", "blue"));
    ck_assert(removed("default", "blue"));
    ck_assert_pstr_eq(contents("default/blue"), NULL);
    ck_assert(!removed("default", "blue"));
}

TEST(names_may_be_as_long_as_names_get)
{
    char ns[LONGEST_NAMESPACE + 1];
    char name[LONGEST_NAME + 1];
    memset(ns, 'n', LONGEST_NAMESPACE);
    ns[LONGEST_NAMESPACE] = '\0';
    memset(name, 'x', LONGEST_NAME);
    name[LONGEST_NAME] = '\0';
    ck_assert(ensure(ns, name, "10.1.0.0/16", "10.1.0.1"));
    ck_assert(!ensure(ns, name, "10.1.0.0/16", "10.1.0.1"));
    ck_assert_pstr_eq(contents(kube_printf(ctx, "%s/%s", ns, name)), blue);
    ck_assert(removed(ns, name));
}

/* ---- what exists --------------------------------------------------------------------------- */

typedef struct listing {
    size_t len;
    size_t most; /* stop after so many */
    char text[8][128];
} listing;

static bool note(void *arg, const struct real_network *network)
{
    listing *list = arg;
    ck_assert_uint_lt(list->len, 8);
    snprintf(list->text[list->len++], sizeof list->text[0], "%s/%s %s %s", network->key.namespace_,
             network->key.name, network->cidr ? network->cidr : "-",
             network->gateway ? network->gateway : "-");
    return list->len < list->most;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void list_networks(listing *list, size_t most)
{
    *list = (listing){.most = most};
    ck_assert_int_eq(provider->list(provider, ctx, note, list, &err), KUBE_OK);
    qsort(list->text, list->len, sizeof list->text[0], compare);
}

TEST(the_list_has_every_network_with_its_addresses)
{
    listing list;
    list_networks(&list, 8);
    ck_assert_uint_eq(list.len, 0);
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    ensure("default", "green", "fd00:1::/64", "fd00:1::1");
    ensure("other", "blue", "10.2.0.0/16", "10.2.0.1");
    list_networks(&list, 8);
    ck_assert_uint_eq(list.len, 3);
    ck_assert_str_eq(list.text[0], "default/blue 10.1.0.0/16 10.1.0.1");
    ck_assert_str_eq(list.text[1], "default/green fd00:1::/64 fd00:1::1");
    ck_assert_str_eq(list.text[2], "other/blue 10.2.0.0/16 10.2.0.1");
    removed("default", "green");
    list_networks(&list, 8);
    ck_assert_uint_eq(list.len, 2);
}

TEST(a_listed_file_that_says_nothing_is_listed_without_addresses)
{
    static const char *const texts[] = {"", "cidr=10.1.0.0/16\n", "gateway=a\ncidr=b\n",
                                        "cidr=a\ngateway=b"};
    listing list;
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put("default/blue", texts[i], strlen(texts[i]));
        list_networks(&list, 8);
        ck_assert_uint_eq(list.len, 1);
        ck_assert_str_eq(list.text[0], "default/blue - -");
    }
}

TEST(the_list_stops_when_its_visitor_has_enough)
{
    listing list;
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    ensure("default", "green", "10.2.0.0/16", "10.2.0.1");
    ensure("other", "blue", "10.3.0.0/16", "10.3.0.1");
    list_networks(&list, 2);
    ck_assert_uint_eq(list.len, 2);
}

TEST(what_is_no_network_is_not_listed)
{
    listing list;
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    put("README", "x", 1);
    put(".hidden", "x", 1);
    put("default/.hidden", "x", 1);
    list_networks(&list, 8);
    ck_assert_uint_eq(list.len, 1);
}

/* ---- what goes wrong ----------------------------------------------------------------------- */

/* Takes from this thread what lets root read and write every file, or gives it back. */
static void do_what_is_forbidden(bool may)
{
    const uint32_t rights = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    ck_assert_int_eq(syscall(SYS_capget, &header, data), 0);
    data[0].effective =
        may ? data[0].effective | (rights & data[0].permitted) : data[0].effective & ~rights;
    ck_assert_int_eq(syscall(SYS_capset, &header, data), 0);
}

TEST(a_write_that_cannot_be_put_in_place_leaves_nothing)
{
    const struct real_network wanted = {key("default", "blue"), "10.1.0.0/16", "10.1.0.1"};
    bool changed;
    ck_assert_int_eq(mkdir(in("default"), 0555), 0);
    do_what_is_forbidden(false);
    ck_assert_int_eq(provider->ensure(provider, ctx, &wanted, &changed, &err), KUBE_ERR_CONFIG);
    do_what_is_forbidden(true);
    ck_assert_str_eq(
        err.message,
        kube_printf(ctx, "put in place %s/default/blue: Permission denied", directory));
    ck_assert_uint_eq(entries(), 1);
    ck_assert_int_eq(chmod(in("default"), 0755), 0);
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
}

TEST(a_directory_in_a_networks_place_is_told_and_left)
{
    const struct real_network wanted = {key("default", "blue"), "10.1.0.0/16", "10.1.0.1"};
    bool changed;
    bool existed;
    ensure("default", "green", "10.1.0.0/16", "10.1.0.1");
    ck_assert_int_eq(mkdir(in("default/blue"), 0755), 0);
    ck_assert_int_eq(provider->ensure(provider, ctx, &wanted, &changed, &err), KUBE_ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.message, "default/blue: Is a directory"));
    ck_assert_int_eq(provider->remove(provider, ctx, wanted.key, &existed, &err), KUBE_ERR_CONFIG);
    ck_assert(!existed);
    ck_assert_uint_eq(entries(), 1);
}

TEST(a_state_directory_that_went_away_is_told)
{
    const struct real_network wanted = {key("default", "blue"), "10.1.0.0/16", "10.1.0.1"};
    bool changed;
    ck_assert_int_eq(rmdir(directory), 0);
    ck_assert_int_eq(provider->ensure(provider, ctx, &wanted, &changed, &err), KUBE_ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.message, directory));
}

TEST(a_state_directory_that_cannot_be_is_an_error_with_its_name)
{
    struct provider *none = NULL;
    const char *file = kube_printf(ctx, "%s/file", parent);
    const char *deep = kube_printf(ctx, "%s/a/b", parent);
    FILE *made = fopen(file, "w");
    ck_assert_ptr_nonnull(made);
    fclose(made);
    ck_assert_int_eq(provider_files_new(file, &none, &err), KUBE_ERR_CONFIG);
    ck_assert_ptr_null(none);
    ck_assert_str_eq(err.message, kube_printf(ctx, "state directory %s: Not a directory", file));
    ck_assert_int_eq(provider_files_new(deep, &none, &err), KUBE_ERR_CONFIG);
    ck_assert_str_eq(err.message,
                     kube_printf(ctx, "state directory %s: No such file or directory", deep));
}

TEST(a_network_that_cannot_be_read_is_told_and_kept)
{
    const struct real_network wanted = {key("default", "blue"), "10.2.0.0/16", "10.2.0.1"};
    listing list;
    bool changed;
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    ck_assert_int_eq(chmod(in("default/blue"), 0), 0);
    do_what_is_forbidden(false);
    ck_assert_int_eq(provider->ensure(provider, ctx, &wanted, &changed, &err), KUBE_ERR_CONFIG);
    list_networks(&list, 8);
    do_what_is_forbidden(true);
    ck_assert_str_eq(list.text[0], "default/blue - -");
}

TEST(what_a_crash_left_half_written_goes_at_the_next_start)
{
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    put(".new-0", "cidr=10.9", 9);
    put(".new-41", "", 0);
    put(".kept", "", 0);
    provider_free(provider);
    open_provider();
    ck_assert_uint_eq(entries(), 2);
    ck_assert_pstr_eq(contents("default/blue"), blue);
}

/* ---- attacks ------------------------------------------------------------------------------- */

static const char precious[] = "cidr=10.7.0.0/16\ngateway=10.7.0.1\n";

/* A file outside of the directory. */
static const char *outside(const char *name)
{
    return kube_printf(ctx, "%s/%s", parent, name);
}

static void make_precious(void)
{
    FILE *file = fopen(outside("precious"), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(precious, 1, sizeof precious - 1, file), sizeof precious - 1);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect_precious(void)
{
    ck_assert_pstr_eq(contents("../precious"), precious);
}

static void expect_refused(const char *ns, const char *name, kube_code code)
{
    const struct real_network wanted = {key(ns, name), "10.1.0.0/16", "10.1.0.1"};
    bool changed;
    bool existed;
    ck_assert_int_eq(provider->ensure(provider, ctx, &wanted, &changed, &err), code);
    ck_assert(!changed);
    ck_assert_int_eq(provider->remove(provider, ctx, wanted.key, &existed, &err), code);
    ck_assert(!existed);
}

static const struct {
    const char *ns;
    const char *name;
} paths[] = {
    {"..", "precious"},
    {"default", "../../precious"},
    {"default/../..", "precious"},
    {".", "blue"},
    {"default", "."},
    {"default", ".."},
    {"default", ".hidden"},
    {".new-0", "blue"},
    {"default", "/etc/passwd"},
    {"", "blue"},
    {"default", ""},
    {NULL, "blue"},
    {"default", NULL},
    {"default", "a/b"},
    {"/tmp", "blue"},
};

TEST_EACH(a_name_that_is_a_path_is_refused, paths)
{
    make_precious();
    expect_refused(paths[_i].ns, paths[_i].name, KUBE_ERR_ARGUMENT);
    expect_precious();
    ck_assert_uint_eq(entries(), 0);
}

TEST(a_name_longer_than_a_files_is_told)
{
    char name[300];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    expect_refused(name, "blue", KUBE_ERR_CONFIG);
    ck_assert_uint_eq(entries(), 0);
    expect_refused("default", name, KUBE_ERR_CONFIG);
    ck_assert_uint_eq(entries(), 1);
}

TEST(a_link_in_a_namespaces_place_leads_nowhere)
{
    listing list;
    make_precious();
    ck_assert_int_eq(symlink("..", in("default")), 0);
    expect_refused("default", "precious", KUBE_ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.message, "/default: Not a directory"));
    expect_precious();
    list_networks(&list, 8);
    ck_assert_uint_eq(list.len, 0);
    ck_assert_uint_eq(entries(), 1); /* nothing half-written either */
}

TEST(a_link_in_a_networks_place_is_replaced_and_not_followed)
{
    listing list;
    make_precious();
    ensure("default", "blue", "10.1.0.0/16", "10.1.0.1");
    ck_assert_int_eq(unlink(in("default/blue")), 0);
    ck_assert_int_eq(symlink("../../precious", in("default/blue")), 0);
    list_networks(&list, 8);
    ck_assert_str_eq(list.text[0], "default/blue - -"); /* not even read */
    ck_assert(ensure("default", "blue", "10.7.0.0/16", "10.7.0.1"));
    expect_precious();
    ck_assert_int_eq(unlink(in("default/blue")), 0);
    ck_assert_int_eq(symlink("../../precious", in("default/blue")), 0);
    ck_assert(removed("default", "blue"));
    expect_precious();
}

/* What is replaced or removed is the name, whatever else has the file. */
TEST(a_hard_link_in_a_networks_place_costs_its_other_name_nothing)
{
    make_precious();
    ensure("default", "green", "10.1.0.0/16", "10.1.0.1");
    ck_assert_int_eq(link(outside("precious"), in("default/blue")), 0);
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    expect_precious();
    ck_assert_pstr_eq(contents("default/blue"), blue);
    ck_assert_int_eq(unlink(in("default/blue")), 0);
    ck_assert_int_eq(link(outside("precious"), in("default/blue")), 0);
    ck_assert(removed("default", "blue"));
    expect_precious();
}

TEST(links_in_the_place_of_what_is_being_written_cost_nothing)
{
    make_precious();
    ck_assert_int_eq(symlink("../precious", in(".new-0")), 0);
    ck_assert_int_eq(link(outside("precious"), in(".new-1")), 0);
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    ck_assert(ensure("default", "green", "10.1.0.0/16", "10.1.0.1"));
    expect_precious();
    ck_assert_pstr_eq(contents("default/blue"), blue);
    ck_assert_uint_eq(entries(), 1);
}

TEST(a_pipe_in_a_networks_place_holds_nobody_up)
{
    ensure("default", "green", "10.1.0.0/16", "10.1.0.1");
    ck_assert_int_eq(mkfifo(in("default/blue"), 0644), 0);
    ck_assert(ensure("default", "blue", "10.1.0.0/16", "10.1.0.1"));
    ck_assert_pstr_eq(contents("default/blue"), blue);
}

/* ---- workers ------------------------------------------------------------------------------- */

enum { WORKERS = 4, ROUNDS = 50 };

static void *work(void *arg)
{
    const char *name = arg;
    kube_ctx *own = kube_ctx_new();
    bool changed;
    bool existed;
    for (int i = 0; i < ROUNDS; i++) {
        const struct real_network wanted = {key("default", name), "10.1.0.0/16",
                                            i % 2 ? "10.1.0.1" : "10.1.0.2"};
        ck_assert_int_eq(provider->ensure(provider, own, &wanted, &changed, NULL), KUBE_OK);
        ck_assert(changed);
        if (i % 5 == 4) {
            ck_assert_int_eq(provider->remove(provider, own, wanted.key, &existed, NULL), KUBE_OK);
            ck_assert(existed);
        }
        kube_ctx_reset(own);
    }
    kube_ctx_free(own);
    return NULL;
}

TEST(workers_do_not_meet_in_each_others_files)
{
    static char names[WORKERS][2] = {"a", "b", "c", "d"};
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, names[i]), 0);
    for (int i = 0; i < WORKERS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_uint_eq(entries(), 1);
}
