"""Edits for HIP -> a region of whole lines under the guard for HIP, beside the lines that CUDA compiles.

The region holds the edited lines first and the lines as they were after `#else`: a place in the edited lines traces
back through the edits. It begins and ends where a directive may stand: not in comments, literals or macros' arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudamigrate import edits as writing
from cudamigrate.cuda.host_branches import COMPILER, device_part
from cudamigrate.cuda.include_insertion import is_addition
from cudamigrate.cuda.lexer import WORD, Lexed, lex
from cudamigrate.cuda.platform_guards import OUTSIDE, OUTSIDE_EARLY
from cudamigrate.cuda.preprocessor import Branch, branches
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Fix, Span, Style
from cudamigrate.portable.conditions import for_both
from cudamigrate.portable.cuda_side import first_difference

_DEFAULT = Style("hip", "").guard
_CONDITIONAL = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"))
_OPENING = frozenset(("if", "ifdef", "ifndef"))
_MACRO_NAME = re.compile(rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{4,}")
"""How macros are named by convention: whether one is a macro often stands in a header that is not read."""
_DEFINED = re.compile(rb"(\w+)\(")
_BLANK = re.compile(rb"\s+")
_CHOOSES, _CHOSEN = (OUTSIDE, OUTSIDE_EARLY), b"#endif"
"""Lines of a choice between vendors."""


@dataclass(frozen=True, slots=True)
class Directives:
    """How a language writes the choice: `only` opens a region for HIP, `never` one for all but HIP.

    `early` are the two for a region that includes headers, where they differ. `device` are the places of edits that
    only AMD's compiler can read: a host's compiler that is given HIP's headers keeps what was there.
    """

    only: bytes
    never: bytes
    otherwise: bytes
    end: bytes
    indented: bool = False
    early: tuple[bytes, bytes] | None = None
    device: frozenset[int] = frozenset()

    def at(self, line: bytes) -> Directives:
        """The same, indented as `line` is where the language's style asks for it."""
        if not self.indented:
            return self
        blank = line[: len(line) - len(line.lstrip(b" \t"))]
        only, never, otherwise, end = (blank + one for one in (self.only, self.never, self.otherwise, self.end))
        return Directives(only, never, otherwise, end, self.indented)

    @staticmethod
    def of_cxx(guard: str) -> Directives:
        """Those of the C preprocessor, for a macro that is defined for HIP and nowhere else.

        HIP's headers define `__HIP_PLATFORM_AMD__`. Before them only the options of a build can have done so, but
        clang has said by `__HIP__` that it compiles HIP.
        """
        name = guard.encode()
        early = None
        if guard == _DEFAULT:
            early = (b"#if defined(%s) || defined(__HIP__)" % name, OUTSIDE_EARLY)
        return Directives(b"#ifdef " + name, b"#ifndef " + name, b"#else", b"#endif", early=early)

    def of(self, region: Region, old: bytes) -> Directives:
        """Those for one region, whose text `old` is."""
        if any(edit.span.start in self.device for edit in region.edits):
            name = self.only.removeprefix(b"#ifdef ")
            return replace(self, only=b"#if defined(%s) && defined(%s)" % (name, COMPILER))
        texts = (old, *(edit.replacement for edit in region.edits))
        if self.early is None or not any(b"#include" in text for text in texts):
            return self
        return Directives(*self.early, self.otherwise, self.end)


@dataclass(slots=True)
class Region:
    """A range of whole lines and the edits in it; a range without bytes takes a new line."""

    start: int
    end: int
    edits: list[Edit] = field(default_factory=list)


def around(data: bytes, wanted: Sequence[Edit], guard: str, marks: Iterable[str]) -> Fix | None:
    """Edits that make `wanted` for HIP alone, in file order; None where there are none.

    `marks` tell which conditionals already are HIP's: code there is edited in place, and so are conditions.
    """
    text = _Text(lexed := lex(data), branches(lexed, [mark.encode() for mark in marks]))
    choices, wanted = _choices(wanted)
    by_compiler = {edit.span.start for edit in wanted if device_part(edit.replacement) != edit.replacement}
    wanted = [replace(edit, replacement=device_part(edit.replacement)) for edit in wanted]
    direct = [edit for edit in wanted if text.is_direct(edit)]
    regions = _merged(text.region(edit) for edit in wanted if edit not in direct and edit not in choices)
    plain = [*choices, *(edit if text.is_for_hip(edit) else for_both(lexed, edit, guard) for edit in direct)]
    return written(data, regions, plain, replace(Directives.of_cxx(guard), device=frozenset(by_compiler)), text.settled)


