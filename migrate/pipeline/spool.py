"""Findings of a large run on disk: what a process holds does not grow with their texts.

Each place stays an object of its own, some hundred bytes long, that looks like its finding: what counts and sorts need
it knows, all else is read from the spool when it is asked for. The spool is a temporary file without a name, which is
gone with the process, however that ends. A run with few findings has none.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from array import array
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import IO, Any, NamedTuple, cast
from weakref import finalize

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Certainty, Effort, FileResult, Finding, Fix, Outcome, Resolution, Step, Support
from cudamigrate.model.lane_facts import LaneFacts, LaneUnit
from cudamigrate.model.warp_graph import FileGraph, Routine
from cudamigrate.project import scratch

HELD, HELD_OF_MANY = 20_000, 1_000
"""Findings up to which all are held in memory, some 40 MB; 2 MB of a tree of very many files, which take more."""
MANY = 20_000
"""Files beyond which a tree has very many."""
_BLOCK = 256
"""Findings that are written, and read, at once."""
_READ = 8
"""Blocks that are kept after they were read."""


def _packed(block: list[Finding]) -> bytes:
    """Findings as bytes: an encoder that is compiled takes a tenth of the time of pickling them."""
    import msgspec

    try:
        return msgspec.msgpack.encode(block)
    except UnicodeEncodeError:  # halves of a pair stand for bytes of a name
        return pickle.dumps(block, 5)


def _unpacked(data: bytes) -> list[Finding]:
    """The findings again; what pickle writes begins with a mark that no list of the other does."""
    if data.startswith(b"\x80"):
        return cast("list[Finding]", pickle.loads(data))
    return cast("list[Finding]", _decoder().decode(data))


@lru_cache(maxsize=1)
def _decoder() -> Any:
    import msgspec

    return msgspec.msgpack.Decoder(list[Finding])


_LEAVES = (str, bytes, int, float, bool, frozenset)


class _Kind:
    """What many findings have in common, and where the rest of them is."""

    __slots__ = (
        "adds_include",
        "automatic",
        "certainty",
        "effort",
        "group",
        "has_fix",
        "has_trace",
        "name",
        "outcome",
        "relies",
        "resolution",
        "rule",
        "spool",
        "support",
        "switches",
        "unconditional",
    )

    def __init__(self, spool: Spool, one: Finding) -> None:
        self.spool, self.rule, self.name = spool, one.rule, one.name
        self.support, self.outcome, self.certainty, self.effort = one.support, one.outcome, one.certainty, one.effort
        self.group, self.automatic, self.resolution = one.group, one.automatic, one.resolution
        self.switches, self.unconditional, self.has_trace = one.switches, one.unconditional, bool(one.trace)
        self.has_fix, self.relies, self.adds_include = one.fix is not None, one.relies, one.adds_include


class _Block(NamedTuple):
    """Findings of one file that were written at once: the file, and which block it was."""

    path: str
    number: int


class StoredFinding:
    """A finding in a spool. To whoever asks, `replace` and `pickle` among them, it is a `Finding`.

    `at` is its place in the block: a number so small that Python holds it once for all.
    """

    __slots__ = ("_at", "_block", "_kind", "rule")

    def __init__(self, block: _Block, kind: _Kind, at: int) -> None:
        self._block, self._kind, self._at, self.rule = block, kind, at, kind.rule  # each pass asks for the rule

    @property  # type: ignore[misc]
    def __class__(self) -> type[Finding]:  # type: ignore[override]
        return Finding

    @property
    def path(self) -> str:
        """As in `Finding`, and so are those that follow."""
        return self._block.path

    @property
    def name(self) -> str:
        """The name of what was found."""
        return self._kind.name

    @property
    def support(self) -> Support:
        """What HIP has."""
        return self._kind.support

    @property
    def outcome(self) -> Outcome:
        """What happens on AMD."""
        return self._kind.outcome

    @property
    def certainty(self) -> Certainty:
        """How it is known."""
        return self._kind.certainty

    @property
    def effort(self) -> Effort:
        """The work that it is."""
        return self._kind.effort

    @property
    def group(self) -> str:
        """The part of the rule id before the slash."""
        return self._kind.group

    @property
    def automatic(self) -> bool:
        """Whether `apply` fixes it."""
        return self._kind.automatic

    @property
    def resolution(self) -> Resolution:
        """How it is fixed."""
        return self._kind.resolution

    @property
    def switches(self) -> tuple[str, ...]:
        """The macros without which the place is not compiled."""
        return self._kind.switches

    @property
    def unconditional(self) -> bool:
        """Whether HIP compiles the place wherever it compiles the file."""
        return self._kind.unconditional

    @property
    def relies(self) -> tuple[str, ...]:
        """What the fix takes for granted of other files."""
        return self._kind.relies

    @property
    def adds_include(self) -> bool:
        """Whether the fix includes a header."""
        return self._kind.adds_include

    @property
    def fix(self) -> Fix | None:
        """The fix, read where there is one."""
        return self._read().fix if self._kind.has_fix else None

    @property
    def trace(self) -> tuple[Step, ...]:
        """The chain of facts, read where there is one."""
        return self._read().trace if self._kind.has_trace else ()

    @property
    def whole(self) -> Finding:
        """The finding as it was stored: for who asks for most of it."""
        return self._read()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._read(), name)

    def _read(self) -> Finding:
        return self._kind.spool.finding(self._block.number, self._at)

    def __eq__(self, other: object) -> bool:
        return self is other or self._read() == other

    def __hash__(self) -> int:
        return hash(self._read())

    def __repr__(self) -> str:
        return repr(self._read())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._read().__reduce_ex__(protocol)


class Spool:
    """The findings of one run, those beyond the first `held` in a file."""

    @classmethod
    def of(cls, files: int) -> Spool:
        """That of a run over so many files."""
        return cls(HELD if files <= MANY else HELD_OF_MANY)

    def __init__(self, held: int = HELD) -> None:
        self._free = held
        self._file: IO[bytes] | None = None
        self._starts = array("Q")
        self._kinds: dict[Hashable, _Kind] = {}
        self._known: dict[Hashable, Any] = {}
        self._leaves: dict[type, dict[Any, Any]] = {kind: {} for kind in _LEAVES}
        """What is held once of each type: 1, 1.0 and True are equal, and not the same."""
        self._read: dict[int, list[Finding]] = {}

    def all(self, results: Iterable[FileResult]) -> list[FileResult]:
        """The results as they are to be held: where some findings are stored, those that are new are too."""
        return list(results) if self._file is None else [self.take(result) for result in results]

    def take(self, result: FileResult) -> FileResult:
        """A result as it is to be held: beyond what is held in memory its findings are stored."""
        new = sum(type(one) is Finding for one in result.findings)
        other = result.logical_result
        if other is not None:
            new += sum(type(one) is Finding for one in other.findings)
        if not new or self._free >= new:
            self._free -= new
            return result
        if other is not None:
            other = replace(other, findings=self._stored(result.path, other.findings), lanes=self._once(other.lanes))
        return replace(
            result,
            findings=self._stored(result.path, result.findings),
            lanes=self._once(result.lanes),
            graph=self._once(result.graph),
            logical_result=other,
        )

    def let_go(self) -> None:
        """Forget what the facts of files have in common: to know that takes a lot, and keeps what no file has any more.

        Those of files that are taken later share what they have with each other alone.
        """
        self._known.clear()
        for known in self._leaves.values():
            known.clear()

    def _stored(self, path: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Findings of one file, those that are new stored."""
        kept = [one for one in findings if type(one) is Finding]
        blocks = [_Block(path, self._write(kept[start : start + _BLOCK])) for start in range(0, len(kept), _BLOCK)]
        stored = (StoredFinding(blocks[at // _BLOCK], self._kind(one), at % _BLOCK) for at, one in enumerate(kept))
        return cast("tuple[Finding, ...]", tuple(next(stored) if type(one) is Finding else one for one in findings))

    def _write(self, block: list[Finding]) -> int:
        """Write a block; its number."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="cudamigrate-", dir=scratch.place())  # noqa: SIM115 - for as long as it is asked
            finalize(self, self._file.close)
            self._starts.append(0)
        written = _packed(block)
        number = len(self._starts) - 1
        self._file.seek(self._starts[number])
        self._file.write(written)
        self._file.flush()
        self._starts.append(self._starts[number] + len(written))
        return number

    def finding(self, number: int, at: int) -> Finding:
        """The finding at a place of a block."""
        block = self._read.get(number)
        if block is None:
            block = self._read[number] = _unpacked(self._bytes(self._starts[number], self._starts[number + 1]))
            if len(self._read) > _READ:
                del self._read[next(iter(self._read))]
        return block[at]

    def _bytes(self, start: int, end: int) -> bytes:
        """Part of the file. Children share its position with their parent, so it is not moved where that can be."""
        assert self._file is not None
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), end - start, start)
        self._file.seek(start)
        return self._file.read(end - start)

    def _kind(self, one: Finding) -> _Kind:
        fix = None if one.fix is None else (one.fix.safety, one.fix.relies, one.adds_include)
        judged = (one.rule, one.name, one.support, one.outcome, one.certainty, one.effort)
        key = (*judged, fix, one.switches, one.unconditional, bool(one.trace))
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = _Kind(self, one)
        return found

    def _once(self, value: Any) -> Any:
        """What other files' facts may hold too, held once: names, expressions, sets, most of them empty."""
        kind = type(value)
        known = self._leaves.get(kind)
        if known is not None:
            return known.setdefault(value, value)
        if isinstance(value, tuple):
            return self._tuple_once(kind, value)
        if isinstance(value, dict):
            return {self._once(key): self._once(one) for key, one in value.items()}
        if isinstance(value, (LaneFacts, LaneUnit, FileGraph, Routine)):
            return kind(*(self._once(getattr(value, name)) for name in kind.__match_args__))
        return value

    def _tuple_once(self, kind: Any, value: tuple[Any, ...]) -> Any:
        """A tuple, held once where all that it has is; most of it is leaves, which are looked up here."""
        parts, is_plain, leaves, of_text = [], True, self._leaves, self._leaves[str].setdefault
        for one in value:
            part = one
            if type(one) is str:
                part = of_text(one, one)
            elif (known := leaves.get(type(one))) is not None:
                part = known.setdefault(one, one)
            elif isinstance(one, tuple):
                part = self._tuple_once(type(one), one)
            elif one is not None:
                part, is_plain = self._once(one), False
            parts.append(part)
        key = (kind, *map(id, parts))
        found = self._known.get(key) if is_plain else None
        if found is not None:
            return found
        made = kind(*parts) if hasattr(value, "_fields") else tuple(parts)
        if is_plain:
            self._known[key] = made
        return made
