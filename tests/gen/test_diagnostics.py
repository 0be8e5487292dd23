#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--diagnostics=json and =sarif say what the text says, of the headers of errors/ and of the command
line, and SARIF has the shape that its schema asks for. KUBEGEN names the command."""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
KUBEGEN = os.path.realpath(os.environ["KUBEGEN"])
LEVELS = ("error", "warning", "note")
failures = 0


def fail(text):
    global failures
    failures += 1
    print("test_diagnostics: " + text, file=sys.stderr)


def run(cwd, *args):
    done = subprocess.run([KUBEGEN, *args], cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def said_by_text(text):
    """(file, line, column, message), of errors and of their notes."""
    for line in text.splitlines():
        at = re.match(r"(?:kubegen: |(.+?):(?:(\d+):(\d+):)? )?(?:(?:error|warning|note): )(.*)", line)
        if at:
            yield at.group(1), int(at.group(2) or 0), int(at.group(3) or 0), at.group(4)
        elif line.startswith("kubegen: "):
            yield None, 0, 0, line[len("kubegen: "):]


def said_by_json(text):
    for item in json.loads(text)["diagnostics"]:
        if item["severity"] not in LEVELS or not re.fullmatch(r"[a-z0-9-]+", item["rule"]):
            fail("severity or rule: %s" % item)
        for one in [item] + item["notes"]:
            yield one.get("file"), one.get("line", 0), one.get("column", 0), one["message"]


# The part of the schema of SARIF 2.1.0 that is written: what each object must have and may have.
SHAPE = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"invocations", "columnKind", "results"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": ({"id"}, set()),
    "invocation": ({"executionSuccessful"}, {"exitCode"}),
    "result": ({"message"}, {"ruleId", "ruleIndex", "level", "locations", "relatedLocations"}),
    "message": ({"text"}, set()),
    "location": (set(), {"physicalLocation", "message"}),
    "physicalLocation": ({"artifactLocation"}, {"region"}),
    "artifactLocation": ({"uri"}, set()),
    "region": ({"startLine"}, {"startColumn"}),
}
INNER = {
    "runs": "run", "tool": "tool", "driver": "driver", "rules": "rule", "invocations": "invocation",
    "results": "result", "message": "message", "locations": "location", "relatedLocations": "location",
    "physicalLocation": "physicalLocation", "artifactLocation": "artifactLocation", "region": "region"}


def check_shape(value, kind):
    must, may = SHAPE[kind]
    if not must <= set(value) <= must | may:
        fail("%s has %s" % (kind, sorted(value)))
    for name, inner in value.items():
        if name in INNER:
            for one in inner if isinstance(inner, list) else [inner]:
                check_shape(one, INNER[name])
        elif isinstance(inner, int) and not isinstance(inner, bool) and inner < (name.startswith("start")):
            fail("%s is %d" % (name, inner))


def place(cwd, location):
    """As the text has it: in bytes, of the file's name."""
    physical = location.get("physicalLocation")
    if not physical:
        return None, 0, 0
    uri = physical["artifactLocation"]["uri"]
    if not re.fullmatch(r"(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})*", uri):
        fail("no URI: " + uri)
    name = urllib.parse.unquote(uri.removeprefix("file://"))
    line = physical.get("region", {}).get("startLine", 0)
    column = physical.get("region", {}).get("startColumn", 0)
    if line and column:
        with open(os.path.join(cwd, name), "rb") as source:
            text = source.read().split(b"\n")[line - 1].decode(errors="surrogateescape")
        column = len(text[:column - 1].encode(errors="surrogateescape")) + 1
    return name, line, column


def said_by_sarif(cwd, text, status):
    log = json.loads(text)
    check_shape(log, "log")
    one = log["runs"][0]
    if log["version"] != "2.1.0" or one["invocations"] != [{"executionSuccessful": status == 0,
                                                            "exitCode": status}]:
        fail("version or invocation: %s" % one["invocations"])
    rules = one["tool"]["driver"]["rules"]
    if len({rule["id"] for rule in rules}) != len(rules):
        fail("a rule twice")
    for result in one["results"]:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"] or result["level"] not in LEVELS:
            fail("rule: %s" % result)
        yield place(cwd, (result.get("locations") or [{}])[0]) + (result["message"]["text"],)
        for note in result["relatedLocations"]:
            yield place(cwd, note) + (note["message"]["text"],)


def check(cwd, *args):
    status, text = run(cwd, *args)
    want = list(said_by_text(text))
    for form, read in (("json", lambda said: said_by_json(said)),
                       ("sarif", lambda said: said_by_sarif(cwd, said, status))):
        again, said = run(cwd, *args, "--diagnostics=" + form)
        try:
            got = list(read(said))
        except (ValueError, KeyError) as error:
            fail("%s: %s: %r in %s" % (args, form, error, said[:300]))
            continue
        if again != status or got != want:
            fail("%s: %s has %d %s, the text %d %s" % (args, form, again, got, status, want))
    return len(want)


def main():
    count = 0
    with tempfile.TemporaryDirectory() as work:
        errors = os.path.join(HERE, "errors")
        for name in sorted({*sorted(os.listdir(errors))[::4], "not_utf8.h", "limits.h", "no such.h"}):
            home = os.path.join(work, name, "a b%ü", "v1")
            os.makedirs(home)
            if os.path.exists(os.path.join(errors, name)):
                with open(os.path.join(errors, name), "rb") as source, \
                        open(os.path.join(home, "types.h"), "wb") as target:
                    target.write(source.read())
            count += check(os.path.join(work, name), "generate", "a b%ü/v1")
            count += name == "limits.h" and check(work, "generate", home)
        with open(os.path.join(work, "ü.yaml"), "w", encoding="utf-8") as out:
            out.write("ü: [a, &ö b, *x]\n")
        count += check(work, "diff", "ü.yaml", "ü.yaml")
        for args in (["generate"], ["crd", "nowhere"], ["generat"], ["diff", "nowhere", "nowhere"],
                     ["rbac", "nowhere"], ["explain", "no-such"], ["generate", "--no-such"], ["explain"]):
            count += check(work, *args)
        status, said = run(work, "generate", "--diagnostics=xml", ".")
        if status != 2 or "--diagnostics is text, json or sarif" not in said:
            fail("xml: %d %s" % (status, said))
    # What kubegen diff finds is in the log too.
    status, said = run(os.path.join(HERE, "diff"), "diff", "old", "new", "--diagnostics=sarif")
    results = json.loads(said)["runs"][0]["results"]
    enum = next(result for result in results if result["ruleId"] == "enum-narrowed")
    text = subprocess.run([KUBEGEN, "diff", "old", "new"], cwd=os.path.join(HERE, "diff"),
                          capture_output=True, text=True, check=False).stdout
    breaks = len(re.findall(r"^[^ ]+: breaks (?!GitOps)", text, re.M))
    if status != 1 or breaks < 10 or \
            [result["level"] for result in results].count("error") != breaks or \
            place(os.path.join(HERE, "diff"), enum["relatedLocations"][0])[0] != "old/net/v1/types.h":
        fail("kubegen diff: %d %s" % (status, results))
    print("test_diagnostics: %d messages, %d failures" % (count, failures))
    return 1 if failures else 0


sys.exit(main())
