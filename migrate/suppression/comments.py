"""Comments that suppress findings: `cudamigrate: ignore[group/name] reason`, and `ignore-file[...]` for a whole file.

A comment after code holds for its line, one that has a line to itself for the next line. `//` and `/*` begin comments
in C++, `#` elsewhere. Text in a literal is no comment.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import SUPPRESSES, Finding, SourceFile, Suppression
from cudamigrate.suppression.selectors import any_matches

MARK = SUPPRESSES.encode()
"""What every such comment holds."""
_TODO = re.compile(r"(?:[a-z-]+/\S+:|\.\.\.)(?: |\r?$)")
"""How the text of a comment begins that `apply --todo` made: it suppresses nothing."""
_C_LIKE = ("cuda", "cxx", "")


@dataclass(frozen=True, slots=True)
class Remark:
    """What is wrong with a suppression itself: it has no reason, suppresses nothing, or is not understood."""

    path: str
    line: int
    column: int
    message: str


class SuppressionIndex:
    """The suppressions of a file, found by the lines that they hold for."""

    def __init__(self, suppressions: Iterable[Suppression]) -> None:
        self._whole: list[Suppression] = []
        placed: list[tuple[int, int, Suppression]] = []
        for number, one in enumerate(suppressions):
            if one.lines:
                placed += [(line, number, one) for line in one.lines]
            else:
                self._whole.append(one)
        self._placed = sorted(placed, key=lambda entry: entry[:2])
        self._lines = [line for line, _, _ in self._placed]

    def of(self, finding: Finding) -> list[Suppression]:
        """Those that mean a finding: its rule, and one of its lines or the whole file."""
        first = bisect_left(self._lines, finding.position.line)
        last = bisect_right(self._lines, max(finding.position.line, finding.end.line))
        here = (one for _, _, one in self._placed[first:last])
        return [one for one in (*self._whole, *here) if any_matches(one.selectors, finding.rule)]


def read(source: SourceFile) -> list[Suppression]:
    """The suppressions in a file, in order."""
    if MARK not in source.data:
        return []
    starts = "//|/\\*" if source.language in _C_LIKE else "#"
    comment = re.compile(rf"({starts})[ \t]*cudamigrate:[ \t]*(.*)")
    inside = _comment_starts(source)
    found = []
    for number in range(1, len(source.line_starts()) + 1):
        text = source.line(number)
        match = comment.search(text)
        if match is None or _TODO.match(match[2]) or (inside is not None and (number, match.start()) not in inside):
            continue
        said, _, behind = match[2].partition("*/") if match[1] == "/*" else (match[2], "", "")
        own_line = not text[: match.start()].strip(" \t\"'") and not behind.strip()
        found.append(_suppression(said, number, match.start() + 1, own_line))
    return _joined(found)


def _suppression(said: str, line: int, column: int, own_line: bool) -> Suppression:
    match = re.fullmatch(r"(ignore|ignore-file)[ \t]*\[([^\]]*)\][ \t]*(.*)", said)
    if match is None:
        return Suppression(line, column, (), (), "", "Write `cudamigrate: ignore[group/name] reason`.")
    selectors = tuple(name.strip() for name in match[2].split(",") if name.strip())
    if not selectors:
        return Suppression(line, column, (), (), "", "Name what to ignore: `cudamigrate: ignore[group/name] reason`.")
    reason = match[3].strip().strip("\"',").removesuffix("\\n").strip(" -:")
    lines = () if match[1] == "ignore-file" else ((line + 1,) if own_line else (line,))
    return Suppression(line, column, lines, selectors, reason)


def _joined(found: Sequence[Suppression]) -> list[Suppression]:
    """Comments that are above each other all hold for the line below the last of them."""
    joined: list[Suppression] = []
    for one in reversed(found):
        below = joined[-1] if joined else None
        stacked = below is not None and one.lines == (below.line,) and below.lines == (below.line + 1,)
        if stacked and below is not None:
            one = Suppression(one.line, one.column, below.lines, one.selectors, one.reason)
        joined.append(one)
    return joined[::-1]


def _comment_starts(source: SourceFile) -> set[tuple[int, int]] | None:
    """Line and offset in the line of every comment, where the language is one whose literals can be distinguished."""
    if source.language in _C_LIKE:
        from cudamigrate.cuda.lexer import lex

        places = (source.position(start) for start in lex(source.data).starts)
        return {(place.line, place.column - 1) for place in places}
    if source.language != "python":
        return None
    import io
    import tokenize

    found = set()
    try:
        for token in tokenize.tokenize(io.BytesIO(source.data).readline):
            if token.type == tokenize.COMMENT:
                found.add((token.start[0], token.start[1]))
    except (tokenize.TokenError, SyntaxError):
        return None
    return found


def apply(source: SourceFile, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding], list[Remark]]:
    """Findings that stay, findings that are suppressed, and what is to be said of the comments themselves."""
    suppressions = read(source)
    if not suppressions:
        return list(findings), [], []
    kept: list[Finding] = []
    suppressed: list[Finding] = []
    used, index = set[Suppression](), SuppressionIndex(suppressions)
    for finding in findings:
        by = index.of(finding)
        used.update(by)
        (suppressed if by else kept).append(finding)
    said = ((one, _complaint(one, one in used)) for one in suppressions)
    return kept, suppressed, [Remark(source.path, one.line, one.column, words) for one, words in said if words]


def _complaint(one: Suppression, used: bool) -> str:
    if one.wrong:
        return f"This suppression is not understood. {one.wrong}"
    if not used:
        return f"This comment suppresses nothing: no finding of {', '.join(one.selectors)} is here. Remove it."
    return "" if one.reason else f"Give the reason after the bracket: `ignore[{', '.join(one.selectors)}] reason`."