def _choices(wanted: Sequence[Edit]) -> tuple[list[Edit], list[Edit]]:
    """Lines that keep a definition from AMD's compiler, which CUDA reads too, and the edits not in it."""
    found: list[tuple[Edit, Edit]] = []
    opening: Edit | None = None
    for edit in sorted(wanted, key=lambda one: one.span.start):
        if edit.replacement.strip() in _CHOOSES:
            opening = edit
        elif opening is not None and edit.replacement.strip() == _CHOSEN:
            found.append((opening, edit))
            opening = None
    inside = [(first.span.start, last.span.end) for first, last in found]
    rest = [one for one in wanted if not any(start <= one.span.start and one.span.end <= end for start, end in inside)]
    return [edit for pair in found for edit in pair], rest


def is_there(data: bytes, edit: Edit, marks: Iterable[str]) -> bool:
    """Whether an edit adds an include that HIP's side of the file has, as an earlier run leaves it."""
    lines = [one for one in edit.replacement.split(b"\n") if one.startswith(b"#include")]
    if edit.span.start != edit.span.end or not is_addition(edit) or len(lines) != 1:
        return False
    lexed, header = lex(data), lines[0][8:].strip()
    spellings = (header, b'"%s"' % header.strip(b"<>")) if header.startswith(b"<hip/") else (header,)
    known = branches(lexed, [mark.encode() for mark in marks])
    for directive in lexed.directives:
        if directive.name == "include" and directive.argument(data) in spellings:
            around = [one.hip for one in known if one.start <= directive.start < one.end]
            if not around or (True in around and False not in around):
                return True
    return False


def written(
    data: bytes,
    regions: Sequence[Region],
    direct: Sequence[Edit],
    words: Directives,
    settled: object = None,
) -> Fix | None:
    """One fix with the regions, and the edits that need none, which are `direct`."""
    plain = list(direct)
    at: dict[int, list[bytes]] = {}
    made: list[Edit] = []
    waiting: list[Edit] = []
    for edit in plain:
        if edit.span.start == edit.span.end and edit.replacement.startswith((*_CHOOSES, _CHOSEN)):
            waiting.append(edit)
        elif edit.span.start == edit.span.end:
            at.setdefault(edit.span.start, []).append(edit.replacement)
    waiting.sort(key=lambda edit: edit.span.start)
    for region in _settle(regions, settled):
        while waiting and waiting[0].span.start <= region.start:  # behind what ends there, before what begins
            at.setdefault(waiting[0].span.start, []).append(waiting.pop(0).replacement)
        _write(data, region if words.indented else _closed(data, region, settled), plain, words, at, made)
    for edit in waiting:
        at.setdefault(edit.span.start, []).append(edit.replacement)
    made += [edit for edit in plain if edit.span.start != edit.span.end]
    made += [Edit(Span(offset, offset), b"".join(pieces)) for offset, pieces in at.items()]
    made.sort(key=lambda edit: (edit.span.start, edit.span.end))
    return Fix(tuple(made), "safe") if made else None


def _settle(regions: Sequence[Region], settled: object) -> Sequence[Region]:
    """The regions, grown until each is one that directives may enclose."""
    if not callable(settled):
        return regions
    while True:
        grown = _merged(settled(region) for region in regions)
        if [(one.start, one.end) for one in grown] == [(one.start, one.end) for one in regions]:
            return grown
        regions = grown


def _closed(data: bytes, region: Region, settled: object) -> Region:
    """A region that opens no block which ends behind it, where it can end after its last edit: two openings with one
    end would hide where the function ends from whoever reads the file without a preprocessor."""
    last = max((edit.span.end for edit in region.edits), default=region.end)
    if not region.start < last < region.end or not _opened(data[region.start : region.end]):
        return region
    shorter = Region(region.start, last, region.edits)
    fits = not callable(settled) or settled(shorter).end == last
    return shorter if fits and not _opened(data[region.start : last]) else region


def _opened(text: bytes) -> int:
    """How many more blocks a text opens than it closes."""
    lexed = lex(text)
    found = [text[at : at + 1] for at in range(len(text)) if text[at] in b"{}" and lexed.is_code(at)]
    return found.count(b"{") - found.count(b"}")


