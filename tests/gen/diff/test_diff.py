#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kubegen diff`: what it says of each case of cases.py, and of headers.

  test_diff.py check|refresh    compares with want.txt, or writes it

KUBEGEN names the command."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import cases  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
KUBEGEN = os.path.realpath(os.environ["KUBEGEN"])
BREAKING = ("stored", "clients", "gitops")
failures = 0


def fail(text):
    global failures
    failures += 1
    print("test_diff: " + text, file=sys.stderr)


def kubegen(*args, cwd=None):
    done = subprocess.run([KUBEGEN, *args], cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def rule_severities():
    rows = re.findall(r"^\| `(\S+)` \| (\w+) \|", kubegen("diff", "--rules")[1], re.M)
    return dict(rows)


def write(path, value):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(value or {"kind": "List", "items": []}, out, indent=1)


def run_case(case, work):
    """Returns what the command says, after checking that it finds the rule and nothing worse."""
    for state, value in (("old", case.old), ("new", case.new)):
        os.makedirs(os.path.join(work, case.name, state))
        if value:
            write(os.path.join(work, case.name, state, "crd.json"), value)
        else:
            write(os.path.join(work, case.name, state, "crd.json"), cases.crd())
    cwd = os.path.join(work, case.name)
    if not case.old or not case.new:
        # A state without the CRD has another one, which both states have.
        write(os.path.join(cwd, "old", "other.json"), cases.crd())
        write(os.path.join(cwd, "new", "other.json"), cases.crd())
    status, out, err = kubegen("diff", "old", "new", cwd=cwd)
    found = re.findall(r"\[([a-z-]+)\](?: \(was .*\))?$", out, re.M)
    worst = min((SEVERITY_ORDER.index(SEVERITIES[rule]) for rule in found), default=3)
    if err:
        fail("%s: %s" % (case.name, err))
    if not case.rule:
        if found or status:
            fail("%s: found %s" % (case.name, found))
        return "== %s\n%s" % (case.name, out)
    if case.rule not in found:
        fail("%s: not found, but %s" % (case.name, found))
    if SEVERITY_ORDER[worst] != SEVERITIES[case.rule]:
        fail("%s: %s is not the worst: %s" % (case.name, SEVERITIES[case.rule], found))
    if status != (SEVERITIES[case.rule] in BREAKING):
        fail("%s: exit status %d" % (case.name, status))
    return "== %s\n%s" % (case.name, out)


def git(cwd, *args):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *args], cwd=cwd,
                   check=True, capture_output=True)


def copy_tree(source, target):
    subprocess.run(["rm", "-rf", target], check=True)
    subprocess.run(["cp", "-r", source, target], check=True)


