"""Text of a Makefile or a script that works out a folder from where a program is found -> which folder that is.

`$(shell dirname $(shell dirname $(shell which nvcc)))` is the folder above that of the program. Nothing is run: what
the text does to a path is followed by its words.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from cudamigrate.lazy_re import re

PROGRAM, BESIDE, ROOT = "program", "beside", "root"
"""The path of the program itself, the folder that it lies in, and the one above that."""
_AT = "/\x00/bin/"
_LONGEST = 400
_QUIET = r"(?:\s*2>\s*/dev/null)?"
_PATH = r"(?P<path>/\x00[^\s\"'`(){}$|;&,]*)"


def _given(match: re.Match[str]) -> str:
    return str(match["path"] or match["ticks"])


def _plain(path: str) -> str:
    return posixpath.normpath(path)


def _without(match: re.Match[str]) -> str:
    """A path without the end that is taken off it."""
    return match["path"].removesuffix(match["end"].replace("\\", ""))


def _cut(match: re.Match[str]) -> str:
    """A path without its last parts, as `cut` takes them off from behind."""
    return match["path"].rsplit("/", int(match["first"]) - 1)[0]


def _called(match: re.Match[str]) -> str:
    """What a program that is given a path prints."""
    tool, path = match["tool"], match["path"]
    return posixpath.dirname(path.rstrip("/")) if tool == "dirname" else path if tool == "echo" else _plain(path)


_TICKS = _PATH.replace("path", "ticks")
_END = r"(?P<end>/[\w./]+?)"
_ESCAPED = r"(?P<end>(?:\\/[\w.]+)+(?:\\/)?)"
"""The same between slashes, as sed has it: `\\/bin\\/nvcc`."""
_SED = rf"[\"']?s(?P<mark>[|,#@!]){_END}\$?(?P=mark)(?P=mark)g?[\"']?"
_STEPS = (
    (re.compile(rf"[\"']{_PATH}[\"']"), lambda m: m["path"]),
    (re.compile(rf"\$\(shell\s+{_PATH}{_QUIET}\s*\)"), lambda m: m["path"]),
    (re.compile(rf"\$?\$\(\s*{_PATH}{_QUIET}\s*\)|\\?`{_TICKS}{_QUIET}\\?`"), _given),
    (re.compile(rf"\$\((?:realpath|abspath|strip|lastword|firstword)\s+{_PATH}\s*\)"), lambda m: _plain(m["path"])),
    (re.compile(rf"\$\(dir\s+{_PATH}\s*\)"), lambda m: posixpath.dirname(m["path"]) + "/"),
    (re.compile(rf"\$\(patsubst\s+%{_END},%,\s*{_PATH}\s*\)"), _without),
    (re.compile(rf"\$\(subst\s+{_END},,\s*{_PATH}\s*\)"), _without),
    (re.compile(rf"{_PATH}\s*\|\s*sed\s+(?:-e\s*)?{_SED}"), _without),
    (re.compile(rf"{_PATH}\s*\|\s*sed\s+(?:-e\s*)?[\"']?s/{_ESCAPED}\$?//g?[\"']?"), _without),
    (re.compile(rf"{_PATH}\s*\|\s*rev\s*\|\s*cut\s+-d\s*[\"']?/[\"']?\s+-f\s*(?P<first>\d)-\s*\|\s*rev\b"), _cut),
    (re.compile(rf"{_PATH}\s*\|\s*xargs\s+(?P<tool>dirname|realpath|readlink -f)\b"), _called),
    (re.compile(rf"\b(?P<tool>dirname|realpath|readlink\s+-[fe]+|echo)\s+(?:--\s+)?{_PATH}"), _called),
    (re.compile(rf"\bcd\s+{_PATH}\s*(?:&&|;)\s*pwd(?:\s+-[LP])?"), lambda m: _plain(m["path"])),
)  # fmt: skip
"""What a step of the text gives, from the inside out."""


_BEFORE = re.compile(
    r"(?:-Wl,--?rpath(?:-link)?[=,]|-(?:[LIRB]|isystem)|--?\w[\w-]*=|[A-Za-z_]\w*[?:+]?=|@|[\"'])*", re.ASCII
)
"""What is before a path in a word: `-L`, `-Wl,-rpath=`, `LD_LIBRARY_PATH=`."""
_QUOTED = re.compile(r"""\A(["'])(.*?)\1(?=/|\Z)""", re.DOTALL)
"""Quotes around the first part of a path, which the shell takes away."""


def folder(text: str, program: str) -> str:
    """`PROGRAM`, `BESIDE` or `ROOT`, where the whole text is what gives that for a program; else empty."""
    if program not in text or len(text) > _LONGEST:
        return ""
    asked = re.compile(rf"\b(?:which|command\s+-v|type\s+-[pP])\s+{re.escape(program)}{_QUIET}(?![\w.-])")
    found = asked.sub(_AT + program, text.strip())
    before = ""
    while before != found:
        before = found
        for pattern, gives in _STEPS:
            found = pattern.sub(gives, found)
    if "\x00" not in found or re.search(r"[\s\"'`(){}$|;&,]", found) or not found.startswith("/\x00"):
        return ""
    ends = {f"/\x00/bin/{program}": PROGRAM, "/\x00/bin": BESIDE, "/\x00": ROOT}
    return ends.get(_plain(found), "")


def place(word: str, is_root: Callable[[str], bool]) -> tuple[int, int] | None:
    """Where a word has such a folder at the begin of a path, `$(BIN)/..` in `-L$(BIN)/../lib64`, and not one above it.

    `is_root` says of a text whether it gives the folder.
    """
    before = _BEFORE.match(word)
    begin = before.end() if before is not None else 0
    if begin and word[begin - 1] in "\"'" and f"{word[begin - 1]}/" in word[begin:]:
        begin -= 1  # quotes around a part: `"$(dir $(NVCC))"/..`
    ends = [at for at in _ends(word, begin) if is_root(_QUOTED.sub(r"\2", word[begin:at], count=1))]
    return (begin, ends[-1]) if ends and not word.startswith("/..", ends[-1]) else None


def _ends(word: str, begin: int) -> Iterator[int]:
    """Where a path in a word may end: before each slash outside of brackets, and at the end or a quote.

    Quotes that the path begins with end before a slash.
    """
    depth, ticks = 0, False
    quoted = _QUOTED.match(word[begin:])
    for at in range(begin + (quoted.end() if quoted is not None else 0), len(word)):
        letter = word[at]
        depth += (letter in "({") - (letter in ")}")
        ticks = ticks != (letter == "`")
        if depth <= 0 and not ticks and letter in "/\"',:":
            yield at
            if letter != "/":
                return
    yield len(word)
