/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include "support/diag_log.h"
#include "support/json_value.h"
#include "support/utf8.h"

#include <string.h>

static void add_place(str *out, diag_loc loc, diag *names)
{
    str_add(out, diag_file(names, loc.file));
    if (loc.line)
        str_printf(out, ":%u:%u", loc.line, loc.column);
}

static void print_line(const change *one, report_names names, FILE *out)
{
    str line = {0};
    str visible = {0};
    if (one->is.file)
        add_place(&line, one->is, names.is);
    else if (one->was.file)
        add_place(&line, one->was, names.was);
    str_printf(&line, ": %s: %s: %s [%s]", severity_texts[change_rules[one->rule].breaks],
               one->subject, one->message, change_rules[one->rule].name);
    if (one->is.file && one->was.file) {
        str_add(&line, " (was ");
        add_place(&line, one->was, names.was);
        str_add_char(&line, ')');
    }
    if (one->allowed)
        str_add(&line, " (allowed)");
    utf8_add_visible(&visible, str_text(&line), line.len);
    fprintf(out, "%s\n", str_text(&visible));
    str_free(&visible);
    str_free(&line);
}

void report_text(const change_list *changes, report_names names, FILE *out)
{
    size_t allowed = 0;
    for (size_t i = 0; i < changes->found.len; i++)
        print_line(&changes->found.items[i], names, out);
    for (severity i = 0; i < SEVERITY_COUNT; i++) {
        fprintf(out, "%s%s: %zu", i ? ", " : "", severity_texts[i],
                change_count(changes, i, false));
        allowed += change_count(changes, i, true);
    }
    fprintf(out, ", allowed: %zu\n", allowed);
}

static void set_place(json_value *row, const char *name, diag_loc loc, diag *names)
{
    json_value *place;
    if (!loc.file)
        return;
    place = json_set(row, name, json_object());
    json_set_text(place, "file", diag_file(names, loc.file));
    if (!loc.line)
        return;
    json_set_count(place, "line", loc.line);
    json_set_count(place, "column", loc.column);
}

void report_json(const change_list *changes, report_names names, FILE *out)
{
    json_value *root = json_object();
    json_value *list = json_set(root, "changes", json_array());
    json_value *summary = json_set(root, "summary", json_object());
    size_t allowed = 0;
    str text = {0};
    for (size_t i = 0; i < changes->found.len; i++) {
        const change *one = &changes->found.items[i];
        json_value *row = json_push(list, json_object());
        json_set_text(row, "rule", change_rules[one->rule].name);
        json_set_text(row, "severity", severity_names[change_rules[one->rule].breaks]);
        json_set_text(row, "subject", one->subject);
        json_set_text(row, "path", one->path);
        json_set_text(row, "message", one->message);
        json_set_flag(row, "allowed", one->allowed);
        set_place(row, "old", one->was, names.was);
        set_place(row, "new", one->is, names.is);
    }
    for (severity i = 0; i < SEVERITY_COUNT; i++) {
        json_set_count(summary, severity_names[i], change_count(changes, i, false));
        allowed += change_count(changes, i, true);
    }
    json_set_count(summary, "allowed", allowed);
    json_print(root, &text);
    fprintf(out, "%s\n", str_text(&text));
    str_free(&text);
    json_free(root);
}

/* The place with its path as it is; of a revision with the one in the tree, which is where the
 * name that it has for the user, "v1.0:apis/types.h", and that of the file end alike. */
static diag_loc shown_place(diag_loc loc, diag *names)
{
    const char *shown = loc.file ? diag_file(names, loc.file) : NULL;
    size_t len = shown ? strlen(shown) : 0;
    size_t other = shown ? strlen(loc.file) : 0;
    if (!shown || strcmp(shown, loc.file) == 0)
        return loc;
    while (len && other && shown[len - 1] == loc.file[other - 1]) {
        len--;
        other--;
    }
    loc.file = shown + len;
    return loc;
}

void report_log(const change_list *changes, report_names names)
{
    static const diag_level levels[SEVERITY_COUNT] = {
        [BREAKS_STORED] = DIAG_ERROR,
        [BREAKS_CLIENTS] = DIAG_ERROR,
        [BREAKS_GITOPS] = DIAG_WARNING,
        [COMPATIBLE] = DIAG_NOTE,
    };
    diag *made = diag_new();
    for (size_t i = 0; i < changes->found.len; i++) {
        const change *one = &changes->found.items[i];
        severity breaks = change_rules[one->rule].breaks;
        diag_tell(made, one->allowed ? DIAG_NOTE : levels[breaks], change_rules[one->rule].name,
                  shown_place(one->is, names.is), "%s: %s: %s%s", severity_texts[breaks],
                  one->subject, one->message, one->allowed ? " (allowed)" : "");
        if (one->was.file)
            diag_note(made, shown_place(one->was, names.was), "it was here");
    }
    diag_log_add(made);
    diag_free(made);
}

void report_rules(FILE *out)
{
    fputs("| rule | severity | what happens |\n|---|---|---|\n", out);
    for (size_t i = 0; i < RULE_COUNT; i++)
        fprintf(out, "| `%s` | %s | %s |\n", change_rules[i].name,
                severity_names[change_rules[i].breaks], change_rules[i].help);
}