def run_headers(work):
    """Headers as files, and in revisions of a repository in which names are odd."""
    said = []
    top = os.path.join(work, "a repository")
    old, new = os.path.join(HERE, "old"), os.path.join(HERE, "new")
    os.mkdir(top)
    git(top, "init", "-q")
    copy_tree(old, os.path.join(top, "apis $(x) ü"))
    git(top, "add", "-A")
    git(top, "commit", "-qm", "old")
    git(top, "tag", "v1.0")
    copy_tree(new, os.path.join(top, "apis $(x) ü"))
    git(top, "add", "-A")
    git(top, "commit", "-qm", "new")
    status, plain, err = kubegen("diff", "old", "new", cwd=HERE)
    said.append("== kubegen diff old new\n%s%sexit status %d\n" % (err, plain, status))
    for args in (["v1.0:apis $(x) ü/net/v1", "HEAD:apis $(x) ü/net/v1"],
                 ["v1.0:./apis $(x) ü", "apis $(x) ü"],
                 ["v1.0", "HEAD", "--", "apis $(x) ü/net/v1"],
                 ["v1.0", ":/new", "--", "apis $(x) ü/net/v1"],
                 ["v1.0", ".", "--", "apis $(x) ü/net"]):
        status, out, err = kubegen("diff", *args, cwd=top)
        new_name = "HEAD:apis $(x) ü/" if "HEAD" in " ".join(args) else "apis $(x) ü/"
        same = out.replace("v1.0:apis $(x) ü/", "old/").replace(":/new:", "").replace(new_name, "new/")
        if (status, same, err) != (1, plain, ""):
            fail("kubegen diff %s: %d %s%s" % (args, status, out, err))
    changes = json.loads(kubegen("diff", "--format=json", "old", "new", cwd=HERE)[1])
    if [change["rule"] for change in changes["changes"]] != re.findall(r"\[([a-z-]+)\] \(was", plain) or \
            changes["summary"] != {"stored": 4, "clients": 8, "gitops": 1, "compatible": 4, "allowed": 0}:
        fail("--format=json: %s" % changes)
    said.append(json.dumps(changes["changes"][0]) + "\n")
    args = ["--allow", "field-removed", "--allow", "c-*", "--allow", "limit-*:.spec.c*", "v1.0", "HEAD",
            "apis $(x) ü"]
    status, out, err = kubegen("diff", *args, cwd=top)
    said.append("== kubegen diff %s\n%s%sexit status %d\n" % (" ".join(args), err, out, status))
    args = ["--allow-from=" + os.path.join(HERE, "allowed"), "--allow=list-keys-changed", "old", "new"]
    status, out, err = kubegen("diff", *args, cwd=HERE)
    if status != 0 or "no change is allowed by list-keys-changed: remove it" not in err:
        fail("--allow-from: %d %s%s" % (status, out, err))
    log = json.loads(kubegen("diff", "--diagnostics=sarif", "v1.0", "HEAD", "--", "apis $(x) ü", cwd=top)[2])
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for result in log["runs"][0]["results"]}
    if uris != {"apis%20%24%28x%29%20%C3%BC/net/v1/types.h"}:
        fail("the files of --diagnostics=sarif: %s" % uris)
    # Neither a hook nor a filter of the repository runs.
    for name in ("post-index-change", "post-checkout"):
        with open(os.path.join(top, ".git/hooks", name), "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\ntouch '%s/hook-ran'\n" % work)
        os.chmod(out.name, 0o755)
    git(top, "config", "filter.evil.smudge", "touch '%s/filter-ran'; cat" % work)
    with open(os.path.join(top, ".gitattributes"), "w", encoding="utf-8") as out:
        out.write("* filter=evil\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "attributes")
    for name in ("hook-ran", "filter-ran"):
        if os.path.exists(os.path.join(work, name)):
            os.unlink(os.path.join(work, name))
    status, out, err = kubegen("diff", "v1.0", "HEAD", "--", "apis $(x) ü", cwd=top)
    ran = [name for name in ("hook-ran", "filter-ran") if os.path.exists(os.path.join(work, name))]
    if (status, out.replace("v1.0:apis $(x) ü/", "old/").replace("HEAD:apis $(x) ü/", "new/"), err, ran) \
            != (1, plain, "", []):
        fail("with hooks and filters: %s %s %s%s" % (ran, status, out, err))
    status, out, err = kubegen("diff", "v1.0", "HEAD", "--", "apis $(x) ü", "nowhere", "--format=json",
                               cwd=top)
    said.append("== kubegen diff v1.0 HEAD -- apis nowhere --format=json\n%sexit status %d\n" % (err, status))
    clean = subprocess.run(["git", "status", "--porcelain"], cwd=top, capture_output=True, text=True,
                           check=True).stdout
    if clean:
        fail("the repository is not as it was: " + clean)
    gone = os.path.join(top, "gone")
    os.mkdir(gone)
    copy_tree(os.path.join(old, "net"), os.path.join(gone, "net"))
    git(top, "add", "-A")
    git(top, "commit", "-qm", "another place")
    git(top, "rm", "-rqf", "gone")
    status, out, err = kubegen("diff", "HEAD", "HEAD", "--", os.path.join(gone, "net", "v1"), cwd=top)
    if status != 0 or err:
        fail("a directory that only the revision has: %d %s%s" % (status, out, err))
    run_interrupted(work, top)
    return said


def run_interrupted(work, top):
    """What it has written is removed when a signal ends it, while git is at work."""
    bin_dir = os.path.join(work, "bin")
    started, never = os.path.join(work, "started"), os.path.join(work, "never")
    os.mkdir(bin_dir)
    os.mkfifo(started)
    os.mkfifo(never)
    with open(os.path.join(bin_dir, "git"), "w", encoding="utf-8") as out:
        out.write('#!/bin/sh\ncase "$*" in *checkout-index*) : >"%s"; read -r x <"%s" ;; esac\n'
                  'PATH=${PATH#*:} exec git "$@"\n' % (started, never))
    os.chmod(out.name, 0o755)
    env = dict(os.environ, PATH=bin_dir + ":" + os.environ["PATH"])
    running = subprocess.Popen([KUBEGEN, "diff", "v1.0", "HEAD", "apis $(x) ü"], cwd=top, env=env,
                               start_new_session=True, stderr=subprocess.DEVNULL)
    with open(started, encoding="utf-8") as at:
        at.read()
    scratch = os.environ["TMPDIR"]
    if len(os.listdir(scratch)) != 1:
        fail("interrupted: " + str(os.listdir(scratch)))
    os.killpg(running.pid, signal.SIGINT)
    if running.wait() != -signal.SIGINT:
        fail("interrupted: exit status %d" % running.returncode)
    end = time.monotonic() + 60
    while os.listdir(scratch) and time.monotonic() < end:
        time.sleep(0.01)
    if os.listdir(scratch):
        fail("interrupted: it leaves " + str(os.listdir(scratch)))


def run_errors(work):
    said = []
    for name, text in (("text.yaml", "a: [1\n"), ("none.yaml", "kind: Pod\n"),
                       ("beta.yaml", "kind: CustomResourceDefinition\n"
                        "apiVersion: apiextensions.k8s.io/v1beta1\n"), ("allow", "no-such-rule # why\n"),
                       ("bom", "\ufefffield-removed\n")):
        with open(os.path.join(work, name), "w", encoding="utf-8") as out:
            out.write(text)
    os.mkdir(os.path.join(work, "empty"))
    os.mkdir(os.path.join(work, "twice"))
    for name in ("a", "b"):
        twice = cases.crd(cases.version(), *([cases.version(storage=False)] if name == "b" else []))
        twice["metadata"]["name"] = "things.example.com"
        write(os.path.join(work, "twice", name + ".json"), twice)
    for args in ([], ["nowhere", "none.yaml"], ["text.yaml", "text.yaml"], ["none.yaml", "none.yaml"],
                 ["beta.yaml", "beta.yaml"], ["empty", "empty"], ["--allow", "no-such", "empty", "empty"],
                 ["--allow-from", "allow", "empty", "empty"], ["--allow-from", "bom", "empty", "empty"],
                 ["--allow", "field-removed:", "empty", "empty"], ["twice", "twice"], ["--format=xml", "empty", "empty"]):
        status, out, err = kubegen("diff", *args, cwd=work)
        said.append("== kubegen diff %s\n%s%sexit status %d\n" % (" ".join(args), err, out, status))
        if status != 2:
            fail("kubegen diff %s: exit status %d" % (args, status))
    # Servers accept no new CRD with it; what cannot be written is an error.
    old = cases.crd()
    old["spec"]["preserveUnknownFields"] = True
    write(os.path.join(work, "unknown.json"), old)
    del old["spec"]["preserveUnknownFields"]
    write(os.path.join(work, "known.json"), old)
    status, out, err = kubegen("diff", "unknown.json", "known.json", cwd=work)
    if status != 1 or "[preserve-unknown-removed]" not in out:
        fail("preserveUnknownFields: %d %s%s" % (status, out, err))
    with open("/dev/full", "w", encoding="utf-8") as full:
        status = subprocess.run([KUBEGEN, "diff", "unknown.json", "known.json"], cwd=work, stdout=full,
                                stderr=subprocess.DEVNULL, check=False).returncode
    if status != 2:
        fail("a full disk: exit status %d" % status)
    # A CRD that no server would take is compared as far as it goes.
    odd = cases.crd(cases.version(), cases.version("v2", storage=False))
    write(os.path.join(work, "right.json"), odd)
    odd["spec"]["versions"][0].update(storage=False)
    odd["spec"]["versions"][1].update(storage=True)
    odd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = ["a", None]
    write(os.path.join(work, "odd.json"), odd)
    for args in (["right.json", "odd.json"], ["odd.json", "right.json"], ["odd.json", "odd.json"]):
        status, out, err = kubegen("diff", *args, cwd=work)
        if status not in (0, 1) or err:
            fail("kubegen diff %s: %d %s" % (args, status, err))
    status, out, err = kubegen("diff", "v1.0", "HEAD", "x", cwd=os.path.join(work, "empty"))
    if status != 2 or "git" not in err and "repository" not in err:
        fail("no repository: %d %s" % (status, err))
    return said


def check_docs():
    """docs/diff.md has the table of the rules."""
    with open(os.path.join(HERE, "../../../docs/diff.md"), encoding="utf-8") as doc:
        if kubegen("diff", "--rules")[1] not in doc.read():
            fail("docs/diff.md has not the table of `kubegen diff --rules`")


def main():
    os.environ["LC_ALL"] = "C"
    os.environ["GIT_CEILING_DIRECTORIES"] = tempfile.gettempdir()
    with tempfile.TemporaryDirectory() as work:
        os.environ["TMPDIR"] = os.path.join(work, "scratch")
        os.mkdir(os.environ["TMPDIR"])
        said = [run_case(case, work) for case in cases.CASES] + run_headers(work) + run_errors(work)
        check_docs()
        if os.listdir(os.environ["TMPDIR"]):
            fail("a scratch directory is left behind")
    text = "".join(said)
    for rule in SEVERITIES:
        if "[%s]" % rule not in text:
            fail("no case shows the rule %s" % rule)
    want = os.path.join(HERE, "want.txt")
    if sys.argv[1:] == ["refresh"]:
        with open(want, "w", encoding="utf-8") as out:
            out.write(text)
    else:
        with open(os.path.join(tempfile.gettempdir(), "kubegen-diff.%d" % os.getpid()), "w",
                  encoding="utf-8") as out:
            out.write(text)
        if subprocess.run(["diff", "-u", want, out.name], check=False).returncode:
            fail("the output is not want.txt; see `test_diff.py refresh`")
        os.unlink(out.name)
    print("test_diff: %d cases, %d failures" % (len(cases.CASES), failures))
    return 1 if failures else 0


SEVERITY_ORDER = ["stored", "clients", "gitops", "compatible"]
SEVERITIES = rule_severities()
sys.exit(main())
