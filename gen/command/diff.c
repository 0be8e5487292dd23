/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "diff/api_state.h"
#include "diff/compare_c.h"
#include "diff/compare_crd.h"
#include "diff/report.h"
#include "support/ascii.h"
#include "support/diag_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_BREAKING = 1, EXIT_ERROR = 2 };

/* ---- what is compared ---------------------------------------------------------------------- */

/* OLD or NEW where no DIR follows: a path, or REVISION:PATH, whose path begins at the top of the
 * repository, or with "./" at the current directory. @path has room for one. */
static bool source_of_one(arena *in, const char *input, text_list *path, api_source *out)
{
    const char *colon = strchr(input, ':');
    if (access(input, F_OK) == 0 || !colon || colon == input) {
        *VEC_ADD(path) = input;
        return true;
    }
    out->revision = arena_strndup(in, input, (size_t)(colon - input));
    out->from_top = !str_has_prefix(colon + 1, "./");
    *VEC_ADD(path) = out->from_top ? colon + 1 : colon + strlen(":./");
    return true;
}

static void source_of_many(const char *input, api_source *out)
{
    out->revision = strcmp(input, ".") == 0 ? NULL : input;
    out->may_lack = true;
}

/* ---- what is allowed ----------------------------------------------------------------------- */

static int bad_pattern(const char *pattern)
{
    return args_usage("diff", "--allow %s names no rule: it takes RULE or RULE:PATH", pattern);
}

