/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scripts that let a shell complete command lines of kubegen. Which options there are says the
 * registry of args.c; what follows one, and what it is for, say the help texts.
 */
#include "command.h"
#include "front/markers.h"
#include "support/arena.h"
#include "support/ascii.h"
#include "support/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An option of a command, as its help has it: "  --out-root DIR      write to DIR/…". */
typedef struct option {
    const char *name;
    const char *value; /* "DIR", "FILE", "text|json"; NULL if it takes none, "" if any text */
    const char *about; /* the beginning of what the help says */
    bool repeats;
} option;

typedef VEC(option) option_list;

static const char every_help[] =
    "\n  --diagnostics text|json|sarif  in which form messages are written to standard error\n";

/* ---- from the help texts ------------------------------------------------------------------- */

static bool ends_name(char c)
{
    return !ascii_is_alnum(c) && c != '-';
}

/*
 * Returns what follows the name of an option in the list of them in @help: behind "  " at the
 * beginning of a line, or behind another one and ", ". Returns NULL if it is not there.
 */
static const char *find_option(const char *help, const char *name)
{
    size_t len = strlen(name);
    for (const char *line = strstr(help, "\n  -"); line; line = strstr(line + 1, "\n  -"))
        for (const char *at = line + strlen("\n  "); *at == '-'; at += strlen(", ")) {
            if (strncmp(at, name, len) == 0 && ends_name(at[len]))
                return at + len;
            at += strcspn(at, ",\n");
            if (strncmp(at, ", -", 3) != 0)
                break;
        }
    return NULL;
}

/* Of "--cert, --key FILE" the value belongs to both. */
static const char *skip_others(const char *at)
{
    while (str_has_prefix(at, ", -"))
        at += 2 + strcspn(at + 2, " ,\n");
    return at;
}

/* The first part of the sentence at @at; it may begin in the next line. */
static const char *sentence(arena *in, const char *at)
{
    size_t len;
    at += strspn(at, " ");
    if (*at == '\n')
        at += 1 + strspn(at + 1, " ");
    len = strcspn(at, "\n;(");
    while (len && strchr(" .", at[len - 1]))
        len--;
    return *at == '-' || *at == ',' || *at == ':' ? "" : arena_strndup(in, at, len);
}

static option describe(arena *in, const char *help, const char *name, bool takes_value,
                       bool repeats)
{
    option made = {name, takes_value ? "" : NULL, "", repeats};
    const char *at = find_option(help, name);
    size_t len;
    if (!at)
        return made;
    at = skip_others(at);
    if (takes_value && *at == ' ') {
        len = strcspn(++at, " ,\n");
        made.value = arena_strndup(in, at, len - (len && at[len - 1] == ':'));
        at += len - (len && at[len - 1] == ':');
    }
    made.about = sentence(in, at);
    return made;
}

static option_list list_options(arena *in, const command *of)
{
    option_list made = {0};
    const char *name;
    size_t at = 0;
    bool takes_value;
    bool repeats;
    while ((name = args_next_option(of->options, &at, &takes_value, &repeats))) {
        bool own = find_option(of->help, name) != NULL;
        *VEC_ADD(&made) = describe(in, own ? of->help : every_help, name, takes_value, repeats);
    }
    return made;
}

static bool is_choice(const option *of)
{
    return of->value && strchr(of->value, '|');
}

/* What is completed after it: "dirs", "files" or, of any text, nothing. */
static const char *kind_of(const option *of)
{
    if (strcmp(of->value, "DIR") == 0)
        return "dirs";
    return strcmp(of->value, "FILE") == 0 || strcmp(of->value, "PROGRAM") == 0 ? "files" : "texts";
}

/* ---- what all shells need ------------------------------------------------------------------ */

/* Words that the first argument may be, with blanks between; NULL if it is a path. */
static const char *argument_words(arena *in, const command *of)
{
    str words = {0};
    const char *made;
    if (strcmp(of->name, "explain") != 0)
        return of->words;
    for (size_t i = 0; i < MARKER_ID_COUNT; i++)
        str_printf(&words, "%s+%s", i ? " " : "", marker_specs[i].name);
    made = arena_strdup(in, str_text(&words));
    str_free(&words);
    return made;
}

