/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of a CRD but for those of its parts. What all versions have in common the real server
 * looks at once, as a field of spec that v1 does not have: spec.validation, spec.subresources, ….
 */
#include "apiserver/core/field_error.h"
#include "apiserver/core/name.h"
#include "base/ascii.h"
#include "crd.h"
#include "crd_rules.h"

#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

static void check_group(kube__api_causes *causes, const kube__json *spec)
{
    const char *group = kube__json_string_at(spec, "group");
    const char *wrong = group[0] ? kube__api_wrong_subdomain(causes->ctx, group) : NULL;
    if (!group[0])
        kube__api_cause_required(causes, "spec.group", "");
    else if (wrong)
        kube__api_cause_invalid_text(causes, "spec.group", group, "%s", wrong);
    else if (!strchr(group, '.'))
        kube__api_cause_invalid_text(causes, "spec.group", group,
                                     "should be a domain with at least one dot");
}

static void check_scope(kube__api_causes *causes, const kube__json *spec)
{
    static const char *const scopes[] = {"Cluster", "Namespaced", NULL};
    const kube__json *scope = kube__json_get(spec, "scope");
    const char *text = kube__json_string_or(scope, "");
    if (!text[0])
        kube__api_cause_required(causes, "spec.scope", "");
    else if (strcmp(text, scopes[0]) != 0 && strcmp(text, scopes[1]) != 0)
        kube__api_cause_unsupported(causes, "spec.scope", scope, scopes);
}

static void check_one_name(kube__api_causes *causes, const char *text, bool mixed_case,
                           const char *path)
{
    const char *wrong =
        text[0] ? kube__api_wrong_1035(mixed_case ? kube__api_lower(causes->ctx, text) : text)
                : NULL;
    if (wrong)
        kube__api_cause_invalid_text(
            causes, path, text, "%s%s",
            mixed_case ? "may have mixed case, but should otherwise match: " : "", wrong);
}

static void check_name_list(kube__api_causes *causes, const kube__json *names, const char *member)
{
    size_t index = 0;
    KUBE__JSON_EACH (name, kube__json_get(names, member)) {
        const char *text = kube__json_string_or(name, "");
        const char *wrong = kube__api_wrong_1035(text);
        const char *path = kube__api_text(causes->ctx, "spec.names.%s[%zu]", member, index++);
        if (wrong)
            kube__api_cause_invalid_text(causes, path, text, "%s", wrong);
    }
}

static void check_names(kube__api_causes *causes, const kube__json *names)
{
    static const char *const required[] = {"plural", "singular", "kind", "listKind"};
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        if (!kube__json_string_at(names, required[i])[0])
            kube__api_cause_required(causes,
                                     kube__api_text(causes->ctx, "spec.names.%s", required[i]), "");
    }
    const char *kind = kube__json_string_at(names, "kind");
    const char *list_kind = kube__json_string_at(names, "listKind");
    check_one_name(causes, kube__json_string_at(names, "plural"), false, "spec.names.plural");
    check_one_name(causes, kube__json_string_at(names, "singular"), false, "spec.names.singular");
    check_one_name(causes, kind, true, "spec.names.kind");
    check_one_name(causes, list_kind, true, "spec.names.listKind");
    check_name_list(causes, names, "shortNames");
    if (kind[0] && strcmp(kind, list_kind) == 0)
        kube__api_cause_invalid_text(causes, "spec.names.listKind", list_kind,
                                     "kind and listKind may not be the same");
    check_name_list(causes, names, "categories");
}

static void check_object_name(kube__api_causes *causes, const kube__json *crd)
{
    const char *name = kube__json_string_at(crd, "metadata.name");
    const char *wanted =
        kube__api_text(causes->ctx, "%s.%s", kube__json_string_at(crd, "spec.names.plural"),
                       kube__json_string_at(crd, "spec.group"));
    if (name[0] && strcmp(name, wanted) != 0)
        kube__api_cause_invalid_text(causes, "metadata.name", name,
                                     "must be spec.names.plural+\".\"+spec.group");
}

/* ---- versions ------------------------------------------------------------------------------- */

