/* SPDX-License-Identifier: Apache-2.0 */
#include "cel.h"

#include "support/str.h"

#include <string.h>

static bool is_reserved(const char *name)
{
    static const char *const words[] = {
        "true",     "false",   "null", "in",       "as",    "break",  "const",
        "continue", "else",    "for",  "function", "if",    "import", "let",
        "loop",     "package", "var",  "void",     "while", "return", "namespace"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], name) == 0)
            return true;
    }
    return false;
}

/* Adds the name that servers give a member in CEL: words and signs of the language are escaped. */
static void add_name(str *out, const char *name)
{
    if (is_reserved(name)) {
        str_printf(out, "__%s__", name);
        return;
    }
    for (; *name; name++) {
        if (name[0] == '_' && name[1] == '_') {
            str_add(out, "__underscores__");
            name++;
        } else if (*name == '.') {
            str_add(out, "__dot__");
        } else if (*name == '-') {
            str_add(out, "__dash__");
        } else if (*name == '/') {
            str_add(out, "__slash__");
        } else {
            str_add_char(out, *name);
        }
    }
}

static const char *take(arena *in, str *text)
{
    const char *copy = arena_strdup(in, str_text(text));
    str_free(text);
    return copy;
}

cel_rule cel_choose(arena *in, cel_choice choice, const char *const *names, size_t len)
{
    static const struct {
        const char *before; /* a member's name */
        const char *after;
        const char *between;
        const char *limit;
        const char *count;
        const char *verb;
    } forms[] = {
        [CEL_AT_MOST_ONE] = {"(has(self.", ")?1:0)", "+", " <= 1", "at most", "may"},
        [CEL_EXACTLY_ONE] = {"(has(self.", ")?1:0)", "+", " == 1", "exactly", "must"},
        [CEL_AT_LEAST_ONE] = {"has(self.", ")", "||", "", "at least", "must"},
    };
    const char *const *name = names;
    str rule = {0};
    str all = {0};
    cel_rule made;
    for (; name < names + len; name++) {
        str_add(&rule, name > names ? forms[choice].between : "");
        str_add(&rule, forms[choice].before);
        add_name(&rule, *name);
        str_add(&rule, forms[choice].after);
        str_printf(&all, "%s%s", name > names ? " " : "", *name);
    }
    str_add(&rule, forms[choice].limit);
    made.rule = take(in, &rule);
    made.message = arena_printf(in, "%s one of the fields in [%s] %s be set", forms[choice].count,
                                str_text(&all), forms[choice].verb);
    str_free(&all);
    return made;
}

cel_rule cel_stays(arena *in, const char *name)
{
    str escaped = {0};
    cel_rule made;
    add_name(&escaped, name);
    made.rule = arena_printf(in, "!has(oldSelf.%s) || has(self.%s)", str_text(&escaped),
                             str_text(&escaped));
    made.message = arena_printf(in, "field %s is immutable once set", name);
    str_free(&escaped);
    return made;
}
