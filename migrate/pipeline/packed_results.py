"""Results of several files -> bytes that are quick to read again, and back.

Most of what files with CUDA hold is findings, whose encoder and decoder are compiled. Most other files hold nothing,
and are their names and sizes. All else is pickled.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.plain_result import as_plain, said


def packed(results: Sequence[Any]) -> bytes:
    """The results as bytes; those that are no `FileResult`s are pickled as they are."""
    if not results or not all(isinstance(one, FileResult) for one in results):
        return pickle.dumps(list(results), 5)
    data = packed_findings([one for result in results for one in _findings(result)])
    if data is None:
        return pickle.dumps(list(results), 5)
    return pickle.dumps((list(map(_bare, results)), list(map(_counts, results)), data), 5)


def unpacked(value: Any) -> list[Any]:
    """The results of what `packed` made, once that was unpickled. Raises ValueError or TypeError for anything else."""
    if isinstance(value, list):
        return value
    rows, counts, data = value
    left = iter(unpacked_findings(data))
    return [_whole(row, count, left) for row, count in zip(rows, counts, strict=True)]


def packed_findings(findings: Sequence[Finding]) -> bytes | None:
    """Findings as bytes; None where one is more than its type says, or has halves of a pair for bytes of a name."""
    import msgspec

    if not all(type(one) is Finding for one in findings):
        return None
    try:
        return msgspec.msgpack.encode(findings)
    except UnicodeEncodeError:
        return None


def unpacked_findings(data: bytes) -> list[Finding]:
    """The findings of what `packed_findings` made. Raises ValueError for anything else."""
    import msgspec

    try:
        found: list[Finding] = _decoder().decode(data)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    return found


def _findings(result: FileResult) -> tuple[Finding, ...]:
    other = result.logical_result
    return result.findings if other is None else (*result.findings, *other.findings)


def _counts(result: FileResult) -> tuple[int, int]:
    """How many findings a result has, and that for logical warps."""
    other = result.logical_result
    return len(result.findings), 0 if other is None else len(other.findings)


def _bare(result: FileResult) -> Any:
    """A result without findings; of one that has nothing else what is left, as plain values."""
    if (plain := said(result)) is not None:
        return plain
    other = result.logical_result
    return replace(result, findings=(), logical_result=None if other is None else replace(other, findings=()))


def _whole(row: Any, counts: tuple[int, int], left: Iterator[Finding]) -> FileResult:
    """A result with its findings, which are put into what nothing else has yet."""
    if type(row) is tuple:
        return as_plain(*row)
    own, other = counts
    if own:
        object.__setattr__(row, "findings", tuple(islice(left, own)))
    if other:
        object.__setattr__(row.logical_result, "findings", tuple(islice(left, other)))
    made: FileResult = row
    return made


@lru_cache(maxsize=1)
def _decoder() -> Any:
    import msgspec

    return msgspec.msgpack.Decoder(list[Finding])
