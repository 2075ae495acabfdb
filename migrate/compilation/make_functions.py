"""Functions of make that rearrange words -> their values, as far as nothing but the Makefile decides them.

Source: GNU make's manual, "Functions for Transforming Text" and "Substitution References".
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from glob import glob

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile

_OF_EACH: Mapping[str, Callable[[str], str]] = {
    "notdir": lambda word: word.rpartition("/")[2],
    "dir": lambda word: word[: word.rfind("/") + 1] or "./",
    "basename": lambda word: os.path.splitext(word)[0],
}
"""Functions of one list of words, by what each becomes."""
PURE = ("addprefix", "addsuffix", "patsubst", "strip", "abspath", "filter", "filter-out", "sort", *_OF_EACH)
"""Those whose value is their arguments' doing alone, all of them expanded first."""
UNKNOWN = "\x00"
"""Stands in a value for a part that only a run of make would know."""
_FOLDER_OF = re.compile(rb"(?:^|[\s\"'])-(?:I|L|isystem[ \t]*)\Z")
"""An option that a folder belongs to, at the end of a text."""
_NEAR = 20
"""Bytes before a place in which such an option is looked for."""
_AUTOMATIC = re.compile(r"\$(?:\$|(?P<name>[@<^?+*%|]))")
"""A variable that make sets for each target, `$*`, or a dollar for the shell, `$$`."""


def value(name: str, given: Sequence[str], folder: str) -> str:
    """The value of one of `PURE` in a Makefile that is run in `folder`; `UNKNOWN` where too little is given."""
    if name == "strip":
        return " ".join(given[0].split()) if given else ""
    if name == "abspath":
        return " ".join(os.path.normpath(os.path.join(folder, word)) for word in " ".join(given).split())
    if name in _OF_EACH:
        return " ".join(map(_OF_EACH[name], given[0].split()))
    if name == "sort":
        return " ".join(sorted(set(given[0].split())))
    if len(given) < (3 if name == "patsubst" else 2):
        return UNKNOWN
    if name == "patsubst":
        return substituted(given[0].strip(), given[1].strip(), given[2])
    if name.startswith("filter"):
        fits = {word for one in given[0].split() for word in given[1].split() if substituted(one, "", word) != word}
        return " ".join(word for word in given[1].split() if (word in fits) == (name == "filter"))
    put = given[0].lstrip()  # make keeps the blank in `$(addprefix -Xcompiler ,$(FLAGS))`
    return " ".join(put + word if name == "addprefix" else word + put for word in given[1].split())


def found_files(patterns: str, folder: str, root: str) -> str:
    """The files of the tree at `root` that patterns mean for a make in `folder`, `src/*.cu`; `UNKNOWN` where none does.

    A build may make what a fresh copy of the tree has not, and what is outside is the machine's.
    """
    found = list[str]()
    for pattern in patterns.split():
        whole = os.path.normpath(os.path.join(folder, pattern))
        if not folder or UNKNOWN in pattern or "**" in pattern or not whole.startswith(root.rstrip(os.sep) + os.sep):
            return UNKNOWN
        begin = pattern.rpartition("/")[0]
        found += [os.path.join(begin, os.path.basename(one)) for one in sorted(glob(whole))]
    return " ".join(found) or UNKNOWN


def substituted(pattern: str, made: str, words: str) -> str:
    """The words, and for those that fit a pattern, `src/%.c`, what is made of them: `%.o`."""
    start, wild, end = pattern.partition("%")
    found = []
    for word in words.split():
        fits = word == pattern if not wild else len(word) >= len(start + end) and word.startswith(start)
        fits = fits and word.endswith(end)
        middle = word[len(start) : len(word) - len(end)] if wild else ""
        found.append(made.replace("%", middle, 1) if fits else word)
    return " ".join(found)


def referred(reference: str, words: str) -> str:
    """The words after a substitution reference: `%.c=%.o`, or `.c=.o`, which is about the ends of words."""
    pattern, given, made = reference.partition("=")
    if not given:
        return UNKNOWN
    return substituted(pattern, made, words) if "%" in pattern else substituted(f"%{pattern}", f"%{made}", words)


def of_nothing(text: bytes, place: Span) -> str:
    """What a variable without a value gives: nothing, or `UNKNOWN` where an option has to have it, `-I$(LIB_PATH)`.

    Without a folder the option would take the next one for it. Whoever runs make is to set such a variable.
    """
    ends = not text[place.end : place.end + 1].strip()
    before = text[max(0, place.start - _NEAR) : place.start]
    return UNKNOWN if ends and _FOLDER_OF.search(before) is not None else ""


def parted(text: str) -> list[str]:
    """The words of a command as the shell parts them; at blanks alone where a quote does not end."""
    try:
        return shlex.split(text, comments=False)
    except ValueError:
        return text.split()


def automatic(text: str, stem: str) -> str:
    """A recipe's text with the stem for `$*`, where it is known, and `UNKNOWN` for what else make sets for a target."""

    def value(match: re.Match[str]) -> str:
        if match["name"] is None:
            return match[0]
        return stem if stem and match["name"] == "*" else UNKNOWN

    return _AUTOMATIC.sub(value, text)


def stem(rule: str, named: Iterable[str]) -> str:
    """What `%` stands for in a rule, `v%: a.cu` or `v1: v%: a.cu`, where one of the names fits it; empty else."""
    sides = rule.split(":")
    static = len(sides) > 2 and "%" in sides[1]
    start, wild, end = (sides[1] if static else sides[0]).strip().partition("%")
    if not wild or " " in start + end:
        return ""
    names = sides[0].split() if static else named
    fitting = (name for name in names if name.startswith(start) and name.endswith(end) and "%" not in name)
    found = {name[len(start) : len(name) - len(end)] for name in fitting if len(name) > len(start + end)}
    return found.pop() if len(found) == 1 else ""


def variable(text: str) -> str:
    """The name of the variable that a text refers to and nothing else, empty for any other text."""
    data = text.strip().encode()
    found = list(makefile.expansions(data, 0, len(data)))
    if len(found) != 1 or (found[0].span.start, found[0].span.end) != (0, len(data)) or found[0].pattern is not None:
        return ""
    if found[0].name == "strip" and len(found[0].args) == 1:
        return variable(data[found[0].args[0].start : found[0].args[0].end].decode("utf-8", "replace"))
    return "" if found[0].args else found[0].name


def sides(text: str) -> tuple[str, str] | None:
    """The two texts that `ifeq` compares: `(a,b)`, or two quoted words."""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        depth = 0
        for at, letter in enumerate(text[1:-1], 1):
            depth += (letter in "({") - (letter in ")}")
            if letter == "," and not depth:
                return text[1:at], text[at + 1 : -1]
        return None
    quoted = text.split(text[:1]) if text[:1] in ("'", '"') else []
    return (quoted[1], quoted[3]) if len(quoted) == 5 else None
