"""What the emulated GPU recorded of a run: launches, copies to the host, faults."""

from __future__ import annotations

import json
import posixpath
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cudamigrate.lazy_re import re

_ALLOCATES = re.compile(r"\b(?:cuda|hip)\w*[aA]lloc(?=\w*\s*(?:<[^<>()]*>)?\()")
"""A call that asks for the GPU's memory, up to the end of `alloc` in its name: `cudaMalloc`, `hipHostMalloc`."""
Place = tuple[str, int]
"""A file as the compiler calls it, and a line."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Bytes that a program copied from device memory. `kind` is the type of numbers as in `f4`, empty if unknown.

    `is_shared` says that the host may have read them in place: what memory of both held when kernels had ended.
    """

    buffer: str
    kernel: str
    kind: str
    offset: int
    data: bytes
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class SeenFault:
    """A fault with the places on the stack that are the program's own, the innermost first."""

    kind: str
    detail: str
    kernel: str
    where: str
    places: tuple[Place, ...] = ()


@dataclass(slots=True)
class Record:
    """All that one run recorded. `missing` is what the program needs and the emulation lacks, empty if nothing.

    `unmet` is the first request for device memory that was not met, in bytes.
    """

    launches: int = 0
    refused: list[str] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    faults: list[SeenFault] = field(default_factory=list)
    missing: str = ""
    unmet: int = 0


def read(path: Path, program: Path, sources: Mapping[str, Path], arrays: Sequence[str] = ()) -> Record:
    """The record of a run of `program`; `sources` gives the files that its debug information names.

    `arrays` are names of its allocations in order, where their places say none.
    """
    entries = list(_entries(path))
    addresses = {text for fields, _ in entries for text in (*fields.get("places", ()), fields.get("place", ""))}
    places = symbols(program, addresses - {""})
    asked = sorted({fields["place"] for fields, _ in entries if fields["record"] == "memory"}, key=_address)
    record, buffers = Record(), dict[str, str]()
    for fields, data in entries:
        kind = fields["record"]
        if kind == "launch":
            record.launches += bool(fields["valid"])
            record.refused += [] if fields["valid"] else [str(fields["kernel"])]
        elif kind == "unmet":
            record.unmet = record.unmet or int(fields["bytes"])
        elif kind == "missing":
            record.missing = str(fields["what"])
        elif kind == "copy":
            number, place = fields["buffer"], fields["place"]
            if place not in buffers:
                beside = [one for one in asked if places.get(one) == places.get(place)]
                first = beside.index(place) if place in beside else 0
                buffers[place] = _buffer(places.get(place), sources, first, len(beside))
            name = (arrays[number - 1] if 0 < number <= len(arrays) else buffers[place]) or f"buffer {number}"
            shared = bool(fields.get("shared"))
            record.copies.append(Copy(name, fields["kernel"], fields["type"], fields["offset"], data, shared))
        elif kind == "fault":
            own = tuple(place for text in fields["places"] if (place := places.get(text)) and place[0] in sources)
            record.faults.append(SeenFault(fields["kind"], fields["detail"], fields["kernel"], fields["thread"], own))
    return record


def _entries(path: Path) -> Iterable[tuple[dict[str, Any], bytes]]:
    if not path.exists():
        return
    with path.open("rb") as file:
        while line := file.readline():
            try:
                fields = json.loads(line)
            except ValueError:  # the program ended in the middle of it
                return
            yield fields, file.read(fields["size"])


def symbols(program: Path, addresses: Iterable[str]) -> dict[str, Place]:
    """The file and line of each return address, by the debug information of a program."""
    wanted = sorted(addresses)
    found = shutil.which("addr2line")
    if not wanted or found is None:
        return {}
    called = "\n".join(hex(int(text, 16) - 1) for text in wanted if text.startswith("0x"))
    command = [found, "-e", str(program)]
    done = subprocess.run(command, input=called, capture_output=True, text=True, check=False)
    places: dict[str, Place] = {}
    built = str(program.parent).removesuffix(".bin")  # clang++ names files by where they were compiled
    for text, line in zip([text for text in wanted if text.startswith("0x")], done.stdout.splitlines(), strict=False):
        name, _, number = line.partition(" ")[0].rpartition(":")
        if number.isdigit():
            name = posixpath.normpath(name).removeprefix(f"{built}/").removeprefix(f"{built}.device/")
            places[text] = (name, int(number))
    return places


def _address(text: str) -> int:
    return int(text, 16) if text.startswith("0x") else 0


def _buffer(place: Place | None, sources: Mapping[str, Path], number: int = 0, beside: int = 0) -> str:
    """What the source calls the memory that it asks for at a place: the first argument of the call.

    Of several calls in a line, as many as have been seen `beside` each other, it is the one with that `number`; where
    others were seen, nobody knows which of them it is.
    """
    if place is None or place[0] not in sources:
        return ""
    lines = sources[place[0]].read_text(errors="replace").splitlines()
    line = lines[place[1] - 1] if 0 < place[1] <= len(lines) else ""
    if "FromSymbol" in line and line.count(",") > 1:  # a copy of a variable: its second argument
        return line[line.index("FromSymbol") :].split(",")[1].strip("&() ") or f"variable of line {place[1]}"
    calls = [line[match.end() :] for match in _ALLOCATES.finditer(line)] or line.split("alloc", 1)[1:]
    if not calls or (len(calls) > 1 and len(calls) != beside):
        return f"memory of line {place[1]}"
    call = calls[number if len(calls) > 1 else 0]
    argument = call[call.find("(") + 1 :].split(",")[0] if "(" in call else ""
    _, cast, behind = argument.rpartition("*)")  # as in `(void **)&name`
    name = (behind if cast else argument).strip("&() ")
    return name or f"memory of line {place[1]}"


def own_places(places: Sequence[Place]) -> Place:
    """The innermost place of the program's own, or an unknown one."""
    return places[0] if places else ("", 0)