/* Prints in single quotes; @special gets a backslash before it. */
static void print_quoted(const char *text, const char *special)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void print_choices(const char *value)
{
    for (; *value; value++)
        putchar(*value == '|' ? ' ' : *value);
}

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* ---- bash ---------------------------------------------------------------------------------- */

static const char bash_begin[] =
    "# Completion of kubegen for bash, written by `kubegen completion bash`.\n"
    "_kubegen() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local options= dirs= files= texts= words= choices= colon\n"
    "    local typed=${COMP_LINE:0:COMP_POINT}\n"
    "    typed=${typed#*\"${COMP_WORDS[1]} \"}\n"
    "    COMPREPLY=()\n"
    "    if [[ $current == '=' ]]; then\n"
    "        current=\n"
    "    elif [[ $previous == '=' ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        mapfile -t COMPREPLY < <(compgen -W '";
static const char bash_middle[] = " help --help --version' -- \"$current\")\n"
                                  "        return\n"
                                  "    fi\n"
                                  "    case ${COMP_WORDS[1]} in\n";
static const char bash_end[] =
    "    esac\n"
    "    if [[ -n $choices ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$current\")\n"
    "    elif [[ \" $dirs \" == *\" $previous \"* ]]; then\n"
    "        compopt -o filenames\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$current\")\n"
    "    elif [[ \" $files \" == *\" $previous \"* ]]; then\n"
    "        compopt -o filenames\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
    "    elif [[ \" $texts \" == *\" $previous \"* ]]; then\n"
    "        return\n"
    "    elif [[ $current == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$options --help\" -- \"$current\")\n"
    "    elif [[ -n $words ]]; then\n"
    "        # A word ends at a colon for readline, so the part before it is not repeated.\n"
    "        colon=${typed%\"${typed##*:}\"}\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$typed\")\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"$colon\"}\")\n"
    "    else\n"
    "        compopt -o filenames\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
    "    fi\n"
    "}\n"
    "complete -F _kubegen kubegen\n";

static void print_bash_options(const option_list *options)
{
    static const char *const kinds[] = {"dirs", "files", "texts"};
    fputs("        options='", stdout);
    for (size_t i = 0; i < options->len; i++)
        printf("%s%s", i ? " " : "", options->items[i].name);
    puts("'");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        printf("        %s='", kinds[k]);
        for (size_t i = 0; i < options->len; i++) {
            const option *one = &options->items[i];
            if (one->value && !is_choice(one) && strcmp(kind_of(one), kinds[k]) == 0)
                printf("%s ", one->name);
        }
        puts("'");
    }
    for (size_t i = 0; i < options->len; i++) {
        const option *one = &options->items[i];
        if (!is_choice(one))
            continue;
        printf("        [[ $previous != %s ]] || choices='", one->name);
        print_choices(one->value);
        puts("'");
    }
}

static void print_bash(arena *in, const command *const *commands, size_t len)
{
    fputs(bash_begin, stdout);
    for (size_t i = 0; i < len; i++)
        printf("%s%s", i ? " " : "", commands[i]->name);
    fputs(bash_middle, stdout);
    for (size_t i = 0; i < len; i++) {
        option_list options = list_options(in, commands[i]);
        const char *words = argument_words(in, commands[i]);
        printf("    %s)\n", commands[i]->name);
        print_bash_options(&options);
        if (words)
            printf("        [[ $typed == *' '* ]] || words='%s'\n", words);
        puts("        ;;");
        free(options.items);
    }
    fputs("    help) words='", stdout);
    for (size_t i = 0; i < len; i++)
        printf("%s ", commands[i]->name);
    puts("' ;;");
    fputs(bash_end, stdout);
}

/* ---- zsh ----------------------------------------------------------------------------------- */

/* A part of a specification of _arguments, inside of single quotes. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr("[]:\\", *text))
            putchar('\\');
        putchar(*text);
    }
}

static void print_zsh_option(const option *one)
{
    /* "--name=" takes its value in the same word or the next, "-I+" also without a blank. */
    printf("            %s%s%s'[", one->repeats ? "'*'" : "", one->name,
           !one->value           ? ""
           : one->name[1] == '-' ? "="
                                 : "+");
    print_zsh_text(one->about);
    putchar(']');
    if (is_choice(one)) {
        fputs(":one of:(", stdout);
        print_choices(one->value);
        putchar(')');
    } else if (one->value) {
        const char *kind = kind_of(one);
        putchar(':');
        print_zsh_text(*one->value ? one->value : "value");
        fputs(strcmp(kind, "dirs") == 0    ? ":_directories"
              : strcmp(kind, "files") == 0 ? ":_files"
                                           : ": ",
              stdout);
    }
    puts("' \\");
}

