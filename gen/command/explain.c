/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "front/markers.h"
#include "support/arena.h"
#include "support/ascii.h"
#include "support/str.h"

#include <stdio.h>
#include <string.h>

static void print_indented(const char *text, const char *indent)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        printf("%s%.*s\n", len ? indent : "", (int)len, text);
        text += len + (text[len] == '\n');
    }
}

static void print_choices(const char *const *choices)
{
    for (size_t i = 0; choices[i]; i++)
        printf("%s%s", i ? ", " : "", choices[i]);
    putchar('\n');
}

static void print_marker(const marker_spec *spec)
{
    const marker_arg_spec *arg;
    printf("+%s\n", spec->name);
    printf("    usage: %s\n", spec->usage);
    printf("    place: %s\n", marker_place_text(spec->places));
    if (spec->places & MARKER_INERT)
        puts("    It has no effect here: types from Go may have it, and another generator reads "
             "it.");
    if (spec->places == MARKER_VALUE && str_has_prefix(spec->name, "kubebuilder:validation:") &&
        !spec->same_as)
        printf("    of the elements of a list: +kubebuilder:validation:items:%s\n",
               strrchr(spec->name, ':') + 1);
    if (spec->may_repeat)
        puts("    may be repeated");
    if (spec->choices) {
        fputs("    values: ", stdout);
        print_choices(spec->choices);
    }
    putchar('\n');
    print_indented(spec->help, "    ");
    for (arg = spec->args; arg && arg->name; arg++) {
        printf("\n    %s%s: %s\n", arg->name, arg->is_required ? " (required)" : "", arg->help);
        if (arg->choices) {
            fputs("        one of ", stdout);
            print_choices(arg->choices);
        }
    }
}

/* The first sentence of @help, whatever lines it is written in. */
static void print_first_sentence(const char *help)
{
    for (; *help && !(*help == '.' && (help[1] == ' ' || help[1] == '\n' || !help[1])); help++)
        putchar(*help == '\n' ? ' ' : *help);
    putchar('\n');
}

/* Where markers stand. */
static const struct {
    unsigned place;
    const char *title;
} groups[] = {
    {MARKER_HEADER, "above a header's first directive or declaration"},
    {MARKER_TYPE, "above a struct"},
    {MARKER_FIELD, "above a member"},
    {MARKER_VALUE, "above a member, a struct or a typedef"},
    {MARKER_ANYWHERE, "anywhere in a header or a C file"},
    {MARKER_INERT, "anywhere, with no effect here, as they come with types from Go"},
};

static bool is_of_group(const marker_spec *spec, unsigned place)
{
    return place == MARKER_VALUE ? spec->places == MARKER_VALUE
                                 : spec->places != MARKER_VALUE && (spec->places & place);
}

static void list_markers(void)
{
    const marker_spec *spec;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        printf("%s%s:\n", i ? "\n" : "", groups[i].title);
        for (size_t j = 0; (spec = marker_at(j)) != NULL; j++) {
            if (!is_of_group(spec, groups[i].place))
                continue;
            printf("  +%-48s ", spec->name);
            print_first_sentence(spec->help);
        }
    }
    puts("\nA marker is a // line of its own. More about one: kubegen explain MARKER");
}

/* ---- tables -------------------------------------------------------------------------------- */

/* Text for a cell of a table: what Markdown would read as its own is escaped, but in `code`. */
static void print_cell(const char *text)
{
    bool is_code = false;
    for (; *text; text++) {
        is_code ^= *text == '`';
        if (*text == '|' || (!is_code && strchr("<*", *text)))
            putchar('\\');
        putchar(*text == '\n' ? ' ' : *text);
    }
}

/* A back-quote in code needs two of them around it. */
static void print_code(const char *text)
{
    const char *fence = strchr(text, '`') ? "``" : "`";
    fputs(fence, stdout);
    for (; *text; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
    printf("%s%s", text[-1] == '`' ? " " : "", fence);
}

static void print_row(const marker_spec *spec)
{
    const marker_arg_spec *arg;
    fputs("| ", stdout);
    print_code(spec->usage);
    fputs(" | ", stdout);
    print_cell(spec->help);
    if (spec->choices) {
        fputs(" Values:", stdout);
        for (size_t i = 0; spec->choices[i]; i++)
            printf("%s `%s`", i ? "," : "", spec->choices[i]);
        putchar('.');
    }
    for (arg = spec->args; arg && arg->name; arg++) {
        printf("%s `%s`%s: ", arg == spec->args ? " Arguments:" : ";", arg->name,
               arg->is_required ? " (required)" : "");
        print_cell(arg->help);
    }
    puts(spec->args ? ". |" : " |");
}

/* The tables of docs/mapping.md. */
static void print_tables(void)
{
    const marker_spec *spec;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        printf("%s%c%s:\n\n| marker | meaning |\n|---|---|\n", i ? "\n" : "",
               ascii_upper(groups[i].title[0]), groups[i].title + 1);
        for (size_t j = 0; (spec = marker_at(j)) != NULL; j++) {
            if (is_of_group(spec, groups[i].place))
                print_row(spec);
        }
    }
}

static int explain(const char *name)
{
    arena *memory = arena_new();
    const marker_spec *spec = marker_find(name);
    const char *near;
    const char *known;
    name += *name == '+';
    if (!spec)
        spec = marker_item_rule(memory, name);
    if (spec) {
        print_marker(spec);
        arena_free(memory);
        return EXIT_OK;
    }
    known = marker_unsupported(name);
    near = marker_nearest(memory, name);
    if (known)
        args_usage("explain", "+%s %s", name, known);
    else if (near)
        args_usage("explain", "there is no marker %s: did you mean +%s?", name, near);
    else
        args_usage("explain", "there is no marker %s", name);
    arena_free(memory);
    return EXIT_USAGE;
}

static int run(arg_set *args)
{
    if (args->inputs.len > 1)
        return args_usage(args->command, "explain takes one marker at a time");
    if (args->inputs.len)
        return explain(args->inputs.items[0]);
    if (args->markdown)
        print_tables();
    else
        list_markers();
    return EXIT_OK;
}

const command explain_command = {
    .name = "explain",
    .summary = "say what a marker does, or list them",
    .help = "usage: kubegen explain [--markdown] [MARKER]\n"
            "\n"
            "Says what a marker does, where it stands and what it takes; without one, lists all.\n"
            "\n"
            "  --markdown  list all in the tables of docs/mapping.md\n"
            "\n"
            "example: kubegen explain +kubebuilder:printcolumn\n",
    .options = ARG_EXPLAIN,
    .run = run,
};
