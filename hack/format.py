#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules of C style that clang-format does not know.

    hack/format.py [--check] FILE…

Changes the files that differ and names them; --check names the place instead and exits 1.

 - Includes stand in three groups: a file's own header, ours in quotes, the others.
 - No blank line parts the declarations at the head of a block from its statements: functions are
   short, and further declarations stand where their values are known.
 - `sizeof *p` and `sizeof array`: parentheses are for types only.
"""
import os
import re
import sys

KEYWORDS = set("break case continue default do else for goto if return sizeof switch typedef while".split())
DECLARATION = re.compile(
    r"    (?:(?:static|const|volatile|register|unsigned|signed|struct|enum|union|_Atomic) )*"
    r"([A-Za-z_]\w*)(?: (?:const|int|char|long|short|unsigned|double))* "
    r"(?:\*+(?:const )?|\(\*)?\s*([A-Za-z_]\w*)\s*(?:\[[^\]]*\])*\s*(?:=|;|,|\)\()"
)
SIZEOF = re.compile(r"\bsizeof\((\*+\w+(?:(?:->|\.)\w+|\[\w+\])*|\w+(?:(?:->|\.)\w+|\[\w+\])+)\)")


OPENING = re.compile(r"(?:.*\)|(?:\} )?else|do)? ?\{$")


def is_declaration(line, indent):
    line = line.removeprefix(indent)
    if re.match(r"    (struct|enum|union) \w+ \{", line) or line.startswith("    VEC("):
        return True
    found = DECLARATION.match(line)
    return bool(found) and not {found.group(1), found.group(2)} & KEYWORDS


def statement_end(lines, at):
    """The line behind the statement that begins at @at."""
    depth = 0
    in_comment = False
    while at < len(lines):
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', "", lines[at])
        if in_comment:
            in_comment = "*/" not in code
            code = code.partition("*/")[2]
        code = re.sub(r"/\*.*?\*/|//.*", "", code)
        if "/*" in code:
            in_comment = True
            code = code.partition("/*")[0]
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        ends = ends_here = code.rstrip().endswith(";") and depth <= 0
        at += 1
        if ends_here or (ends and not in_comment):
            while in_comment and at < len(lines):
                in_comment = "*/" not in lines[at]
                at += 1
            return at
    return at


def comment_end(lines, at):
    """The line behind the comment that begins at @at; @at when there is no comment."""
    if not lines[at].lstrip().startswith("/*"):
        return at
    while at < len(lines) and "*/" not in lines[at]:
        at += 1
    return at + 1


def join_declarations(lines):
    out = []
    at = 0
    while at < len(lines):
        out.append(lines[at])
        at += 1
        if not OPENING.match(out[-1].lstrip()) or at == len(lines):
            continue
        start = at
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip()) - 4]
        while at < len(lines):
            after = comment_end(lines, at)
            if after >= len(lines) or not is_declaration(lines[after], indent):
                break
            at = statement_end(lines, after)
        out += lines[start:at]
        while at > start and at < len(lines) and not lines[at]:
            at += 1
    return out


def group_includes(path, text):
    """Each run of includes with nothing but blank lines between them becomes three groups."""
    own = f'#include "{os.path.splitext(os.path.basename(path))[0]}.h"'

    def grouped(run):
        lines = [line for line in run.group().split("\n") if line]
        quoted = sorted({line for line in lines if '"' in line and line != own})
        others = sorted({line for line in lines if '"' not in line})
        groups = [[own] if own in lines else [], quoted, others]
        blanks = len(run.group()) - len(run.group().rstrip("\n"))
        return "\n\n".join("\n".join(group) for group in groups if group) + "\n" * blanks

    return re.sub(r'(?:^#include ["<][^">\n]+[">]\n+)+', grouped, text, flags=re.M)


def formatted(path, text):
    text = group_includes(path, SIZEOF.sub(r"sizeof \1", text))
    return "\n".join(join_declarations(text.split("\n")))


def first_difference(text, wanted):
    pairs = zip(text.split("\n"), wanted.split("\n"))
    return next(number for number, (a, b) in enumerate(pairs, 1) if a != b)


def main(arguments):
    check = arguments[:1] == ["--check"]
    different = False
    for path in arguments[check:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        wanted = formatted(path, text)
        if wanted == text:
            continue
        different = True
        if check:
            print(f"{path}:{first_difference(text, wanted)}: run hack/format.sh")
            continue
        print(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
    return 1 if check and different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
