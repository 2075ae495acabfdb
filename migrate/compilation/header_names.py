"""Foreign headers -> what they declare and which files they read, as clang sees them in one pass over all of them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cudamigrate.compilation import skipped_ranges
from cudamigrate.compilation.engines import clang as engine
from cudamigrate.compilation.passed_code import Declared, Pair
from cudamigrate.compilation.preamble import Survey
from cudamigrate.cuda.include_paths import closure, spelled
from cudamigrate.errors import CompilerCrashError
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Toolchain, Unit
from cudamigrate.project.scratch import scratch

_DEFINE = re.compile(r"#[ \t]*define[ \t]+(\w+)")
_BASIC = "basic_"
"""How templates of the library begin whose usual types have names of their own, declared before them: `string`."""
_KINDS = ("", "w", "u8", "u16", "u32")
"""How names of those types begin, by their characters."""
_WITHIN = ("LINKAGE_SPEC", "UNEXPOSED_DECL")
"""Kinds of declarations whose own are those of the namespace around: `extern "C" {`."""
_CALLABLE = ("FUNCTION_DECL", "FUNCTION_TEMPLATE", "USING_DECLARATION")
_ERROR = 3


def survey(unit: Unit, headers: Sequence[str], toolchain: Toolchain) -> Survey | None:
    """What headers bring, included one after another by the flags of a unit; None where clang did not survive."""
    _, _, options = next(iter(engine.passes(unit)))
    with scratch() as folder:
        source = os.path.join(folder, "headers.hip")
        Path(source).write_text("".join(f"#include <{name}>\n" for name in headers), encoding="utf-8")
        whole = replace(unit, root=folder, path="headers.hip")
        try:
            tree = engine.parse(whole, toolchain, options)
            skipped = skipped_ranges.everywhere(whole, toolchain, options)
        except CompilerCrashError:
            return None
        files = dict.fromkeys(str(one.include.name) for one in tree.get_includes())
        reads = _Reads(files, skipped, (*toolchain.headers, *toolchain.declarations))
        closures = {name: reads.closure(found) for name in headers if (found := reads.meant(source, name, False))}
        begun = _begun(tree, source)
        wrong = {str(one.location.file) for one in tree.diagnostics if one.severity >= _ERROR}
    names = _Names()
    names.read(tree.cursor)
    broken = frozenset(name for name, brought in closures.items() if not brought.isdisjoint(wrong))
    return Survey({file: names.of(file) for file in files}, closures, begun, broken)


def _begun(tree: Any, source: str) -> frozenset[str]:
    """The files that the compiler reads before those that the source includes."""
    found = set()
    for one in tree.get_includes():
        if one.location.file is not None and str(one.location.file.name) == source:
            break
        found.add(str(one.include.name))
    return frozenset(found)


@dataclass(slots=True)
class _Reads:
    """Which of some files a file includes, by the text that its conditionals leave."""

    files: Collection[str]
    skipped: Mapping[str, skipped_ranges.Skipped]
    folders: Sequence[str]
    _named: dict[str, list[str]] = field(default_factory=dict)
    _known: dict[str, list[str]] = field(default_factory=dict)

    def closure(self, start: Iterable[str]) -> frozenset[str]:
        """Some files, and all that they include."""
        return frozenset(closure(list(start), self._of))

    def meant(self, path: str, name: str, quoted: bool) -> list[str]:
        """The files that an include in a file may mean."""
        if not self._named:
            for file in self.files:
                self._named.setdefault(os.path.basename(file), []).append(file)
        beside = os.path.join(os.path.dirname(path), name)
        if quoted and beside in self.files:
            return [beside]
        first = next((one for folder in self.folders if (one := f"{folder}/{name}") in self.files), None)
        ending = "/" + name.lstrip("./")
        found = (one for one in self._named.get(os.path.basename(name), ()) if one.endswith(ending))
        return [first] if first is not None else list(found)

    def _of(self, path: str) -> list[str]:
        if path not in self._known:
            left = self.skipped.get(path, ())
            found = (one for one in spelled(_data(path)) if not skipped_ranges.within(one[2].start, left))
            self._known[path] = [file for name, quoted, _ in found for file in self.meant(path, name, quoted)]
        return self._known[path]


@dataclass(slots=True)
class _Names:
    """By file, what is declared: see `Declared`. `joins` are the namespaces around a directive that joins another."""

    outer: dict[str, set[str]] = field(default_factory=dict)
    inner: dict[str, set[Pair]] = field(default_factory=dict)
    functions: dict[str, set[str]] = field(default_factory=dict)
    spaces: dict[str, set[str]] = field(default_factory=dict)
    joins: dict[str, set[str]] = field(default_factory=dict)

    def read(self, cursor: Any, around: tuple[str, ...] = ()) -> None:
        """Take in what is declared directly in a namespace; what has no name belongs to the one around."""
        for one in cursor.get_children():
            kind, name = one.kind.name, str(one.spelling)
            file = "" if one.location.file is None else str(one.location.file.name)
            if kind == "NAMESPACE":
                self.spaces.setdefault(file, set()).add(name)
                self.read(one, (*around, name) if name else around)
            elif kind in _WITHIN:
                self.read(one, around)
            elif kind == "USING_DIRECTIVE":
                joined = [str(part.spelling) for part in one.get_children()]
                self.joins.setdefault(joined[-1] if joined else "", set()).update(around)
            else:
                values = [str(value.spelling) for value in one.get_children()] if kind == "ENUM_DECL" else []
                self._take(file, (*_spellings(name), *values), around, kind in _CALLABLE)

    def _take(self, file: str, names: Sequence[str], around: tuple[str, ...], callable_: bool) -> None:
        if not around:
            self.outer.setdefault(file, set()).update(names)
            return
        self.inner.setdefault(file, set()).update((space, name) for space in around for name in names)
        if callable_:
            self.functions.setdefault(file, set()).update(names)

    def of(self, file: str) -> Declared:
        """What a file declares."""
        inner = self.inner.get(file, set())
        joined = {(space, name) for of, name in inner for space in self.joins.get(of, ())}
        return Declared(
            outer=frozenset(self.outer.get(file, set()) - {""}),
            inner=frozenset(inner | joined),
            functions=frozenset(self.functions.get(file, ())),
            spaces=frozenset(self.spaces.get(file, set()) - {""}),
            macros=frozenset(_DEFINE.findall(_data(file).decode("utf-8", "replace"))),
        )


def _spellings(name: str) -> Iterator[str]:
    """The name of a declaration, and those that types made of a template have."""
    yield name
    if name.startswith(_BASIC):
        yield from (f"{kind}{name.removeprefix(_BASIC)}" for kind in _KINDS)


def _data(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