def _write(
    data: bytes,
    region: Region,
    plain: list[Edit],
    words: Directives,
    at: dict[int, list[bytes]],
    made: list[Edit],
) -> None:
    """Add the edits of one region: `at` collects what is inserted, by offset, `made` what is replaced."""
    end = b"\r\n" if data.find(b"\r\n") >= 0 else b"\n"
    start, stop = region.start, region.end
    words = words.at(data[start:stop])
    inside = [edit for edit in plain if start <= edit.span.start < stop and start < edit.span.end <= stop]
    old, new = _edited(data, region, inside), _edited(data, region, [*region.edits, *inside])
    if old == new:
        return
    if words.indented:
        plain[:] = [edit for edit in plain if edit not in inside]
        if start == stop:
            at.setdefault(start, []).append(_choice(b"", new, words.at(new), end))
        else:
            made.append(Edit(Span(start, stop), _choice(old, new, words, end)))
        return
    words = words.of(region, old)
    last = b"" if old.endswith(b"\n") or not old else end
    if not new.strip():
        at.setdefault(start, []).append(words.never + end)
        at.setdefault(stop, []).append(last + words.end + end)
        return
    between = b"" if new.endswith(b"\n") else end
    closing = between + (words.otherwise + end + old + last if old.strip() else b"") + words.end + end
    _place(region, (words.only + end, closing), at, made)


def _place(region: Region, around: tuple[bytes, bytes], at: dict[int, list[bytes]], made: list[Edit]) -> None:
    """Add the edits of a region as they are, between two texts."""
    openers, closers = [around[0]], []
    for edit in region.edits:
        if edit.span.start != edit.span.end:
            made.append(edit)
        elif edit.span.start == region.end and region.end > region.start:
            closers.append(edit.replacement)
        elif edit.span.start == region.start:
            openers.append(edit.replacement)
        else:
            at.setdefault(edit.span.start, []).append(edit.replacement)
    at[region.start] = [*at.get(region.start, []), *openers]
    at.setdefault(region.end, []).extend([*closers, around[1]])


def _choice(old: bytes, new: bytes, words: Directives, end: bytes) -> bytes:
    """Both texts in a choice, indented where no text runs over a line's end."""
    parts = [(words.only, new), (words.otherwise, old)] if new.strip() else [(words.never, old)]
    lines = [line for _, text in parts for line in text.splitlines()]
    deeper = b"" if any(line.count(b'"') % 2 or b"[[" in line or b"[=" in line for line in lines) else b"  "
    made = b""
    for word, text in parts:
        if text.strip():
            made += word + end + b"".join(deeper * bool(line.strip()) + line + end for line in text.splitlines())
    return made + words.end + end


def _edited(data: bytes, region: Region, changes: Sequence[Edit]) -> bytes:
    """The lines of a region with some edits made."""
    moved = [Edit(Span(e.span.start - region.start, e.span.end - region.start), e.replacement) for e in changes]
    fixes = [Fix((edit,), "safe") for edit in moved]
    return writing.apply(data[region.start : region.end], fixes).data


def _merged(regions: Iterable[Region]) -> list[Region]:
    """Regions in file order, those that touch joined."""
    joined: list[Region] = []
    for region in sorted(regions, key=lambda one: (one.start, one.end)):
        if joined and region.start <= joined[-1].end:
            joined[-1].end = max(joined[-1].end, region.end)
            joined[-1].edits += [edit for edit in region.edits if edit not in joined[-1].edits]
        else:
            joined.append(Region(region.start, region.end, list(region.edits)))
    return joined


