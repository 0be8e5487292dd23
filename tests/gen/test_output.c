/* SPDX-License-Identifier: Apache-2.0 */
/* Files: all or none, untouched when equal; differences as diff(1) prints them. */
#include "gen_kit.h"
#include "support/diff.h"
#include "support/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/kubegen-output-XXXXXX";

static void enter(void)
{
    strcpy(dir + strlen(dir) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    ck_assert_int_eq(chdir(dir), 0);
}

static void leave(void)
{
    char command[64];
    ck_assert_int_eq(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static void expect_file(const char *path, const char *want)
{
    str text = {0};
    ck_assert_msg(str_read_file(&text, path), "%s is not there", path);
    ck_assert_str_eq(str_text(&text), want);
    str_free(&text);
}

static void write_now(const char *path, const char *text)
{
    output_set *files = output_new();
    str error = {0};
    output_add(files, path, text);
    ck_assert_msg(output_write(files, &error), "%s", str_text(&error));
    output_free(files);
}

static void set_old(const char *path)
{
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_old(const char *path)
{
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mtime == 1;
}

FIXTURE(enter, leave);

TEST(a_new_file_has_the_rights_of_the_old_one)
{
    struct stat status;
    mode_t mask = umask(022);
    write_now("new", "text\n");
    ck_assert_int_eq(stat("new", &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0644);
    ck_assert_int_eq(chmod("new", 0600), 0);
    write_now("new", "other text\n");
    ck_assert_int_eq(stat("new", &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0600);
    umask(mask);
}

TEST(a_link_where_a_draft_might_go_is_not_followed)
{
    char name[64];
    write_now("precious", "mine\n");
    snprintf(name, sizeof name, "out.new%ld", (long)getpid());
    ck_assert_int_eq(symlink("precious", name), 0);
    write_now("out", "text\n");
    expect_file("precious", "mine\n");
    expect_file("out", "text\n");
}

TEST(directories_are_made)
{
    write_now("a/b/c.h", "text\n");
    expect_file("a/b/c.h", "text\n");
}

TEST(a_file_that_does_not_change_is_not_touched)
{
    write_now("same", "text\n");
    set_old("same");
    write_now("same", "text\n");
    ck_assert(is_old("same"));
    write_now("same", "text\nmore\n");
    ck_assert(!is_old("same"));
    expect_file("same", "text\nmore\n");
}

TEST(when_one_file_cannot_be_written_none_is)
{
    output_set *files = output_new();
    str error = {0};
    write_now("first", "old\n");
    ck_assert_int_eq(mkdir("blocked", 0777), 0);
    write_now("in_the_way", "a file, no directory\n");
    output_add(files, "first", "new\n");
    output_add(files, "in_the_way/second", "new\n");
    ck_assert(!output_write(files, &error));
    ck_assert_str_eq(str_text(&error), "cannot write in_the_way/second: Not a directory");
    output_free(files);
    expect_file("first", "old\n");
    /* No draft is left either. */
    ck_assert_int_eq(system("test $(ls | wc -l) = 3"), 0);
    str_free(&error);
}

static void expect_stale(const output_set *files, size_t want, const char *text)
{
    char *printed = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&printed, &len);
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(output_compare(files, out), want);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(printed, text);
    free(printed);
}

TEST(comparing_tells_what_is_stale_and_writes_nothing)
{
    output_set *files = output_new();
    write_now("current", "one\n");
    write_now("stale", "one\ntwo\n");
    output_add(files, "current", "one\n");
    output_add(files, "stale", "one\n2\n");
    output_add(files, "new", "a\n");
    expect_stale(files, 2,
                 "--- stale\n+++ stale (as generated)\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
                 "--- new\n+++ new (as generated)\n@@ -0,0 +1 @@\n+a\n");
    ck_assert_int_ne(access("new", F_OK), 0);
    expect_file("stale", "one\ntwo\n");
    output_free(files);
}

static void expect_diff(const char *old_text, const char *new_text, const char *want)
{
    char *printed = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&printed, &len);
    ck_assert_ptr_nonnull(out);
    diff_print("f", old_text, new_text, out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(printed, want);
    free(printed);
}

FIXTURE(NULL, NULL);

TEST(equal_texts_have_no_difference)
{
    expect_diff("a\nb\n", "a\nb\n", "");
}

TEST(a_change_stands_between_three_lines_of_context)
{
    expect_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
                "--- f\n+++ f (as generated)\n"
                "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(distant_changes_are_hunks_of_their_own)
{
    expect_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
                "--- f\n+++ f (as generated)\n"
                "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
                "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

TEST(near_changes_share_a_hunk)
{
    expect_diff("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
                "--- f\n+++ f (as generated)\n"
                "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
}
