"""Headers that a Makefile's commands copy to another folder, `cp src/*.h include`: they are there once it has run.

What a copy holds is known by that file alone, whoever includes it by its new place.
"""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.analysis import makefile_families, makefile_variables
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re

_CALLS = re.compile(rb"\bcp\b|\$[({]CP[)}]")
_PROGRAM = re.compile(r"[@+-]*(?:\S*/)?cp")
_VARIABLE = re.compile(r"\$[({]([\w.-]+)[)}]")
_FOLDER = re.compile(r"\bcd\b|\bpushd\b")
"""What makes the commands after it, in one line, count from another folder."""
_DEPTH = 8


def copies(makefiles: Mapping[str, bytes], paths: Iterable[str]) -> dict[str, str]:
    """The paths of the copies that `makefiles`, by path, make of the files `paths`, with the file of each.

    Paths are relative to the root of the tree. A path with a variable of no known value, or of several, is of no copy.
    """
    calling = {path for path, data in makefiles.items() if _CALLS.search(data)}
    if not calling:
        return {}
    folders: dict[str, list[str]] = {}
    for path in sorted(paths):
        folders.setdefault(posixpath.dirname(path), []).append(path)
    families, found = makefile_families.families(makefiles), dict[str, str]()
    for path in sorted(calling):
        variables = makefile_variables.read(path, {path: makefiles[path], **families.get(path, {})})
        for sources, target in _commands(variables):
            for one, to in _pairs(path, sources, target, folders):
                is_folder = posixpath.splitext(to)[1] != posixpath.splitext(one)[1]
                made = posixpath.join(to, posixpath.basename(one)) if is_folder else to
                found.setdefault(posixpath.normpath(posixpath.join(posixpath.dirname(path), made)), one)
    return found


def _commands(variables: Variables) -> Iterator[tuple[list[str], str]]:
    """What each command of the first Makefile copies, and where to."""
    file, rule = variables.files[0], ""
    for line in file.lines:
        text = file.text(line.value).decode("utf-8", "replace")
        rule = _expanded(variables, text) if line.kind == "rule" else rule
        if line.kind != "recipe" or _FOLDER.search(text):
            continue
        for part in makefile_variables.commands(file, line):
            words = _of_rule(_expanded(variables, file.text(part).decode("utf-8", "replace")), rule).split()
            if words and _PROGRAM.fullmatch(words[0]):
                named = [one.strip("\"'") for one in words[1:] if not one.startswith("-")]
                if len(named) > 1 and not any("$" in one for one in named):
                    yield named[:-1], named[-1]


def _of_rule(text: str, rule: str) -> str:
    """A command with the target of its rule, and the first file that this is made of, in the place of `$@` and `$<`."""
    targets, colon, made_of = rule.partition(":")
    one, others = targets.split(), made_of.split()
    if not colon or len(one) != 1 or not others or ":" in made_of:
        return text
    return text.replace("$@", one[0]).replace("$<", others[0])


def _expanded(variables: Variables, text: str, depth: int = _DEPTH) -> str:
    """A text with the values of the variables in it that have one."""

    def value(match: re.Match[str]) -> str:
        lines = variables.assigned.get(match[1], ())
        if len(lines) != 1 or not depth:
            return "cp" if match[1] == "CP" and not lines else match[0]
        file, line = lines[0]
        return _expanded(variables, file.text(line.value).decode("utf-8", "replace").strip(), depth - 1)

    return _VARIABLE.sub(value, text)


def _pairs(
    path: str, sources: Sequence[str], target: str, folders: Mapping[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """The files that a command copies, each with where to: `%` is the same there as in the name of the file."""
    for source in sources:
        before, _, behind = posixpath.basename(source).partition("%")
        for one in _files(path, source.replace("%", "*"), folders):
            name = posixpath.basename(one)
            yield one, target.replace("%", name[len(before) : len(name) - len(behind)])


def _files(path: str, source: str, folders: Mapping[str, list[str]]) -> Iterator[str]:
    """The files that a word of a Makefile's command names, a pattern or a path."""
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), source))
    folder, name = posixpath.split(whole)
    yield from (one for one in folders.get(folder, ()) if fnmatch.fnmatchcase(posixpath.basename(one), name))
