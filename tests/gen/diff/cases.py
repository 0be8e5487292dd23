# SPDX-License-Identifier: Apache-2.0
"""For each rule of `kubegen diff` two states of a CRD, an object that is right in the first, and what a
server then does: the same cases are the golden test and the one on a real server."""

import copy

CASES = []


class Case:
    """What `check` may say: kept, refused, pruned, changed, absent, crd-refused; or a function of
    (server, case, stored object) that returns what is wrong."""

    def __init__(self, rule, old, new, value, check, name=None):
        self.rule = rule
        self.name = name or rule
        self.group = self.name + ".example.com"
        self.old = self.finish(old)
        self.new = self.finish(new)
        self.object = value
        self.check = check
        assert not any(self.name == other.name for other in CASES), self.name
        CASES.append(self)

    def finish(self, crd):
        """With the group, which is the case's own."""
        if not crd:
            return None
        crd = copy.deepcopy(crd)
        crd["spec"]["group"] = self.group
        crd["metadata"]["name"] = crd["spec"]["names"]["plural"] + "." + self.group
        return crd


def version(name="v1", spec=None, storage=True, served=True, **more):
    schema = {"type": "object", "properties": {
        "spec": spec or {"type": "object", "properties": {"f": {"type": "string"}}},
        "status": {"type": "object", "properties": {"ready": {"type": "integer"}}}}}
    return dict({"name": name, "served": served, "storage": storage,
                 "schema": {"openAPIV3Schema": schema}}, **more)


def crd(*versions, scope="Namespaced", conversion=None, **names):
    spec = {"scope": scope, "versions": list(versions) or [version()],
            "names": dict({"plural": "things", "kind": "Thing"}, **names)}
    if conversion:
        spec["conversion"] = conversion
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {},
            "spec": spec}


def spec_case(rule, old, new, value, check, name=None):
    """Two schemas of `spec`."""
    Case(rule, crd(version(spec=dict({"type": "object"}, **old))),
         crd(version(spec=dict({"type": "object"}, **new))), {"spec": value}, check, name)


def field_case(rule, old, new, value, check, name=None):
    """Two schemas of spec.f."""
    spec_case(rule, {"properties": {"f": old}}, {"properties": {"f": new}}, {"f": value}, check, name)


def versions_case(rule, old, new, check, name=None):
    Case(rule, crd(*old), crd(*new), {"spec": {"f": "x"}}, check, name)


def names_case(rule, old, new, check, name=None):
    Case(rule, crd(**old), crd(**new), {"spec": {"f": "x"}}, check, name)


# ---- what a server is asked ------------------------------------------------------------------


def meets(value):
    """The object is kept, and clients may meet another one now."""
    def check(server, case, stored):
        status, answer = server.create(case, "other", {"spec": value})
        return server.kept(case, stored) or (status != 201 and "%d %s" % (status, answer))
    return check


def gone(path, status=404, method="GET", body=None):
    """A request that succeeded with the old CRD is refused."""
    def check(server, case, _stored):
        got = server.ask(method, path.replace("GROUP", case.group), body)[0]
        return got != status and "%s is answered %d" % (path, got)
    check.before = lambda server, case: server.ask(method, path.replace("GROUP", case.group), body)[0]
    return check


def discovery(key, value):
    """What discovery said of the resource it does not say any more."""
    def check(server, case, _stored):
        row = server.discover(case)
        return value in row.get(key, "") and "discovery still has %s" % value
    check.before = lambda server, case: 200 if value in server.discover(case).get(key, "") else 0
    return check


def without_objects(server, case, _stored):
    status = server.ask("GET", "/apis/%s/v1/namespaces/default/items/old" % case.group)[0]
    return status != 404 and "the object is under the new plural: %d" % status


def list_kind(server, case, _stored):
    kind = server.ask("GET", server.path(case))[1]["kind"]
    return kind != "ThingGroup" and "the list is a %s" % kind


