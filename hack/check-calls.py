#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what object files refer to against the rooms of the tree (hack/rooms.txt).

    hack/check-calls.py BUILD [--all]

Prints each reference from a room to one that it may not use, each circle of rooms, and each circle
of files inside a room that is not in KNOWN, and exits 1. An #include may be of a low header whose
function is defined further up; the linker's symbols show that. --all prints the known circles too.
"""
import collections
import pathlib
import subprocess
import sys

# Circles of files that stay. Each is one recursion over a document that two files share.
KNOWN = [
    # A strategic merge of a list merges its items, which are maps, and those hold lists.
    {
        "runtime/testing/apiserver/patch/patch_list.c",
        "runtime/testing/apiserver/patch/patch_strategic.c",
    },
]


def read_rooms(path):
    rooms = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            room, _, used = line.partition(":")
            rooms[room] = used.split()
    return rooms


def part_of(room):
    for part in ("gen", "runtime/src", "runtime/testing"):
        if room == part or room.startswith(part + "/"):
            return part
    return ""


def may_use(rooms, user, used):
    if user == used:
        return True
    below = used[len(part_of(used)) + 1 :]
    if not below:
        return False
    return any(below == name or below.startswith(name + "/") for name in rooms[user])


def objects(build, root):
    """Each object file of a source in a room: (source's path in the tree, path of the object)."""
    for path in sorted(pathlib.Path(build).rglob("*.c*.o")):
        parts = path.relative_to(build).as_posix().split("/")
        if "CMakeFiles" not in parts:
            continue
        at = parts.index("CMakeFiles")
        source = "/".join(parts[:at] + parts[at + 2 :])[: -len(".o")]
        if (root / source).exists():
            yield source, path


def symbols(path):
    defined, used = set(), set()
    for line in subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines():
        fields = line.split()
        if fields[-2] == "U":
            used.add(fields[-1])
        elif fields[-2] in "TDBRC":
            defined.add(fields[-1])
    return defined, used


def circles(edges):
    """The strongly connected sets of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            members = set()
            while True:
                members.add(stack.pop())
                if node in members:
                    break
            if len(members) > 1:
                found.append(frozenset(members))

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = pathlib.Path(__file__).resolve().parent.parent
    rooms = read_rooms(root / "hack/rooms.txt")
    where, uses = {}, {}
    for source, path in objects(arguments[0], root):
        if source.rpartition("/")[0] in rooms:
            defined, uses[source] = symbols(path)
            where.update(dict.fromkeys(defined, source))
    if not uses:
        print(f"{arguments[0]}: no object files of this tree", file=sys.stderr)
        return 2

    failed = False
    files, folders = collections.defaultdict(set), collections.defaultdict(set)
    for source, names in sorted(uses.items()):
        room = source.rpartition("/")[0]
        for name in sorted(names):
            target = where.get(name)
            if not target or target == source:
                continue
            files[source].add(target)
            other = target.rpartition("/")[0]
            if other != room:
                folders[room].add(other)
            if part_of(other) == part_of(room) and not may_use(rooms, room, other):
                print(f"{source}: {name} is in {target}, which {room} may not use")
                failed = True
    for members in circles(folders):
        print("a circle of rooms: " + " ".join(sorted(members)))
        failed = True
    inside = {
        source: {t for t in targets if t.rpartition("/")[0] == source.rpartition("/")[0]}
        for source, targets in files.items()
    }
    for members in circles(inside):
        known = members in [frozenset(k) for k in KNOWN]
        if not known or "--all" in arguments:
            print("a circle of files: " + " ".join(sorted(members)))
        failed = failed or not known
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