class _Text:
    """Where regions may begin and end in a file."""

    def __init__(self, lexed: Lexed, known: Sequence[Branch]) -> None:
        self.lexed, self.data, self.branches = lexed, lexed.data, known
        self.calls = list(self._macro_calls())

    def is_direct(self, edit: Edit) -> bool:
        """Whether an edit needs no region: it is of a condition, in code that only HIP compiles, or the same for both.

        The same is what differs by blanks alone between its tokens: `#include` for `#  include`, and `<<<` for `<< <`,
        which nvcc reads alike.
        """
        old, new = self.data[edit.span.start : edit.span.end], edit.replacement
        if old and _BLANK.sub(b"", old) == _BLANK.sub(b"", new) and first_difference(old, new, ()) is None:
            return True
        directive = self.lexed.directive_at(edit.span.start)
        added = edit.span.start == edit.span.end and edit.replacement.endswith(b"\n")
        if directive is not None and added and directive.start >= edit.span.start:
            directive = None  # a line before it
        elif directive is None and edit.span.start == edit.span.end and edit.span.start > 0:
            before = self.lexed.directive_at(edit.span.start - 1)
            directive = before if before is not None and not edit.replacement.lstrip(b"\r\n").startswith(b"#") else None
        if directive is not None and directive.name in _CONDITIONAL and edit.span.end <= directive.end:
            return True
        return self.is_for_hip(edit)

    def is_for_hip(self, edit: Edit) -> bool:
        """Whether only HIP compiles the code around an edit."""
        kinds = [one.hip for one in self.branches if one.start <= edit.span.start < one.end]
        return True in kinds and False not in kinds

    def region(self, edit: Edit) -> Region:
        """The lines that an edit touches."""
        start, end = edit.span.start, edit.span.end
        first = self.data.rfind(b"\n", 0, start) + 1
        if start == end == first and edit.replacement.endswith(b"\n"):
            return Region(start, end, [edit])
        if start == end == self._line_end(start) and edit.replacement.lstrip(b"\r\n").startswith(b"#include"):
            return self._next_line(edit)
        whole = end > start and self.data[end - 1 : end] == b"\n"
        return Region(first, end if whole else self._after(end), [edit])

    def _next_line(self, edit: Edit) -> Region:
        """A line that is added after another stands on its own, so that the other needs no copy."""
        after = self._after(edit.span.start)
        text = edit.replacement.lstrip(b"\r\n") + b"\n"
        if after == len(self.data) and not self.data.endswith(b"\n"):
            text = b"\n" + text
        return Region(after, after, [Edit(Span(after, after), text)])

    def settled(self, region: Region) -> Region:
        """The region, with whole directives, macro calls, literals and conditionals in it."""
        start, end = region.start, region.end
        if start == end:
            return self._outside(region)
        for directive in self.lexed.directives:
            if directive.start < end and start < directive.end:
                start, end = min(start, self._line(directive.start)), max(end, self._after(directive.end))
        for call in self.calls:
            if call.start < start < call.end or call.start < end < call.end:
                start, end = min(start, self._line(call.start)), max(end, self._after(call.end))
        for first, last in zip(self.lexed.starts, self.lexed.ends, strict=True):
            if first < start < last or first < end < last:
                start, end = min(start, self._line(first)), max(end, self._after(last))
        start, end = self._balanced(start, end)
        return Region(start, end, region.edits)

    def _outside(self, region: Region) -> Region:
        """A new line, before the macro call or literal that it would stand in."""
        inner = [(call.start, call.end) for call in self.calls]
        inner += list(zip(self.lexed.starts, self.lexed.ends, strict=True))
        if any(first < region.start < last for first, last in inner):
            line = self._line(region.start)
            return Region(line, self._after(region.start), region.edits)
        return region

    def _balanced(self, start: int, end: int) -> tuple[int, int]:
        """The range grown to hold whole conditionals, of each that it holds a directive of."""
        open_at: list[int] = []
        for directive in self.lexed.directives:
            if directive.name in _OPENING:
                open_at.append(directive.start)
            elif directive.name in _CONDITIONAL and open_at:
                first = open_at[-1]
                if directive.name == "endif":
                    open_at.pop()
                touches = start <= first < end or start <= directive.start < end
                if touches and not (start <= first and directive.end <= end):
                    start, end = min(start, self._line(first)), max(end, self._after(directive.end))
        return start, end

    def _line(self, offset: int) -> int:
        return self.data.rfind(b"\n", 0, offset) + 1

    def _line_end(self, offset: int) -> int:
        found = self.data.find(b"\n", offset)
        found = len(self.data) if found < 0 else found
        return found - 1 if self.data[found - 1 : found] == b"\r" and found > offset else found

    def _after(self, offset: int) -> int:
        """The start of the next line."""
        found = self.data.find(b"\n", offset)
        return len(self.data) if found < 0 else found + 1

    def _macro_calls(self) -> Iterator[Span]:
        """The calls of macros: directives must not stand in their arguments."""
        own = {
            match[1]
            for directive in self.lexed.directives
            if directive.name == "define" and (match := _DEFINED.match(directive.argument(self.data)))
        }
        until, before = 0, None
        for token in self.lexed.tokens(0, len(self.data)):
            called = before is not None and before.kind == WORD and self.data[token.start : token.end] == b"("
            if called and before is not None and before.start >= until and self.lexed.directive_at(token.start) is None:
                name = self.lexed.text(before)
                closing = self.lexed.closing(token.start) if name in own or _MACRO_NAME.fullmatch(name) else -1
                if closing >= 0:
                    until = closing
                    yield Span(before.start, closing + 1)
            before = token