def deleted(server, case, _stored):
    status = server.ask("GET", server.path(case, "old"))[0]
    return status != 404 and "the object is still there: %d" % status


def status_ignored(server, case, stored):
    stored["status"] = {"ready": 7}
    answer = server.ask("PUT", server.path(case, "old"), stored)[1]
    return answer.get("status") == {"ready": 7} and "the object's own write sets the status"


def scaled(server, case, _stored):
    scale = server.ask("GET", server.path(case, "old") + "/scale")[1]
    return scale["spec"].get("replicas") != 5 and "the scale is %r" % scale["spec"]


def unconverted(server, case, _stored):
    status = server.ask("GET", server.path(case, "old", "v2"))[0]
    return status == 200 and "the object is still converted"


def warns(server, case, stored):
    warning = server.warning(server.path(case, "old"))
    return server.kept(case, stored) or ("deprecated" not in warning and "no warning: %r" % warning)


def lost_when_written(server, case, _stored):
    answer = server.ask("PATCH", server.path(case, "old"), {"metadata": {"labels": {"a": "b"}}})[1]
    return "f" in answer["spec"] and "the value is kept"


def owned_as_a_whole(server, case, _stored):
    """Two appliers of one list or map, which got on, are in conflict."""
    answers = [server.apply(case, "shared", "b", spec)[0] for spec in case.applied[1:]]
    return answers[-1] != 409 and "the second applier is answered %r" % answers


def appliers_get_on(server, case):
    return max(server.apply(case, "shared", who, spec)[0] for who, spec in zip("ab", case.applied[:2]))


owned_as_a_whole.before = appliers_get_on
deleted.before = lambda server, case: server.ask("GET", server.path(case, "old"))[0]
list_kind.before = lambda server, case: server.ask("GET", server.path(case))[0]

WEBHOOK = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {
    "url": "https://127.0.0.1:9/"}}}

# ---- the CRD and its names -------------------------------------------------------------------

Case("crd-removed", crd(), None, {"spec": {"f": "x"}}, deleted)
Case("crd-added", None, crd(), {"spec": {"f": "x"}}, "kept")
names_case("plural-changed", {}, {"plural": "items"}, without_objects)
names_case("kind-changed", {}, {"kind": "Item", "listKind": "ThingList", "singular": "thing"},
           "crd-refused")
Case("scope-changed", crd(), crd(scope="Cluster"), {"spec": {"f": "x"}}, "crd-refused")
names_case("list-kind-changed", {}, {"listKind": "ThingGroup"}, list_kind)
names_case("singular-changed", {"singular": "thing"}, {"singular": "item"},
           discovery("singularName", "thing"))
names_case("short-name-removed", {"shortNames": ["tg", "th"]}, {"shortNames": ["th"]},
           discovery("shortNames", "tg"))
names_case("category-removed", {"categories": ["all"]}, {}, discovery("categories", "all"))
Case("conversion-changed", crd(version(), version("v2", storage=False)),
     crd(version(), version("v2", storage=False), conversion=WEBHOOK),
     {"spec": {"f": "x"}}, unconverted)

# ---- versions --------------------------------------------------------------------------------

FIELDS = {"type": "object", "properties": {"f": {"type": "string"}, "g": {"type": "string"}}}
ONLY_G = {"type": "object", "properties": {"g": {"type": "string"}}}
SCALE = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.ready"}
COUNTS = {"type": "object", "properties": {"replicas": {"type": "integer"}, "size": {"type": "integer"}}}
COLUMN = {"name": "F", "type": "string", "jsonPath": ".spec.f"}

versions_case("stored-version-removed", [version(), version("v2", storage=False)], [version("v2")],
              "crd-refused")
versions_case("version-removed", [version(), version("v2", storage=False)], [version()],
              gone("/apis/GROUP/v2/namespaces/default/things/old"))
versions_case("version-unserved", [version(), version("v2", storage=False)],
              [version(), version("v2", storage=False, served=False)],
              gone("/apis/GROUP/v2/namespaces/default/things/old"))
