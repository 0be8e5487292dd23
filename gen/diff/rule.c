/* SPDX-License-Identifier: Apache-2.0 */
#include "rule.h"

const char *const severity_texts[SEVERITY_COUNT] = {
    [BREAKS_STORED] = "breaks stored objects",
    [BREAKS_CLIENTS] = "breaks clients",
    [BREAKS_GITOPS] = "breaks GitOps",
    [COMPATIBLE] = "compatible",
};

const char *const severity_names[SEVERITY_COUNT] = {
    [BREAKS_STORED] = "stored",
    [BREAKS_CLIENTS] = "clients",
    [BREAKS_GITOPS] = "gitops",
    [COMPATIBLE] = "compatible",
};

const change_rule change_rules[RULE_COUNT] = {
    [RULE_CRD_REMOVED] = {"crd-removed", BREAKS_STORED,
                          "A server that drops the CRD deletes all of its objects."},
    [RULE_CRD_ADDED] = {"crd-added", COMPATIBLE, "The Kind is new."},
    [RULE_PLURAL_CHANGED] = {"plural-changed", BREAKS_STORED,
                             "The plural is a part of the CRD's name, so this is another CRD, "
                             "without the objects of the first."},
    [RULE_KIND_CHANGED] = {"kind-changed", BREAKS_STORED,
                           "Servers refuse to change the Kind of a CRD."},
    [RULE_SCOPE_CHANGED] = {"scope-changed", BREAKS_STORED,
                            "Servers refuse to change the scope of a CRD."},
    [RULE_LIST_KIND_CHANGED] = {"list-kind-changed", BREAKS_CLIENTS,
                                "Lists have another Kind, which typed clients check."},
    [RULE_SINGULAR_CHANGED] = {"singular-changed", BREAKS_CLIENTS,
                               "kubectl does not know the old singular any more."},
    [RULE_SHORT_NAME_REMOVED] = {"short-name-removed", BREAKS_CLIENTS,
                                 "kubectl does not know the short name any more."},
    [RULE_CATEGORY_REMOVED] = {"category-removed", BREAKS_CLIENTS,
                               "`kubectl get CATEGORY` leaves the objects out."},
    [RULE_CONVERSION_CHANGED] = {"conversion-changed", BREAKS_CLIENTS,
                                 "Objects are converted between versions in another way."},
    [RULE_STORED_VERSION_REMOVED] = {"stored-version-removed", BREAKS_STORED,
                                     "Objects are stored in this version: servers refuse a CRD "
                                     "that lacks it until all are rewritten and it is taken out "
                                     "of status.storedVersions."},
    [RULE_VERSION_REMOVED] = {"version-removed", BREAKS_CLIENTS,
                              "Requests of this version are answered 404."},
    [RULE_VERSION_UNSERVED] = {"version-unserved", BREAKS_CLIENTS,
                               "Requests of this version are answered 404."},
    [RULE_VERSION_ADDED] = {"version-added", COMPATIBLE, "The version is new."},
    [RULE_VERSION_SERVED] = {"version-served", COMPATIBLE, "The version is served again."},
    [RULE_VERSION_DEPRECATED] = {"version-deprecated", COMPATIBLE,
                                 "Servers warn whoever uses this version."},
    [RULE_STORAGE_VERSION_CHANGED] = {"storage-version-changed", COMPATIBLE,
                                      "Objects stay stored in the old version until each is "
                                      "written again."},
    [RULE_STORAGE_LOSES_FIELD] = {"storage-loses-field", BREAKS_STORED,
                                  "The storage version lacks a field of another one, which is "
                                  "served or was stored: its values are pruned when an object is "
                                  "written."},
    [RULE_STORAGE_TYPE_DIFFERS] = {"storage-type-differs", BREAKS_STORED,
                                   "A field has another type in the storage version than in one "
                                   "that is served or was stored: what is written in one of them "
                                   "is read in the other, where it is refused."},
    [RULE_STORAGE_DEFAULT_DIFFERS] = {"storage-default-differs", BREAKS_GITOPS,
                                      "The storage version has a default that another one lacks: "
                                      "objects of that get the value, too."},
    [RULE_STATUS_REMOVED] = {"status-removed", BREAKS_CLIENTS,
                             "Writes of the status subresource are answered 404."},
    [RULE_STATUS_ADDED] = {"status-added", BREAKS_CLIENTS,
                           "Writes of the object itself leave its status as it is, and the "
                           "other way round."},
    [RULE_SCALE_REMOVED] = {"scale-removed", BREAKS_CLIENTS,
                            "Autoscalers and `kubectl scale` are answered 404."},
    [RULE_SCALE_ADDED] = {"scale-added", COMPATIBLE, "The scale subresource is new."},
    [RULE_SCALE_PATH_CHANGED] = {"scale-path-changed", BREAKS_CLIENTS,
                                 "Autoscalers read and write another field."},
    [RULE_SELECTABLE_FIELD_REMOVED] = {"selectable-field-removed", BREAKS_CLIENTS,
                                       "Lists and watches with a field selector for it are "
                                       "refused."},
    [RULE_SELECTABLE_FIELD_ADDED] = {"selectable-field-added", COMPATIBLE,
                                     "Field selectors may name one more field."},
    [RULE_COLUMN_REMOVED] = {"column-removed", COMPATIBLE,
                             "`kubectl get` does not show the column; the field is as it was."},
    [RULE_COLUMN_CHANGED] = {"column-changed", COMPATIBLE,
                             "`kubectl get` shows the column in another way."},
    [RULE_COLUMN_ADDED] = {"column-added", COMPATIBLE, "`kubectl get` shows one more column."},
    [RULE_SCHEMA_REMOVED] = {"schema-removed", BREAKS_STORED,
                             "Servers refuse a CRD with a version that has no schema."},
    [RULE_FIELD_REMOVED] = {"field-removed", BREAKS_STORED,
                            "Values of the field are pruned when an object is read or written, "
                            "and from manifests."},
    [RULE_FIELD_RENAMED] = {"field-renamed", BREAKS_STORED,
                            "As field-removed: one field is gone, and one that is described alike "
                            "is new. Values do not move by themselves."},
    [RULE_FIELD_UNNAMED] = {"field-unnamed", BREAKS_CLIENTS,
                            "The field is not described any more; its values are kept, because "
                            "unknown fields are, but neither checked nor typed."},
    [RULE_FIELD_NAMED] = {"field-named", BREAKS_STORED,
                          "Unknown fields were kept: a value of this name that its schema does "
                          "not match is refused, and what it does not describe below is pruned."},
    [RULE_FIELD_ADDED] = {"field-added", COMPATIBLE, "The field is new, and may be left out."},
    [RULE_TYPE_CHANGED] = {"type-changed", BREAKS_STORED, "Values of the old type are refused."},
    [RULE_TYPE_WIDENED] = {"type-widened", BREAKS_CLIENTS,
                           "Old values stay right, but clients meet values of another type."},
    [RULE_REQUIRED_ADDED] = {"required-added", BREAKS_STORED,
                             "Objects without the field are refused. With a default this is "
                             "compatible and not told."},
    [RULE_REQUIRED_REMOVED] = {"required-removed", COMPATIBLE,
                               "The field may be absent; a client that relied on it has to look."},
    [RULE_ENUM_ADDED] = {"enum-added", BREAKS_STORED,
                         "Values that the enum does not have are refused."},
    [RULE_ENUM_NARROWED] = {"enum-narrowed", BREAKS_STORED,
                            "The values that the enum has lost are refused."},
    [RULE_ENUM_WIDENED] = {"enum-widened", COMPATIBLE,
                           "There are more values; clients have to expect such."},
    [RULE_ENUM_REMOVED] = {"enum-removed", COMPATIBLE, "Any value of the type is accepted."},
    [RULE_LIMIT_TIGHTENED] = {"limit-tightened", BREAKS_STORED,
                              "Values outside of the new limit are refused: minimum, maximum, "
                              "exclusive ones, multipleOf, lengths, counts of items and "
                              "properties."},
    [RULE_LIMIT_LOOSENED] = {"limit-loosened", COMPATIBLE, "More values are accepted."},
    [RULE_PATTERN_ADDED] = {"pattern-added", BREAKS_STORED,
                            "Values that the pattern does not match are refused."},
    [RULE_PATTERN_CHANGED] = {"pattern-changed", BREAKS_STORED,
                              "Values that only the old pattern matches are refused. Whether "
                              "there are such is not decided: allow the change if not."},
    [RULE_PATTERN_REMOVED] = {"pattern-removed", COMPATIBLE, "More values are accepted."},
    [RULE_FORMAT_ADDED] = {"format-added", BREAKS_STORED,
                           "Values that do not have the format are refused."},
    [RULE_FORMAT_CHANGED] = {"format-changed", BREAKS_STORED,
                             "Values that only have the old format are refused."},
    [RULE_FORMAT_LOOSENED] = {"format-loosened", COMPATIBLE,
                              "The format is gone, or became wider: int32 int64, float double."},
    [RULE_DEFAULT_ADDED] = {"default-added", BREAKS_GITOPS,
                            "Objects get a value that their manifests do not have, also those "
                            "that are stored, when they are read."},
    [RULE_DEFAULT_CHANGED] = {"default-changed", BREAKS_GITOPS,
                              "Equal manifests make different objects, by when they were first "
                              "applied."},
    [RULE_DEFAULT_REMOVED] = {"default-removed", BREAKS_CLIENTS,
                              "Clients meet objects without the value, which was always there."},
    [RULE_NULLABLE_REMOVED] = {"nullable-removed", BREAKS_STORED,
                               "An explicit null is dropped, or becomes the default; in a list, "
                               "and where the field is required, it is refused."},
    [RULE_NULLABLE_ADDED] = {"nullable-added", COMPATIBLE, "An explicit null is accepted."},
    [RULE_LIST_TYPE_TIGHTENED] = {"list-type-tightened", BREAKS_STORED,
                                  "The list became a set or a map: equal elements, or such with "
                                  "equal keys, are refused."},
    [RULE_LIST_TYPE_CHANGED] = {"list-type-changed", BREAKS_GITOPS,
                                "Server-side apply merges in another way: appliers own the list "
                                "as a whole now."},
    [RULE_LIST_KEYS_CHANGED] = {"list-keys-changed", BREAKS_STORED,
                                "Elements are told apart in another way: those with equal keys "
                                "are refused, and appliers lose what they own."},
    [RULE_MAP_TYPE_CHANGED] = {"map-type-changed", BREAKS_GITOPS,
                               "Server-side apply merges in another way: members are owned one "
                               "by one (granular), or all together (atomic)."},
    [RULE_CEL_RULE_ADDED] = {"cel-rule-added", BREAKS_STORED,
                             "Objects for which the rule is false are refused."},
    [RULE_CEL_RULE_CHANGED] = {"cel-rule-changed", BREAKS_STORED,
                               "Objects for which the new rule is false are refused. Whether "
                               "there are such is not decided: allow the change if not."},
    [RULE_CEL_RULE_REMOVED] = {"cel-rule-removed", COMPATIBLE, "More objects are accepted."},
    [RULE_PRESERVE_UNKNOWN_REMOVED] = {"preserve-unknown-removed", BREAKS_STORED,
                                       "Fields that the schema does not describe are pruned."},
    [RULE_PRESERVE_UNKNOWN_ADDED] = {"preserve-unknown-added", COMPATIBLE,
                                     "Fields that the schema does not describe are kept, also "
                                     "misspelled ones."},
    [RULE_EMBEDDED_RESOURCE_ADDED] = {"embedded-resource-added", BREAKS_STORED,
                                      "Values without apiVersion and kind are refused."},
    [RULE_EMBEDDED_RESOURCE_REMOVED] = {"embedded-resource-removed", BREAKS_STORED,
                                        "apiVersion, kind and metadata are pruned unless the "
                                        "schema describes them."},
    [RULE_COMBINATION_TIGHTENED] = {"combination-tightened", BREAKS_STORED,
                                    "A schema of allOf, anyOf, oneOf or not is new or another: "
                                    "what it does not match is refused."},
    [RULE_COMBINATION_LOOSENED] = {"combination-loosened", COMPATIBLE,
                                   "A schema of allOf or not is gone, or anyOf has one more."},
    [RULE_C_TYPE_REMOVED] = {"c-type-removed", BREAKS_CLIENTS,
                             "C code that names the struct does not compile."},
    [RULE_C_NAME_REMOVED] = {"c-name-removed", BREAKS_CLIENTS,
                             "C code that uses the constant, macro, typedef or function does not "
                             "compile."},
    [RULE_C_MEMBER_RENAMED] = {"c-member-renamed", BREAKS_CLIENTS,
                               "C code that names the member does not compile; its name in JSON "
                               "is as it was."},
    [RULE_C_MEMBER_TYPE_CHANGED] = {"c-member-type-changed", BREAKS_CLIENTS,
                                    "C code that uses the member does not compile, or means "
                                    "something else."},
    [RULE_C_FUNCTIONS_RENAMED] = {"c-functions-renamed", BREAKS_CLIENTS,
                                  "C code that calls the generated functions does not compile."},
    [RULE_C_VERB_REMOVED] = {"c-verb-removed", BREAKS_CLIENTS,
                             "The function for this verb is not generated any more."},
};
