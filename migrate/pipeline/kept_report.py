"""What a scan found, kept for runs over the same files: the report, and its text as JSON.

Most of both is findings. They are kept in blocks, those of files that follow each other in each, under digests of
what is in them: a file that changes makes a block of its own new, and no other. Encoder and decoder of findings are
compiled, which takes a tenth of the time of pickling them; what they are decoded into is their own type alone.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Inventory, Report, Skip
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.cached_work import digest, given_rules, loaded, parted, program
from cudamigrate.pipeline.files_aside import FilesAside
from cudamigrate.pipeline.packed_results import packed_findings, unpacked_findings
from cudamigrate.pipeline.result_store import Store

if TYPE_CHECKING:
    from cudamigrate.reporting.formats.json import Blocks

Write = Callable[[Report, "Blocks | None"], Iterator[str]]
"""Makes the text of a report, with those of blocks where there are any."""
_PACKED = b"z\0"
"""Begins a row that is compressed: what is pickled begins otherwise."""
_LEVEL = 1
"""How much texts are compressed: they repeat themselves, and what takes a tenth of the room is read sooner."""


class Block(NamedTuple):
    """Findings of some files that follow each other, the same as bytes, and the digest of these."""

    findings: tuple[Finding, ...]
    data: bytes
    content: bytes

    @property
    def key(self) -> bytes:
        """The row that holds the bytes."""
        return digest(b"findings\0" + program() + self.content)

    @property
    def text_key(self) -> bytes:
        """The row that holds the text."""
        return digest(b"text\0" + program() + self.content)


class KeptReport:
    """The rows of one report; `key` says all that it rests on but for `aside`, and is empty where nothing is kept.

    `aside` has what was read of folders that were passed over while the report was made. Only then it is known which
    files these are, so the rows have them: a row counts as long as they are what they were.
    """

    def __init__(self, store: Store | None, key: bytes, aside: FilesAside) -> None:
        self._store, self._key, self._aside = store if key else None, key, aside
        self._blocks: list[Block] | None = None

    def report(self) -> Report | None:
        """The report, None where it is not kept."""
        row = self._row(self._key)
        if row is None or self._store is None:
            return None
        with suppress(ValueError, TypeError):  # as a row that is not understood
            if len(row) == 1:
                return row[0] if type(row[0]) is Report else None  # not what only looks like one
            report, counts, keys = row
            stored = self._store.get(keys)
            if all(key in stored for key in keys):
                return unpacked(report, counts, [stored[key] for key in keys])
        return None

    def keep(self, report: Report) -> None:
        """Keep a report."""
        if self._store is None:
            return
        parts = packed(report)
        if parts is None:
            self._store.put({self._key: self._written((report,))})
            return
        bare, counts, self._blocks = parts
        rows = {block.key: block.data for block in self._blocks}
        known = self._store.known(rows)
        new = {key: data for key, data in rows.items() if key not in known}
        self._store.put({**new, self._key: self._written((bare, counts, list(rows)))})

    def text(self) -> tuple[list[str], tuple[Skip, ...]] | None:
        """The text in pieces, and what was skipped; None where it is not kept."""
        row = self._row(self._text_key)
        if row is None or self._store is None:
            return None
        with suppress(ValueError, TypeError):  # as above
            pieces, skipped = row
            keys = [one for one in pieces if isinstance(one, bytes)]
            stored = self._store.get(keys)
            made = [one if isinstance(one, str) else _text(stored.get(one, b"")) for one in pieces]
            sound = [one for one in made if one is not None]
            return (sound, skipped) if len(sound) == len(made) else None
        return None

    def written(self, report: Report, write: Write) -> Iterator[str]:
        """The pieces of a report's text, which `write` makes with texts of blocks that are known; they are kept."""
        if self._store is None or not report.findings:
            return write(report, None)
        if self._blocks is None:
            parts = packed(report)
            self._blocks = parts[2] if parts is not None else []
        return self._noted(report, write, self._store, self._blocks) if self._blocks else write(report, None)

    def _noted(self, report: Report, write: Write, store: Store, blocks: Sequence[Block]) -> Iterator[str]:
        """The pieces of a text; when all were asked for they are kept."""
        stored = store.get([block.text_key for block in blocks])
        new, kept, shown = dict[bytes, bytes](), list["str | bytes"](), ("", b"")

        def texts(make: Callable[[Sequence[Finding]], str]) -> Iterator[str]:
            nonlocal shown
            for block in blocks:
                key = block.text_key
                known = _text(stored.get(key, b""))
                text = make(block.findings) if known is None else known
                if known is None:
                    new[key] = zlib.compress(text.encode(), _LEVEL)
                shown = text, key
                yield text

        for piece in write(report, texts):
            kept.append(shown[1] if piece is shown[0] else piece)
            yield piece
        row = self._written((kept, report.skipped))
        store.put({**new, self._text_key: _PACKED + zlib.compress(row, _LEVEL)})

    @property
    def _text_key(self) -> bytes:
        return digest(b"json\0" + self._key)

    def _written(self, values: tuple[Any, ...]) -> bytes:
        return pickle.dumps((self._aside.seen, values), 5)

    def _row(self, key: bytes) -> Any:
        """The values of a row, None where there is none, or what it rests on has changed."""
        stored = self._store.get([key]).get(key) if self._store is not None else None
        if stored is None:
            return None
        with suppress(zlib.error):
            found = loaded(zlib.decompress(stored[len(_PACKED) :]) if stored.startswith(_PACKED) else stored)
            if found is not None and isinstance(found[0], tuple) and len(found[0]) == 2:
                seen, values = found[0]
                if isinstance(seen, dict) and isinstance(values, tuple) and self._aside.are(seen):
                    self._aside.seen.update(seen)  # what is made of the report rests on them too
                    return values
        return None