versions_case("version-unserved", [version(), version("v2", storage=False)],
              [version(served=False), version("v2", storage=False)],
              gone("/apis/GROUP/v1/namespaces/default/things/old"), "stored-version-unserved")
versions_case("version-added", [version()], [version(), version("v2", storage=False)], "kept")
versions_case("version-served", [version(), version("v2", storage=False, served=False)],
              [version(), version("v2", storage=False)], "kept")
versions_case("version-deprecated", [version()], [version(deprecated=True)], warns)
versions_case("storage-version-changed", [version(), version("v2", storage=False)],
              [version(storage=False), version("v2")], "kept")
versions_case("storage-loses-field", [version(spec=FIELDS), version("v2", ONLY_G, False)],
              [version(spec=FIELDS, storage=False), version("v2", ONLY_G)], lost_when_written)
STATUS_PATH = "/apis/GROUP/v1/namespaces/default/things/old/status"
versions_case("status-removed", [version(subresources={"status": {}})], [version()], gone(STATUS_PATH))
versions_case("status-added", [version()], [version(subresources={"status": {}})], status_ignored)
Case("scale-removed", crd(version(spec=COUNTS, subresources={"scale": SCALE})), crd(version(spec=COUNTS)),
     {"spec": {"replicas": 3}}, gone("/apis/GROUP/v1/namespaces/default/things/old/scale"))
Case("scale-added", crd(version(spec=COUNTS)), crd(version(spec=COUNTS, subresources={"scale": SCALE})),
     {"spec": {"replicas": 3}}, "kept")
Case("scale-path-changed", crd(version(spec=COUNTS, subresources={"scale": SCALE})),
     crd(version(spec=COUNTS, subresources={"scale": dict(SCALE, specReplicasPath=".spec.size")})),
     {"spec": {"replicas": 3, "size": 5}}, scaled)
versions_case("selectable-field-removed", [version(selectableFields=[{"jsonPath": ".spec.f"}])],
              [version()],
              gone("/apis/GROUP/v1/namespaces/default/things?fieldSelector=spec.f%3Dx", 400))
versions_case("selectable-field-added", [version()],
              [version(selectableFields=[{"jsonPath": ".spec.f"}])], "kept")
versions_case("column-removed", [version(additionalPrinterColumns=[COLUMN])], [version()], "kept")
versions_case("column-added", [version()], [version(additionalPrinterColumns=[COLUMN])], "kept")
versions_case("column-changed", [version(additionalPrinterColumns=[COLUMN])],
              [version(additionalPrinterColumns=[dict(COLUMN, priority=1)])], "kept")

# ---- fields ----------------------------------------------------------------------------------

STRING = {"type": "string"}
INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
OBJECT = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
PRESERVE = {"x-kubernetes-preserve-unknown-fields": True}


def strings(**more):
    return dict({"type": "array", "items": {"type": "string"}}, **more)


def string_map(**more):
    return dict({"type": "object", "additionalProperties": {"type": "string"}}, **more)


def fields(*names, schema=None):
    return {"properties": {name: schema or STRING for name in names}}


spec_case("field-removed", fields("f", "g"), fields("f"), {"g": "x"}, "pruned")
spec_case("field-renamed", fields("f", "oldName"), fields("f", "newName"), {"oldName": "x"}, "pruned")
spec_case("field-renamed", fields("tags", "z", schema=strings()),
          {"properties": {"labelTags": strings(), "size": strings(), "z": strings()}}, {"tags": ["x"]},
          "pruned", "field-renamed-by-its-end")
spec_case("field-unnamed", dict(fields("f"), **PRESERVE), dict(PRESERVE), {"f": "x"}, meets({"f": 1}))
spec_case("field-added", fields("f"), fields("f", "g"), {"f": "x"}, "kept")
field_case("type-changed", INTEGER, STRING, 5, "refused")
field_case("type-changed", NUMBER, INTEGER, 1.5, "refused", "type-changed-to-integer")
field_case("type-changed", fields("a")["properties"]["a"], strings(), "x", "refused",
           "type-changed-to-list")
