"""Which complaints say nothing of the code: a header is missing, a stand-in is incomplete, HIP's headers are older.

A unit of which one pass leaves such a doubt is not judged, whatever another pass says.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import BROKEN, OF_MACRO, OUTSIDE, Checked, Diagnostic, Place, Unit
from cudamigrate.verification import libraries as lookup
from cudamigrate.verification import newer_releases, originals, own_names

_SIDES = re.compile(
    rb"\b(?:__HIP_DEVICE_COMPILE__|__CUDA_ARCH|__HIP_ARCH|__AMDGCN|__amdgcn|__gfx|__GFX|__x86_64|__aarch64|__SSE|__AVX"
    rb"|__has_builtin|__is_target)"
)
"""How macros begin that differ between the passes for the device and for the host."""
_OF_HOST = re.compile(
    r"reference to __host__ (?:variable|function) '.*' in __(?:global|device|host__ __device)__ function"
)
"""What clang says of code of the host's alone where it makes code for the device."""
State = Literal["settled", "doubt", "open"]
"""Whether the passes for the devices decide the verdict, leave a doubt that only an error which is certain could take
away, or leave it open, so that the pass for the host has to be made."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What doubts depend on: the release aimed at, the names that it has, and whose headers are CUDA's.

    `text` gives the bytes of a file of the tree. `wanted` are the errors that are looked for in CUDA code, by its unit.
    """

    release: newer_releases.Release
    is_cuda: Callable[[str], object]
    text: Callable[[str], bytes]
    wanted: Mapping[str, frozenset[originals.Error]] = field(default_factory=dict)


def judged(entries: Iterable[Diagnostic], read: Sequence[str], unit: Unit, aim: Aim) -> list[Diagnostic]:
    """The complaints about a unit that read some files, each as what it is; places in foreign files are the tree's."""
    incomplete = lookup.partial(read)
    entries = _at_their_use(list(entries))
    inside = [os.path.relpath(path, unit.root) for path in read if path.startswith(unit.root + os.sep)]
    is_own = cache(lambda name: any(own_names.declares(aim.text(path), name) for path in inside))
    kept = (_lacking(newer_releases.newer(entry, aim.release, read, is_own), incomplete) for entry in entries)
    return _with_consequences(_of_macros([_left(_inside(entry, unit), aim) for entry in kept]))


def _of_macros(entries: list[Diagnostic]) -> list[Diagnostic]:
    """The complaints; headers that a macro of the tree breaks are no others, and it is certain that they are broken."""
    if not any(one.message.endswith(OF_MACRO) for one in entries):
        return entries
    kept = (one for one in entries if one.kind != "missing-header" or not one.header.endswith(BROKEN))
    return [replace(one, certain=True) if one.message.endswith(OF_MACRO) else one for one in kept]


def once(entries: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Complaints without those that a second pass repeats, in their order: what follows from one is behind it."""
    seen: set[tuple[Place, str]] = set()
    for entry in entries:
        if (entry.place, entry.message) not in seen:
            seen.add((entry.place, entry.message))
            yield entry


def after_devices(done: Checked, unit: Unit, aim: Aim) -> State:
    """What the passes for the devices leave to say.

    A header of CUDA's that is still included fails the unit: a compiler ends there, and what else the host may see is
    seen once that header is gone. Of CUDA code only the errors that are looked for count: it is settled where all are
    found.
    """
    if unit.language == "cuda":
        return "settled" if originals.are_found(aim.wanted.get(unit.path, frozenset()), done) else "open"
    entries = judged(done.diagnostics, done.read, unit, aim)
    if any(entry.kind == "error" and entry.header for entry in entries):
        return "settled"
    lacking = any(entry.kind in ("missing-header", "stand-in") for entry in entries)
    return "doubt" if lacking and not any(entry.certain and entry.kind == "error" for entry in entries) else "open"


def asks_for_side(path: str, aim: Aim) -> bool:
    """Whether a file of the tree asks for what differs between the passes for the device and for the host."""
    return _SIDES.search(aim.text(path)) is not None


def _lacking(entry: Diagnostic, incomplete: Sequence[lookup.Library]) -> Diagnostic:
    """An error that a library's own headers may not give, where only a stand-in of ours was there."""
    library = lookup.lacking(entry, incomplete) if entry.kind == "error" else None
    if library is not None:
        return replace(entry, kind="stand-in", header=library.title)
    return replace(entry, certain=True) if not entry.certain and lookup.is_certain(entry) else entry


def _with_consequences(entries: list[Diagnostic]) -> list[Diagnostic]:
    """The complaints with what a name that only a stand-in lacks leads to, behind it in its line: `n::get<T>(x).y`.

    Where the name is not known, `<` is a comparison. What is not declared itself is a complaint of its own.
    """
    lacking: dict[tuple[str, int], Diagnostic] = {}
    for one in entries:
        if one.kind == "stand-in" and lookup.is_absent(one):
            lacking.setdefault((one.place.path, one.place.line), one)
    result = []
    for one in entries:
        before = lacking.get((one.place.path, one.place.line)) if one.kind == "error" else None
        if before is not None and before.place.column < one.place.column and not lookup.is_absent(one):
            one = replace(one, kind="stand-in", header=before.header, certain=False)
        result.append(one)
    return result


def _at_their_use(entries: list[Diagnostic]) -> list[Diagnostic]:
    """The complaints; what is the host's alone in a template of a foreign header is at the line that has it made.

    clang speaks of such code only where it is made for the device, and of the line of the tree that asks for it in a
    complaint of its own, whose note is in that header: `std::vector<int> v` in a function for both sides.
    """
    by_header: dict[str, Diagnostic] = {}
    for one in entries:
        if _OF_HOST.match(one.message) and not os.path.isabs(one.place.path):
            for note in one.notes:
                by_header.setdefault(note.path, one)
    moved = []
    for one in entries:
        used = by_header.get(one.place.path) if _OF_HOST.match(one.message) and os.path.isabs(one.place.path) else None
        moved.append(one if used is None else replace(one, place=used.place, notes=(one.place, *one.notes)))
    return moved


def _left(entry: Diagnostic, aim: Aim) -> Diagnostic:
    """A header of CUDA's, or of a PyTorch for CUDA, that is still included is an error, not something to install."""
    if entry.kind != "missing-header" or not aim.is_cuda(entry.header) or lookup.brings(entry.header):
        return entry
    return replace(entry, kind="error", message=lookup.foreign((entry.header,)))


def _inside(entry: Diagnostic, unit: Unit) -> Diagnostic:
    """The diagnostic at the line of the tree whose include chain leads to the error in a foreign header."""
    if not os.path.isabs(entry.place.path) and entry.place.path:
        return entry
    if near := [note for note in entry.notes if note.path and not os.path.isabs(note.path)]:
        return replace(entry, place=near[0])
    led = [place for place in entry.included if not os.path.isabs(place.path)]
    began = led[0] if led else Place(unit.path, 1, 1)
    if entry.kind != "error" or not entry.place.path:
        return replace(entry, place=began)
    header = os.path.basename(entry.place.path)
    message = f"{entry.place.path}:{entry.place.line}: {entry.message}"
    named = f"{OUTSIDE}{header}{BROKEN}"
    return replace(entry, kind="missing-header", header=named, place=began, message=message)
