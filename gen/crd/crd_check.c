/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_check.h"

#include "support/ascii.h"
#include "support/str.h"
#include "support/text_map.h"
#include "support/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_MAX = 63,
    NAME_MAX_LEN = 253,
    WARNING_MAX = 256,
    ANNOTATIONS_MAX = 256 * 1024,
};

/* The document that is being checked. */
typedef struct checker {
    const crd_document *document;
    const place_list *places;
    diag *to;
    arena *in;
    diag_loc loc; /* of the Kind */
} checker;

/* ---- names --------------------------------------------------------------------------------- */

/* Returns what keeps a text from being a label of DNS in lower case, or NULL. */
static const char *label_fault(const char *text)
{
    size_t len = strlen(text);
    if (len > LABEL_MAX)
        return "is longer than 63 characters";
    if (!ascii_is_lower(text[0]))
        return "does not begin with a letter";
    if (text[len - 1] == '-')
        return "ends with '-'";
    for (; *text; text++) {
        if (!ascii_is_lower(*text) && !ascii_is_digit(*text) && *text != '-')
            return "has other characters than lower-case letters, digits and '-'";
    }
    return NULL;
}

/* The beginning of a name that may be very long. */
static const char *shortened(checker *c, const char *text)
{
    return strlen(text) > LABEL_MAX + 1 ? arena_printf(c->in, "%.20s…", text) : text;
}

static void check_label(checker *c, const char *what, const char *text, const char *remedy)
{
    const char *fault = text ? label_fault(text) : NULL;
    if (!fault)
        return;
    diag_error(c->to, c->loc, "servers refuse the %s '%s', which %s", what, shortened(c, text),
               fault);
    diag_note(c->to, (diag_loc){0}, "set another one with '// %s'", remedy);
}

/* A Kind is a label, too, but for the case of its letters. */
static void check_kind(checker *c, const char *what, const char *text)
{
    char *lower = arena_strdup(c->in, text);
    for (char *at = lower; *at; at++)
        *at = ascii_lower(*at);
    check_label(c, what, lower, "+kind=…");
}

static void check_names(checker *c, const json_value *names)
{
    static const char resource[] = "+kubebuilder:resource:";
    const json_value *name;
    /* What is too long as a list is too long in one way only. */
    if (label_fault(json_text(json_get(names, "singular"))) == NULL)
        check_kind(c, "Kind of lists", json_text(json_get(names, "listKind")));
    check_label(c, "plural", json_text(json_get(names, "plural")), "+resourceName=…");
    check_label(c, "singular", json_text(json_get(names, "singular")),
                arena_printf(c->in, "%ssingular=…", resource));
    for (name = json_first(json_get(names, "shortNames")); name; name = json_next(name))
        check_label(c, "short name", json_text(name),
                    arena_printf(c->in, "%sshortName=…", resource));
    for (name = json_first(json_get(names, "categories")); name; name = json_next(name))
        check_label(c, "category", json_text(name),
                    arena_printf(c->in, "%scategories=…", resource));
}

/* ---- labels and annotations ---------------------------------------------------------------- */

/* Whether a text is letters, digits, '-', '_' and dots, the first and the last no sign. */
static bool is_name(const char *text, size_t len)
{
    if (len == 0 || len > LABEL_MAX || !ascii_is_alnum(text[0]) || !ascii_is_alnum(text[len - 1]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!ascii_is_alnum(text[i]) && !strchr("-_.", text[i]))
            return false;
    }
    return true;
}

/* Whether a text is labels of DNS with dots between. */
static bool is_domain(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool begins = i == 0 || text[i - 1] == '.';
        bool ends = i + 1 == len || text[i + 1] == '.';
        bool is_sign = text[i] == '-' && !begins && !ends;
        bool is_dot = text[i] == '.' && !begins && i + 1 < len;
        if (!ascii_is_lower(text[i]) && !ascii_is_digit(text[i]) && !is_sign && !is_dot)
            return false;
    }
    return len > 0 && len <= NAME_MAX_LEN;
}

bool crd_is_label_key(const char *text)
{
    const char *slash = strchr(text, '/');
    const char *name = slash ? slash + 1 : text;
    return is_name(name, strlen(name)) && (!slash || is_domain(text, (size_t)(slash - text)));
}

bool crd_is_label_value(const char *text)
{
    return !*text || is_name(text, strlen(text));
}

static void check_metadata(checker *c, const json_value *metadata)
{
    size_t size = 0;
    const json_value *pair;
    for (pair = json_first(json_get(metadata, "labels")); pair; pair = json_next(pair)) {
        const char *value = json_text(pair);
        if (!crd_is_label_key(json_key(pair)))
            diag_error(c->to, c->loc, "'%s' is not the key of a label: [domain/]name",
                       json_key(pair));
        if (!crd_is_label_value(value))
            diag_error(c->to, c->loc,
                       "'%s' is not the value of a label: it takes 63 letters, digits, '-', '_' "
                       "and dots, and begins and ends with a letter or digit",
                       value);
    }
    for (pair = json_first(json_get(metadata, "annotations")); pair; pair = json_next(pair)) {
        size += strlen(json_key(pair)) + strlen(json_text(pair));
        if (!crd_is_label_key(json_key(pair)))
            diag_error(c->to, c->loc, "'%s' is not the key of an annotation: [domain/]name",
                       json_key(pair));
    }
    if (size > ANNOTATIONS_MAX)
        diag_error(c->to, c->loc, "the annotations have more than 262144 bytes");
    if (strlen(json_text(json_get(metadata, "name"))) > NAME_MAX_LEN)
        diag_error(c->to, c->loc,
                   "the CRD's name, <plural>.<group>, is longer than 253 characters");
}

