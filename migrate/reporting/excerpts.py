"""Source + findings -> findings that show their lines, before and after.

Result: the same findings with the source lines of the place, and with what those lines become when the fix of the
finding alone is applied. For people: long lines and long stretches are cut.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from cudamigrate import edits
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, Finding, Fix, SourceFile, Span

LINES = 8
"""Lines shown of one place."""
COLUMNS = 200
"""Characters shown of one line."""
AROUND = 2
"""Lines shown above a place, and below it."""
LONGEST = 4 * LINES * COLUMNS
"""Bytes read of one place."""


def shown(source: SourceFile, findings: Iterable[Finding]) -> list[Finding]:
    """The findings with their lines."""
    return [_shown(source, finding) for finding in findings]


def _shown(source: SourceFile, finding: Finding) -> Finding:
    window, clipped = _window(source, finding.span)
    raw = source.data[window.start : window.end]
    before = _cut(source.text(window), clipped)
    above, below = _around(source, finding.span, clipped)
    near = [edit for edit in finding.fix.edits if _inside(edit.span, window)] if finding.fix is not None else []
    if finding.fix is None or not near:
        return replace(finding, above=above, below=below, before=before)
    moved = tuple(Edit(_moved(edit.span, window.start), edit.replacement) for edit in near)
    changed = edits.apply(raw, [Fix(moved, finding.fix.safety)]).data
    after = SourceFile(source.path, changed, source.language).text(Span(0, len(changed)))
    return replace(finding, above=above, below=below, before=before, after=_cut(after, clipped))


def _window(source: SourceFile, span: Span) -> tuple[Span, bool]:
    """The bytes of the lines that `span` touches, line ends included, a byte-order mark not; and whether the start of
    the first line is cut off. Never more than can be shown: a generated file may be one line of megabytes."""
    data, starts = source.data, source.line_starts()
    first, last = _lines(starts, span)
    end = starts[last] if last < len(starts) else len(data)
    start = starts[first - 1]
    if start == 0 and data.startswith(b"\xef\xbb\xbf"):
        start = 3
    clipped = span.start - start > COLUMNS * 3 // 4
    if clipped:
        start = _boundary(data, span.start - COLUMNS // 2)
    return Span(start, min(end, _boundary(data, start + LONGEST))), clipped


def _lines(starts: Sequence[int], span: Span) -> tuple[int, int]:
    """The first and the last line of a place, from 1; columns are not asked for, which take as long as all else."""
    return bisect_right(starts, span.start), bisect_right(starts, max(span.start, span.end - 1))


def _around(source: SourceFile, span: Span, clipped: bool) -> tuple[str, str]:
    """The lines above and below those of a place, and nothing in a file of such long lines that one is cut."""
    if clipped:
        return "", ""
    data, starts = source.data, source.line_starts()
    first, last = _lines(starts, span)
    top = starts[max(0, first - 1 - AROUND)]
    if top == 0 and data.startswith(b"\xef\xbb\xbf"):
        top = 3
    low = starts[last] if last < len(starts) else len(data)
    end = starts[last + AROUND] if last + AROUND < len(starts) else len(data)
    texts = (source.text(Span(max(top, starts[first - 1] - LONGEST), max(top, starts[first - 1]))),
             source.text(Span(low, min(end, low + LONGEST))))  # fmt: skip
    return _plain(texts[0]), _plain(texts[1])


def _plain(text: str) -> str:
    """Whole lines as they are, blank ones too; each of a readable length."""
    lines = [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]
    return "\n".join(line if len(line) <= COLUMNS else line[: COLUMNS - 3] + "..." for line in lines)


def _boundary(data: bytes, offset: int) -> int:
    """`offset`, or the next byte that begins a character of UTF-8."""
    for at in range(offset, min(offset + 4, len(data))):
        if data[at] & 0xC0 != 0x80:
            return at
    return min(offset, len(data))


def _inside(span: Span, window: Span) -> bool:
    return window.start <= span.start and span.end <= window.end


def _moved(span: Span, by: int) -> Span:
    return Span(span.start - by, span.end - by)


def _cut(text: str, clipped: bool) -> str:
    """The first lines of `text`, each of a readable length; `...` stands for what is cut off."""
    lines = [line.rstrip("\r") for line in text.rstrip("\r\n").split("\n")]
    if clipped:
        lines[0] = "..." + lines[0]
    kept = [line if len(line) <= COLUMNS else line[: COLUMNS - 3] + "..." for line in lines[:LINES]]
    return "\n".join([*kept, "..."] if len(lines) > LINES else kept)