/* Whether all versions say the same of @member. */
static bool is_common(const kube__json *versions, const char *member)
{
    const kube__json *first = kube__json_get(kube__json_item(versions, 0), member);
    KUBE__JSON_EACH (version, versions) {
        const kube__json *own = kube__json_get(version, member);
        if ((first || own) && !kube__json_equal(first, own))
            return false;
    }
    return true;
}

/* "spec.validation", or "spec.versions[1].schema" where versions differ. */
static const char *part_path(kube__api_causes *causes, const kube__json *versions, size_t index,
                             const char *member, const char *common)
{
    if (is_common(versions, member))
        return kube__api_text(causes->ctx, "spec.%s", common);
    return kube__api_text(causes->ctx, "spec.versions[%zu].%s", index, member);
}

static void check_deprecation(kube__api_causes *causes, const kube__json *version, size_t index)
{
    const kube__json *text = kube__json_get(version, "deprecationWarning");
    const char *path = kube__api_text(causes->ctx, "spec.versions[%zu].deprecationWarning", index);
    if (!text)
        return;
    if (!kube__json_is_true(kube__json_get(version, "deprecated"))) {
        kube__api_cause_invalid(causes, path, text, "can only be set for deprecated versions");
        return;
    }
    if (text->len > 256)
        kube__api_cause_invalid(causes, path, text, "must be <= 256 characters long");
    if (text->len == 0)
        kube__api_cause_invalid(causes, path, text, "must not be an empty string");
    for (size_t i = 0; i < text->len; i++) {
        if ((unsigned char)text->text[i] >= 0x20 && text->text[i] != 0x7f)
            continue;
        kube__api_cause_invalid(causes, path, text,
                                "must only contain printable UTF-8 characters; non-printable "
                                "character found at index %zu",
                                i);
        return;
    }
}

static void check_version(kube__api_causes *causes, const kube__json *versions, size_t index)
{
    const kube__json *version = kube__json_item(versions, index);
    const kube__json *schema = kube__json_at(version, "schema.openAPIV3Schema");
    const kube__json *subresources = kube__json_get(version, "subresources");
    check_deprecation(causes, version, index);
    if (index == 0 || !is_common(versions, "schema")) {
        const char *path = part_path(causes, versions, index, "schema", "validation");
        path = kube__api_text(causes->ctx, "%s.openAPIV3Schema", path);
        bool has_status = kube__json_get(subresources, "status") != NULL;
        if (schema)
            kube__api_check_schema(causes, schema, has_status, path);
    }
    if (index == 0 || !is_common(versions, "subresources"))
        kube__api_check_subresources(
            causes, subresources,
            part_path(causes, versions, index, "subresources", "subresources"));
    if (index == 0 || !is_common(versions, "additionalPrinterColumns"))
        kube__api_check_columns(causes, kube__json_get(version, "additionalPrinterColumns"),
                                part_path(causes, versions, index, "additionalPrinterColumns",
                                          "additionalPrinterColumns"));
    if (schema && (index == 0 || !is_common(versions, "selectableFields")))
        kube__api_check_selectable(
            causes, kube__json_get(version, "selectableFields"), schema,
            part_path(causes, versions, index, "selectableFields", "selectableFields"));
}

/* The versions as Go prints its internal ones, but for the parts that are in spec or that differ.
 */
static const char *print_versions(kube__api_causes *causes, const kube__json *versions)
{
    kube_ctx *ctx = causes->ctx;
    kube__json *list = kube__json_array(ctx);
    if (!versions || versions->kind != KUBE__JSON_ARRAY)
        return "null";
    KUBE__JSON_EACH (version, versions) {
        static const char *const empty[] = {"Schema", "Subresources", "AdditionalPrinterColumns",
                                            "SelectableFields"};
        kube__json *printed = kube__json_append(list, kube__json_object(ctx));
        const kube__json *warning = kube__json_get(version, "deprecationWarning");
        kube__json_set_string(ctx, printed, "Name", kube__json_string_at(version, "name"));
        kube__json_set_bool(ctx, printed, "Served",
                            kube__json_is_true(kube__json_get(version, "served")));
        kube__json_set_bool(ctx, printed, "Storage",
                            kube__json_is_true(kube__json_get(version, "storage")));
        kube__json_set_bool(ctx, printed, "Deprecated",
                            kube__json_is_true(kube__json_get(version, "deprecated")));
        kube__json_set(ctx, printed, "DeprecationWarning",
                       warning ? kube__json_copy(ctx, warning) : kube__json_null(ctx));
        for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
            kube__json_set(ctx, printed, empty[i], kube__json_null(ctx));
    }
    return kube__json_text(ctx, list, NULL);
}