static void print_zsh(arena *in, const command *const *commands, size_t len)
{
    fputs("#compdef kubegen\n"
          "# Completion of kubegen for zsh, written by `kubegen completion zsh`.\n"
          "_kubegen() {\n"
          "    local -a commands\n"
          "    commands=(\n",
          stdout);
    for (size_t i = 0; i < len; i++) {
        fputs("        ", stdout);
        print_quoted(arena_printf(in, "%s:%s", commands[i]->name, commands[i]->summary), "");
        putchar('\n');
    }
    fputs("        'help:show the options of a command'\n"
          "    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $words[1] in\n",
          stdout);
    for (size_t i = 0; i < len; i++) {
        option_list options = list_options(in, commands[i]);
        const char *words = argument_words(in, commands[i]);
        printf("    %s)\n", commands[i]->name);
        puts("        _arguments \\");
        for (size_t n = 0; n < options.len; n++)
            print_zsh_option(&options.items[n]);
        if (words)
            printf("            '1:word:(%s)' \\\n", words);
        fputs("            '*:file:_files'\n        ;;\n", stdout);
        free(options.items);
    }
    fputs("    help) _describe command commands ;;\n"
          "    esac\n"
          "}\n"
          "_kubegen \"$@\"\n",
          stdout);
}

/* ---- fish ---------------------------------------------------------------------------------- */

static void print_fish_option(const char *command_name, const option *one)
{
    printf("complete -c kubegen -n '__fish_seen_subcommand_from %s' %s %s", command_name,
           one->name[1] == '-' ? "-l" : "-s", one->name + 1 + (one->name[1] == '-'));
    if (is_choice(one)) {
        fputs(" -x -a '", stdout);
        print_choices(one->value);
        putchar('\'');
    } else if (one->value) {
        const char *kind = kind_of(one);
        fputs(strcmp(kind, "dirs") == 0    ? " -x -a '(__fish_complete_directories)'"
              : strcmp(kind, "files") == 0 ? " -r -F"
                                           : " -x",
              stdout);
    }
    if (*one->about) {
        fputs(" -d ", stdout);
        print_quoted(one->about, "\\");
    }
    putchar('\n');
}

static void print_fish_command(arena *in, const command *one)
{
    option_list options = list_options(in, one);
    const char *words = argument_words(in, one);
    printf("complete -c kubegen -n __fish_use_subcommand -a %s -d ", one->name);
    print_quoted(one->summary, "\\");
    putchar('\n');
    printf("complete -c kubegen -n '__fish_seen_subcommand_from %s' ", one->name);
    if (words)
        printf("-a '%s'\n", words);
    else
        puts("-F");
    for (size_t i = 0; i < options.len; i++)
        print_fish_option(one->name, &options.items[i]);
    free(options.items);
}

static void print_fish(arena *in, const command *const *commands, size_t len)
{
    puts("# Completion of kubegen for fish, written by `kubegen completion fish`.\n"
         "complete -c kubegen -f\n"
         "complete -c kubegen -n __fish_use_subcommand -a help -d 'show the options of a command'");
    for (size_t i = 0; i < len; i++)
        print_fish_command(in, commands[i]);
    fputs("complete -c kubegen -n '__fish_seen_subcommand_from help' -a '", stdout);
    for (size_t i = 0; i < len; i++)
        printf("%s ", commands[i]->name);
    puts("'");
}

bool completion_print(const char *shell, const command *const *commands, size_t len)
{
    static void (*const printers[])(arena *, const command *const *,
                                    size_t) = {print_bash, print_zsh, print_fish};
    for (size_t i = 0; shells[i]; i++)
        if (strcmp(shell, shells[i]) == 0) {
            arena *in = arena_new();
            printers[i](in, commands, len);
            arena_free(in);
            return true;
        }
    return false;
}