field_case("type-changed", dict({"type": "object"}, **fields("a")), string_map(), {"a": "x"}, "kept",
           "type-changed-to-map")
CASES[-1].check = meets({"f": {"b": "x"}})
field_case("type-changed", strings(), {"type": "array", "items": INTEGER}, ["x"], "refused",
           "type-changed-of-items")
field_case("type-changed", string_map(), string_map(additionalProperties=INTEGER), {"a": "x"}, "refused",
           "type-changed-of-values")
field_case("type-widened", INTEGER, {"x-kubernetes-int-or-string": True}, 5, meets({"f": "5%"}))
field_case("type-widened", INTEGER, NUMBER, 5, meets({"f": 1.5}), "type-widened-to-number")
field_case("type-widened", STRING, PRESERVE, "x", meets({"f": [1]}), "type-widened-to-any")
spec_case("required-added", fields("f", "g"), dict(fields("f", "g"), required=["g"]), {"f": "x"},
          "refused")
spec_case("required-added", fields("f"), dict(fields("f", "g"), required=["g"]), {"f": "x"}, "refused",
          "required-added-and-new")
spec_case("required-removed", dict(fields("f", "g"), required=["g"]), fields("f", "g"), {"g": "x"},
          "kept")

# ---- values ----------------------------------------------------------------------------------


def string_case(rule, old, new, value, check, name=None):
    field_case(rule, dict(STRING, **old), dict(STRING, **new), value, check, name)


string_case("enum-added", {}, {"enum": ["a", "b"]}, "c", "refused")
string_case("enum-narrowed", {"enum": ["a", "b", "c"]}, {"enum": ["a", "b"]}, "c", "refused")
string_case("enum-widened", {"enum": ["a"]}, {"enum": ["a", "b"]}, "a", "kept")
string_case("enum-removed", {"enum": ["a"]}, {}, "a", "kept")

for key, schema, loose, tight, value in (
        ("minimum", INTEGER, 1, 2, 1), ("maximum", INTEGER, 2, 1, 2), ("multipleOf", INTEGER, 2, 4, 2),
        ("minLength", STRING, 1, 2, "x"), ("maxLength", STRING, 2, 1, "xx"),
        ("minItems", strings(), 1, 2, ["x"]), ("maxItems", strings(), 2, 1, ["x", "y"]),
        ("minProperties", string_map(), 1, 2, {"a": "x"}),
        ("maxProperties", string_map(), 2, 1, {"a": "x", "b": "y"})):
    field_case("limit-tightened", dict(schema, **{key: loose}), dict(schema, **{key: tight}), value,
               "refused", "limit-tightened-" + key.lower())
    field_case("limit-loosened", dict(schema, **{key: tight}), dict(schema, **{key: loose}),
               {"minimum": 2, "maximum": 1, "multipleOf": 4, "minLength": "xx", "maxLength": "x",
                "minItems": ["x", "y"], "maxItems": ["x"], "minProperties": {"a": "x", "b": "y"},
                "maxProperties": {"a": "x"}}[key], "kept", "limit-loosened-" + key.lower())
field_case("limit-tightened", NUMBER, dict(NUMBER, maximum=1), 2, "refused")
field_case("limit-loosened", dict(NUMBER, maximum=1), NUMBER, 1, "kept")
field_case("limit-tightened", dict(NUMBER, minimum=1), dict(NUMBER, minimum=1, exclusiveMinimum=True), 1,
           "refused", "limit-tightened-exclusive")
field_case("limit-loosened", dict(INTEGER, minimum=1, exclusiveMinimum=True), dict(INTEGER, minimum=1), 2,
           "kept", "limit-loosened-exclusive")
