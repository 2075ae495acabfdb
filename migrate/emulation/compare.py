"""Two runs of a program -> the first difference between what they printed, wrote and copied from the device.

What differs between two runs of the original itself, a time or the order of results, is not held against a conversion.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cudamigrate.emulation.records import Copy, Record
from cudamigrate.lazy_re import re

_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b)")
"""A number in a program's output: `-3`, `0x1F`, `.5e-3`, `nan`, `inf`. The last two only as words: no `info`."""
_FORMATS = {"f4": "f", "f8": "d", "f2": "e", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I"}
_FORMATS |= {"i8": "q", "u8": "Q"}
TOLERANCE = {"f8": 1e-9, "f4": 2e-4, "f2": 1e-2, "b2": 3e-2}
"""How far numbers of a type may be apart, relative to the larger: sums in another order are other sums."""
_PRINTED = 2e-4


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of a program left behind."""

    code: int | None
    printed: str
    files: dict[str, bytes]
    record: Record


@dataclass(slots=True)
class Compared:
    """The outcome: the first difference in words, empty where there is none, how much was compared, and remarks.

    `lines` counts the lines of text, and the files of other bytes, that were compared.
    """

    difference: str = ""
    numbers: int = 0
    lines: int = 0
    notes: list[str] = field(default_factory=list)


def compare(original: Ran, again: Ran, converted: Ran) -> Compared:
    """Hold the converted program's run against the original's; `again` is the original in another order of lanes."""
    result = Compared()
    if original.code != converted.code:
        result.difference = f"ends with {_code(converted.code)}, the original with {_code(original.code)}"
        return result
    if original.code != 0:
        result.notes.append(f"both end with {_code(original.code)}")
    runs = [run.record.copies for run in (original, again, converted)]
    first, repeated, second = ([one for one in copies if not one.is_shared] for copies in runs)
    result.difference = (
        _copies(first, repeated, second, result)
        or _shared([[one for one in copies if one.is_shared] for copies in runs], result)
        or _text("prints", original.printed, again.printed, converted.printed, result)
        or _files(original, again, converted, result)
    )
    return result


def _code(code: int | None) -> str:
    return "no end in time" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"


def numbers(copy: Copy) -> Sequence[float]:
    """The numbers that bytes stand for; those of an unknown type are bytes."""
    if copy.kind == "b2":
        words = struct.unpack(f"<{len(copy.data) // 2}H", copy.data[: len(copy.data) // 2 * 2])
        return struct.unpack(f"<{len(words)}f", b"".join(struct.pack("<HH", 0, word) for word in words))
    form = _FORMATS.get(copy.kind, "B")
    count = len(copy.data) // struct.calcsize(form)
    return struct.unpack(f"<{count}{form}", copy.data[: count * struct.calcsize(form)])


def _copies(first: Sequence[Copy], again: Sequence[Copy], second: Sequence[Copy], result: Compared) -> str:
    """The first difference among the buffers that were copied back, in order."""
    for number, (one, other) in enumerate(zip(first, second, strict=False)):
        if len(one.data) != len(other.data):
            return f"copies {len(other.data)} bytes of {one.buffer}, the original {len(one.data)}"
        kind = one.kind or other.kind
        left, right = (numbers(Copy(c.buffer, c.kernel, kind, c.offset, c.data)) for c in (one, other))
        third = again[number] if len(again) == len(first) and len(again[number].data) == len(one.data) else one
        unstable = numbers(Copy(third.buffer, third.kernel, kind, third.offset, third.data))
        at = _buffer(left, unstable, right, kind, result, one.buffer)
        if at >= 0:
            kernel = f" after {other.kernel}" if other.kernel else ""
            index = at + one.offset // struct.calcsize(_FORMATS.get(kind, "H" if kind == "b2" else "B"))
            return f"{one.buffer}[{index}]{kernel} is {_spelled(right[at])}, the original's {_spelled(left[at])}"
    if len(first) != len(second):
        return f"copies {len(second)} buffers from the device, the original {len(first)}"
    return ""


def _shared(runs: Sequence[Sequence[Copy]], result: Compared) -> str:
    """The first difference in memory that host and kernels share, unless what it holds in the end is the same.

    `runs` are those of the original, of the original in another order, and of the converted program.

    How far a search or an iteration has come after each launch may depend on the order of threads, and how often it is
    launched. What the host makes of it in between shows in what the program prints and copies.
    """
    first, again, second = runs
    steps = Compared()
    difference = _copies(first, again, second, steps)
    if difference:
        steps = Compared()
        if _copies(_last(first), _last(again), _last(second), steps):
            return difference
        steps.notes.append(f"in between {difference}; what the memory holds in the end is the same")
    result.numbers += steps.numbers
    result.notes += steps.notes
    return ""


def _last(copies: Sequence[Copy]) -> list[Copy]:
    """What each buffer held last."""
    return list({(one.buffer, one.offset, len(one.data)): one for one in copies}.values())


def _spelled(value: float) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _buffer(
    left: Sequence[float], again: Sequence[float], right: Sequence[float], kind: str, result: Compared, name: str
) -> int:
    """Index of the first number that differs, -1 for none."""
    limit = TOLERANCE.get(kind, 0.0)
    if left == again or _first(left, again, limit) < 0:
        result.numbers += len(left)
        return -1 if left == right else _first(left, right, limit)
    if _first(sorted(left), sorted(again), limit) < 0:
        result.numbers += len(left)
        result.notes.append(f"{name} is compared without its order, which the original does not fix")
        ordered_left, ordered_right = sorted(left), sorted(right)
        at = _first(ordered_left, ordered_right, limit)
        return -1 if at < 0 else next((n for n, v in enumerate(right) if v == ordered_right[at]), 0)
    result.notes.append(f"{name} is not compared: the original's own values depend on the order of threads")
    return -1


def _first(left: Sequence[float], right: Sequence[float], limit: float) -> int:
    if limit == 0.0:
        return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), -1)
    finite = [abs(value) for value in left if math.isfinite(value)]
    floor = max(finite, default=0.0) * limit * 1e-2
    for at, (a, b) in enumerate(zip(left, right, strict=False)):
        if not near(a, b, limit, floor):
            return at
    return -1


def near(a: float, b: float, limit: float, floor: float = 0.0) -> bool:
    """Whether two numbers are the same within a relative limit; not-a-number equals itself."""
    if a == b or (math.isnan(a) and math.isnan(b)):
        return True
    if not (math.isfinite(a) and math.isfinite(b)):
        return False
    return abs(a - b) <= max(floor, limit * max(abs(a), abs(b)))


def _text(what: str, first: str, again: str, second: str, result: Compared) -> str:
    """The first line that differs, numbers compared as numbers."""
    lines, others, repeated = first.splitlines(), second.splitlines(), again.splitlines()
    repeated = repeated if len(repeated) == len(lines) else lines
    for number, (line, repeat, other) in enumerate(zip(lines, repeated, others, strict=False), 1):
        if line == other:
            result.numbers += len(_NUMBER.findall(line))
            result.lines += bool(line.strip())
            continue
        if _NUMBER.split(line) == _NUMBER.split(other) == _NUMBER.split(repeat):
            if all(_printed(line, repeat, other, result)):
                continue
        elif line != repeat:
            verb = "print" if what == "prints" else "write"
            result.notes.append(f"line {number} is not compared: the original does not {verb} it alike twice")
            continue
        return f"{what} {other.strip()[:80]!r} in line {number}, the original {line.strip()[:80]!r}"
    if len(lines) != len(others) and len(again.splitlines()) == len(lines):
        return f"{what} {len(others)} lines, the original {len(lines)}"
    return ""


def _printed(line: str, repeat: str, other: str, result: Compared) -> Iterator[bool]:
    for one, two, three in zip(*(_NUMBER.findall(text) for text in (line, repeat, other)), strict=True):
        if one != two:
            result.notes.append(f"{one!r} is not compared: the original does not print it alike twice")
            yield True
            continue
        result.numbers += 1
        exact = one.lstrip("+-").isdigit() or any("x" in text.lower() for text in (one, three))
        yield one == three or (not exact and near(float(one), float(three), _PRINTED))


def _files(original: Ran, again: Ran, converted: Ran, result: Compared) -> str:
    names = sorted(original.files)
    if names != sorted(converted.files):
        odd = sorted(set(names) ^ set(converted.files))
        return f"writes other files: {', '.join(odd[:3])}"
    found = (
        _file(name, original.files[name], again.files.get(name, b""), converted.files[name], result) for name in names
    )
    return next((difference for difference in found if difference), "")


def _file(name: str, one: bytes, repeat: bytes, other: bytes, result: Compared) -> str:
    """The first difference of one file; what the original does not write alike twice is not compared."""
    if one == other:
        result.lines += bool(one)
        return ""
    try:
        return _text(f"writes to {name}", one.decode(), repeat.decode(), other.decode(), result)
    except UnicodeDecodeError:
        pass
    if one == repeat:
        pairs = enumerate(zip(one, other, strict=False))
        at = next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))
        return f"writes another byte {at} to {name}"
    result.notes.append(f"{name} is not compared: the original does not write it alike twice")
    return ""
