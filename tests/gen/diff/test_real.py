#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a real API server does when a CRD changes as in each case of cases.py: what `kubegen diff` says
breaks is refused, pruned or changed, and what it calls compatible is not.

  test_real.py [WORD…]    only the cases whose names have one of the words

KUBEGEN_ENVTEST: what hack/setup-envtest.sh printed."""

import copy
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
import cases  # noqa: E402

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
PATIENCE = 120


class Server:
    """Requests in JSON, as the administrator."""

    def __init__(self, kubeconfig):
        with open(kubeconfig, encoding="utf-8") as file:
            text = file.read()
        self.url = re.search(r'server: "?([^"}\s]+)', text).group(1)
        self.token = re.search(r'token: "?([^"}\s]+)', text).group(1)
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE

    def send(self, method, path, body=None, content="application/merge-patch+json"):
        request = urllib.request.Request(self.url + path, method=method)
        request.add_header("Authorization", "Bearer " + self.token)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", content if method == "PATCH" else "application/json")
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=60) as answer:
                return answer.status, json.load(answer), answer.headers
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.code == 429:  # the new state of the CRD is being taken up
                return self.send(method, path, body, content)
            return error.code, json.loads(text) if text.startswith("{") else {"text": text}, error.headers

    def ask(self, *args, **more):
        return self.send(*args, **more)[:2]

    def warning(self, path):
        return self.send("GET", path)[2].get("Warning", "")

    @staticmethod
    def path(case, name="", version=None):
        crd = (case.old or case.new)["spec"]
        version = version or crd["versions"][0]["name"]
        path = "/apis/%s/%s/namespaces/default/%s" % (case.group, version, crd["names"]["plural"])
        return path + ("/" + name if name else "")

    def create(self, case, name, body, more=""):
        version = self.path(case).split("/")[3]
        value = dict({"apiVersion": case.group + "/" + version, "kind": "Thing", "metadata": {"name": name}},
                     **body)
        return self.ask("POST", self.path(case) + more, value)

    def apply(self, case, name, manager, spec):
        version = self.path(case).split("/")[3]
        value = {"apiVersion": case.group + "/" + version, "kind": "Thing", "metadata": {"name": name},
                 "spec": spec}
        return self.ask("PATCH", self.path(case, name) + "?fieldManager=" + manager, value,
                        content="application/apply-patch+yaml")

    def discover(self, case):
        rows = self.ask("GET", "/apis/%s/v1" % case.group)[1].get("resources", [])
        return next((row for row in rows if "/" not in row["name"]), {})

    def kept(self, case, stored):
        """What is wrong if a new state of the CRD has changed what is stored, or refuses it."""
        now = self.ask("GET", self.path(case, "old"))[1]
        for key in ("spec", "status"):
            if now.get(key) != stored.get(key):
                return "stored %r is %r now" % (stored.get(key), now.get(key))
        status, again = self.create(case, "again", {"spec": stored["spec"]})
        if status != 201 or again["spec"] != stored["spec"]:
            return "the same object anew: %d %r" % (status, again.get("spec", again))
        return None


def wait_for(what, done):
    """Asks until it is so: what a server makes of a new CRD comes a little later."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if done():
            return
    raise AssertionError("never: " + what)


def in_state(crd, state):
    """With a default by which one sees which state of the CRD a server goes by."""
    crd = copy.deepcopy(crd)
    for version in crd["spec"]["versions"]:
        if "schema" in version:
            version["schema"]["openAPIV3Schema"]["properties"]["state"] = {"type": "string",
                                                                           "default": state}
    return crd


def is_served(server, case, state):
    crd = case.old if state == "old" else case.new
    version = next(v["name"] for v in crd["spec"]["versions"] if v["served"])
    plural = crd["spec"]["names"]["plural"]
    status, answer = server.ask(
        "POST", "/apis/%s/%s/namespaces/default/%s?dryRun=All" % (case.group, version, plural),
        {"apiVersion": case.group + "/" + version, "kind": crd["spec"]["names"]["kind"],
         "metadata": {"name": "probe"}})
    return status == 201 and answer.get("state") == state


def replace(server, case):
    """Puts the new state in place of the old one. Returns the answer's status."""
    name = case.old["metadata"]["name"]
    if not case.new:
        return server.ask("DELETE", CRDS + "/" + name)[0]
    if case.new["metadata"]["name"] != name:
        return server.ask("POST", CRDS, in_state(case.new, "new"))[0]
    while True:
        current = server.ask("GET", CRDS + "/" + name)[1]
        new = in_state(case.new, "new")
        new["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"]
        status = server.ask("PUT", CRDS + "/" + name, new)[0]
        if status != 409:
            return status