/* ---- versions ------------------------------------------------------------------------------ */

static void check_deprecation(checker *c, diag_loc loc, const char *warning)
{
    if (!warning)
        return;
    if (*warning == '\0' || strlen(warning) > WARNING_MAX)
        diag_error(c->to, loc, "the warning of a deprecated version has 1 to 256 bytes");
    else if (!utf8_is_plain(warning))
        diag_error(c->to, loc,
                   "the warning of a deprecated version has characters that are hidden");
}

/* Clients have update_status, and its path is not there. */
static void warn_of_status(checker *c, diag_loc loc, const json_value *version)
{
    const model_resource *resource = c->document->resource;
    const json_value *properties =
        json_get(json_get(json_get(version, "schema"), "openAPIV3Schema"), "properties");
    const json_value *status = json_get(properties, "status");
    if (!status || !resource->has_status || json_get(json_get(version, "subresources"), "status"))
        return;
    if (place_of(c->places, status).file)
        loc = place_of(c->places, status);
    diag_warning(c->to, loc,
                 "the status of %s has no subresource: update writes it, too, and update_status "
                 "finds nothing",
                 resource->kind);
    diag_note(c->to, (diag_loc){0},
              "write '// +kubebuilder:subresource:status' above the struct, or "
              "'// +genclient:noStatus' if it is meant");
}

static void check_columns(checker *c, const json_value *version)
{
    const json_value *columns = json_get(version, "additionalPrinterColumns");
    for (const json_value *at = json_first(columns); at; at = json_next(at)) {
        const char *priority = json_text(json_get(at, "priority"));
        if (priority && strtod(priority, NULL) > INT32_MAX)
            diag_error(c->to, place_of(c->places, at).file ? place_of(c->places, at) : c->loc,
                       "the priority of a column is at most 2147483647");
    }
}

static void check_versions(checker *c, const json_value *versions)
{
    text_map known = {0};
    for (const json_value *at = json_first(versions); at; at = json_next(at)) {
        const char *name = json_text(json_get(at, "name"));
        diag_loc loc = place_of(c->places, at);
        const json_value **other = (const json_value **)text_map_at(&known, c->in, name);
        if (*other) {
            diag_error(c->to, loc, "version %s of %s is there twice", name,
                       c->document->resource->kind);
            diag_note(c->to, place_of(c->places, *other), "the other one is here");
        }
        *other = at;
        check_deprecation(c, loc, json_text(json_get(at, "deprecationWarning")));
        check_columns(c, at);
        warn_of_status(c, loc, at);
        crd_check_schema(json_get(json_get(at, "schema"), "openAPIV3Schema"), loc, c->places,
                         c->to);
    }
}

/* ---- size ---------------------------------------------------------------------------------- */

/* `kubectl apply` keeps what it has applied in an annotation. */
static void warn_of_size(checker *c)
{
    static const char rest[] =
        "\"annotations\":{},kubectl.kubernetes.io/last-applied-configuration\n";
    str text = {0};
    size_t len;
    json_print(c->document->value, &text);
    len = text.len + strlen(rest);
    for (const char *at = str_text(&text); *at; at++)
        len += strchr("<>&", *at) ? strlen("\\u003c") - 1 : 0;
    str_free(&text);
    if (len <= ANNOTATIONS_MAX)
        return;
    diag_warning(
        c->to, c->loc,
        "'kubectl apply' would keep the CRD of %s in an annotation of %zu bytes, and %d are "
        "allowed",
        c->document->resource->kind, len, ANNOTATIONS_MAX);
    diag_note(c->to, (diag_loc){0},
              "apply it with --server-side, or shorten the descriptions with --max-desc-len");
}

/* ---- names of a group ---------------------------------------------------------------------- */

/*
 * Notes a name that only one CRD of a group can have: of the second one the server accepts no
 * names, and does not serve it.
 */
static void claim(checker *c, text_map *names, const char *space, const char *name)
{
    const char *group = c->document->package->group;
    const crd_document **owner = (const crd_document **)text_map_at(
        names, c->in, arena_printf(c->in, "%s %s %s", group, space, name));
    if (*owner && *owner != c->document) {
        diag_error(c->to, c->loc, "'%s' is a name of two resources of group %s: servers serve one",
                   name, group);
        diag_note(c->to, (*owner)->resource->record->loc, "the other one is %s",
                  (*owner)->resource->kind);
    }
    *owner = *owner ? *owner : c->document;
}

static void claim_names(checker *c, text_map *names, const json_value *from)
{
    static const char resources[] = "resource";
    static const char kinds[] = "kind";
    claim(c, names, resources, json_text(json_get(from, "plural")));
    claim(c, names, resources, json_text(json_get(from, "singular")));
    for (const json_value *name = json_first(json_get(from, "shortNames")); name;
         name = json_next(name))
        claim(c, names, resources, json_text(name));
    claim(c, names, kinds, json_text(json_get(from, "kind")));
    claim(c, names, kinds, json_text(json_get(from, "listKind")));
}

void crd_check(const crd_list *list, const place_list *places, diag *to)
{
    arena *in = arena_new();
    text_map names = {0};
    for (size_t i = 0; i < list->len; i++) {
        const crd_document *document = &list->items[i];
        const json_value *spec = json_get(document->value, "spec");
        checker c = {document, places, to, in, document->resource->record->loc};
        check_metadata(&c, json_get(document->value, "metadata"));
        check_names(&c, json_get(spec, "names"));
        claim_names(&c, &names, json_get(spec, "names"));
        check_versions(&c, json_get(spec, "versions"));
        warn_of_size(&c);
    }
    arena_free(in);
}