string_case("pattern-added", {}, {"pattern": "^a"}, "b", "refused")
string_case("pattern-changed", {"pattern": "^b"}, {"pattern": "^a"}, "b", "refused")
string_case("pattern-removed", {"pattern": "^b"}, {}, "b", "kept")
string_case("format-added", {}, {"format": "date-time"}, "yesterday", "refused")
string_case("format-changed", {"format": "ipv4"}, {"format": "ipv6"}, "10.0.0.1", "refused")
string_case("format-loosened", {"format": "ipv4"}, {}, "10.0.0.1", "kept")
field_case("format-loosened", dict(INTEGER, format="int32"), dict(INTEGER, format="int64"), 5, "kept",
           "format-loosened-of-integer")
field_case("format-changed", dict(INTEGER, format="int64"), dict(INTEGER, format="int32"), 5000000000,
           "refused", "format-changed-of-integer")
spec_case("default-added", fields("f"), {"properties": {"f": dict(STRING, default="a")}}, {}, "changed")
spec_case("default-added", fields("f"),
          dict({"properties": {"f": STRING, "g": dict(STRING, default="a")}}, required=["g"]), {"f": "x"},
          "changed", "default-added-and-required")
string_case("default-changed", {"default": "a"}, {"default": "b"}, None, "changed")
CASES[-1].object = {"spec": {}}
string_case("default-removed", {"default": "a"}, {}, None, "absent")
CASES[-1].object = {"spec": {}}
string_case("nullable-removed", {"nullable": True}, {}, None, "pruned")
spec_case("nullable-removed", dict(fields("f", schema=dict(STRING, nullable=True)), required=["f"]),
          dict(fields("f"), required=["f"]), {"f": None}, "refused", "nullable-removed-and-required")
field_case("nullable-removed", strings(items=dict(STRING, nullable=True)), strings(), ["a", None],
           "refused", "nullable-removed-of-items")
string_case("nullable-added", {}, {"nullable": True}, "a", "kept")

# ---- merging, rules, unknown fields ----------------------------------------------------------

LIST_TYPE = "x-kubernetes-list-type"
MAP_KEYS = "x-kubernetes-list-map-keys"
PORTS = {"type": "array", LIST_TYPE: "map", "items": {
    "type": "object", "required": ["name", "port"],
    "properties": {"name": {"type": "string"}, "port": {"type": "integer"}}}}


def rules(*texts, message=None):
    return {"x-kubernetes-validations": [dict({"rule": text}, **({"message": message} if message else {}))
                                         for text in texts]}


field_case("list-type-tightened", strings(), strings(**{LIST_TYPE: "set"}), ["a", "a"], "refused")
field_case("list-keys-changed", dict(PORTS, **{MAP_KEYS: ["name", "port"]}),
           dict(PORTS, **{MAP_KEYS: ["name"]}), [{"name": "a", "port": 1}, {"name": "a", "port": 2}],
           "refused")
field_case("list-type-changed", strings(**{LIST_TYPE: "set"}), strings(), ["a"], owned_as_a_whole)
CASES[-1].applied = [{"f": ["a"]}, {"f": ["b"]}, {"f": ["c"]}]
field_case("map-type-changed", string_map(), string_map(**{"x-kubernetes-map-type": "atomic"}),
           {"a": "x"}, owned_as_a_whole)
CASES[-1].applied = [{"f": {"a": "x"}}, {"f": {"b": "x"}}, {"f": {"c": "x"}}]
string_case("cel-rule-added", {}, rules("self != 'b'"), "b", "refused")
string_case("cel-rule-changed", rules("self != 'a'", message="no"), rules("self != 'b'", message="no"),
            "b", "refused")
string_case("cel-rule-removed", rules("self != 'a'"), {}, "b", "kept")
field_case("preserve-unknown-removed", OBJECT, {"type": "object"}, {"a": 1}, "pruned")
field_case("preserve-unknown-added", {"type": "object"}, OBJECT, {}, "kept")
field_case("embedded-resource-added", OBJECT, dict(OBJECT, **{"x-kubernetes-embedded-resource": True}),
           {"a": 1}, "refused")