/* Adds the lines of a file; '#' begins a comment. */
static bool read_patterns(arena *in, const char *path, text_list *patterns)
{
    str text = {0};
    const char *line;
    if (!str_read_file(&text, path)) {
        diag_log_line(DIAG_ERROR, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    line = str_text(&text);
    for (line += str_has_prefix(line, "\xEF\xBB\xBF") ? 3 : 0; *line;
         line += strcspn(line, "\n"), line += *line == '\n') {
        size_t len = strcspn(line, "\r\n#");
        while (len && ascii_is_blank(line[len - 1]))
            len--;
        if (len)
            *VEC_ADD(patterns) = arena_strndup(in, line, len);
    }
    str_free(&text);
    return true;
}

static void allow(change_list *changes, const text_list *patterns)
{
    for (size_t i = 0; i < patterns->len; i++)
        if (!change_allow(changes, patterns->items[i]))
            diag_log_line(DIAG_WARNING, "no change is allowed by %s: remove it",
                          patterns->items[i]);
}

static bool gather_patterns(arena *in, const arg_set *args, text_list *patterns)
{
    for (size_t i = 0; i < args->allowed.len; i++)
        *VEC_ADD(patterns) = args->allowed.items[i];
    for (size_t i = 0; i < args->allow_files.len; i++)
        if (!read_patterns(in, args->allow_files.items[i], patterns))
            return false;
    for (size_t i = 0; i < patterns->len; i++)
        if (!change_is_pattern(patterns->items[i])) {
            bad_pattern(patterns->items[i]);
            return false;
        }
    return true;
}

/* ---- the comparison ------------------------------------------------------------------------ */

static bool read_state(api_state *out, const api_source *from, diag *messages)
{
    str error = {0};
    bool ok = api_state_read(out, from, messages, &error);
    if (error.len)
        diag_log_line(DIAG_ERROR, "%s", str_text(&error));
    str_free(&error);
    return diag_report(messages) && ok;
}

/* Of a path that is in neither state, nothing would be compared. */
static bool are_there(const api_state *was, const api_state *is)
{
    bool ok = true;
    for (size_t i = 0; i < was->lacking.len; i++) {
        for (size_t n = 0; n < is->lacking.len; n++) {
            if (was->lacking.items[i] != is->lacking.items[n])
                continue;
            diag_log_line(DIAG_ERROR, "there is no %s in either of the two", was->lacking.items[i]);
            ok = false;
        }
    }
    return ok;
}

static int compare(const api_state *was, const api_state *is, const arg_set *args,
                   const text_list *patterns, report_names names)
{
    change_list changes = {.in = arena_new()};
    const comparison in = {&changes, &was->places, &is->places};
    size_t breaking = 0;
    compare_crds(&in, &was->crds, &is->crds);
    if (was->model && is->model)
        compare_c(&changes, was->model, is->model);
    allow(&changes, patterns);
    if (args->format && strcmp(args->format, "json") == 0)
        report_json(&changes, names, stdout);
    else
        report_text(&changes, names, stdout);
    if (diag_log_is_on())
        report_log(&changes, names);
    for (severity i = 0; i < COMPATIBLE; i++)
        breaking += change_count(&changes, i, false);
    change_list_free(&changes);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        diag_log_line(DIAG_ERROR, "cannot write to standard output: %s", strerror(errno));
        return EXIT_ERROR;
    }
    return breaking ? EXIT_BREAKING : EXIT_OK;
}

static int diff_states(const api_source *old, const api_source *new, const arg_set *args,
                       const text_list *patterns)
{
    const report_names messages = {diag_new(), diag_new()};
    int status = EXIT_ERROR;
    api_state was;
    api_state is;
    bool ok = read_state(&was, old, messages.was);
    ok &= read_state(&is, new, messages.is);
    ok = ok && are_there(&was, &is);
    if (ok && !was.crds.len && !is.crds.len && !was.model && !is.model)
        diag_log_line(DIAG_ERROR, "no types.h and no CRD at these paths, in either state");
    else if (ok)
        status = compare(&was, &is, args, patterns, messages);
    api_state_free(&was);
    api_state_free(&is);
    diag_free(messages.was);
    diag_free(messages.is);
    return status;
}

static int diff_inputs(arg_set *args)
{
    arena *in = arena_new();
    text_list patterns = {0};
    text_list old_path = {0};
    text_list new_path = {0};
    text_list dirs = args->inputs;
    api_source old = {.paths = &old_path, .include = &args->include_dirs};
    api_source new = {.paths = &new_path, .include = &args->include_dirs};
    int status = EXIT_ERROR;
    bool ok = gather_patterns(in, args, &patterns);
    if (dirs.len > 2) {
        source_of_many(dirs.items[0], &old);
        source_of_many(dirs.items[1], &new);
        dirs.items += 2;
        dirs.len -= 2;
        old.paths = new.paths = &dirs;
    } else {
        ok = ok && source_of_one(in, dirs.items[0], &old_path, &old) &&
             source_of_one(in, dirs.items[1], &new_path, &new);
    }
    if (ok)
        status = diff_states(&old, &new, args, &patterns);
    free(old_path.items);
    free(new_path.items);
    free(patterns.items);
    arena_free(in);
    return status;
}

static int run(arg_set *args)
{
    if (args->rules) {
        report_rules(stdout);
        return EXIT_OK;
    }
    if (args->inputs.len < 2)
        return args_usage("diff", "diff needs OLD and NEW");
    if (args->format && strcmp(args->format, "text") != 0 && strcmp(args->format, "json") != 0)
        return args_usage("diff", "--format is text or json");
    return diff_inputs(args);
}

const command diff_command = {
    .name = "diff",
    .summary = "tell which changes of an API break something",
    .help =
        "usage: kubegen diff [OPTION]... OLD NEW\n"
        "       kubegen diff [OPTION]... REVISION REVISION DIR...\n"
        "\n"
        "Compares two states of an API and tells each change of its schema, its names, versions\n"
        "and C types with what it breaks: stored objects, clients or GitOps. OLD and NEW are\n"
        "directories that hold a types.h, or trees of such; CRDs in YAML or JSON, or directories\n"
        "of such; or REVISION:PATH of the git repository at hand. In the second form the DIRs\n"
        "are compared as they are in the two revisions; for the second one, a dot means the\n"
        "files as they lie.\n"
        "\n"
        "  --allow RULE[:PATH]  do not count these changes; '*' stands for anything in either\n"
        "                       word; may be repeated\n"
        "  --allow-from FILE    the same for each line of FILE; '#' begins a comment\n"
        "  --format text|json   how changes are told (default: text)\n"
        "  --rules              list the rules, and what they mean\n"
        "  -I DIR               look for included headers in DIR too; may be repeated\n"
        "\n"
        "Exit status: 0 nothing breaks, or it is allowed; 1 something breaks; 2 an error.\n"
        "\n"
        "example: kubegen diff v1.0 HEAD -- apis/samplecrd/v1\n"
        "         kubegen diff v1.0:apis/samplecrd/v1 apis/samplecrd/v1 --allow column-removed\n",
    .options = ARG_DIFF | ARG_INCLUDE,
    .error_status = EXIT_ERROR,
    .run = run,
};
