#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the last column of docs/peer-tests.md: our tests that cite a peer's test.

    hack/peer-tests.py          write it
    hack/peer-tests.py --check  exit 1 if it would change, or if a citation or a row is alone

A test cites a peer's test by its name (TestWatchTimeout) in the comment above its TEST() line or
behind it; the comment at the top of a file cites for the whole file. A row that no test cites says
why in its last column, as "none: REASON", which stays as it is.
"""
import os
import re
import sys

PAGE = "docs/peer-tests.md"
NAME = re.compile(r"\bTest[A-Z]\w*")
TEST = re.compile(r"^TEST\((\w+)\)(.*)$")


def comments(lines, at):
    """The comment behind the TEST() line and the one that ends right above it."""
    text = lines[at]
    while "/*" in text and "*/" not in text:
        at += 1
        text += lines[at]
    above = []
    first = len(lines[:at]) - 1
    while first >= 0 and lines[first].startswith(("/*", " *")):
        above.append(lines[first])
        first -= 1
    return text + "\n" + "\n".join(above)


def citations():
    """{peer's name: [(file, our test or None)]}"""
    found = {}
    for folder, folders, names in os.walk("tests"):
        folders[:] = sorted(set(folders) - {"corpus", "golden"})
        for name in sorted(names):
            if not name.endswith(".c"):
                continue
            path = os.path.join(folder, name)
            lines = open(path, encoding="utf-8", errors="replace").read().split("\n")
            head = "\n".join(lines).split("*/", 2)
            for peer in NAME.findall(head[1] if len(head) > 2 else ""):
                found.setdefault(peer, []).append((path, None))
            for at, line in enumerate(lines):
                test = TEST.match(line)
                for peer in NAME.findall(comments(lines, at)) if test else []:
                    found.setdefault(peer, []).append((path, test[1]))
    return found


def cell(peers, found):
    by_file = {}
    for peer in peers:
        for path, test in found.get(peer, []):
            tests = by_file.setdefault(os.path.basename(path), [])
            if test and test not in tests:
                tests.append(test)
    return "; ".join(name + (": " + ", ".join(f"`{test}`" for test in tests) if tests else "")
                     for name, tests in sorted(by_file.items()))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    found = citations()
    old = open(PAGE, encoding="utf-8").read()
    new, wrong, known = [], [], set()
    for line in old.split("\n"):
        cells = line.split(" | ")
        peers = NAME.findall(cells[0]) if line.startswith("| `") else []
        if peers:
            known.update(peers)
            ours = cell(peers, found)
            if ours:
                cells[2] = ours + " |"
            elif not cells[2].startswith("none: "):
                wrong.append(f"{PAGE}: no test cites {peers[0]}: cite it, or write \"none: REASON\"")
            line = " | ".join(cells)
        new.append(line)
    for peer in sorted(set(found) - known):
        path, test = found[peer][0]
        wrong.append(f"{path}: {test or 'its first comment'} cites {peer}, which {PAGE} lacks")
    new = "\n".join(new)
    if "--check" in sys.argv[1:]:
        if new != old:
            wrong.append(f"{PAGE} is not up to date: run hack/peer-tests.py")
    elif new != old:
        open(PAGE, "w", encoding="utf-8").write(new)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
