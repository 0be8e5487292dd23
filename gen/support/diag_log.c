/* SPDX-License-Identifier: Apache-2.0 */
#include "diag_log.h"

#include "ascii.h"
#include "json_value.h"
#include "str.h"
#include "text_map.h"
#include "utf8.h"

#include <stdarg.h>
#include <string.h>

typedef enum log_form { FORM_TEXT, FORM_JSON, FORM_SARIF } log_form;

/* One of a run, as it has one stderr. */
static struct {
    log_form form;
    json_value *results;
    json_value *notes; /* of the last result */
    /* of SARIF */
    json_value *rules;
    arena *in;
    text_map rule_rows;
    size_t rule_len;
} run_log;

static const char *const level_names[] = {
    [DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note"};

bool diag_log_set_form(const char *form)
{
    static const char *const names[] = {
        [FORM_TEXT] = "text", [FORM_JSON] = "json", [FORM_SARIF] = "sarif"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(form, names[i]) == 0) {
            run_log.form = (log_form)i;
            return true;
        }
    return false;
}

bool diag_log_is_on(void)
{
    return run_log.form != FORM_TEXT;
}

static void open_log(void)
{
    if (run_log.results)
        return;
    run_log.results = json_array();
    run_log.rules = json_array();
    run_log.in = arena_new();
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Returns where its notes go; NULL of a note. */
static json_value *add_json(json_value *list, const diag_item *item)
{
    json_value *row = json_push(list, json_object());
    str file = {0};
    if (item->rule) {
        json_set_text(row, "severity", level_names[item->level]);
        json_set_text(row, "rule", item->rule);
    }
    json_set_text(row, "message", item->text);
    if (item->loc.file) {
        utf8_add_visible(&file, item->loc.file, strlen(item->loc.file));
        json_set_text(row, "file", str_text(&file));
    }
    if (item->loc.line) {
        json_set_count(row, "line", item->loc.line);
        json_set_count(row, "column", item->loc.column);
    }
    str_free(&file);
    return item->rule ? json_set(row, "notes", json_array()) : NULL;
}

/* ---- SARIF --------------------------------------------------------------------------------- */

static bool is_unreserved(char c)
{
    return ascii_is_alnum(c) || strchr("-._~/", c);
}

/* A path as a reference: relative to where the command runs, or a URL of the file. */
static void add_uri(json_value *artifact, const char *path)
{
    str uri = {0};
    if (*path == '/')
        str_add(&uri, "file://");
    for (; *path; path++) {
        if (is_unreserved(*path))
            str_add_char(&uri, *path);
        else
            str_printf(&uri, "%%%02X", (unsigned)(unsigned char)*path);
    }
    json_set_text(artifact, "uri", str_text(&uri));
    str_free(&uri);
}

static void add_place(json_value *location, const diag_item *item)
{
    json_value *physical;
    json_value *region;
    if (!item->loc.file)
        return;
    physical = json_set(location, "physicalLocation", json_object());
    add_uri(json_set(physical, "artifactLocation", json_object()), item->loc.file);
    if (!item->loc.line)
        return;
    region = json_set(physical, "region", json_object());
    json_set_count(region, "startLine", item->loc.line);
    if (item->characters)
        json_set_count(region, "startColumn", item->characters);
}

/* Returns which of the rules it is. */
static size_t find_rule(const char *name)
{
    size_t *row = text_map_get(&run_log.rule_rows, name);
    json_value *made;
    if (row)
        return *row;
    row = arena_alloc(run_log.in, sizeof *row);
    *row = run_log.rule_len++;
    name = arena_strdup(run_log.in, name);
    *text_map_at(&run_log.rule_rows, run_log.in, name) = row;
    made = json_push(run_log.rules, json_object());
    json_set_text(made, "id", name);
    return *row;
}

static void set_message(json_value *of, const char *text)
{
    json_set_text(json_set(of, "message", json_object()), "text", text);
}

static json_value *add_sarif(json_value *results, const diag_item *item)
{
    json_value *row = json_push(results, json_object());
    json_set_text(row, "ruleId", item->rule);
    json_set_count(row, "ruleIndex", find_rule(item->rule));
    json_set_text(row, "level", level_names[item->level]);
    set_message(row, item->text);
    if (item->loc.file)
        add_place(json_push(json_set(row, "locations", json_array()), json_object()), item);
    return json_set(row, "relatedLocations", json_array());
}

static void add_sarif_note(json_value *list, const diag_item *item)
{
    json_value *location = json_push(list, json_object());
    add_place(location, item);
    set_message(location, item->text);
}

static json_value *sarif_document(const char *program_version, int status, bool ok)
{
    json_value *root = json_object();
    json_value *run;
    json_value *driver;
    json_value *invocation;
    json_set_text(root, "$schema",
                  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                  "sarif-schema-2.1.0.json");
    json_set_text(root, "version", "2.1.0");
    run = json_push(json_set(root, "runs", json_array()), json_object());
    driver = json_set(json_set(run, "tool", json_object()), "driver", json_object());
    json_set_text(driver, "name", "kubegen");
    json_set_text(driver, "version", program_version);
    json_set(driver, "rules", run_log.rules);
    invocation = json_push(json_set(run, "invocations", json_array()), json_object());
    json_set_flag(invocation, "executionSuccessful", ok);
    json_set_count(invocation, "exitCode", (size_t)status);
    json_set_text(run, "columnKind", "unicodeCodePoints");
    json_set(run, "results", run_log.results);
    return root;
}

/* ---- both ---------------------------------------------------------------------------------- */

/* A result, or a note of the one before it. */
static void add_item(const diag_item *item)
{
    bool sarif = run_log.form == FORM_SARIF;
    if (item->rule)
        run_log.notes = (sarif ? add_sarif : add_json)(run_log.results, item);
    else if (sarif)
        add_sarif_note(run_log.notes, item);
    else
        add_json(run_log.notes, item);
}

void diag_log_add(diag *from)
{
    diag_item item;
    size_t at = 0;
    size_t note = 0;
    if (!diag_log_is_on())
        return;
    open_log();
    while (diag_next(from, &at, &note, &item))
        add_item(&item);
}

bool diag_report(diag *from)
{
    if (diag_log_is_on())
        diag_log_add(from);
    else
        diag_print(from, stderr, diag_wants_colour(stderr));
    return diag_error_count(from) == 0;
}

void diag_log_line(diag_level level, const char *format, ...)
{
    str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    if (diag_log_is_on()) {
        diag *one = diag_new();
        diag_tell(one, level, NULL, (diag_loc){0}, "%s", str_text(&text));
        diag_log_add(one);
        diag_free(one);
    } else {
        str visible = {0};
        utf8_add_message(&visible, str_text(&text));
        fprintf(stderr, "kubegen: %s\n", str_text(&visible));
        str_free(&visible);
    }
    str_free(&text);
}

void diag_log_end(const char *program_version, int status, bool ok, FILE *out)
{
    json_value *root;
    str text = {0};
    if (!diag_log_is_on())
        return;
    open_log();
    if (run_log.form == FORM_SARIF) {
        root = sarif_document(program_version, status, ok);
    } else {
        root = json_object();
        json_set(root, "diagnostics", run_log.results);
        json_free(run_log.rules);
    }
    json_print(root, &text);
    fprintf(out, "%s\n", str_text(&text));
    str_free(&text);
    json_free(root);
    arena_free(run_log.in);
    run_log.results = NULL;
}
