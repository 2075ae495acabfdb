"""A report -> plain values that are quick to keep and to read again, and back.

Most of a report is findings, and their encoder and decoder are compiled: that takes a tenth of the time of pickling
them. What findings are decoded into is their own type alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Report


def packed(report: Report) -> tuple[Any, ...]:
    """The report without findings, how many each file with findings has, and the findings; or the report alone.

    A report whose findings are on disk, or are not those of its files one after the other, stays as it is.
    """
    every = tuple(chain.from_iterable(file.findings for file in report.files))
    plain = all(type(one) is Finding for one in every)
    if not plain or len(every) != len(report.findings) or any(map(_differ, every, report.findings)):
        return (report,)
    import msgspec

    try:
        data = msgspec.msgpack.encode(every)
    except UnicodeEncodeError:  # halves of a pair stand for bytes of a name
        return (report,)
    files = tuple(replace(file, findings=()) if file.findings else file for file in report.files)
    return replace(report, files=files, findings=()), [len(file.findings) for file in report.files], data


def unpacked(value: Sequence[Any]) -> Report:
    """The report of what `packed` made. Raises ValueError for anything else."""
    if len(value) == 1 and isinstance(value[0], Report):
        return value[0]
    import msgspec

    report, counts, data = value
    try:
        findings: tuple[Finding, ...] = _decoder().decode(data)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    left = iter(findings)
    whole: Report = replace(report, files=tuple(_filled(report.files, counts, left)), findings=findings)
    return whole


def _differ(one: Finding, other: Finding) -> bool:
    return one is not other


def _filled(files: Iterable[FileResult], counts: Iterable[int], findings: Iterator[Finding]) -> Iterator[FileResult]:
    """The files with their findings."""
    for file, count in zip(files, counts, strict=True):
        yield replace(file, findings=tuple(islice(findings, count))) if count else file


@lru_cache(maxsize=1)
def _decoder() -> Any:
    import msgspec

    return msgspec.msgpack.Decoder(tuple[Finding, ...])