field_case("embedded-resource-removed",
           {"type": "object", "x-kubernetes-embedded-resource": True,
            "properties": {"spec": {"type": "object"}}},
           {"type": "object", "properties": {"spec": {"type": "object"}}},
           {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}, "pruned")
string_case("combination-tightened", {}, {"not": {"enum": ["b"]}}, "b", "refused")
string_case("combination-tightened", {"anyOf": [{"maxLength": 1}, {"enum": ["ab"]}]},
            {"anyOf": [{"maxLength": 1}]}, "ab", "refused", "combination-tightened-anyof")
string_case("combination-loosened", {"not": {"enum": ["b"]}}, {}, "a", "kept")
string_case("combination-loosened", {"anyOf": [{"maxLength": 1}]},
            {"anyOf": [{"maxLength": 1}, {"enum": ["ab"]}]}, "a", "kept", "combination-loosened-anyof")

# ---- what looks alike, and is not ------------------------------------------------------------

IOS = {"x-kubernetes-int-or-string": True}
CANONICAL = {"anyOf": [INTEGER, STRING]}
ONE_NUMBER = {"oneOf": [{"enum": ["a"]}]}

spec_case("field-named", OBJECT, dict(OBJECT, **fields("f")), {"f": 1}, "refused")
spec_case("field-named", OBJECT, dict(OBJECT, properties={"f": {"type": "object"}}), {"f": {"a": "b"}},
          "pruned", "field-named-with-a-struct")
field_case("type-changed", OBJECT, dict(OBJECT, additionalProperties=STRING), {"a": 1}, "refused",
           "type-changed-from-unknown-fields")
field_case("type-changed", PRESERVE, OBJECT, "x", "refused", "type-changed-from-any")
field_case("type-widened", string_map(), OBJECT, {"a": "x"}, meets({"f": {"a": 1}}),
           "type-widened-from-map")
field_case("enum-added", INTEGER, dict(IOS, enum=[1]), 2, "refused", "enum-added-to-int-or-string")
field_case("pattern-added", STRING, dict(IOS, pattern="^a"), "b", "refused",
           "pattern-added-to-int-or-string")
spec_case("required-added", dict(fields("f", schema=dict(STRING, default="a")), required=["f"]),
          dict(fields("f"), required=["f"]), {}, "refused", "required-added-as-default-is-gone")


def manifest_refused(server, case, _stored):
    status = server.create(case, "again", case.object)[0]
    return status != 422 and "created anew: %d" % status


CASES[-1].check = manifest_refused


def named(**metadata):
    new = version()
    new["schema"]["openAPIV3Schema"]["properties"]["metadata"] = dict({"type": "object"}, **metadata)
    return new


def long_name_refused(server, case, _stored):
    status = server.create(case, "a-long-name", case.object)[0]
    return status != 422 and "created with a long name: %d" % status


for name, old in (("limit-tightened-of-names", version()), ("limit-tightened-of-metadata", named())):
    versions_case("limit-tightened", [old], [named(properties={"name": dict(STRING, maxLength=6)})],
                  long_name_refused, name)
ON_CHANGE = {"rule": "oldSelf == oldSelf && self != 'b'"}
string_case("cel-rule-changed", {"x-kubernetes-validations": [ON_CHANGE]},
            {"x-kubernetes-validations": [dict(ON_CHANGE, optionalOldSelf=True)]}, "b", "refused",
            "cel-rule-changed-for-new")
string_case("combination-tightened", ONE_NUMBER, {"oneOf": ONE_NUMBER["oneOf"] * 2}, "a", "refused",
            "combination-tightened-twice")

# ---- what looks different, and is alike ------------------------------------------------------


def same_case(name, old, new, value):
    field_case(None, old, new, value, "kept", name)


for key, schema, value in (("minLength", STRING, ""), ("minItems", strings(), []),
                           ("minProperties", string_map(), {})):
    same_case("same-" + key.lower(), schema, dict(schema, **{key: 0}), value)
