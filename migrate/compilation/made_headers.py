"""Headers that Makefiles make: by a rule, by a recipe that writes one, or by `$(shell ...)`, each with its command.

Nothing is run: what such a header declares is not known, and no other file of the tree is taken for it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from cudamigrate.compilation import include_closure, makefile_flags
from cudamigrate.compilation.make_functions import UNKNOWN
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import makefile

_ENDINGS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inc", ".inl")
_COMPILED = re.compile(
    r"\.(?:a|bin|c|cc|cpp|cu|cubin|cxx|d|dll|exe|fatbin|gz|html|lib|log|o|obj|out|pdf|ptx|py|sh|so|tar|tgz|txt|zip)"
)
"""Endings of targets that no source includes; a file of options that a rule writes, `select.opt`, may be included."""
_MAKEFILE = re.compile(r"(?:GNUmakefile|[Mm]akefile(?:\.[\w.-]+)?|[\w.-]+\.ma?k)")
_WRITES = re.compile(r"(?:>>?|\s-o|\s--output[= ])\s*[\"']?([^\s\"'`;|&<>]+)")
"""What a command of a shell writes: `> tables.h`, `-o tables.h`."""
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_SHELL = re.compile(r"\$[({]shell\s+(.*)[)}]")
_SHOWN = 80
"""Characters of a command that are named."""
_LARGEST = 1 << 20
"""Bytes of a Makefile beyond which it is passed over."""


@dataclass(frozen=True, slots=True)
class MadeHeader:
    """A header by its path below the tree, which may hold `%` as make's patterns do; its command, and where that is."""

    path: str
    command: str
    place: str

    def is_meant(self, name: str) -> bool:
        """Whether an include spells this header: by its path, by the end of that, or with more folders before it."""
        if "%" in self.path:
            return fnmatchcase(os.path.basename(name), os.path.basename(self.path).replace("%", "*"))
        ours, theirs = f"/{self.path}", f"/{name.lstrip('./')}"
        return ours.endswith(theirs) or theirs.endswith(ours)

    @property
    def title(self) -> str:
        """How it is made, in words."""
        return f"made by `{self.command}`, {self.place}"


def read(root: Path, paths: Collection[str]) -> tuple[MadeHeader, ...]:
    """The headers that the Makefiles below `root` make, without those that are among its files, `paths`."""
    named = sorted(path for path in include_closure.files(root) if _MAKEFILE.fullmatch(os.path.basename(path)))
    found = (one for path in named for one in _of_makefile(root, path))
    return tuple(dict.fromkeys(one for one in found if one.path not in paths and not _is_there(root, one.path)))


def _is_there(root: Path, path: str) -> bool:
    """Whether a target that is no header by its name is in the tree already."""
    return not path.endswith(_ENDINGS) and (root / path).is_file()


def meant(made: Collection[MadeHeader], name: str) -> MadeHeader | None:
    """The first of some headers that an include spells; None where it is none of them."""
    return next((one for one in made if one.is_meant(name)), None)


def _of_makefile(root: Path, path: str) -> Iterator[MadeHeader]:
    try:
        data = read_linked(root / path)
    except OSError:
        return
    if len(data) > _LARGEST or not any(ending.encode() in data for ending in _ENDINGS):
        return
    try:
        reading = makefile_flags.read(root / path, root)
        for target, command, line in _written(data, reading):
            place = os.path.normpath(os.path.join(os.path.dirname(path), target))
            inside = target.rpartition("/")[2] if place.startswith(("..", "/")) else place
            yield MadeHeader(inside, command, f"{path}:{line}")
    except ValueError:
        return  # a Makefile that nobody can follow makes nothing that is known


def _written(data: bytes, reading: makefile_flags.Reading) -> Iterator[tuple[str, str, int]]:
    """The headers that the lines of a Makefile make, each with its command and line."""
    targets, expanded = list[str](), partial(_names, reading)
    for line in makefile.read(data):
        text = data[line.span.start : line.span.end].decode("utf-8", "replace").replace("\\\n", " ")
        number = data.count(b"\n", 0, line.span.start) + 1
        if line.kind == "rule":
            named, _, rest = text.partition(":")
            targets = list(expanded(named, of_rule=True))
            text = rest.partition(";")[2]
        command = " ".join(text.strip().lstrip("@-+").split())
        shell = _SHELL.search(text)
        if line.kind == "recipe" or (line.kind == "rule" and command):
            if targets and not command.startswith("mkdir") and not _is_message(command):
                yield from ((one, _shown(command, one), number) for one in targets)
                targets = []
            yield from ((one, _shown(command, one), number) for one in expanded(" ".join(_WRITES.findall(command))))
        elif shell is not None:
            written = expanded(" ".join(_WRITES.findall(shell[1])))
            yield from ((one, _shown(shell[1], one), number) for one in written)


def _is_message(command: str) -> bool:
    """Whether a command only tells people something: an `echo` of which nothing goes into a file."""
    return command.startswith('echo "') and _WRITES.search(_QUOTED.sub("", command)) is None


def _names(reading: makefile_flags.Reading, text: str, of_rule: bool = False) -> Iterator[str]:
    """The headers that a text names with variables replaced; of one whose folder is not known, its own name.

    The target `of_rule` may be called otherwise: what includes it says that it is one.
    """
    for word in reading.expanded(text).split() if "." in text or "$" in text else ():
        known = word.rpartition(UNKNOWN)[2].lstrip("/") if UNKNOWN in word else word
        name = known.rpartition("/")[2]
        ending = os.path.splitext(name)[1]
        if (ending in _ENDINGS or (of_rule and _is_included(name, ending))) and name not in _ENDINGS:
            yield known


def _is_included(name: str, ending: str) -> bool:
    """Whether a target may be included by its name: one file, with an ending that is not of what compilers make."""
    return "%" not in name and ending[1:].isalpha() and _COMPILED.fullmatch(ending.lower()) is None


def _shown(command: str, target: str) -> str:
    """A command on one line, with the target in its place."""
    whole = " ".join(command.replace("$@", target).split())
    return whole if len(whole) <= _SHOWN else f"{whole[:_SHOWN]}..."
