/* SPDX-License-Identifier: Apache-2.0 */
/* Files: all or none, untouched when equal; differences as diff(1) prints them. */
#include "gen_kit.h"
#include "support/diff.h"
#include "support/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

TEST(a_directory_in_the_place_of_a_file_is_found_before_anything_is_written)
{
    output_set *files = output_new();
    str error = {0};
    ck_assert_int_eq(mkdir("second", 0777), 0);
    output_add(files, "first", "new\n");
    output_add(files, "second", "new\n");
    ck_assert(!output_write(files, &error));
    ck_assert_str_eq(str_text(&error), "cannot write second: Is a directory");
    output_free(files);
    ck_assert_int_eq(system("test $(ls | wc -l) = 1"), 0);
    str_free(&error);
}

TEST(links_to_pipes_and_directories_are_replaced)
{
    struct stat status;
    ck_assert_int_eq(mkfifo("pipe", 0600) | mkdir("place", 0700), 0);
    ck_assert_int_eq(symlink("pipe", "to_pipe") | symlink("place", "to_place"), 0);
    write_now("to_pipe", "text\n");
    write_now("to_place", "text\n");
    expect_file("to_pipe", "text\n");
    expect_file("to_place", "text\n");
    ck_assert_int_eq(lstat("to_place", &status), 0);
    ck_assert(S_ISREG(status.st_mode) && (status.st_mode & 0111) == 0);
    ck_assert_int_eq(stat("pipe", &status), 0);
    ck_assert(S_ISFIFO(status.st_mode));
    write_now("/dev/null", "text\n");
    ck_assert_int_eq(lstat("/dev/null", &status), 0);
    ck_assert(S_ISCHR(status.st_mode));
}

/* Writes many files into many/ and ends. */
static void write_many(size_t len)
{
    output_set *files = output_new();
    str error = {0};
    char name[32];
    signal(SIGTERM, SIG_DFL); /* check's handler would end the whole test */
    for (size_t i = 0; i < len; i++) {
        snprintf(name, sizeof name, "many/%zu", i);
        output_add(files, name, "text\n");
    }
    _exit(output_write(files, &error) ? 0 : 1);
}

/* Counts the files in many/; those with a dot in their name are drafts. */
static size_t count_many(size_t *drafts)
{
    DIR *open = opendir("many");
    size_t len = 0;
    *drafts = 0;
    for (struct dirent *at; open && (at = readdir(open)) != NULL;) {
        len += at->d_name[0] != '.';
        *drafts += at->d_name[0] != '.' && strchr(at->d_name, '.') != NULL;
    }
    if (open)
        closedir(open);
    return len;
}

TEST(a_signal_leaves_no_drafts)
{
    size_t drafts;
    int status;
    pid_t child = fork();
    if (child == 0)
        write_many(1000);
    while (count_many(&drafts) == 0)
        ck_assert_int_eq(waitpid(child, &status, WNOHANG), 0);
    ck_assert_int_eq(kill(child, SIGTERM), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_uint_eq(count_many(&drafts), 1000);
    ck_assert_uint_eq(drafts, 0);
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