same_case("same-enum", dict(NUMBER, enum=[1, 2]), dict(NUMBER, enum=[1.0, 2]), 1)
same_case("same-default", dict(NUMBER, default=1), dict(NUMBER, default=1.0), 1)
same_case("same-int-or-string", IOS, dict(IOS, **CANONICAL), "5%")
same_case("same-pattern", STRING, dict(STRING, pattern=""), "a")
same_case("same-enum-of-booleans", {"type": "boolean"}, {"type": "boolean", "enum": [True, False]}, True)
same_case("same-exclusive", dict(INTEGER, minimum=0, exclusiveMinimum=True), dict(INTEGER, minimum=1), 1)
field_case("limit-loosened", dict(NUMBER, multipleOf=0.3), dict(NUMBER, multipleOf=0.1), 0.3, "kept",
           "limit-loosened-multiple-of-fraction")

# ---- what storage loses ----------------------------------------------------------------------

F_ONLY = {"type": "object", "properties": {"f": {"type": "string"}}}


def moved_case(rule, old, new, value, check, name):
    """Objects were stored in v1, and are in v2."""
    Case(rule, crd(version(spec=old), version("v2", new, False)),
         crd(version(spec=old, storage=False), version("v2", new)), {"spec": value}, check, name)


def not_in_v2(server, case, _stored):
    """The value is not read, or cannot be written, as the new storage version has it."""
    server.ask("PATCH", server.path(case, "old"), {"metadata": {"labels": {"a": "b"}}})
    answer = server.ask("GET", server.path(case, "old", "v2"))[1]
    return answer.get("spec") == case.object["spec"] and "it is read as it was: %r" % answer


def unwritable(server, case, _stored):
    now = server.ask("GET", server.path(case, "old", "v2"))[1]
    now["metadata"] = {"name": "again"}
    status = server.ask("POST", server.path(case, "", "v2"), now)[0]
    return status != 422 and "what v2 reads is accepted in v2: %d" % status


def lost_in_v2(server, case, _stored):
    """A value that is sent in v2 does not come back."""
    name = "as-v2"
    server.ask("POST", server.path(case, "", "v2"), {
        "apiVersion": case.group + "/v2", "kind": "Thing", "metadata": {"name": name},
        "spec": {"f": "x", "g": "y"}})
    answer = server.ask("GET", server.path(case, name, "v2"))[1]
    return answer["spec"] != {"f": "x"} and "%r" % answer


for name, old in (("storage-loses-map", {"additionalProperties": STRING}),
                  ("storage-loses-unknown-fields", PRESERVE)):
    moved_case("storage-loses-field", dict({"type": "object"}, **old), F_ONLY, {"f": "x", "g": "y"},
               not_in_v2, name)
moved_case("storage-type-differs", F_ONLY, dict({"type": "object"}, **fields("f", schema=INTEGER)),
           {"f": "x"}, unwritable, "storage-type-differs")
moved_case("storage-default-differs", F_ONLY,
           dict({"type": "object"}, **fields("f", schema=dict(STRING, default="a"))), {},
           not_in_v2, "storage-default-differs")
versions_case("storage-loses-field", [version(), version("v2", storage=False)],
              [version(), version("v2", FIELDS, False)], lost_in_v2, "storage-lacks-new-field")
versions_case("storage-loses-field", [version()], [version(), version("v2", FIELDS, False)], lost_in_v2,
              "storage-lacks-field-of-new-version")
Case("storage-loses-field",
     crd(version(), version("v2", FIELDS, False), conversion=WEBHOOK),
     crd(version(), version("v2", FIELDS, False)), {"spec": {"f": "x"}}, lost_in_v2,
     "storage-loses-field-without-webhook")
versions_case(None, [version(), version("v2", FIELDS, False)],
              [version(), version("v2", FIELDS, False)], "kept", "same-storage-losses")
versions_case("status-removed", [version(subresources={"status": {}})],
              [version(subresources={"status": None})], gone(STATUS_PATH), "status-null")
versions_case("schema-removed", [version()], [version()], "crd-refused")
del CASES[-1].new["spec"]["versions"][0]["schema"]
