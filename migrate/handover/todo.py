"""Places that need manual work <-> comments in the files: `cudamigrate: <rule>: what to do`.

Result: insertions of whole lines above the places, in the comment syntax of each file, and their removal. A comment is
put only where it is one: never within a literal, a macro of several lines or a command that goes on. What the file's
reader makes of the file must be the same with the comments, else the file gets none; a kind of file whose comments are
not known gets none either. The notes list every place all the same.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from cudamigrate import edits
from cudamigrate.config import Config
from cudamigrate.errors import printable
from cudamigrate.frontends import known_files
from cudamigrate.handover.line_starts import STARTS, comments_at, same_code
from cudamigrate.handover.result import Result
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Edit, FileEntry, Finding, Fix, Skip, SourceFile, Span
from cudamigrate.project import discovery
from cudamigrate.suppression import comments as suppression

_COMMENT = re.compile(rb"[ \t]*(?://|#) cudamigrate: (?:[a-z-]+/\S+:|\.\.\.)(?: [^\n]*|\r?)\n")
"""A whole line that this tool wrote: `// cudamigrate: api/gone: text`, or `# cudamigrate: ... text` to go on."""
_WIDTH, _LEAST = 120, 60
"""Columns of a line with a comment, and of its text at least; longer texts go on in lines of their own."""
_MANY = 8
"""Places of a file that may say the same."""
_INDENT = re.compile(rb"[ \t]*")


def marked(made: Result) -> Result:
    """The result with a comment at each place that needs manual work, where a comment is possible."""
    root = Path(made.report.repository.root)
    originals: dict[str, bytes] = {}
    comments: dict[str, Fix] = {}
    entries = {one.path: FileEntry(one.path, one.language, one.size) for one in made.report.files}
    for path, findings in _by_path(made).items():
        source = _delivered(made, root, entries[path])
        if source is None or source.language not in STARTS:
            continue
        conversion = made.by_path.get(path)
        offsets = edits.Offsets(conversion.made_by if conversion is not None else ())
        lines = {(offsets.moved(one.span.start), f"{one.rule}: {_said(one)}") for one in findings}
        fix = _comments(source, _folded(lines))
        if fix is not None:
            comments[path] = fix
            if conversion is None:
                originals[path] = source.data
    return replace(made, comments=comments, originals=originals)


def _by_path(made: Result) -> Mapping[str, list[Finding]]:
    left: dict[str, list[Finding]] = {}
    for finding in made.report.findings:
        if finding.outcome != "fine" and not made.is_done(finding):
            left.setdefault(finding.path, []).append(finding)
    return left


def _folded(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The same, with what is said word for word in many places once, at the first, and in how many."""
    places: dict[str, list[int]] = {}
    for offset, said in lines:
        places.setdefault(said, []).append(offset)
    for said, found in places.items():
        if len(found) > _MANY:
            yield min(found), f"{said} This is the first of {len(found):,} such places in the file."
        else:
            yield from ((offset, said) for offset in found)


def _said(finding: Finding) -> str:
    return printable(" ".join(finding.message.split()))


def _delivered(made: Result, root: Path, entry: FileEntry) -> SourceFile | None:
    """A file as it is converted, or as it is where nothing converts it."""
    conversion = made.by_path.get(entry.path)
    if conversion is not None:
        return SourceFile(entry.path, conversion.after, entry.language)
    source = discovery.read(root, entry)
    return source if isinstance(source, SourceFile) else None


def _comments(source: SourceFile, wanted: Iterable[tuple[int, str]]) -> Fix | None:
    """The insertions for what is to be said at offsets of a file; None where there is nothing to insert."""
    allowed = comments_at(source)
    texts: dict[int, list[bytes]] = {}
    for offset, said in sorted(wanted):
        line = source.position(offset).line
        while line > 1 and line not in allowed:
            line -= 1
        if line not in allowed:
            continue
        start = source.line_starts()[line - 1]
        text = _lines(source, start, said)
        there = texts.setdefault(start, [])
        if text not in there and not _stands(source.data, start, text):
            there.append(text)
    inserted = tuple(Edit(Span(at, at), b"".join(lines)) for at, lines in sorted(texts.items()) if lines)
    if not inserted:
        return None
    fix = Fix(inserted, "safe")
    return fix if same_code(source, edits.apply(source.data, [fix]).data) else None


def _lines(source: SourceFile, start: int, said: str) -> bytes:
    """A comment as lines of its own, indented as the line at `start`; a Makefile's would be commands then."""
    indent = _INDENT.match(source.data, start)
    before = indent[0] if indent is not None and source.language != "make" else b""
    end = b"\r\n" if b"\r\n" in source.data[max(0, start - 2) : start] else b"\n"
    mark = f"{STARTS[source.language]} cudamigrate: "
    width = max(_LEAST, _WIDTH - len(before.expandtabs(4)) - len(mark))
    first, *rest = textwrap.wrap(said, width, subsequent_indent="... ", break_long_words=False, break_on_hyphens=False)
    lines = (f"{mark}{text}".rstrip("\\").encode("utf-8", "replace") for text in (first, *rest))
    return b"".join(before + line + end for line in lines)


def _stands(data: bytes, start: int, text: bytes) -> bool:
    """Whether the comment stands above already, alone or among others of ours."""
    first = start
    while first:
        above = data.rfind(b"\n", 0, first - 1) + 1
        if _COMMENT.fullmatch(data, above, first) is None:
            break
        first = above
    return text in data[first:start]


def removed(path: Path, config: Config) -> tuple[Path, tuple[Conversion, ...]]:
    """The files of a tree with the comments taken out, and the root that their paths are relative to."""
    inventory = discovery.discover(path, config, known_files())
    root = Path(inventory.root)
    sources = (discovery.read(root, entry) for entry in inventory.entries)
    found = (_without(source) for source in sources if not isinstance(source, Skip))
    return root, tuple(conversion for conversion in found if conversion is not None)


def _without(source: SourceFile) -> Conversion | None:
    """A file without its comments of ours; None where it has none."""
    if suppression.MARK not in source.data or source.language not in STARTS:
        return None
    allowed, gone = comments_at(source), []
    for number, start in enumerate(source.line_starts(), 1):
        match = _COMMENT.match(source.data, start)
        if match is not None and number in allowed:
            gone.append(Edit(Span(start, match.end()), b""))
    if not gone:
        return None
    fix = Fix(tuple(gone), "safe")
    return Conversion(source.path, source.data, edits.apply(source.data, [fix]).data, (fix,))