static void refuse_versions(kube__api_causes *causes, const kube__json *versions, const char *why)
{
    kube__api_add_cause(causes, "FieldValueInvalid", "spec.versions", "Invalid value: %s: %s",
                        print_versions(causes, versions), why);
}

static size_t count_named(const kube__json *versions, const char *name)
{
    size_t count = 0;
    KUBE__JSON_EACH (version, versions)
        count += strcmp(kube__json_string_at(version, "name"), name) == 0;
    return count;
}

static void check_version_names(kube__api_causes *causes, const kube__json *versions)
{
    size_t stored = 0;
    bool unique = true;
    KUBE__JSON_EACH (version, versions) {
        stored += kube__json_is_true(kube__json_get(version, "storage"));
        unique = unique && count_named(versions, kube__json_string_at(version, "name")) == 1;
    }
    if (!unique)
        refuse_versions(causes, versions, "must contain unique version names");
    if (stored != 1)
        refuse_versions(causes, versions,
                        "must have exactly one version marked as storage version");
    const char *name = kube__json_string_at(kube__json_item(versions, 0), "name");
    const char *wrong = name[0] ? kube__api_wrong_1035(name) : NULL;
    if (wrong)
        kube__api_cause_invalid_text(causes, "spec.version", name, "%s", wrong);
}