# ---- what the new state does -----------------------------------------------------------------


def refused(server, case, stored):
    status, answer = server.create(case, "again", {"spec": stored["spec"]})
    return status not in (400, 422) and "created anew: %d %r" % (status, answer.get("spec"))


def pruned(server, case, stored):
    status, answer = server.create(case, "again", {"spec": stored["spec"]})
    if status != 201 or answer.get("spec") == stored["spec"]:
        return "created anew: %d %r" % (status, answer.get("spec"))
    now = server.ask("GET", server.path(case, "old"))[1]
    return now.get("spec") == stored["spec"] and "still stored: %r" % now.get("spec")


def changed(server, case, stored):
    """The same manifest makes another object than before."""
    status, answer = server.create(case, "again", case.object)
    return (status != 201 or answer["spec"] == stored["spec"]) and \
        "created anew: %d %r" % (status, answer.get("spec"))


def absent(server, case, stored):
    answer = server.create(case, "again", case.object)[1]
    return ("f" not in stored["spec"] or "f" in answer["spec"]) and "%r, %r" % (stored["spec"],
                                                                              answer["spec"])


def kept(server, case, stored):
    return server.kept(case, stored)


CHECKS = {"kept": kept, "refused": refused, "pruned": pruned, "changed": changed, "absent": absent}


def check(server, case, stored):
    """Returns what is wrong."""
    status = replace(server, case) if case.old else 200
    if case.check == "crd-refused":
        return status not in (400, 422) and "the CRD is accepted: %d" % status
    if status not in (200, 201):
        return "the CRD is answered %d" % status
    if case.new and (not case.old or case.new["metadata"]["name"] == case.old["metadata"]["name"]):
        wait_for(case.name + " in its new state", lambda: is_served(server, case, "new"))
    test = CHECKS.get(case.check, case.check)
    if not callable(getattr(case.check, "before", None)):
        return test(server, case, stored)
    problem = None

    def settled():
        nonlocal problem
        problem = test(server, case, stored)
        return not problem
    try:
        # Discovery and other servers of the chain follow a little later.
        wait_for(case.name, settled)
    except AssertionError:
        return problem
    return None


def prepare(server, case):
    """Creates the object in the old state. Returns it as it is stored, or None after a failure."""
    wait_for(case.name + " in its old state", lambda: is_served(server, case, "old"))
    status, stored = server.create(case, "old", case.object)
    if status != 201:
        print("%s: its object is refused in the old state: %s" % (case.name, stored.get("message")))
        return None
    before = getattr(case.check, "before", None)
    if before:
        wait_for(case.name + " works before", lambda: before(server, case) in (200, 201))
    return stored


def run(server, chosen):
    failed = 0
    stored = {}
    for case in chosen:
        first = case.old or case.new
        status, answer = server.ask("POST", CRDS, in_state(first, "old" if case.old else "new"))
        if status != 201:
            print("%s: the first CRD is refused: %s" % (case.name, answer.get("message")))
    for case in chosen:
        if case.old:
            stored[case.name] = prepare(server, case)
        else:
            wait_for(case.name, lambda case=case: is_served(server, case, "new"))
            stored[case.name] = server.create(case, "old", case.object)[1]
    for case in chosen:
        problem = stored[case.name] is None or check(server, case, stored[case.name])
        if problem:
            failed += 1
            print("%s: %s" % (case.name, problem))
    return failed


def main():
    if not os.environ.get("KUBEGEN_ENVTEST"):
        print("skipped: no real API server: set KUBEGEN_ENVTEST", file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 77
    words = sys.argv[1:]
    chosen = [case for case in cases.CASES if not words or any(word in case.name for word in words)]
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([SOURCE + "/hack/envtest.sh", "start", work, "--owner", str(os.getpid())],
                       check=True, stdout=subprocess.DEVNULL)
        try:
            failed = run(Server(os.path.join(work, "kubeconfig")), chosen)
        finally:
            subprocess.run([SOURCE + "/hack/envtest.sh", "kill", work], check=False)
    print("%d cases, %d fail" % (len(chosen), failed))
    return 1 if failed else 0


sys.exit(main())
