"""Headers that no unit reads and that lack a header -> what is said of them where one unit includes several.

Nothing is claimed of a header that lacks another one: what counts is what it lacks. That is asked for once in each file
that it brings, whoever else brings that file too. So such headers are included one after another, and what they share
is parsed once. A header has what is said of the files that it brings.

What is before a header must not change what it reads: no other file defines a macro that one of its files asks for in a
conditional, its guard among them. A header is read alone where what it lacks is not certain so, or it is in no doubt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path

from cudamigrate.compilation import preamble
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.cuda.include_paths import closure, spelled
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Checked, Diagnostic, Toolchain, Unit
from cudamigrate.project.scratch import scratch
from cudamigrate.syntax import utf8
from cudamigrate.verification import doubts

_ASKED = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_DEFINED = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_NAME = "cudamigrate-headers"
"""How the units are called that include headers. A file of that name in the tree is none that it includes."""
_NO_OVERLAY = b'{"version": 0, "use-external-names": "false", "roots": []}'
_FEWEST, _MOST = 2, 32
"""How many headers one unit includes. More would leave other processes without work."""
_FIRST = "hip/hip_runtime.h"
"""What every unit reads, whoever includes it."""
_LACKING = ("missing-header", "stand-in")


@dataclass(slots=True)
class Group:
    """Headers that compile alike, with the files of the tree that each of them brings."""

    brought: dict[Unit, frozenset[str]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)

    @property
    def text(self) -> str:
        """What the unit holds that includes them; it is in the root of the tree."""
        return "".join(f'#include "{unit.path}"\n' for unit in self.brought)

    def unit(self, path: str, overlay: str) -> Unit:
        """The unit that includes them."""
        return replace(next(iter(self.brought)), path=path, overlay=overlay)


@dataclass(slots=True)
class _Macros:
    """The macros that files of a tree ask for in conditionals, and those that they define or take back."""

    text: Callable[[str], bytes]
    _known: dict[str, tuple[frozenset[bytes], frozenset[bytes]]] = field(default_factory=dict)

    def of(self, path: str) -> tuple[frozenset[bytes], frozenset[bytes]]:
        """What a file asks for, and what it defines."""
        if path not in self._known:
            data = self.text(path)
            asked = frozenset(word for line in _ASKED.findall(data) for word in _WORD.findall(line))
            self._known[path] = asked, frozenset(_DEFINED.findall(data))
        return self._known[path]

    def interfere(self, brought: frozenset[str], others: Collection[str]) -> bool:
        """Whether what a header brings may be read otherwise behind others: by macros of theirs, or of its own.

        Its own count where a file that it brings was read before them.
        """
        own, shared = brought.difference(others), brought.intersection(others)
        foreign = frozenset[bytes]().union(*(self.of(path)[1] for path in others if path not in brought))
        late = frozenset[bytes]().union(*(self.of(path)[1] for path in own))
        before = any(not foreign.isdisjoint(self.of(path)[0]) for path in brought)
        return before or any(not late.isdisjoint(self.of(path)[0]) for path in shared)


def grouped(units: Iterable[Unit], tree: IncludeResolver) -> list[Group]:
    """Those of some headers that may be read together, in their order."""
    macros = _Macros(tree.read)
    current: dict[tuple[object, ...], Group] = {}
    found: list[Group] = []
    for unit in units:
        if unit.host or unit.language != "hip" or not tree.lacks(unit.path):
            continue
        flags, brought = unit.flags, tree.closure(unit.path)
        key = (*preamble.key(unit), flags.includes, flags.after, flags.forced)
        group = current.get(key)
        if group is None or len(group.brought) == _MOST or macros.interfere(brought, group.files):
            group = current[key] = Group()
            found.append(group)
        group.brought[unit] = brought
        group.files |= brought
    return [group for group in found if len(group.brought) >= _FEWEST]


@contextmanager
def written(groups: Sequence[Group], tree: IncludeResolver) -> Iterator[tuple[list[Unit], IncludeResolver]]:
    """The units that include the headers of each group, and the tree with these units in its root."""
    texts = {f"{_NAME}-{number}.hip": group.text.encode() for number, group in enumerate(groups)}
    first = next((unit for group in groups for unit in group.brought), None)
    with scratch() as folder:
        known = Path(first.overlay).read_bytes() if first is not None and first.overlay else _NO_OVERLAY
        whole = json.loads(known)
        for path, text in texts.items():
            copy = os.path.join(folder, path)
            Path(copy).write_bytes(text)
            whole["roots"].append({"type": "file", "name": f"{tree.root}/{path}", "external-contents": copy})
        overlay = Path(folder) / "overlay.yaml"
        overlay.write_text(json.dumps(whole))
        units = [group.unit(path, str(overlay)) for group, path in zip(groups, texts, strict=True)]
        yield units, replace(tree, read=partial(_read, texts, tree.read))


def _read(texts: Mapping[str, bytes], others: Callable[[str], bytes], path: str) -> bytes:
    return texts[path] if path in texts else others(path)


def parted(group: Group, done: Checked, chosen: Toolchain, aim: doubts.Aim) -> dict[Unit, Checked]:
    """What is said of the headers of a group, given what is said of the unit that includes them.

    Those that have to be read alone are left out.
    """
    read, done = done.inside(next(iter(group.brought)).root), replace(done, seconds=done.seconds / len(group.brought))
    parts = {
        unit: _part(unit, brought & read, done, chosen, aim)
        for unit, brought in group.brought.items()
        if unit.path in read and not done.left_out
    }
    return {unit: part for unit, part in parts.items() if part is not None}


def _part(unit: Unit, brought: frozenset[str], done: Checked, chosen: Toolchain, aim: doubts.Aim) -> Checked | None:
    """What is said of one header, which brings some files of the tree; None where it has to be read alone."""
    own, *others = (os.path.join(unit.root, path) for path in (unit.path, *sorted(brought - {unit.path})))
    outside = _reached(brought, [path for path in done.read if not _is_inside(path, unit.root)], chosen, aim.text)
    said, clear, unclear = list[Diagnostic](), list[Diagnostic](), list[Diagnostic]()
    for entry in done.diagnostics:
        notes = tuple(note for note in entry.notes if _is_of(note.path, brought))
        if _home(entry) not in brought:
            unclear += [entry] if entry.place.path in outside else ()
        elif len(notes) == len(entry.notes):
            clear.append(entry)
            said.append(entry)
        else:  # another header led to it first; this one may not at all
            unclear.append(entry)
            said.append(replace(entry, notes=notes, said=()))
    answer = Checked(tuple(said), (own, *sorted({*others, *outside})), done.seconds, partial=True)
    lacking = {one.header for one in doubts.judged(clear, answer.read, unit, aim) if one.kind in _LACKING}
    more = {one.header for one in doubts.judged(unclear, answer.read, unit, aim) if one.kind in _LACKING}
    sure = any(entry.kind == "missing-header" for entry in clear) and more <= lacking
    return answer if sure and doubts.after_devices(answer, unit, aim) == "doubt" else None


def _home(entry: Diagnostic) -> str:
    """The file of the tree that something is said of, or that leads to the foreign one that it is said of.

    Where no code of the tree does, it is the one that includes the foreign file.
    """
    places = (entry.place, *entry.notes, *entry.included)
    return next((place.path for place in places if place.path and not os.path.isabs(place.path)), "")


def _is_of(path: str, brought: Collection[str]) -> bool:
    """Whether a file is among those of the tree that a header brings, or foreign."""
    return not path or os.path.isabs(path) or path in brought


def _is_inside(path: str, root: str) -> bool:
    return os.path.normpath(path).startswith(root.rstrip("/") + os.sep)


def _reached(
    brought: Iterable[str], outside: Sequence[str], chosen: Toolchain, text: Callable[[str], bytes]
) -> frozenset[str]:
    """Of the foreign files that a unit read, those that some files of the tree include, through others too.

    Those of the system count for every file: no verdict asks for them.
    """
    folders = tuple(f"{folder}{os.sep}" for folder in (*chosen.headers, *chosen.declarations))
    followed = [path for path in outside if path.startswith(folders)]
    named: dict[str, list[str]] = {}
    for path in followed:
        named.setdefault(os.path.basename(path), []).append(path)
    first = {_FIRST, *(name for path in brought for name, _, _ in spelled(text(path)))}
    start = [path for name in first for path in _ending(name, named)]
    found = closure(start, lambda path: (one for name in _spelled(path) for one in _ending(name, named)))
    return found.union(set(outside).difference(followed))


def _ending(name: str, named: Mapping[str, Sequence[str]]) -> list[str]:
    """The files that an include may mean."""
    ending = "/" + name.lstrip("./")
    return [path for path in named.get(os.path.basename(name), ()) if path.endswith(ending)]


@cache
def _spelled(path: str) -> tuple[str, ...]:
    """What a foreign header includes; nothing where it cannot be read."""
    with suppress(OSError), open(path, "rb") as stream:
        return tuple(name for name, _, _ in spelled(stream.read()))
    return ()
