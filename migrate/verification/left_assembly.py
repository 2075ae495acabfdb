"""PTX that is left in the text -> the units whose device code has it.

No type check sees it: the assembler does, of what the preprocessor takes and a kernel comes to. A macro or a function
of a header stops the units with a kernel that uses it, through others too; what nothing uses, stops none. Uses are
found by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from cudamigrate import parallel
from cudamigrate.compilation import skipped_ranges
from cudamigrate.compilation.engines import clang
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import Checked, Diagnostic, Place, Toolchain, Unit

_WORD = re.compile(rb"[A-Za-z_]\w*")
_KERNEL, _UNNAMED = b"__global__", b"operator()"
Answer = Literal["yes", "no", "unknown"]
"""Whether the device code of a unit has what is left; unknown where only what no name is used for comes to it."""

Entries = Mapping[str, Sequence[Diagnostic]]
"""Complaints by the path of the file that they fail."""


def found(
    left: Sequence[Diagnostic],
    units: Sequence[Unit],
    checked: Sequence[Checked],
    text: Callable[[str], bytes],
    chosen: Toolchain,
    jobs: int,
) -> Entries:
    """What is `left`, by the unit that it stops.

    By the file that it is in where no unit reads that, or none is known to come to it and one may.

    `text` gives the bytes of a file of the tree, converted where they are.
    """
    reading = {unit: done.inside(unit.root) for unit, done in zip(units, checked, strict=True)}
    tree = _Tree(text, sorted(frozenset[str]().union(*reading.values())))
    users = {
        entry: [unit for unit, read in reading.items() if tree.has(unit, entry.place, read, {}) != "no"]
        for entry in left
    }
    asked = list(dict.fromkeys(unit for several in users.values() for unit in several))
    skipped = _skipped(asked, chosen, jobs)
    result: dict[str, list[Diagnostic]] = {}
    for entry, several in users.items():
        answers = [tree.has(unit, entry.place, reading[unit], skipped.get(unit, {})) for unit in several]
        for unit, answer in zip(several, answers, strict=True):
            if answer == "yes":
                result.setdefault(unit.path, []).append(entry)
        is_read = any(entry.place.path in read for read in reading.values())
        if not is_read or ("yes" not in answers and "unknown" in answers):
            result.setdefault(entry.place.path, []).append(entry)
    return result


def _skipped(units: Sequence[Unit], chosen: Toolchain, jobs: int) -> dict[Unit, skipped_ranges.Ranges]:
    """What the first pass for a device skips of the files of each unit; nothing is known with an engine but clang."""
    asked = units if chosen.engine == "clang" else ()
    answers = parallel.run(partial(_ranges, chosen=chosen), asked, jobs, batch=1, lost=lambda *_: {})
    return dict(zip(asked, answers, strict=True))


def _ranges(unit: Unit, chosen: Toolchain) -> skipped_ranges.Ranges:
    _, _, options = next(clang.passes(unit))
    return skipped_ranges.of(unit, chosen, options)


@dataclass(slots=True)
class _Tree:
    """The files of a tree as far as names in them were asked for."""

    text: Callable[[str], bytes]
    paths: Sequence[str]
    _parsed: dict[str, ParsedFile] = field(default_factory=dict)
    _words: dict[str, frozenset[bytes]] = field(default_factory=dict)
    _users: dict[bytes, list[tuple[str, int, bytes]]] = field(default_factory=dict)
    _answers: dict[tuple[Unit, bytes, bool], Answer] = field(default_factory=dict)
    _offsets: dict[Place, int] = field(default_factory=dict)

    def has(self, unit: Unit, place: Place, read: frozenset[str], skipped: skipped_ranges.Ranges) -> Answer:
        """Whether the device code of a unit has a place, given the files that it reads and what it skips of them.

        Of a file of the unit's own that is all that the preprocessor takes.
        """
        at = self._offset(place)
        if unit.host or place.path not in read or skipped_ranges.within(at, skipped.get(place.path, ())):
            return "no"
        asked = unit, self._around(place.path, at), bool(skipped)
        if place.path != unit.path and asked not in self._answers:
            self._answers[asked] = self._is_used(asked[1], read, skipped)
        return "yes" if place.path == unit.path else self._answers[asked]

    def _is_used(self, first: bytes, read: frozenset[str], skipped: skipped_ranges.Ranges) -> Answer:
        """Whether a kernel among some files uses what has a name, itself or by others."""
        waiting, seen = [first], {first, b""}
        while waiting:
            name = waiting.pop()
            if name == _KERNEL:
                return "yes"
            for path, at, user in self._using(name) if name else ():
                if user not in seen and path in read and not skipped_ranges.within(at, skipped.get(path, ())):
                    seen.add(user)
                    waiting.append(user)
        return "unknown" if _UNNAMED in seen else "no"

    def _using(self, name: bytes) -> Sequence[tuple[str, int, bytes]]:
        """The files and places that have a name, with the macro or the function for the device that has it there."""
        if name not in self._users:
            found = self._users[name] = []
            for path in self.paths:
                if path not in self._words:
                    self._words[path] = frozenset(_WORD.findall(self.text(path)))
                if name in self._words[path]:
                    lexed = self._file(path).lexed
                    places = (at for at in lexed.places(name) if lexed.is_code(at))
                    found += [(path, at, user) for at in places if (user := self._around(path, at))]
        return self._users[name]

    def _offset(self, place: Place) -> int:
        if place not in self._offsets:
            starts = SourceFile("", self.text(place.path), "").line_starts()
            self._offsets[place] = starts[min(place.line, len(starts)) - 1] + place.column - 1
        return self._offsets[place]

    def _around(self, path: str, at: int) -> bytes:
        """The macro or the function for the device around a place; empty where there is none, or it is its own name.

        All kernels have one name, and so have all operators: no name shows who uses them.
        """
        parsed = self._file(path)
        directive = parsed.lexed.directive_at(at)
        if directive is not None:
            name = _WORD.search(parsed.data, directive.rest, directive.end) if directive.name == "define" else None
            return name[0] if name is not None and name.start() != at else b""
        function = parsed.function(at)
        is_inside = function is not None and function.body.start <= at < function.body.end
        return _named(parsed, function) if function is not None and is_inside else b""

    def _file(self, path: str) -> ParsedFile:
        if path not in self._parsed:
            self._parsed[path] = cuda.parse(SourceFile(path, self.text(path), "cuda"), frozenset())
        return self._parsed[path]


def _named(parsed: ParsedFile, function: Function) -> bytes:
    """What a function counts as; empty for one of the host."""
    name = function.name.rpartition("::")[2].encode()
    if function.scope != "device":
        return b""
    is_kernel = _KERNEL in parsed.data[function.span.start : function.body.start]
    return _KERNEL if is_kernel else name if _WORD.fullmatch(name) is not None else _UNNAMED