class Scanned:
    """What a scan found: its report, and that as JSON text, each read again where an earlier run has kept it.

    `bare` says what was scanned, and has nothing that was found. `make` makes the report, and `finish` puts into it
    what is of this run alone.
    """

    def __init__(
        self, kept: KeptReport, bare: Report, make: Callable[[], Report], finish: Callable[[Report], Report]
    ) -> None:
        self._kept, self._make, self._finish = kept, make, finish
        self._bare, self._report = bare, list[Report]()
        self._text: tuple[Iterable[str], tuple[Skip, ...]] | None = None

    def prepare(self, text: bool) -> None:
        """Do what takes long: all but the text, where that is wanted and has to be made."""
        self._text = self._kept.text() if text else None
        if self._text is None:
            self.report  # noqa: B018 - made now

    @property
    def report(self) -> Report:
        """The report."""
        if not self._report:
            found = self._kept.report()
            if found is None:
                found = self._make()
                if _lasts(found):
                    self._kept.keep(found)
                else:
                    self._kept = KeptReport(None, b"", FilesAside(Path()))
            self._report.append(self._finish(found))
        return self._report[0]

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """What was left out."""
        return self.report.skipped if self._text is None else self._text[1]

    def json(self, stamp: Callable[[Report], Report]) -> Iterator[str]:
        """The report as JSON, in pieces, each of which is asked for once; `stamp` says when and by what it was made."""
        from cudamigrate.reporting.formats import json  # some runs write other forms

        if self._text is not None:
            return chain(json.heading(stamp(self._bare)), self._text[0])
        report = self.report
        return chain(json.heading(stamp(report)), self._kept.written(report, json.content))


def rests_on(
    config: Config, inventory: Inventory, port: PortFacts, choices: Mapping[str, frozenset[str]], clued: bool
) -> tuple[bytes, ...]:
    """What a report rests on beside the contents of the files.

    `choices` are what the build must have chosen for some files, and `clued` whether there is an estimate's survey.
    """
    import msgspec

    left_out = replace(inventory, root="", entries=())
    settings = replace(config, jobs=0, scheduler="", folder="")
    said = repr((settings, left_out, clued)).encode(errors="backslashreplace")
    chosen = repr(sorted((path, sorted(asks)) for path, asks in choices.items())).encode()
    return said, given_rules(config.rules), msgspec.json.encode(port, order="sorted"), chosen


def _lasts(report: Report) -> bool:
    """Whether a report holds for other runs over the same files."""
    return not any(skip.kind in ("limit", "internal") for skip in report.skipped)


def packed(report: Report) -> tuple[Report, list[int], list[Block]] | None:
    """The report without findings, how many each of its files has, and the findings in blocks; None for some reports.

    Those are reports whose findings are on disk, or are not those of their files, by path, one after the other.
    """
    every = tuple(chain.from_iterable(file.findings for file in report.files))
    if len(every) != len(report.findings) or any(map(_differ, every, report.findings)):
        return None
    if any(map(_follows_wrongly, report.files, report.files[1:])):
        return None
    if any(one.path != file.path for file in report.files for one in file.findings):
        return None
    blocks = []
    for files in parted(report.files):
        if findings := tuple(chain.from_iterable(file.findings for file in files)):
            data = packed_findings(findings)
            if data is None:
                return None
            blocks.append(Block(findings, data, digest(data)))
    bare = tuple(replace(file, findings=()) if file.findings else file for file in report.files)
    return replace(report, files=bare, findings=()), [len(file.findings) for file in report.files], blocks


def unpacked(report: Report, counts: Sequence[int], blocks: Iterable[bytes]) -> Report:
    """The report of what `packed` made. Raises ValueError for anything else."""
    findings = tuple(chain.from_iterable(map(unpacked_findings, blocks)))
    if sum(counts) != len(findings):
        raise ValueError("findings are missing")
    left = iter(findings)
    whole: Report = replace(report, files=tuple(_filled(report.files, counts, left)), findings=findings)
    return whole


def _follows_wrongly(file: FileResult, other: FileResult) -> bool:
    return file.path >= other.path


def _differ(one: Finding, other: Finding) -> bool:
    return one is not other


def _filled(files: Iterable[FileResult], counts: Iterable[int], findings: Iterator[Finding]) -> Iterator[FileResult]:
    """The files with their findings."""
    for file, count in zip(files, counts, strict=True):
        yield replace(file, findings=tuple(islice(findings, count))) if count else file


def _text(data: bytes) -> str | None:
    """A text from its row; None for one that is not understood."""
    try:
        return zlib.decompress(data).decode()
    except (zlib.error, UnicodeDecodeError):
        return None