static void check_versions(kube__api_causes *causes, const kube__json *versions)
{
    size_t index = 0;
    if (versions && versions->len > KUBE__API_MOST_VERSIONS) {
        kube__api_add_cause(causes, "FieldValueTooMany", "spec.versions",
                            "Too many: %zu: must have at most %d items", versions->len,
                            KUBE__API_MOST_VERSIONS);
        return;
    }
    KUBE__JSON_EACH (version, versions) {
        if (!kube__json_at(version, "schema.openAPIV3Schema"))
            kube__api_cause_required(
                causes,
                kube__api_text(causes->ctx, "spec.versions[%zu].schema.openAPIV3Schema", index),
                "");
        index++;
    }
    index = 0;
    KUBE__JSON_EACH (version, versions) {
        const char *name = kube__json_string_at(version, "name");
        const char *wrong = kube__api_wrong_1035(name);
        const char *path = kube__api_text(causes->ctx, "spec.versions[%zu].name", index);
        if (wrong)
            kube__api_cause_invalid_text(causes, path, name, "%s", wrong);
        check_version(causes, versions, index++);
    }
    check_version_names(causes, versions);
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* @stored: status.storedVersions as it will be: the first storage version is put in. */
static void check_stored(kube__api_causes *causes, const kube__json *versions,
                         const kube__json *old)
{
    kube_ctx *ctx = causes->ctx;
    kube__json *stored = kube__json_copy(ctx, kube__json_at(old, "status.storedVersions"));
    if (!stored)
        stored = kube__json_array(ctx);
    KUBE__JSON_EACH (version, versions) {
        const kube__json *name = kube__json_get(version, "name");
        if (!kube__json_is_true(kube__json_get(version, "storage")))
            continue;
        if (!kube__json_has(stored, name))
            kube__json_append(stored, kube__json_copy(ctx, name));
        break;
    }
    if (stored && !stored->first) {
        kube__api_cause_invalid(causes, "status.storedVersions", NULL,
                                "must have at least one stored version");
        return;
    }
    /* Each name of the list speaks for one version: a second one of that name has none. */
    kube__json *seen = kube__json_array(ctx);
    KUBE__JSON_EACH (version, versions) {
        const kube__json *name = kube__json_get(version, "name");
        if (kube__json_is_true(kube__json_get(version, "storage")) &&
            (!kube__json_has(stored, name) || kube__json_has(seen, name)))
            kube__api_cause_invalid(causes, "status.storedVersions", stored,
                                    "must have the storage version %s",
                                    kube__json_string_or(name, ""));
        kube__json_append(seen, kube__json_copy(ctx, name));
    }
    size_t index = 0;
    KUBE__JSON_EACH (name, stored) {
        const char *text = kube__json_string_or(name, "");
        const char *path = kube__api_text(causes->ctx, "status.storedVersions[%zu]", index++);
        if (count_named(versions, text) == 0)
            kube__api_cause_invalid(
                causes, path, name,
                "missing from spec.versions; %s was previously a storage version, and must remain "
                "in spec.versions until a storage migration ensures no data remains persisted in "
                "%s and removes %s from status.storedVersions",
                text, text, text);
    }
}

enum approval { MISSING, INVALID, UNAPPROVED, APPROVED };

static enum approval approval_of(const kube__json *crd, const kube__json **text)
{
    *text =
        kube__json_get(kube__json_at(crd, "metadata.annotations"), "api-approved.kubernetes.io");
    const char *value = kube__json_string_or(*text, "");
    if (!value[0])
        return MISSING;
    if (strncmp(value, "unapproved", strlen("unapproved")) == 0)
        return UNAPPROVED;
    const char *scheme = strstr(value, "://");
    return scheme && scheme != value && scheme[3] && scheme[3] != '/' ? APPROVED : INVALID;
}

static void check_approval(kube__api_causes *causes, const kube__json *crd, const kube__json *old)
{
    static const char field[] = "metadata.annotations[api-approved.kubernetes.io]";
    static const char see[] = "see https://github.com/kubernetes/enhancements/pull/1111";
    const kube__json *text;
    const kube__json *old_text;
    if (!kube__api_crd_is_protected(kube__json_string_at(crd, "spec.group")))
        return;
    enum approval approval = approval_of(crd, &text);
    if (old && approval_of(old, &old_text) == approval)
        return;
    if (approval == MISSING)
        kube__api_cause_required(causes, field,
                                 kube__api_text(causes->ctx,
                                                "protected groups must have approval annotation "
                                                "\"api-approved.kubernetes.io\", %s",
                                                see));
    else if (approval == INVALID)
        kube__api_cause_invalid(causes, field, text,
                                "protected groups must have approval annotation "
                                "\"api-approved.kubernetes.io\" with either a URL or a reason "
                                "starting with \"unapproved\", %s",
                                see);
}

static bool is_established(const kube__json *crd)
{
    KUBE__JSON_EACH (condition, kube__json_at(crd, "status.conditions")) {
        if (strcmp(kube__json_string_at(condition, "type"), "Established") == 0)
            return strcmp(kube__json_string_at(condition, "status"), "True") == 0;
    }
    return false;
}

static void check_same(kube__api_causes *causes, const kube__json *crd, const kube__json *old,
                       const char *path)
{
    const kube__json *value = kube__json_at(crd, path);
    if (!kube__json_equal(value, kube__json_at(old, path)))
        kube__api_cause_invalid(causes, path, value, "field is immutable");
}

static void check_unchanged(kube__api_causes *causes, const kube__json *crd, const kube__json *old)
{
    if (is_established(old)) {
        check_same(causes, crd, old, "spec.scope");
        check_same(causes, crd, old, "spec.names.kind");
    }
    check_same(causes, crd, old, "spec.group");
    check_same(causes, crd, old, "spec.names.plural");
}

void kube__api_crd_validate(const kube__json *crd, const kube__json *old, kube__api_causes *causes)
{
    const kube__json *spec = kube__json_get(crd, "spec");
    const kube__json *preserve = kube__json_get(spec, "preserveUnknownFields");
    if (!old)
        check_object_name(causes, crd);
    check_group(causes, spec);
    check_scope(causes, spec);
    check_versions(causes, kube__json_get(spec, "versions"));
    check_names(causes, kube__json_get(spec, "names"));
    kube__api_check_conversion(causes, kube__json_get(spec, "conversion"), "spec.conversion");
    if (old)
        check_unchanged(causes, crd, old);
    check_stored(causes, kube__json_get(spec, "versions"), old);
    check_approval(causes, crd, old);
    if (kube__json_is_true(preserve))
        kube__api_cause_invalid(causes, "spec.preserveUnknownFields", preserve,
                                "cannot set to true, set x-kubernetes-preserve-unknown-fields to "
                                "true in spec.versions[*].schema instead");
}
